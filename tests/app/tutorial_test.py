#!/usr/bin/env python3
"""Runs the commands of docs/tutorial.md as a reader would: tutorial_test.py CUTAWAY PAGE [--write]

--write puts what is printed now in the place of the lines that the page shows. Figures in sentences are left: they
are written by hand, from the lines above them.

All blocks of commands are one session of bash, in a home of its own. A comment before a block says what it needs
(`<!-- test: needs glmark2 -->`) or that it is left out, and why. Of what is printed, the lines that the page shows
must be there: words may not be others, but for those that tell who waits. Counts of 1,000 and more, such as cycles, lie
within 3 % of the page's where every machine draws the same.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"(?:<!-- test: (.*?) -->\n)?```(sh|text)\n(.*?)```\n", re.S)
# Who waits for whom is timing as figures are, and such lines say little else.
WAITS = re.compile(r"held up|(?:blocked|starved) by|: [a-z][A-Za-z ]+ \d+ %| were moved; by | of the waits at |while it (?:waits|is inside)")
# The last column of the table of units, which is empty where a unit waits for nobody.
WAITS_MOST = re.compile(r"^(gpu\.\w+(?: +[\d.]+%){5}) .*")

TOLERANCE = 0.03


def blocks(page):
    """Of each block of commands: what its comment says, the commands, the lines shown below it."""
    found = []
    for note, kind, text in BLOCK.findall(page.read_text()):
        if kind == "sh":
            found.append((note, text, []))
        else:
            found[-1][2].extend(line for line in text.splitlines() if line not in ("...", ""))
    return found


def missing(note, has):
    if note.startswith("left out, "):
        return note
    return next((f"{tool} is not there" for tool in note.removeprefix("needs ").split() if not has(tool)), "")


def words(line):
    """Without figures, their signs and the spaces between them, and without whom a unit waits for most."""
    return re.sub(r"(?<!\S)-(?=\d)|[\d.,]+|\s+", " ", WAITS_MOST.sub(r"\1", line)).split()


def counts(line):
    """Its whole numbers from 1,000 on, addresses apart."""
    return [int(one.replace(",", "")) for one in re.findall(r"(?<![\w.])\d{1,3}(?:,\d{3})+(?![\w.])", line)]


def near(shown, printed):
    return all(abs(a - b) <= TOLERANCE * b for a, b in zip(counts(shown), counts(printed)))


def stands_for(line, printed, after):
    """The index of the printed line that the page shows with other figures, rather after that of the line before; -1: none."""
    order = [*range(after + 1, len(printed)), *range(after + 1)]
    same = next((i for i in order if words(printed[i]) == words(line)), -1)
    if same >= 0 or not WAITS.search(line):
        return same
    return next((i for i in order if words(printed[i])[:3] == words(line)[:3]), -1)


def check(commands, shown, printed, same_everywhere):
    at = -1
    for line in shown:
        found = stands_for(line, printed, at)
        if found < 0 and not WAITS.search(line):
            sys.exit("\n".join([commands, "does not print, other figures apart:", line, "but:", *printed]))
        if found < 0 or words(printed[found]) != words(line):
            print("no longer printed:", line)
        elif same_everywhere and not near(line, printed[found]):
            sys.exit("\n".join([commands, "prints", printed[found], "where the page, whose figures --write writes anew, has", line]))
        at = found if found >= 0 else at


def rewrite(page, ran):
    """Puts the printed lines into the page's blocks, in order."""
    text, place = page.read_text(), 0
    for _, shown, printed in ran:
        at = -1
        for line in shown:
            place = text.index(f"\n{line}\n", place) + 1
            found = stands_for(line, printed, at)
            if found < 0:
                print("write by hand:", line)
                continue
            at = found
            text = text[:place] + printed[at].rstrip() + text[place + len(line):]
    page.write_text(text)


def main():
    cutaway, page = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    if not shutil.which("vkcube"):
        print("vkcube is not installed")
        sys.exit(77)
    has = lambda tool: (cutaway.parent / "report_page.html").exists() if tool == "npm" else shutil.which(tool)
    with tempfile.TemporaryDirectory(prefix="cutaway_tutorial_") as home:
        script, ran, everywhere = "set -euo pipefail\n", [], []
        for number, (note, commands, shown) in enumerate(blocks(page)):
            if why := missing(note, has):
                print(f"left out: {commands.splitlines()[0]} ({why})")
                continue
            out = f"{home}/block{number}"
            script += f"{{\n{commands}}} >{out} 2>&1 || {{ cat {out}; exit 1; }}\n"
            ran.append((commands, shown, pathlib.Path(out)))
            everywhere.append("glmark2" not in note)
        environment = dict(os.environ, HOME=home, PATH=f"{cutaway.parent}:{os.environ['PATH']}")
        environment.pop("DISPLAY", None)
        session = subprocess.run(["bash", "-c", script], env=environment, capture_output=True, text=True)
        if session.returncode != 0:
            sys.exit(f"a command of {page} fails:\n{session.stdout}{session.stderr}")
        ran = [(commands, shown, out.read_text().splitlines()) for commands, shown, out in ran]
        if "--write" in sys.argv:
            rewrite(page, ran)
        else:
            for one, same_everywhere in zip(ran, everywhere):
                check(*one, same_everywhere)
        print(len(ran), "blocks")


main()
