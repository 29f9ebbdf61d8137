#!/usr/bin/env python3
"""Writes the figures of pages anew: figures.py [PAGE...]

Without pages it takes every page that has figures (`--list` shows them with their commands). A page names the command
of each of its figures, and its captures are made by its own commands. The commands of a page are one session of bash,
in a home of its own below --work:

- A block of commands (```sh) runs, and each line of the block below it (```text) is replaced by the line that the
  commands print with the same words. `<!-- test: needs TOOL... -->` before a block says which tools it needs, and
  `<!-- test: left out, WHY -->` that it does not run.
- An invisible comment says what else is to be done:

      <!-- figures
      run COMMAND                runs it, as a block of commands would
      let NAME, NAME = PATTERN   numbers of what was printed last; each # of the regular expression is one
      say PHRASE = FORMULA; ...  the phrase occurs once on the page, and its #s are these numbers
      hold FORMULA               some words of the page are true only while this holds
      write COMMAND              runs a program that writes the tables of the page; `let` then reads the page
      draw COMMAND               runs a program that draws a picture of the page
      needs TOOL...              as the first line: tools, or files of the tree, that the comment needs; alone: that the
                                 whole page needs
      within N                   the program draws by the clock: its figures may differ by N percent
      -->

A command that has finished for this build of Cutaway does not run again, so an interrupted run goes on where it was.
--check changes no page. It fails if a word differs, or a figure by more than --within percent (a share: points); it
runs no program that writes tables or draws. In commands, $TRACES is --traces, a folder of recordings; $ROOT is the tree; $NEW
is a folder for what depends on the build.
"""
import argparse
import difflib
import hashlib
import math
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PARTS = re.compile(r"^(?:<!-- test: (?P<note>.*?) -->\n)?```(?P<kind>sh|text)\n(?P<text>.*?)^```$"
                   r"|^<!-- figures\n(?P<marks>.*?)^-->$", re.S | re.M)
NUMBER = r"[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
FIGURE = re.compile(rf"(?<![\w.%#])({NUMBER})(?!\w)")
HOST_TIME = re.compile(r" s\b")
# Who waits for whom is timing as figures are, and such lines say little else.
WAITS = re.compile(r"held up|(?:blocked|starved) by|: [a-z][A-Za-z ]+ \d+ %| were moved; by | of the waits at "
                   r"|while it (?:waits|is inside)|groups? waited ")
# The last column of the table of units, which is empty where a unit waits for nobody.
WAITS_MOST = re.compile(r"^(gpu\.\w+(?: +[\d.]+%){5}) .*")


class Written(Exception):
    """A command has written the page, which is to be read again."""


class Failed(Exception):
    """A command of the page failed."""


class LeftOut(Exception):
    """The page needs a tool that is not there."""


class Page:
    """A page, and the session of bash that its commands are."""

    def __init__(self, path, options):
        self.path, self.options = path, options
        self.text = path.read_text()
        self.work = options.work / name_of(path).replace("/", "_")
        self.home = self.work / "home"
        self.home.mkdir(parents=True, exist_ok=True)
        self.new = self.work / stamp(options.cutaway)
        self.chain, self.printed, self.names, self.within = stamp(options.cutaway), None, {}, options.within
        self.wrong, self.edits, self.seconds, self.ran = [], [], 0.0, False

    def missing(self, note):
        if note.startswith("left out, "):
            return note
        tools = note.removeprefix("needs ").split()
        return next((f"{tool} is not there" for tool in tools if not self.has(tool)), "")

    def has(self, tool):
        if tool == "npm":
            return (self.options.cutaway.parent / "report_page.html").exists()
        if tool == "traces":
            return self.options.traces and self.options.traces.is_dir()
        return (ROOT / tool).exists() if "/" in tool else shutil.which(tool)

    def run(self, commands):
        """Runs commands where the ones before ended, unless they ran for this build; keeps what they print."""
        self.chain = hashlib.sha256(f"{self.chain}\n{commands}".encode()).hexdigest()[:16]
        out, place = self.work / f"{self.chain}.txt", self.home / ".cwd"
        if not out.exists():
            if not self.ran:
                shutil.rmtree(self.home)
                self.home.mkdir()
            print(f"  {commands.strip().splitlines()[-1][:100]}", flush=True)
            begin = time.monotonic()
            folder = place.read_text().strip() if place.exists() else str(self.home)
            environment = dict(os.environ, HOME=str(self.home), TRACES=str(self.options.traces or ""), ROOT=str(ROOT),
                               NEW=str(self.new),
                               PATH=f"{self.options.cutaway.parent}:{os.environ['PATH']}")
            environment.pop("DISPLAY", None)
            script = f"set -euo pipefail\n{commands}\npwd >{shlex.quote(str(place))}\n"
            ran = subprocess.run(["bash", "-c", script], env=environment, cwd=folder, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if ran.returncode != 0:
                raise Failed(f"a command fails:\n{commands}\n{ran.stdout}")
            half = out.with_suffix(".part")
            half.write_text(ran.stdout)
            half.rename(out)
            self.seconds += time.monotonic() - begin
        self.ran, self.printed = True, out.read_text()

    def show(self, shown, at):
        """Compares or replaces the lines of a block of text that begins at `at` of the page."""
        lines = [line.rstrip() for line in self.printed.splitlines()]
        sought, begin = [words(line) for line in lines], 0
        for line in shown.splitlines(keepends=True):
            length, bare = len(line), line.rstrip("\n")
            if bare and bare != "...":
                found = place_of(bare, lines, sought, begin)
                if found is None and self.within > self.options.within and WAITS.search(bare):
                    print(f"  is no longer printed: {bare}")
                elif found is None:
                    self.wrong.append(f"is no longer printed: {bare}")
                else:
                    self.compare(bare, lines[found])
                    self.edits.append((at, at + len(bare), lines[found]))
                    begin = found + 1
            at += length

    def compare(self, old, new):
        if words(old) != words(new):
            if not WAITS.search(old):
                self.wrong.append(f"other words: {old}\n  are now:     {new}")
            return
        # Of the table of units, the last two columns tell who waits for whom.
        old, new = (re.sub(r"^(gpu\.\w+(?: +[\d.]+%){4}) .*", r"\1", line) for line in (old, new))
        for match, now in zip(FIGURE.finditer(old), FIGURE.finditer(new)):
            share = re.match(r" ?%", old[match.end():]) is not None
            if HOST_TIME.match(old, match.end()):
                continue
            if not close(match.group(1), now.group(1), self.within, share):
                self.wrong.append(f"{match.group(1)} is {now.group(1)} in: {old}")

    def mark(self, line):
        """Performs a line of a comment; all but `run`, `write` and `draw` need that something ran."""
        verb, _, rest = line.partition(" ")
        if verb == "run":
            self.run(rest.replace("build/release/cutaway", "cutaway"))
        elif verb == "within":
            self.within = max(self.options.within, float(rest))
        elif verb == "write":
            self.write(rest)
        elif verb == "draw":
            if not self.options.check:
                self.run(rest)
        elif verb in ("let", "say", "hold"):
            if self.printed is not None:
                getattr(self, verb)(rest)
        else:
            sys.exit(f"{self.path}: no such word of a comment: {verb}")

    def write(self, command):
        if self.options.check:
            self.printed = self.text
            return
        self.run(f"(cd {shlex.quote(str(ROOT))}; {command})")
        self.printed = self.path.read_text()
        if self.printed != self.text:
            raise Written

    def let(self, rest):
        names, _, pattern = rest.partition(" = ")
        found = re.search(pattern.replace("#", f"({NUMBER})"), self.printed, re.M)
        if not found:
            self.wrong.append(f"nothing that is printed matches: {pattern}")
            return
        for name, value in zip(names.split(", "), found.groups(), strict=True):
            self.names[name] = float(value.replace(",", ""))

    def value(self, formula):
        return eval(formula, {"__builtins__": {}, "round": round, "min": min, "max": max, "abs": abs}, self.names)

    def say(self, rest):
        phrase, _, formulas = rest.rpartition(" = ")
        found = list(re.finditer(pattern_of(phrase), PARTS.sub(blank, self.text)))
        if len(found) != 1:
            sys.exit(f"{self.path}: {len(found)} places say: {phrase}")
        for group, formula in enumerate(formulas.split(";"), 1):
            try:
                value = self.value(formula.strip())
            except NameError:
                continue  # its `let` failed, which is told
            old = found[0].group(group)
            new = like(old, value)
            share = re.match(r" ?%", self.text[found[0].end(group):]) is not None
            if not close(old, new, self.within, share):
                self.wrong.append(f"{old} is {new} in: {phrase}")
            self.edits.append((found[0].start(group), found[0].end(group), new))

    def hold(self, formula):
        try:
            true = self.value(formula)
        except NameError:
            return  # its `let` failed, which is told
        if not true:
            self.wrong.append(f"no longer holds, so words of the page must change: {formula}")

    def measure(self):
        """Runs the page, and collects what is wrong with its figures and the edits that mend them."""
        at = 0
        while match := PARTS.search(self.text, at):
            at = match.end()
            if match["kind"] == "sh":
                why = self.missing(match["note"] or "")
                self.printed = None
                if why:
                    print(f"  left out: {match['text'].splitlines()[0][:80]} ({why})")
                else:
                    self.run(match["text"].replace("build/release/cutaway", "cutaway"))
            elif match["kind"] == "text":
                if self.printed is not None:
                    self.show(match["text"], match.start("text"))
            else:
                self.perform(match["marks"].splitlines())

    def perform(self, lines):
        if lines and lines[0].startswith("needs "):
            if why := self.missing(lines[0]):
                if len(lines) == 1:
                    raise LeftOut(why)
                print(f"  left out: {lines[1][:80]} ({why})")
                self.printed = None
                return
            lines = lines[1:]
        for line in lines:
            self.mark(line)

    def mended(self):
        text = self.text
        for begin, end, new in sorted(self.edits, reverse=True):
            text = text[:begin] + new + text[end:]
        return text


def name_of(path):
    return str(path.relative_to(ROOT) if path.is_relative_to(ROOT) else path.name)


def stamp(cutaway):
    """The build: its command and driver, and the presets that they read."""
    parts = [f"{part.stat().st_mtime_ns}" for part in [cutaway, *sorted(cutaway.parent.glob("*.so"))]]
    parts += [hashlib.sha256(preset.read_bytes()).hexdigest() for preset in sorted((ROOT / "presets").glob("*.toml"))]
    return hashlib.sha256("".join(parts).encode()).hexdigest()[:16]


def words(line):
    """Without figures, their signs and the spaces between them, and without whom a unit waits for most."""
    return re.sub(r"(?<!\S)-(?=\d)|[\d.,]+|\s+", " ", WAITS_MOST.sub(r"\1", line)).split()


def place_of(line, lines, sought, begin):
    """The printed line that a line of the page shows: of the same words; else, where it tells who waits, like it."""
    same = [i for i, found in enumerate(sought) if found == words(line)]
    if same:
        return next((i for i in same if i >= begin), same[0])
    if not WAITS.search(line):
        return None
    likeness = [difflib.SequenceMatcher(None, words(line), found).ratio() for found in sought[begin:]]
    best = max(range(len(likeness)), key=likeness.__getitem__, default=None)
    return begin + best if best is not None and likeness[best] >= 0.5 else None


def close(old, new, within, share):
    """True if a figure may stay: it differs by at most `within` percent (points of a share), or 2 of its last place."""
    was, now = (float(text.replace(",", "")) for text in (old, new))
    decimals = len(old.partition(".")[2])
    allowed = max(within if share else abs(was) * within / 100, 2.0 * 10 ** -decimals)
    return abs(was - now) <= allowed + 1e-9


def like(old, value):
    """The number with as many decimals as the old one, and commas unless the old one had none at their places."""
    decimals = len(old.partition(".")[2])
    value = math.floor(value * 10 ** decimals + 0.5) / 10 ** decimals
    plain = re.match(r"\d{4}", old) is not None
    return f"{value:.{decimals}f}" if plain else f"{value:,.{decimals}f}"


def pattern_of(phrase):
    return r"\s+".join(re.escape(word).replace(r"\#", f"({NUMBER})") for word in phrase.split())


def blank(match):
    return re.sub(r"[^\n]", "\0", match.group(0))


def pages():
    """Every page whose figures name their commands: with a comment of figures, or a block of what was printed."""
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True).stdout.split()
    return [ROOT / name for name in listed if re.search(r"^<!-- figures$", (ROOT / name).read_text(), re.M)]


def measured(path, options):
    while True:
        page = Page(path, options)
        try:
            page.measure()
            return page
        except Written:
            continue


def list_pages():
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # the reader may have seen enough
    for page in pages():
        print(name_of(page))
        for match in PARTS.finditer(page.read_text()):
            lines = (match["marks"] or "").splitlines()
            lines += [] if match["kind"] != "sh" else [f"run {line}" for line in match["text"].splitlines()]
            for line in lines:
                if line.startswith(("run ", "write ")):
                    print("   ", line)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", type=pathlib.Path, help="pages (default: all that have figures)")
    parser.add_argument("--cutaway", type=pathlib.Path, default=ROOT / "build/release/cutaway")
    parser.add_argument("--work", type=pathlib.Path, help="where commands run and what finished is kept "
                        "(default: build/figures; with --check nothing is kept)")
    parser.add_argument("--traces", type=pathlib.Path, help="recordings (default: $CUTAWAY_TRACES)",
                        default=os.environ.get("CUTAWAY_TRACES"))
    parser.add_argument("--within", type=float, default=2, help="percent by which --check lets figures differ (2)")
    parser.add_argument("--check", action="store_true", help="change no page, fail if one is stale")
    parser.add_argument("--list", action="store_true", help="print pages and commands")
    options = parser.parse_args()
    if options.list:
        return list_pages()
    options.cutaway = options.cutaway.resolve()
    options.traces = options.traces and pathlib.Path(options.traces).resolve()
    if options.check and not options.work:
        with tempfile.TemporaryDirectory(prefix="cutaway_figures_") as options.work:
            options.work = pathlib.Path(options.work)
            sys.exit(measure(options))
    options.work = (options.work or ROOT / "build/figures").resolve()
    result = measure(options)
    sys.exit(result)


def measure(options):
    """Measures the pages, writes them unless they are only checked, and returns the exit code: 1 if a command fails or a checked page is stale, 77 if all
    are left out."""
    stale, left_out = 0, True
    for path in [page.resolve() for page in options.pages] or pages():
        print(name_of(path), flush=True)
        try:
            page = measured(path, options)
        except LeftOut as why:
            print(f"  left out: {why}")
            continue
        except Failed as why:
            print(f"  {why}")
            stale, left_out = stale + 1, False
            continue
        left_out = False
        for line in page.wrong:
            print("  " + line)
        stale += bool(page.wrong) and options.check
        new = page.mended()
        changed = sum(old != now for old, now in zip(page.path.read_text().splitlines(), new.splitlines()))
        if not options.check:
            path.write_text(new)
        print(f"  {len(page.edits)} places, {changed} lines {'would change' if options.check else 'changed'}; "
              f"commands took {page.seconds:.0f} s")
    return 77 if left_out else int(stale > 0)


if __name__ == "__main__":
    main()
