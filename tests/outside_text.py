#!/usr/bin/env python3
"""Holds the sources to the one place for each way out of texts of others. Prints one line per offence.

  JSON       base/json_text.h replaces bytes that are not UTF-8
  terminal   app/terminal.h makes one line without control characters of every text
  CSV        base/csv.h makes text of formulas
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent / "src"
PRINTS = re.compile(r"fmt::print\(|std::f?printf\(|\bprintf\(\"|std::(cout|cerr|clog)\b|std::f?puts\(|std::fwrite\(")
# Files that print by themselves, and how often: each text goes through one_line() there.
MAY_PRINT = {"app/terminal.cpp": 1, "report/progress.cpp": 1, "icd/api_error.cpp": 1, "icd/recording/gpu_factory.cpp": 1}


def offences():
    for path in sorted([*ROOT.rglob("*.h"), *ROOT.rglob("*.cpp")]):
        name = str(path.relative_to(ROOT))
        if name.endswith("_test.cpp") or "/testing/" in name:
            continue
        text = re.sub(r"//.*", "", path.read_text())
        if ".dump(" in text and name != "base/json_text.h":
            yield f"src/{name}: a text of JSON is made by json_text() (base/json_text.h)"
        prints = len(PRINTS.findall(text))
        if prints != MAY_PRINT.get(name, 0):
            yield f"src/{name}: {prints} calls print; the command prints by tell() (app/terminal.h)"
        if '"\\"\\""' in text and name not in ("base/csv.cpp", "sweep/store.cpp"):  # the other one quotes names of SQL
            yield f"src/{name}: a cell of CSV is made by csv_cell() (base/csv.h)"


found = list(offences())
print("\n".join(found) if found else "texts of others: every way out goes through its helper")
sys.exit(1 if found else 0)
