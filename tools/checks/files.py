"""Which files there are, and which programs."""
import shutil
import subprocess

FOLDERS = ("src", "tests", "fuzz")
SUFFIXES = (".h", ".cc")


def git(root, *arguments):
    done = subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True)
    return done.stdout.splitlines() if done.returncode == 0 else None


def sources(root):
    """Every C++ file below FOLDERS, as relative paths; git decides what is ignored."""
    names = git(root, "ls-files", "--cached", "--others", "--exclude-standard", "--", *FOLDERS)
    if names is None:
        names = [p.relative_to(root).as_posix() for f in FOLDERS for p in (root / f).rglob("*")]
    return sorted(n for n in set(names) if n.endswith(SUFFIXES) and (root / n).is_file())


def changed(root, base):
    """The sources that differ from a revision, new ones too; all of them before the first commit."""
    differing = git(root, "diff", "--name-only", base)
    if differing is None:
        return sources(root)
    new = git(root, "ls-files", "--others", "--exclude-standard")
    return [name for name in sources(root) if name in {*differing, *new}]


def program(name):
    """Version 14 of an LLVM tool if it is here, else whichever is; None if neither."""
    return shutil.which(f"{name}-14") or shutil.which(name)
