#!/usr/bin/env python3
"""The four ways to keep state for draws under way (DX-2): cycles, bytes over the state bus, bytes in the units.

usage: state_ways.py [--cutaway COMMAND] [--gpu NAME]... [--out DIR] [--page FILE] CAPTURE:FRAME...

Simulates a frame of each capture on each preset (default: attila, geforce6800, g80, d3d11), verified, with all state kept in
each way, and with registers in versions and the rest renamed. What DIR (default out/state-ways) holds is not simulated again.
Exit code 1: a frame did not verify, or could not be simulated.
"""
import argparse
import pathlib
import re
import sys

import measured_page

KINDS = ["register_state", "constant_state", "descriptor_state"]
WAYS = {way: [way] * 3 for way in ["flush", "versions", "renaming", "pass-through"]}
WAYS["registers in versions, the rest renamed"] = ["versions", "renaming", "renaming"]


def sets_of(way):
    return [f"--set=command_processor.{kind}={of_kind}" for kind, of_kind in zip(KINDS, WAYS[way])]


def stored_bytes(options, gpu, way):
    listed = measured_page.run(options, "gpus", gpu, "command_processor", *sets_of(way))
    return int(re.search(r"State of draws under way: ([\d,]+) bytes", listed)[1].replace(",", ""))


def line(options, capture, frame, gpu, way):
    folder = options.out / f"{capture.stem}-{frame}-{gpu}-{way.replace(' ', '_')}"
    cycles, counted = measured_page.simulate(options, capture, gpu, frame, folder, *sets_of(way))
    return (f"| {gpu} | {way} | {cycles:,} | {counted.get('state_bytes', 0):,}"
            f" | {counted.get('passed_state_bytes', 0):,} | {stored_bytes(options, gpu, way):,} |")


def table(options, capture, frame):
    lines = ["| chip | way | cycles | bytes of changes | bytes with draws | bytes in the units |",
             "| --- | --- | ---: | ---: | ---: | ---: |"]
    lines += [line(options, capture, frame, gpu, way) for gpu in options.gpu for way in WAYS]
    return f"**{capture.stem}, frame {frame}**\n\n" + "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("captures", nargs="+", metavar="CAPTURE:FRAME")
    parser.add_argument("--gpu", action="append", help="a preset; default: all four")
    measured_page.add_options(parser, "out/state-ways")
    options = parser.parse_args()
    options.gpu = options.gpu or ["attila", "geforce6800", "g80", "d3d11"]
    options.out.mkdir(parents=True, exist_ok=True)
    parts = []
    for each in options.captures:
        path, _, frame = each.rpartition(":")
        if not path or not frame.isdigit():
            sys.exit(f"state_ways.py: {each}: expected CAPTURE:FRAME")
        parts.append(table(options, pathlib.Path(path), frame))
    measured_page.write(options, "\n".join(parts), "state ways")


if __name__ == "__main__":
    main()
