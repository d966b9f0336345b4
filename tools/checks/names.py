"""A constant that all files share has its name for itself.

Two of one name in two headers link without a word, and a file may get the other one.
"""
import collections
import re

from checks import files
from checks.includes import EXTERN

NAMESPACE = re.compile(r"^(?:inline )?namespace ([\w:]+) \{", re.M)
# At the start of a line: not inside a class.
INLINE = re.compile(r"^inline (?:constexpr|const|constinit)\b([^;({]*(?:[({=][^;]*)?);", re.M)
NAME = re.compile(r"\b(k[A-Z]\w*)\s*(?:\[[^\]]*\]\s*)*[={]")


def check(root, options):
    places = collections.defaultdict(set)
    for path in files.sources(root):
        if path.startswith("src/"):
            text = (root / path).read_text(encoding="utf-8")
            space = "::".join(NAMESPACE.findall(text)[:1])
            for name, kind in shared(text):
                places[f"{space}::{name}"].add(path if kind == "inline" else "a registry")
    return [f"{name} is in {' and in '.join(sorted(where))}: one of them needs another name"
            for name, where in sorted(places.items()) if len(where) > 1]


def shared(text):
    """(name, kind) of the constants that other files can see."""
    for declaration in INLINE.findall(text):
        yield from ((name, "inline") for name in NAME.findall(declaration))
    for names in EXTERN.findall(text):
        yield from ((name.strip(), "extern") for name in names.split(","))
