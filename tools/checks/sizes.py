"""No file over 500 lines, no function over 60; prints the medians."""
import re
import statistics

from checks import files

FILE_LIMIT = 500
FUNCTION_LIMIT = 60
# What could fake a brace or the start of a function: raw strings, comments, strings, characters,
# preprocessor lines, labels.
HIDDEN = re.compile(
    r'R"(?P<d>[^(\s]*)\(.*?\)(?P=d)"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'|^[ \t]*#(?:\\\n|[^\n])*"
    r"|^[ \t]*(?:public|protected|private):",
    re.S | re.M)
# Braces that hold functions; `extern "C"` has lost its string by then.
SCOPE = re.compile(
    r"^[ \t]*(?:inline )?(?:namespace|class|struct|union|extern)\b(?:[^()]|alignas\([^()]*\))*\Z", re.M)
INITIALISER = re.compile(r"(?<![=!<>])=(?!=)(?![^(]*\))")


def check(root, options):
    complaints, file_lengths, function_lengths = [], [], []
    for name in files.sources(root):
        text = (root / name).read_text(encoding="utf-8")
        lines = text.count("\n")
        file_lengths.append(lines)
        if lines > FILE_LIMIT:
            complaints.append(f"{name}: {lines} lines, at most {FILE_LIMIT}")
        for title, line, length in functions(text):
            function_lengths.append(length)
            if length > FUNCTION_LIMIT:
                complaints.append(f"{name}:{line}: '{title}' has {length} lines, at most {FUNCTION_LIMIT}")
    print(summary("file", file_lengths))
    print(summary("function", function_lengths))
    return complaints


def summary(what, lengths):
    if not lengths:
        return f"sizes: no {what}s"
    return f"sizes: {len(lengths)} {what}s, median {statistics.median(lengths):g} lines, longest {max(lengths)}"


def blank(match):
    return re.sub(r"[^\n]", " ", match[0])


def functions(text):
    """(title, line, length) of each function body; what is inside one belongs to it."""
    text = HIDDEN.sub(blank, text)
    depth, opaque = 0, None  # opaque: depth of the function or initialiser we are in
    head_begin = start = 0
    for match in re.finditer(r"[{};]", text):
        at, mark = match.start(), match[0]
        if mark == "{":
            head = text[head_begin:at]
            if opaque is None and not SCOPE.search(head):
                opaque = depth
                start = at - len(head.lstrip()) if is_function(head) else None
            depth += 1
        elif mark == "}":
            depth -= 1
            if opaque == depth:
                opaque = None
                if start is not None:
                    first = text.count("\n", 0, start) + 1
                    yield title_of(text[start:at]), first, text.count("\n", start, at) + 1
        head_begin = at + 1


def is_function(head):
    return "(" in head and not INITIALISER.search(head)


def title_of(text):
    names = re.findall(r"([~\w:]+(?:\([^()]*\))?)\s*\(", text.split("{")[0])
    return names[0] if names else text.split("\n")[0].strip()
