"""Includes point downwards only, and siblings do not know each other.

The layers are those of docs/design/architecture.md.
"""
import re

from checks import files

# From the bottom up; folders of one line are siblings.
LAYERS = (
    ("base",),
    ("core", "drawing"),
    ("kernel",),
    ("codecs", "graphs"),
    ("sources", "interp"),
    ("pairing", "executors", "judge", "advice", "reports"),
    ("pipeline",),
    ("legacy",),
    ("app",),
)
HEIGHT = {folder: height for height, layer in enumerate(LAYERS) for folder in layer}
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]')
# `extern const Codec kNpz, kNpy;` and `extern constinit const Codec kNpy = {`
EXTERN = re.compile(r"\bextern\s+(?:constinit\s+)?const\s+\w+\s+([^;={]+)[;={]")


def check(root, options):
    src = root / "src"
    names = [name[len("src/"):] for name in files.sources(root) if name.startswith("src/")]
    registered = registered_files(src, names)
    complaints = []
    for name in names:
        for line, included in includes_of(src / name):
            if (src / included).is_file() or (src / name).parent.joinpath(included).is_file():
                reason = wrong(name, included, registered)
                if reason:
                    complaints.append(f"src/{name}:{line}: includes {included}: {reason}")
    return complaints


def includes_of(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if match := INCLUDE.match(line):
            yield number, match[1]


def wrong(name, included, registered):
    """Why this file may not include that one; None if it may."""
    here, there = name.split("/")[0], included.split("/")[0]
    if here not in HEIGHT:
        return f"folder '{here}' is in no layer; add it to tools/checks/includes.py"
    if there not in HEIGHT:
        return "the path must start at src/"
    if HEIGHT[there] > HEIGHT[here]:
        return f"{there} is above {here}"
    if HEIGHT[there] == HEIGHT[here] and there != here:
        return f"{there} is beside {here}"
    if {stem(name), stem(included)} <= registered and stem(name) != stem(included):
        return "both are in registry.cc; what they share belongs into a file of its own"
    return None


def stem(name):
    return name.rsplit(".", 1)[0]


def registered_files(src, names):
    """Path without suffix of every file that defines something its folder's registry.cc lists."""
    found = set()
    for registry in (name for name in names if name.endswith("/registry.cc")):
        folder = registry.rsplit("/", 1)[0]
        listed = declared(src / registry)
        for name in names:
            if name.rsplit("/", 1)[0] == folder and name != registry and name.endswith(".cc"):
                if listed & declared(src / name):
                    found.add(stem(name))
    return found


def declared(path):
    """The names of the `extern const` things in a file."""
    text = path.read_text(encoding="utf-8")
    return {name.strip() for names in EXTERN.findall(text) for name in names.split(",")}
