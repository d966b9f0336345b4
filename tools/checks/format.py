"""clang-format agrees with every file."""
import subprocess

from checks import files


def check(root, options):
    tool = files.program("clang-format")
    if tool is None:
        return ["clang-format is not here\n  hint  run tools/setup"]
    names = files.sources(root)
    if not names:
        return []
    done = subprocess.run([tool, "--dry-run", "-Werror", *names], cwd=root, capture_output=True, text=True)
    bad = dict.fromkeys(line.split(":")[0] for line in done.stderr.splitlines() if ": error:" in line)
    if done.returncode and not bad:
        return [done.stderr.strip()]
    return [f"{name}: not formatted\n  hint  {tool.rsplit('/')[-1]} -i {name}" for name in bad]
