"""clang-tidy has nothing to say about the files that changed."""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import tempfile

from checks import files

DATABASE = "build/compile_commands.json"
# g++ has precompiled it, which clang cannot read.
PRECOMPILED = re.compile(r" -Winvalid-pch| -include \S*/cmake_pch\.hxx")
WARNING = re.compile(r"^(/\S+?):(\d+:\d+: (?:warning|error): .*)$", re.M)


def for_clang(root, folder):
    """Writes the last build's database as clang-tidy can use it; returns its entries."""
    database = json.loads((root / DATABASE).read_text(encoding="utf-8"))
    for entry in database:
        entry["command"] = PRECOMPILED.sub("", entry["command"])
    pathlib.Path(folder, "compile_commands.json").write_text(json.dumps(database), encoding="utf-8")
    return database


def compiled(root, database):
    """Relative path of every file of the database."""
    paths = (pathlib.Path(entry["file"]) for entry in database)
    return {path.relative_to(root).as_posix() for path in paths if path.is_relative_to(root)}


def to_check(root, options, database):
    """The .cc files to look at; a changed header stands for the .cc beside it."""
    names = files.sources(root) if options.all else files.changed(root, options.base)
    wanted = {name[:-2] + ".cc" if name.endswith(".h") else name for name in names}
    return sorted(wanted & compiled(root, database))


def tidy_one(tool, root, folder, name):
    done = subprocess.run([tool, "--quiet", "-p", folder, root / name],
                          cwd=root, capture_output=True, text=True)
    found = [f"{os.path.relpath(path, root)}:{text}" for path, text in WARNING.findall(done.stdout)]
    if done.returncode and not found:
        found = [f"{name}: clang-tidy failed\n{done.stdout}{done.stderr}".rstrip()]
    return found


def check(root, options):
    tool = files.program("clang-tidy")
    if tool is None:
        return ["clang-tidy is not here\n  hint  run tools/setup"]
    if not (root / DATABASE).exists():
        return [f"{DATABASE} is not here\n  hint  run make first"]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        names = to_check(root, options, for_clang(root, folder))
        results = pool.map(lambda name: tidy_one(tool, root, folder, name), names)
        return list(dict.fromkeys(text for result in results for text in result))
