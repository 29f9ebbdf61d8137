#!/usr/bin/env python3
"""Holds docs/pipeline.md to the sources. Prints one line per offence and exits with 1 if there is any.

- Every folder of src/boxes/ has a section, and the diagram names it.
- A section's tables name every port of its box and no others, and it links to its parameters in reference.md.
- A row of a port names who is at the other end, and the latency, bandwidth and slots of the wire as
  expressions of parameters: their values are those of the table in wires_test.cpp, which holds the machine, and
  they move with the parameters as that file says.
- Whatever else stands in backticks exists: parameters, counters, presets, ports, files, scenes,
  packets, instructions.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BOXES = ROOT / "src/boxes"
PAGE = ROOT / "docs/pipeline.md"
NAMES = re.compile(r"`([^`]+)`")
offences = []


def offence(where, text):
    offences.append(f"docs/pipeline.md: {where}: {text}")


# ---- The sources ----

def sources(box):
    return "".join(path.read_text() for path in sorted((BOXES / box).glob("*"))
                   if path.suffix in (".h", ".cpp") and "_test." not in path.name)


def spec_fields(text):
    """Of each Spec in a header, its members: name, what it begins with (ATTILA's value), unit."""
    specs = {}
    for spec, body in re.findall(r"^struct (\w+Spec) \{(.*?)^\};", text, re.M | re.S):
        values = {}
        for declared in re.findall(r"^  [\w:<>]+ (\w+ = [^;]+);", body, re.M):
            values |= dict(re.findall(r"(\w+) = (.+?)(?=, \w+ = |$)", declared, re.S))
        units = re.findall(r'\bv\(\s*"(\w+)",\s*&\w+::\w+,\s*(?:"([^"]*)"|\w+)', body)
        specs[spec] = [(name, values[name], unit) for name, unit in units]
    return specs


def parameters():
    """By section (a box's folder, or "" for clocks and wires): {parameter: (value, unit)}."""
    config = (ROOT / "src/machine/config.h").read_text()
    units = {spec: (unit, "boxes::" in space)
             for space, spec, unit in re.findall(r"^  (boxes::)?(\w+Spec) (\w+);", config, re.M)}
    # The parameters of a class of shader units are two Specs.
    classes = (ROOT / "src/machine/shader_class.h").read_text()
    units |= {"ShaderClassSpec": ("shader", False), "ShaderUnitSpec": ("shader", True)}
    table = {}
    for section, text in [("", config)] + [(box, sources(box) + classes * (box == "shader_unit")) for box in boxes]:
        table[section] = {f"{units[spec][0]}.{name}": (value, unit)
                          for spec, fields in spec_fields(text).items() for name, value, unit in fields}
    assert len(units) == sum(len(spec_fields(sources(box))) for box in boxes) + 5, "a Spec was not found"
    return table


boxes = sorted(path.name for path in BOXES.iterdir() if path.is_dir())
fields = parameters()
every_field = {name: field for section in fields.values() for name, field in section.items()}
# Storages stand in accounts beside ports and have no wire: a section tells of them with their parameter.
ports = {box: set(re.findall(r'\blist\("(\w+)', sources(box))) - set(re.findall(r"engine::Storage (\w+);", sources(box)))
         for box in boxes}


def port_of(full_name):
    """gpu.shader0.quads_out[1] of the machine is port quads_out of shader_unit."""
    unit, port = re.fullmatch(r"gpu\.(\w+?)\d*\.(\w+)(?:\[\d+\])?", full_name).groups()
    return next(box for box in boxes if box in (unit, unit + "_unit")), port


def wires():
    """As the tests of wires have them: from, to, and latency, bandwidth, slots; how parameters move these."""
    text = "".join((ROOT / "tests/machine" / name).read_text() for name in ("wires_test.cpp", "wires_of_stages_test.cpp"))
    number = r"(-?\d+),\s*(-?\d+),\s*(-?\d+)"
    table = [(row[0], row[1], tuple(map(int, row[2:])))
             for row in re.findall(r'\{\s*"(gpu[^"]+)",\s*"(gpu[^"]+)",\s*\{' + number + r"\}", text)]
    changes = [(row[0], row[1], row[2], tuple(map(int, row[3:])))
               for row in re.findall(r'\{\s*"(\w+\.\w+)",\s*"(\w+)",\s*"([^"]+)",\s*' + number + r"\}", text)]
    assert len(table) == text.count('{"gpu.') and len(changes) > 20, "tables of the tests of wires not understood"
    return table, changes


# ---- The page ----

def rows(section, header):
    """The tables of a section that begin with this column, as lists of cells."""
    found = []
    for table in re.findall(r"(?:^\|.*\n)+", section, re.M):
        lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
        if lines[0][0] == header:
            found += lines[2:]
    return found


def value(expression, changed):
    """Of numbers, parameters, +, ×, / and max(, )."""
    values = {name: initial for name, (initial, _) in every_field.items()} | changed
    text = NAMES.sub(lambda match: values.get(match[1], "?"), expression).replace("×", "*").replace("/", "//")
    if not re.fullmatch(r"(?:\d+|max|[-+*/(), ])+", text):
        raise ValueError(f"'{expression}' is no expression of numbers and parameters")
    return eval(text)  # nothing but arithmetic: see above


def check_wire(where, cells, names, others):
    """latency, bandwidth, slots of a row against every wire between its ports and these, as it is and with each
    change."""
    for change in [None, *sorted({(parameter, to) for parameter, to, _, _ in changes})]:
        stated = tuple(value(cell, dict([change] if change else [])) for cell in cells)
        for source, destination, spec in wire_table:
            ends = {port_of(source), port_of(destination)}
            if not names & ends or not others & ends:
                continue
            moves = [delta for parameter, to, pattern, delta in changes
                     if (parameter, to) == change and pattern in f"{source} > {destination}"]
            expected = tuple(sum(column) for column in zip(spec, *moves))
            if stated != expected:
                with_change = f" with {change[0]} = {change[1]}" if change else ""
                offence(where, f"wire {stated}{with_change}; that of the machine is {expected}")
                return


def check_ports(box, section):
    """A port stands in one row, or in a row for each kind of wire that it may have."""
    named, wired = [], []
    pairs = [(port_of(a), port_of(b)) for a, b, _ in wire_table]
    ends = {pair for a, b in pairs for pair in ((a, b), (b, a)) if pair[0][0] == box}
    for cells in rows(section, "port"):
        if len(cells) != 6:
            offence(box, f"a row of ports with {len(cells)} columns: {cells[0]}")
            continue
        own = NAMES.findall(cells[0])
        named += own
        where = f"{box}: {', '.join(own)}"
        names = {(box, name) for name in own}
        stated = {tuple(name.split(".")) for name in NAMES.findall(cells[2])}
        between = {pair for pair in ends if pair[0] in names and pair[1] in stated}
        wired += between
        for other in sorted(stated - {other for _, other in between}):
            offence(where, f"{'.'.join(other)} is not at the other end")
        try:
            check_wire(where, cells[3:], names, stated)
        except ValueError as error:
            offence(where, str(error))
    for own, other in sorted(ends):
        if wired.count((own, other)) != 1:
            offence(f"{box}: {own[1]}", f"{'.'.join(other)} stands {wired.count((own, other))} times at the other end")
    compare(box, "port", sorted(set(named)), ports[box])


def check_parameters(box, section):
    """Whoever has parameters links to them, unit by unit, in the page that the command writes."""
    linked = re.findall(r"\(reference\.md#(\w+)\)", section)
    compare(box or "clocks and wires", "link to the parameters of", linked,
            {name.partition(".")[0] for name in fields[box]})


def compare(where, kind, named, existing):
    for name in sorted(existing - set(named)):
        offence(where, f"{kind} {name} is missing")
    for name in sorted(set(named) - existing):
        offence(where, f"{kind} {name} does not exist")
    for name in sorted({name for name in named if named.count(name) > 1}):
        offence(where, f"{kind} {name} stands there twice")


def check_tests(box, section):
    named = {name for name in NAMES.findall(section) if name.endswith("_test.cpp") and "/" not in name}
    compare(box, "test", sorted(named), {path.name for path in (BOXES / box).glob("*_test.cpp")})


def exists(name):
    """What stands in backticks, in tables or outside."""
    unit, _, rest = name.partition(".")
    return (name in every_field or name.startswith("cutaway ")
            or any(field.startswith(name + ".") for field in every_field)
            or any(name == box or name in ports[box] or (unit == box and rest in ports[box]) for box in boxes)
            or any(source.startswith(name + ".") for source, _, _ in wire_table)
            or ("/" in name and (ROOT / name).exists())
            or any((BOXES / box / name).exists() for box in boxes)
            or (ROOT / f"tests/machine/records/attila/{name}.txt").exists()
            or (ROOT / f"presets/{name}.toml").exists()
            or name in counters
            or (name.isupper() and re.search(rf"\b{name}\b", hardware)))


wire_table, changes = wires()
counters = set(re.findall(r'\bv\("(\w+)", &C::', "".join(map(sources, boxes))))
hardware = (ROOT / "docs/hardware.md").read_text() + (ROOT / "docs/isa.md").read_text()
page = PAGE.read_text()
diagram = re.search(r"```\n(.*?)```", page, re.S)[1]
sections = {}
for part in re.split(r"^## ", page, flags=re.M)[1:]:
    heading, _, text = part.partition("\n")
    folder = re.fullmatch(r"(.+) \(`(\w+)`\)", heading)
    if not folder:
        sections.setdefault("", "")
        sections[""] += text
        continue
    compare("sections", "folder of src/boxes", [folder[2]], {folder[2]} & set(boxes))
    sections[folder[2]] = text
    if not re.search(re.escape(folder[1]), diagram, re.I):
        offence("diagram", f"{folder[1]} is missing")
compare("sections", "section", list(sections), set(boxes) | {""})
for box in [box for box in sections if box == "" or box in boxes]:
    check_parameters(box, sections[box])
    if box:
        check_ports(box, sections[box])
        check_tests(box, sections[box])
for name in sorted(set(NAMES.findall(page.replace(diagram, "").replace("```", "")))):
    if not exists(name):
        offence("in backticks", f"{name} does not exist")
for text in offences:
    print(text)
sys.exit(1 if offences else 0)
