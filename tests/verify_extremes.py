#!/usr/bin/env python3
"""Verifies frames of captures on presets with one parameter at an extreme, and on random machines.

usage: verify_extremes.py [--cutaway COMMAND] [--work WORK] [--gpu PRESET]... [--parameter NAME]... [--frames A..B]
                          [--random A..B --write-machine COMMAND] [--only-random] [--seconds N] [--sample N] [--jobs N]
                          [--minutes N] [--fresh] [--list] CAPTURE...

Each machine is a preset (--gpu; default: all) with one parameter (--parameter; default: all) at its least value, at
its greatest, or at one of its words. --random A..B adds the machines of these seeds, which --write-machine (the target
write_random_machine) draws. A machine that breaks a rule must be refused with a message that names the parameter; each
other machine must draw what the emulator draws. A run that takes longer than --seconds (120) fails.

One frame (--sample) of each CAPTURE is verified on each machine as tests/verify_matrix.py does it: a run that is in
WORK/results.json is not made again, --jobs run at a time (2), none begins after --minutes.

Prints a line for each run, every failure, and the counts. Exit status: 0 each machine is equal or refused by name;
1 one is not, or has not been tried; 2 an argument cannot be used.
"""
import argparse
import collections
import pathlib
import re
import signal
import subprocess
import sys

import verify_matrix

ROOT = pathlib.Path(__file__).resolve().parent.parent
# An entry of `cutaway gpus NAME`: a line with the value, and indented ones that end with the source and the range.
PARAMETER = re.compile(r"^(?P<unit>\w+)\.(?P<name>\w+) +(?P<value>\S+)(?: \S+)?\n(?P<text>(?: +\S.*\n)+)", re.MULTILINE)
RANGE = re.compile(r"\](?: \(preset: [^)]*\))?; (?P<range>.*)$")

def words_of(legal):
    """The extreme values of a range as `cutaway gpus NAME` prints it: "1 to 64", "true or false", "fifo, lru", "all,
    none, or a list of formats" (the words, not the lists)."""
    between = re.fullmatch(r"(-?[\d.]+) to (-?[\d.]+)", legal)
    words = list(between.groups()) if between else re.split(r", | or (?!a list)", legal)
    return [word for word in words if not word.startswith("or a list")]


def settings_of(options, preset):
    """(UNIT, NAME, VALUE) of each extreme of the preset's parameters that the preset does not have already."""
    settings = []
    for found in PARAMETER.finditer(verify_matrix.output_of(options.cutaway, "gpus", preset) + "\n"):
        if options.parameter and f"{found['unit']}.{found['name']}" not in options.parameter:
            continue
        settings += [(found["unit"], found["name"], value) for value in words_of(RANGE.search(" ".join(found["text"].split()))["range"])
                     if value != found["value"]]
    return settings


def toml_value(value):
    return value if re.fullmatch(r"-?[\d.]+|true|false", value) else f'"{value}"'


def write_extremes(options):
    """The machine files, and of each the parameter that it changes."""
    folder = options.work / "machines"
    folder.mkdir(parents=True, exist_ok=True)
    presets = options.gpu or [line.split()[0] for line in verify_matrix.output_of(
        options.cutaway, "gpus").split("\n\n")[0].splitlines()]
    files = {}
    for preset in presets:
        for unit, name, value in settings_of(options, preset):
            file = folder / f"{preset}.{unit}.{name}={value}.toml"
            file.write_text(f'base = "{preset}"\ndescription = "{unit}.{name} is {value}"\n\n'
                            f"[{unit}]\n{name} = {toml_value(value)}\n")
            files[file] = f"{unit}.{name}"
    return files


def write_random(options):
    folder = options.work / "machines"
    folder.mkdir(parents=True, exist_ok=True)
    first, _, last = options.random.partition("..")
    files = {}
    for seed in range(int(first), int(last or first) + 1):
        file = folder / f"random{seed}.toml"
        verify_matrix.output_of(options.write_machine, seed, file)
        files[file] = ""
    return files


def refusal_of(options, file):
    """The message that refuses the machine; "" if it is legal."""
    result = subprocess.run([options.cutaway, "gpus", file], capture_output=True, text=True)
    if result.returncode == 0:
        return ""
    message = result.stderr.strip().splitlines()
    return message[-1] if result.returncode == 2 and message else f"exit code {result.returncode}"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("captures", nargs="*", metavar="CAPTURE", type=pathlib.Path)
    parser.add_argument("--cutaway", default=str(ROOT / "build/release/cutaway"), metavar="COMMAND")
    parser.add_argument("--work", default=ROOT / "build/verify_extremes", metavar="WORK", type=pathlib.Path)
    parser.add_argument("--gpu", action="append", metavar="PRESET")
    parser.add_argument("--parameter", action="append", metavar="UNIT.NAME")
    parser.add_argument("--random", metavar="A..B")
    parser.add_argument("--only-random", action="store_true")
    parser.add_argument("--write-machine", default=str(ROOT / "build/release/tests/machine/write_random_machine"),
                        metavar="COMMAND")
    parser.add_argument("--frames", default="..", metavar="A..B", help="default: all of a capture")
    parser.add_argument("--seconds", type=int, default=120, metavar="N")
    parser.add_argument("--sample", type=int, default=1, metavar="N")
    parser.add_argument("--jobs", type=int, default=2, metavar="N")
    parser.add_argument("--minutes", type=float, default=float("inf"), metavar="N")
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--list", action="store_true", help="prints the machines")
    options = parser.parse_args()
    if min(options.sample, options.jobs, options.seconds) < 1:
        parser.error("--sample, --jobs and --seconds are at least 1")
    if not re.fullmatch(r"\d+|\d*\.\.\d*", options.frames):
        parser.error(f"--frames {options.frames}: expected A..B, A.., ..B or one frame")
    if options.random and not re.fullmatch(r"\d+(\.\.\d+)?", options.random):
        parser.error(f"--random {options.random}: expected A..B or one seed")
    if not options.captures and not options.list:
        parser.error("expected captures, or --list")
    for capture in options.captures:
        if not capture.is_file():
            parser.error(f"{capture}: no such capture")
    options.step, options.variant = 1, ["plain"]
    return options


def report(runs, refused):
    """Prints the counts and each failure. True: there is no failure, and every machine was tried."""
    counts, failures = collections.Counter(), []
    for file, (parameter, message) in refused.items():
        named = not parameter or parameter in message or parameter.split(".")[1] in message
        counts["refused by name" if named else "refused without the parameter's name"] += 1
        if not named:
            failures.append(f"{file.stem}: {message}")
    for run in runs:
        verdict = run.result["verdict"] if run.result else "not tried"
        named = re.search(r"not supported|cannot run|exceeds|needs|has no", verdict)
        kind = verdict if verdict in (verify_matrix.EQUAL, "not tried") else "frame refused" if named else "failed"
        counts[kind] += 1
        if kind == "failed":
            failures.append(f"{run.name()}: {verdict}")
    for failure in failures:
        print(f"FAILED {failure}")
    print("\n" + ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())))
    return not failures and not counts["not tried"]


def main():
    options = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    files = {} if options.only_random else write_extremes(options)
    if options.random:
        files |= write_random(options)
    if options.list:
        print("\n".join(str(file) for file in files))
        return 0
    refused = {file: (parameter, message) for file, parameter in files.items()
               if (message := refusal_of(options, file))}
    print(f"{len(files)} machines, {len(refused)} of them refused", flush=True)
    options.gpu = [str(file) for file in files if file not in refused]
    matrix = verify_matrix.Matrix(options)
    runs = matrix.plan() if options.gpu else []
    try:
        matrix.execute_all(runs)
    except KeyboardInterrupt:
        print("interrupted; the next call goes on from here", file=sys.stderr)
    return 0 if report(runs, refused) else 1


if __name__ == "__main__":
    sys.exit(main())
