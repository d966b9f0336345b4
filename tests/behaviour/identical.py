"""Everything but `run` is byte-identical for any threads, simd and repetition."""
import os

import dumps
import program


def stable_part(text):
    return text[:text.rindex('"run":')]


def check_all_formats(assay, folder, _samples):
    golden, target = os.path.join(folder, "golden"), os.path.join(folder, "target")
    dumps.write_side(golden, 0)
    dumps.write_side(target, 1)
    report = assay.json("compare", golden, target)
    program.expect_whole(report)
    assert len(report["rows"]) == 18 and report["counts"]["error"] == 0, report["counts"]
    assert not report["unpaired"]
    wanted = stable_part(assay.run("compare", golden, target, "--json").stdout)
    variants = [["--threads", n] for n in (1, 2, 7)] + [["--simd", s] for s in assay.simds()]
    for extra in variants + [["--threads", 2, "--max-memory", "4M"]]:
        text = stable_part(assay.run("compare", golden, target, "--json", *extra).stdout)
        assert text == wanted, f"{extra} changes the report"


def check_extra_passes(assay, folder, _samples):
    golden, target = os.path.join(folder, "golden"), os.path.join(folder, "target")
    dumps.write_side(golden, 0)
    dumps.write_side(target, 1)
    words = ("compare", golden, target, "--json", "--metrics", "all", "--only", "few|f16|e4m3")
    texts = {stable_part(assay.run(*words, "--threads", n).stdout) for n in (1, 3)}
    assert len(texts) == 1


def check_self(assay, folder, _samples):
    """A dump against itself: every row pass or trivial, exit 0."""
    dumps.write_side(os.path.join(folder, "dump"), 0)
    report = assay.json("compare", os.path.join(folder, "dump"), os.path.join(folder, "dump"), code=0)
    program.expect_whole(report)
    assert {row["verdict"] for row in report["rows"]} <= {"pass", "trivial"}
    assert all(row["metrics"]["equal"] == row["metrics"]["count"] for row in report["rows"])
