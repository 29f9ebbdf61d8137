"""The planted bugs: KIND.txt beside this file, a list of single-line edits.

    NAME FILE
    @ TEXT          where OLD stands more than once: the first OLD after this text, which stands once
    - OLD           a part of one line
    + NEW           what replaces it
      WORDS         what that breaks
    = WORDS         only where no test can tell: why
"""
import dataclasses
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent
KINDS = ("bits", "time", "counters", "accounts")


@dataclasses.dataclass(frozen=True)
class Bug:
    name: str
    kind: str
    file: str
    old: str
    new: str
    breaks: str
    after: str = ""
    equivalent: str = ""

    def place(self, text):
        """Where OLD begins; ValueError where the list and the source do not fit together."""
        start = 0
        if self.after:
            if text.count(self.after) != 1:
                raise ValueError(f"'@ {self.after}' stands {text.count(self.after)} times, expected once")
            start = text.index(self.after)
        count = text.count(self.old)
        if count == 0 or (count > 1 and not self.after):
            raise ValueError(f"'- {self.old}' stands {count} times, expected once"
                             f"{' or a line @' if count else ''}")
        at = text.find(self.old, start)
        if at < 0:
            raise ValueError(f"'- {self.old}' does not stand after '@ {self.after}'")
        return at

    def plant(self, text):
        at = self.place(text)
        return text[:at] + self.new + text[at + len(self.old):]


def parse(text, kind, source):
    bugs = []
    block = {}

    def end(line):
        if not block:
            return
        for field in ("name", "file", "old", "new", "breaks"):
            if field not in block:
                raise ValueError(f"{source}:{line}: {block.get('name', '?')}: no {field}")
        bugs.append(Bug(kind=kind, **block))
        block.clear()

    number = 0
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#"):
            continue
        if not line.strip():
            end(number)
        elif line.startswith("- "):
            block["old"] = line[2:]
        elif line.startswith("+"):
            block["new"] = line[2:]
        elif line.startswith("@ "):
            block["after"] = line[2:]
        elif line.startswith("= "):
            block["equivalent"] = line[2:]
        elif line.startswith("  "):
            block["breaks"] = line.strip()
        else:
            fields = line.split()
            if len(fields) != 2 or block:
                raise ValueError(f"{source}:{number}: expected NAME FILE after an empty line")
            block["name"], block["file"] = fields
    end(number + 1)
    return bugs


def read_all():
    bugs = []
    for kind in KINDS:
        path = FOLDER / f"{kind}.txt"
        bugs += parse(path.read_text(), kind, path.name)
    return bugs


def check(bugs):
    """Lines that say what is wrong with the list: each edit must still apply."""
    wrong = []
    names = set()
    for bug in bugs:
        if bug.name in names:
            wrong.append(f"{bug.kind}.txt: {bug.name}: the name is taken")
        names.add(bug.name)
        path = ROOT / bug.file
        if not path.is_file():
            wrong.append(f"{bug.kind}.txt: {bug.name}: there is no file {bug.file}")
            continue
        if bug.old == bug.new:
            wrong.append(f"{bug.kind}.txt: {bug.name}: changes nothing")
        try:
            bug.place(path.read_text())
        except ValueError as error:
            wrong.append(f"{bug.kind}.txt: {bug.name}: {bug.file}: {error}")
    return wrong
