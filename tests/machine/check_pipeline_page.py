#!/usr/bin/env python3
"""Holds docs/pipeline.md to the sources: check_pipeline_page.py CUTAWAY [--write]

Prints one line per offence and exits with 1 if there is any.

- The tables of ports and the lists of what costs nothing are those of `cutaway gpus --ports`; --write writes them.
- Every folder of src/boxes/ has a section, with the tests beside the box, and the diagram names it.
- The page links to the parameters of every unit in reference.md.
- Every name in backticks exists: parameters, counters, presets, ports, files, scenes, packets, instructions.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BOXES = ROOT / "src/boxes"
PAGE = ROOT / "docs/pipeline.md"
NAMES = re.compile(r"`([^`]+)`")
BLOCK = re.compile(r"<!-- ((?:ports of|costs nothing in) \w+) -->\n(.*?)<!-- end -->\n", re.S)
# Units that are called otherwise than the folder of their box.
UNIT_OF = {"shader_unit": "shader", "texture_unit": "texture"}
offences = []


def offence(where, text):
    offences.append(f"docs/pipeline.md: {where}: {text}")


def compare(where, kind, named, existing):
    for name in sorted(set(existing) - set(named)):
        offence(where, f"{kind} {name} is missing")
    for name in sorted(set(named) - set(existing)):
        offence(where, f"{kind} {name} does not exist")
    for name in sorted({name for name in named if named.count(name) > 1}):
        offence(where, f"{kind} {name} stands there twice")


# ---- What the command generates ----

def generated(command):
    """Each block of `cutaway gpus --ports` by its name."""
    printed = subprocess.run([command, "gpus", "--ports"], check=True, capture_output=True, text=True).stdout
    return dict(BLOCK.findall(printed))


def written_anew(page, blocks):
    """The page with the blocks of the command in place of its own."""
    def block(match):
        return f"<!-- {match[1]} -->\n{blocks.get(match[1], '')}<!-- end -->\n"
    return BLOCK.sub(block, page)


def check_blocks(page, blocks):
    found = BLOCK.findall(page)
    compare("blocks", "block", [name for name, _ in found], blocks)
    for name, text in found:
        if text != blocks.get(name, text):
            offence(name, "is not what `cutaway gpus --ports` prints; --write writes it anew")


# ---- The page ----

def sections_of(page, boxes, diagram):
    """The sections of boxes by their folders."""
    sections = {}
    for part in re.split(r"^## ", page, flags=re.M)[1:]:
        heading, _, text = part.partition("\n")
        folder = re.fullmatch(r"(.+) \(`(\w+)`\)", heading)
        if not folder:
            continue
        sections[folder[2]] = text
        if not re.search(re.escape(folder[1]), diagram, re.I):
            offence("diagram", f"{folder[1]} is missing")
    compare("sections", "section", list(sections), boxes)
    return sections


def check_section(box, section):
    named = {name for name in NAMES.findall(section) if name.endswith("_test.cpp") and "/" not in name}
    compare(box, "test", sorted(named), {path.name for path in (BOXES / box).glob("*_test.cpp")})
    for kind in ("ports of", "costs nothing in"):
        if f"<!-- {kind} {UNIT_OF.get(box, box)} -->" not in section:
            offence(box, f"the block '{kind} {UNIT_OF.get(box, box)}' is missing")


class Names:
    """Whatever a name in backticks may be."""

    def __init__(self, boxes, blocks):
        reference = (ROOT / "docs/reference.md").read_text()
        parameters, _, counters = reference.partition("\n## Counters")
        self.units = re.findall(r"^### `(\w+)`", parameters, re.M)
        self.parameters = {f"{unit}.{name}" for unit, text in re.findall(r"^### `(\w+)`\n(.*?)(?=^### |\Z)", parameters, re.M | re.S)
                           for name in re.findall(r"^\| `(\w+)`", text, re.M)}
        self.counters = {name.split(".")[-1] for name in re.findall(r"^\| `([\w.\[\]]+)`", counters, re.M)}
        self.ports = {name.rpartition(" ")[2]: set(re.findall(r"^\| `(\w+)`", text, re.M))
                      for name, text in blocks.items() if name.startswith("ports of")}
        self.boxes = boxes
        self.hardware = (ROOT / "docs/hardware.md").read_text() + (ROOT / "docs/isa.md").read_text()

    def exists(self, name):
        unit, _, rest = name.partition(".")
        kind = re.fullmatch(r"gpu\.(\w+?)\d*", name)
        return (name in self.parameters or name in self.units or name in self.counters or name in self.boxes
                or name in self.ports or (kind and kind[1] in self.ports)
                or rest in self.ports.get(UNIT_OF.get(unit, unit), ()) or any(name in ports for ports in self.ports.values())
                or name.startswith(("cutaway ", "--set ")) or name in ("costs_nothing()",)
                or (unit in self.ports and rest in self.counters)
                or ("/" in name and (ROOT / name.split()[0]).exists())
                or any((BOXES / box / name).exists() for box in self.boxes)
                or (ROOT / f"tests/machine/records/attila/{name}.txt").exists()
                or (ROOT / f"presets/{name}.toml").exists()
                or (name.isupper() and re.search(rf"\b{name}\b", self.hardware)))


def main():
    if len(sys.argv) < 2 or sys.argv[2:] not in ([], ["--write"]):
        sys.exit("usage: check_pipeline_page.py CUTAWAY [--write]")
    blocks = generated(sys.argv[1])
    if sys.argv[2:]:
        PAGE.write_text(written_anew(PAGE.read_text(), blocks))
    page = PAGE.read_text()
    boxes = sorted(path.name for path in BOXES.iterdir() if path.is_dir())
    diagram = re.search(r"```\n(.*?)```", page, re.S)[1]
    check_blocks(page, blocks)
    for box, section in sections_of(page, boxes, diagram).items():
        if box in boxes:
            check_section(box, section)
    names = Names(boxes, blocks)
    linked = re.findall(r"\*\*Parameters\.\*\*(.*)", page)
    compare("parameters", "link to the parameters of", re.findall(r"reference\.md#(\w+)\)", " ".join(linked)),
            set(names.units) - {"formats"})
    for name in sorted(set(NAMES.findall(page.replace(diagram, "").replace("```", "")))):
        if not names.exists(name):
            offence("in backticks", f"{name} does not exist")
    for text in offences:
        print(text)
    sys.exit(1 if offences else 0)


main()
