#!/usr/bin/env python3
"""Verifies frames of captures on machines that differ from ATTILA in everything that may change how a frame is drawn.

usage: verify_pairs.py [--cutaway COMMAND] [--work WORK] [--sample N] [--frames A..B] [--jobs N] [--minutes N]
                       [--fresh] [--list] CAPTURE...

The axes are those of AXES: shader units that are unified or not, how many, how they issue; rasterisers; hierarchical Z,
compression and fast clears; memory. Not the full product of their values is tried but a covering design: every value
of an axis meets every value of every other axis on some machine. It is made anew each time, always the same for the
same axes. An axis whose parameters the machine does not have is left out, and said so. --list prints the machines.

Two frames (--sample) of each CAPTURE are verified on each machine as tests/verify_matrix.py does it: a run that is in
WORK/results.json is not made again, --jobs run at a time (2), none is begun after --minutes. WORK/machines holds the
machines, for `cutaway simulate --gpu`.

Prints a line for each run, a table, and how many frames on how many machines are equal. Exit status: 0 all are; 1 one
is not, could not be simulated, or has not been tried; 2 something given cannot be used.
"""
import argparse
import itertools
import pathlib
import re
import signal
import sys

import verify_matrix

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Of each axis its values, of each value the parameters that make it: "PARAMETER = VALUE" as in a preset, or
# "base = PRESET". A class of shader units for vertices is there only on a machine that is split.
AXES = {
    "shaders": {"unified": ["base = attila"], "split": ["base = attila-split"]},
    "rasteriser": {order: [f'fragment_generation.order = "{order}"', f"fragment_generation.found_tiles = {found}"]
                   for order, found in (("serpentine", 0), ("tile-rows", 2), ("recursive", 8))},
    "hierarchical Z": {"on": ["hierarchical_z.enabled = true"], "off": ["hierarchical_z.enabled = false"]},
    "Z compression": {"on": ["z_stencil.compression = true"], "off": ["z_stencil.compression = false"]},
    "depth writes": {order: [f'z_stencil.write_order = "{order}"'] for order in ("flush", "stay_late", "write_late", "track")},
    "fast clear": {word: [f"z_stencil.fast_clear = {value}", f"color_write.fast_clear = {value}"]
                   for word, value in (("on", "true"), ("off", "false"))},
    "issue": {"simd-and-scalar": ['shader.issue = "simd-and-scalar"'],
              **{f"{ways}-way": ['shader.issue = "n-way"', f"shader.ways = {ways}"] for ways in (1, 2, 3, 4)}},
    "units": {str(units): [f"shader.units = {units}"] for units in (1, 2, 4, 8)},
    "channels": {str(channels): [f"memory.channels = {channels}"] for channels in (1, 2, 4, 8)},
    "memory": {"simple": ['memory.dram = "simple"', 'memory.scheduler = "same-direction"'],
               "banked": ['memory.dram = "banked"', 'memory.scheduler = "fr-fcfs"']},
}


def usable_axes(axes, parameters):
    """The axes whose parameters are all among `parameters`, and of the others which one is missing."""
    usable, missing = {}, {}
    for axis, values in axes.items():
        names = [setting.split(" = ")[0] for settings in values.values() for setting in settings]
        absent = [name for name in names if name != "base" and name not in parameters]
        if absent:
            missing[axis] = absent[0]
        else:
            usable[axis] = list(values)
    return usable, missing


def pairs_of(row):
    return set(itertools.combinations(row.items(), 2))


def all_pairs(axes):
    return {((a, x), (b, y)) for a, b in itertools.combinations(axes, 2) for x in axes[a] for y in axes[b]}


def covering_rows(axes):
    """Rows {axis: value} in which every pair of values of two axes occurs. Greedy: a row begins with the first pair
    that has not occurred, and takes of each further axis the value that brings most new pairs, of equal ones that
    which was taken least."""
    order = sorted(axes, key=lambda axis: -len(axes[axis]))
    place = {axis: i for i, axis in enumerate(axes)}
    left, rows, taken = all_pairs(axes), [], {}

    def pair(a, x, b, y):
        return ((a, x), (b, y)) if place[a] < place[b] else ((b, y), (a, x))

    while left:
        a, b, x, y = next((a, b, x, y) for a, b in itertools.combinations(order, 2) for x in axes[a] for y in axes[b]
                          if pair(a, x, b, y) in left)
        row = {a: x, b: y}
        for axis in order:
            if axis not in row:
                row[axis] = max(axes[axis], key=lambda value: (
                    sum(pair(axis, value, other, row[other]) in left for other in row),
                    -taken.get((axis, value), 0), -axes[axis].index(value)))
        row = {axis: row[axis] for axis in axes}
        for choice in row.items():
            taken[choice] = taken.get(choice, 0) + 1
        left -= pairs_of(row)
        rows.append(row)
    return rows


def machine_text(row, axes):
    """The machine of a row, as TOML."""
    base, tables = "attila", {}
    for axis, value in row.items():
        for setting in axes[axis][value]:
            name, _, what = setting.partition(" = ")
            if name == "base":
                base = what
                continue
            table, key = name.split(".")
            tables.setdefault(table, {})[key] = what
    if base == "attila-split":  # how the units for vertices issue, too
        tables["vertex_shader"] = {key: what for key, what in tables.get("shader", {}).items() if key != "units"}
    told = ", ".join(f"{axis} {value}" for axis, value in row.items())
    text = f'base = "{base}"\ndescription = "{told}"\n'
    for table, keys in tables.items():
        text += f"\n[{table}]\n" + "".join(f"{key} = {what}\n" for key, what in keys.items())
    return text


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("captures", nargs="*", metavar="CAPTURE", type=pathlib.Path)
    parser.add_argument("--cutaway", default=str(ROOT / "build/release/cutaway"), metavar="COMMAND")
    parser.add_argument("--work", default=ROOT / "build/verify_pairs", metavar="WORK", type=pathlib.Path)
    parser.add_argument("--frames", default="..", metavar="A..B", help="default: all of a capture")
    parser.add_argument("--sample", type=int, default=2, metavar="N")
    parser.add_argument("--jobs", type=int, default=2, metavar="N")
    parser.add_argument("--minutes", type=float, default=float("inf"), metavar="N")
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    if min(options.sample, options.jobs) < 1:
        parser.error("--sample and --jobs are at least 1")
    if not re.fullmatch(r"\d+|\d*\.\.\d*", options.frames):
        parser.error(f"--frames {options.frames}: expected A..B, A.., ..B or one frame")
    if not options.captures and not options.list:
        parser.error("expected captures, or --list")
    options.step, options.variant = 8, ["plain"]
    return options


def write_machines(options):
    """The files of the machines, in order. Prints what the design is."""
    listed = verify_matrix.output_of(options.cutaway, "gpus", "attila")
    axes, missing = usable_axes(AXES, set(re.findall(r"^(\w+\.\w+) ", listed, re.MULTILINE)))
    rows = covering_rows(axes)
    folder = options.work / "machines"
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for number, row in enumerate(rows, 1):
        files.append(folder / f"pairs{number:02}.toml")
        files[-1].write_text(machine_text(row, AXES))
    for axis, parameter in missing.items():
        print(f"left out: {axis}, as there is no parameter {parameter}")
    print(f"{len(rows)} machines: all {len(all_pairs(axes))} pairs of values of {len(axes)} axes", flush=True)
    if options.list:
        for file, row in zip(files, rows):
            print(f"{file.stem}: " + ", ".join(f"{axis} {value}" for axis, value in row.items()))
    return files


def main():
    options = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    options.gpu = [str(file) for file in write_machines(options)]
    if not options.captures:
        return 0
    matrix = verify_matrix.Matrix(options)
    try:
        runs = matrix.plan()
    except OSError as error:
        print(f"verify_pairs.py: {error}", file=sys.stderr)
        return 2
    try:
        matrix.execute_all(runs)
    except KeyboardInterrupt:
        print("interrupted; the next call goes on from here", file=sys.stderr)
    good = verify_matrix.print_table(runs)
    equal = sum(len(run.frames) for run in runs if run.result and run.result["verdict"] == verify_matrix.EQUAL)
    print(f"\n{len(options.gpu)} machines x {sum(len(run.frames) for run in runs) // len(options.gpu)} frames of "
          f"{len(options.captures)} captures: {equal} equal, {sum(len(run.frames) for run in runs) - equal} not")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
