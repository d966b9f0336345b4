"""The workbook says what the CSV says, and numbers in it are numbers."""
import csv
import math
import re
import xml.etree.ElementTree as xml
import zipfile

import numpy as np

NS = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def column(reference):
    number = 0
    for letter in re.match("[A-Z]+", reference)[0]:
        number = number * 26 + ord(letter) - 64
    return number - 1


def lines(path, sheet):
    """[[(text, is number)]] of a sheet; cells that are not there are None."""
    with zipfile.ZipFile(path) as book:
        names = [s.get("name") for s in xml.fromstring(book.read("xl/workbook.xml")).iter(NS + "sheet")]
        root = xml.fromstring(book.read(f"xl/worksheets/sheet{names.index(sheet) + 1}.xml"))
    for row in root.iter(NS + "row"):
        cells = {}
        for cell in row.iter(NS + "c"):
            text = "".join(cell.itertext())
            cells[column(cell.get("r"))] = (text, cell.get("t") is None and text != "")
        yield [cells.get(i, ("", False)) for i in range(max(cells) + 1)]


def check_workbook(assay, folder, _):
    for side, change in (("golden", 0), ("target", 1)):
        np.savez(f"{folder}/{side}.npz", **{
            "=1+1": np.arange(100, dtype="f4") + change, "123": np.array([2**62 + change, 5], "i8"),
            "inf": np.array([np.inf, 1], "f4"), f"only_{side}": np.ones(3, "f4")})
    done = assay.run("compare", f"{folder}/golden.npz", f"{folder}/target.npz", "-o", f"{folder}/r.xlsx",
                     "-o", f"{folder}/r.csv", code=None)
    table = list(csv.reader(open(f"{folder}/r.csv", newline="")))
    sheet = list(lines(f"{folder}/r.xlsx", "rows"))
    assert len(table) == len(sheet) == 6, (len(table), len(sheet))
    numbers = 0
    for line, cells in zip(table, sheet):
        cells += [("", False)] * (len(line) - len(cells))
        for text, (shown, is_number) in zip(line, cells):
            numbers += is_number
            if is_number:  # of 16 digits
                assert math.isclose(float(text), float(shown), rel_tol=1e-15), (text, shown)
            else:
                assert text.removeprefix("'") == shown, (text, shown)
    assert numbers > 60
    assert any(str(2**62) in text and not number for cells in sheet for text, number in cells), "a double lost digits"
    summary = [[text for text, _ in cells] for cells in lines(f"{folder}/r.xlsx", "summary")]
    assert summary[0][0] == "assay" and summary[0][1] in ("fail", "unsure"), summary
    assert [cells[0][0] for cells in lines(f"{folder}/r.xlsx", "findings")][0] == "rule"
    assert done.returncode in (1, 3), done
