"""The prompt: what precision_tool printed is in our answers to the same commands."""
import os
import re
import shutil
import subprocess

import make_om

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.join(HERE, "../cli/data/training/precision_data")
CONSOLE = os.path.join(HERE, "../data/precision_tool/expected_console.txt")
TABLE = os.path.join(HERE, "../data/compare/fusion/expected.csv")

# What the stored console has and we do not print, by command.
EXCEPTIONS = {
    # metrics_cli.md 5.5: an attribute's value is printed without the name of its kind.
    "ni -n relu_nodump -a": {"s"},
    # formats.md 3.3: the meanings of a status are in English.
    "ac": {"FP32", "FP16", "32"},
}


def tokens(text):
    """Operator names, numbers, file names, labels: whatever is no frame."""
    return set(re.findall(r"[A-Za-z0-9_][A-Za-z0-9_./+-]*", text))


def console():
    """(command, what it printed) in order."""
    with open(CONSOLE, encoding="utf-8") as file:
        parts = file.read().split("PrecisionTool > ")[1:]
    return [part.split("\n", 1) for part in parts]


def shell(assay, folder, *words, text=None, code=0):
    done = subprocess.run([assay.path, "shell", *words], cwd=folder, input=text, text=True,
                          capture_output=True, timeout=120)
    assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
    return done


def work_in(folder):
    shutil.copytree(TREE, os.path.join(folder, "precision_data"))
    return folder


def check_console_words_are_in_ours(assay, folder, _samples):
    work_in(folder)
    commands = console()
    assert len(commands) == 10, commands
    for command, expected in commands:
        words = tokens(expected)
        done = subprocess.run([assay.path, "shell", "-c", command], cwd=folder, text=True,
                              capture_output=True, timeout=120)
        ours = tokens(done.stdout)
        missing = words - ours
        assert missing == EXCEPTIONS.get(command, set()), (command, missing, done.stdout, done.stderr)


def check_limits_are_exact(assay, folder, _samples):
    work_in(folder)
    records = os.path.join(folder, "precision_data/overflow/dump/20240501120500/0/net_NPU_0/1/0")
    first = os.path.join(records, "Opdebug.Node_OpDebug.99.3.1700000000000301")
    for i in range(2, 6):
        shutil.copy(first, first[:-1] + str(i))
    for limit in (1, 2, 5):
        out = shell(assay, folder, "-c", f"ac -l {limit}").stdout
        assert out.count("First overflow file timestamp") == limit, out
    for limit, shown in ((0.549, 0), (0.549194, 1), (0.995, 2)):
        out = shell(assay, folder, "-c", f"vcs -f {TABLE} -c {limit}").stdout
        assert out.count("Output:") == shown, (limit, out)
    assert shell(assay, folder, "-c", f"vcs -f {TABLE} -c 1 -l 4").stdout.count("Output:") == 4


def check_atomic_codes_are_told(assay, folder, _samples):
    """DHA codes ended the old prompt (metrics_cli.md 5.5)."""
    work_in(folder)
    record = os.path.join(folder, "precision_data/overflow/dump/20240501120500/0/net_NPU_0/1/0",
                          "Opdebug.Node_OpDebug.99.3.1700000000000301")
    with open(record, "r+b") as file:
        data = bytearray(file.read())
        start = len(data) - 2048
        data[start + 8:start + 24] = (3).to_bytes(8, "little") + (5).to_bytes(8, "little")
        data[start + 512:start + 520] = (0xa << 8).to_bytes(8, "little")
        data[start + 1040:start + 1048] = bytes(8)
        file.seek(0)
        file.write(data)
    out = shell(assay, folder, "-c", "ac").stdout
    assert "[DHA Atomic Add][Status:2560]" in out and "underflow in an atomic addition" in out, out
    assert "mul_nan" in out, out


def check_nothing_ends_the_shell(assay, folder, _samples):
    """Bad files, bad words: an error each, and the next command is run."""
    work_in(folder)
    root = os.path.join(folder, "precision_data")
    with open(os.path.join(root, "tf/dump/broken.0.17.npy"), "wb") as file:
        file.write(b"\x93NUMPY\x01\0garbage")
    with open(os.path.join(root, "npu/debug_0/graph/ge_proto_00000006_Build.txt"), "wb") as file:
        file.write(b"graph { op { name: \"cut")
    shutil.rmtree(os.path.join(root, "overflow/dump"))
    os.makedirs(os.path.join(root, "overflow/dump"))
    with open(os.path.join(root, "fusion/fusion_result.json"), "w", encoding="utf-8") as file:
        file.write("[")
    script = "\n".join(["pt broken", "pt broken.0.17.npy", "cp broken relu1", "cp relu1", "ni nothing",
                        "dc nothing", "vcs -f /", "vc -lt nowhere", "ac", "ls -n '('", "ls -t Add",
                        "no_such_program", "'", "compare x y", "show nowhere", "", "# comment",
                        "echo alive"]) + "\n"
    done = shell(assay, folder, text=script)
    assert done.stdout.endswith("alive\n"), done.stdout
    assert "[Add][] add.wrong" in done.stdout, done.stdout
    assert done.stderr.count("assay: ") >= 12, done.stderr


def check_pt_keeps_what_is_there(assay, folder, _samples):
    work_in(folder)
    dumps = os.path.join(folder, "precision_data/tf/dump")
    text = os.path.join(dumps, "relu1.0.1700000000000004.npy.txt")
    with open(text, "w", encoding="utf-8") as file:
        file.write("mine\n")
    shell(assay, folder, "-c", "pt relu1")
    with open(text, encoding="utf-8") as file:
        assert file.read() == "mine\n"
    dump = "Mul.mul_nan.5.3.1700000000000105.output.0.npy"
    out = shell(assay, folder, "-c", f"pt {dump}").stdout
    copy = f"precision_data/temp/decode/dump_decode/debug_0/{dump}"
    assert f"Path: {copy} " in out and f"TxtFile: {copy}.txt " in out, out
    import numpy as np
    values = np.load(os.path.join(folder, copy))
    again = np.loadtxt(os.path.join(folder, copy + ".txt")).reshape(values.shape)
    assert np.allclose(values.astype("f4"), again, rtol=1e-5, equal_nan=True)


def check_words_of_a_tired_user(assay, folder, _samples):
    """Operators named as the graph names them, a tensor that two dumps have, a home, and what to do instead."""
    work_in(folder)
    for words in ("scope/split1.1", "scope_split1.1"):
        assert "[Max: 2.362166]" in shell(assay, folder, "-c", f"pt {words}").stdout, words
    assert "3.9668257" in shell(assay, folder, "-c", "pt add.wrong").stdout
    assert "can be 2 arrays" in shell(assay, folder, "-c", "pt Mul.mul_nan", code=2).stderr
    assert "'run ls …' is the system's" in shell(assay, folder, "-c", "ls | head", code=2).stderr
    assert "no run is open" in shell(assay, folder, "-c", "show add.wrong", code=2).stderr
    assert "usage: assay show" in shell(assay, folder, "-c", "show --help").stdout
    shutil.copy(os.path.join(TREE, "tf/dump/scalar_op.0.1700000000000014.npy"), os.path.join(folder, "x.npy"))
    done = subprocess.run([assay.path, "shell", "-c", "pt ~/x.npy"], cwd=folder, text=True, capture_output=True,
                          env=dict(os.environ, HOME=folder), timeout=120)
    assert "[Max: 3.5]" in done.stdout, done.stderr


def check_all_roots_count(assay, folder, _samples):
    """The seed puts dumps below precision_data, records below precision_tool, golden below precision."""
    root = os.path.join(folder, "precision_data")
    shutil.copytree(os.path.join(TREE, "npu/debug_0/dump"), os.path.join(root, "dump/npu"))
    shutil.copytree(os.path.join(TREE, "npu/debug_0/graph"), os.path.join(root, "graph/all"))
    shutil.copytree(os.path.join(TREE, "overflow/dump"),
                    os.path.join(folder, "precision_tool/dump/overflow"))
    shutil.copytree(os.path.join(TREE, "tf/dump"), os.path.join(folder, "precision/dump/cpu"))
    out = shell(assay, folder, "-c", "ni scope_split1; ac").stdout
    for word in ("SplitD.scope_split1.3.3.1700000000000103.output.1.npy", "0.39851272",
                 "scope_split1.1.1700000000000006.npy", "mul_nan", "Status:288"):
        assert word in out, (word, out)
    plain = shell(assay, os.path.join(root, "dump/npu"), "-c", "pt Add.mm_1.8 ; pt Add.mm_1.8.3.1700000000000108.output.0",
                  code=0)
    assert "Add.mm_1.8.3.1700000000000108.output.0.npy" in plain.stdout + plain.stderr


def old_words(assay, folder, *words, code=0, text=""):
    done = subprocess.run([assay.path, *words], cwd=folder, input=text, text=True, capture_output=True, timeout=120)
    assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
    return done


JOB = """
env | sort
mkdir -p precision_data/npu/debug_0 precision_data/tf
cp -r {tree}/npu/debug_0/dump precision_data/npu/debug_0/
cp -rp {tree}/npu/debug_0/graph/. .
cp -r {tree}/tf/dump precision_data/tf/
cp -r {tree}/overflow precision_data/
cp {tree}/fusion/fusion_result.json .
"""


def check_a_job_and_all_checks(assay, folder, _samples):
    """A job of the device that writes what a real one does; then everything that is wrong, by its name."""
    with open(os.path.join(folder, "job.sh"), "w", encoding="utf-8") as file:
        file.write(JOB.format(tree=os.path.abspath(TREE)))
    done = old_words(assay, folder, "npu_dump", "sh job.sh")
    for variable in ("DUMP_GE_GRAPH=2", "DUMP_GRAPH_LEVEL=3", "DUMP_GRAPH_PATH=", "PRECISION_TOOL_DUMP=True"):
        assert variable in done.stdout, (variable, done.stdout)
    for what in ("graph", "dump"):
        assert f"/npu/debug_0/{what}" in done.stderr, done.stderr
    out = shell(assay, folder, "-c", "ac -c", code=1).stdout
    for words in ("add.wrong", "mul_nan", "'float overflow'",
                  "'overflow in float32 or int32 to float16'", "ConvBatchnormFusionPass"):
        assert words in out, (words, out)


def check_output_of_msquickcmp(assay, folder, _samples):
    """`infer` makes a working folder of it, once, and leaves it as it is; `data` is the prompt elsewhere."""
    output = os.path.join(folder, "out/20240501120000")
    shutil.copytree(os.path.join(TREE, "npu/debug_0/dump"), os.path.join(output, "dump_data/npu"))
    shutil.copytree(os.path.join(TREE, "tf/dump"), os.path.join(output, "dump_data/tf"))
    os.makedirs(os.path.join(output, "model"))
    shutil.copy(os.path.join(TREE, "npu/debug_0/graph/ge_proto_00000005_Build.txt.json"),
                os.path.join(output, "model/net.json"))
    shutil.copy(TABLE, os.path.join(output, "result_1.csv"))
    old_words(assay, folder, "infer", "out")
    assert "add.wrong" in shell(assay, folder, "-c", "vcs; ls -t Add").stdout
    assert "add.wrong" in shell(assay, folder, "-c", "ac -c", code=1).stdout
    assert "exists already" in old_words(assay, folder, "infer", "out", code=2).stderr
    os.makedirs(os.path.join(folder, "other/empty"))
    for wrong, why in (("empty", "neither a folder dump_data nor"), ("gone", "no such file or folder")):
        assert why in old_words(assay, os.path.join(folder, "other"), "infer", wrong, code=2).stderr
    assert "[Add][] mm_1" in old_words(assay, folder, "data", TREE, text="ls -t Add\n").stdout
    assert "one folder" in old_words(assay, folder, "data", code=2).stderr


def check_output_of_an_offline_model(assay, folder, _samples):
    """A model, dumps and arrays that somebody put into one folder; or the model alone."""
    output = os.path.join(folder, "out")
    shutil.copytree(os.path.join(TREE, "npu/debug_0/dump"), os.path.join(output, "npu"))
    shutil.copytree(os.path.join(TREE, "tf/dump"), os.path.join(output, "cpu"))
    make_om.write_om(os.path.join(TREE, "npu/debug_0/graph/ge_proto_00000005_Build.txt.json"),
                     os.path.join(output, "net.om"))
    done = old_words(assay, folder, "infer", "out")
    for line in ("npu/debug_0/graph: out/net.om", "npu/debug_0/dump: 18 files", "tf/dump: 20 files"):
        assert line in done.stdout, done.stdout
    assert "[Add][] add.wrong" in shell(assay, folder, "-c", "ls -t Add").stdout
    assert "add.wrong" in shell(assay, folder, "-c", "ac -c", code=1).stdout
    mixed = os.path.join(folder, "mixed")
    shutil.copytree(os.path.join(output, "cpu"), os.path.join(mixed, "all"))
    shutil.copy(os.path.join(output, "npu/20240501120000/0/net_NPU_0/1/0/Mul.mul_nan.5.3.1700000000000105"),
                os.path.join(mixed, "all"))
    assert "lie in one folder" in old_words(assay, mixed, "infer", ".", code=2).stderr
    alone = os.path.join(folder, "alone")
    os.makedirs(alone)
    old_words(assay, alone, "infer", "../out/net.om")
    assert "[Add][] add.wrong" in shell(assay, alone, "-c", "ls -t Add").stdout


def check_parts_in_the_roots_of_the_instructions(assay, folder, _samples):
    """Seed layouts mixed: dumps of today, graphs and arrays where the instructions once put them."""
    for part, place in (("npu/debug_0/dump", "precision_data/npu/debug_0/dump"),
                        ("npu/debug_0/graph", "precision_data/graph/all"), ("tf/dump", "precision/dump/cpu"),
                        ("overflow/dump", "precision_tool/dump/overflow")):
        shutil.copytree(os.path.join(TREE, part), os.path.join(folder, place))
    shutil.copy(os.path.join(TREE, "fusion/fusion_result.json"), folder)
    out = shell(assay, folder, "-c", "ac -c", code=1).stdout
    for words in ("add.wrong", "mul_nan", "'float overflow'", "ConvBatchnormFusionPass"):
        assert words in out, (words, out)
    plain = os.path.join(folder, "plain")  # the old tool's own folder is no data
    os.makedirs(os.path.join(plain, "precision_tool/lib"))
    shutil.copytree(os.path.join(TREE, "npu/debug_0"), os.path.join(plain, "run"))
    assert "[Add][] add.wrong" in shell(assay, plain, "-c", "ls -t Add").stdout


def check_a_failed_comparison_hides_no_table(assay, folder, _samples):
    """In a plain folder; the graph is the folder's where none is named."""
    shutil.copytree(os.path.join(TREE, "npu/debug_0/dump"), os.path.join(folder, "npu"))
    shutil.copytree(os.path.join(TREE, "tf/dump"), os.path.join(folder, "cpu"))
    shutil.copy(os.path.join(TREE, "npu/debug_0/graph/ge_proto_00000005_Build.txt"), folder)
    done = shell(assay, folder, "-c", "vc -lt npu -rt cpu; show --top 1; vc -lt nowhere; vcs")
    assert done.stdout.count("[5] add.wrong") == 2 and "add.wrong, mul_nan" in done.stdout, done.stdout
    assert "… and 24 more rows" in done.stdout, done.stdout


def check_the_configured_folder(assay, folder, _samples):
    shutil.copytree(TREE, os.path.join(folder, "work"))
    os.makedirs(os.path.join(folder, "precision_tool"))
    with open(os.path.join(folder, "precision_tool/config.py"), "w", encoding="utf-8") as file:
        file.write("DATA_ROOT_DIR = './work/'\n")
    assert "[Add][] add.wrong" in shell(assay, folder, "-c", "ls -t Add").stdout
    with open(os.path.join(folder, "assay.toml"), "w", encoding="utf-8") as file:
        file.write("DATA_ROOT_DIR = [\n")
    done = shell(assay, folder, "work", "-c", "ls -t Add")
    assert "[Add][] add.wrong" in done.stdout and "not TOML" in done.stderr, done.stderr


def check_old_lines_without_the_prompt(assay, folder, _samples):
    work_in(folder)
    done = old_words(assay, folder, "compare", "-n", r"add_wrong\.0.*", "mul_nan.0.1700000000000008.npy", "-p", "1")
    assert "ErrorPer: 0.75  (rl= 0.001, al= 0.001)" in done.stdout, done.stdout
    assert "add.wrong" in old_words(assay, folder, "vector_compare", code=1).stdout


def check_training_needs_its_framework(assay, folder, _samples):
    done = old_words(assay, folder, "train", "-d", "cpu", code=2)
    assert "no checkpoint (.meta) in" in done.stderr, done.stderr
    checkpoints = os.path.join(folder, "precision_data/tf/checkpoints")
    os.makedirs(checkpoints, exist_ok=True)
    with open(os.path.join(checkpoints, "a.meta"), "wb"):
        pass
    done = old_words(assay, folder, "train", "-a", "overflow", "-d", "npu", code=2)
    assert "npu_bridge) is not installed" in done.stderr, done.stderr
    done = old_words(assay, folder, "train", "-a", "fusion_switch", "-d", "npu", code=2)
    assert "FUSION_SWITCH_FILE" in done.stderr, done.stderr
    assert "invalid choice: 'tpu'" in old_words(assay, folder, "train", "-d", "tpu", code=2).stderr
