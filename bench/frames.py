#!/usr/bin/python3
"""How fast real frames are simulated and emulated, with the conditions of the run.

usage: frames.py [--cutaway COMMAND] [--runs N] [--gpu NAME]

Captures glxgears at 640x480 (tests/traces/glxgears.trace) and vkcube at 640x480, then simulates one frame of each
N times on one core and takes the median. Prints, per program:
  cycles/s      simulated core cycles per host second of one process
  ticks/cycle   boxes ticked per core cycle, of how many there are
  ns/quad       host nanoseconds per shaded quad
  emulator      frames per host second without a clock
Nothing here is an assertion: figures depend on the machine and on what else it does.
"""
import argparse
import json
import re
import sys

import measuring
from measuring import ROOT, run

PROGRAMS = {
    "glxgears": ("1..4", ["apitrace", "replay", str(ROOT / "tests/traces/glxgears.trace")]),
    "vkcube": ("1..4", ["vkcube", "--c", "6", "--width", "640", "--height", "480"]),
}


def simulate(cutaway, capture, gpu, folder):
    run([cutaway, "simulate", capture, "--gpu", gpu, "--frames", "2", "--jobs", "1", "--quiet", "--out", folder])
    summary = json.loads((folder / "summary.json").read_text())
    host, frame = summary["host"], summary["frames"][0]
    seconds = frame["cycles"] / host["cycles_per_second"]
    return {
        "cycles": frame["cycles"],
        "rate": host["cycles_per_second"],
        "ticks": host["executed_ticks"] / frame["cycles"],
        "possible": host["possible_ticks"] / frame["cycles"],
        "quad": 1e9 * seconds / frame["counters"]["gpu.work_distributor.fragment_quads"],
        "memory": host["peak_memory_bytes"] / 1e6,
    }


def emulate(cutaway, capture):
    found = re.search(r"(\d+) frames in ([\d.]+) s", run([cutaway, "emulate", capture, "--frames", "2..4", "--quiet"]))
    return int(found[1]) / max(float(found[2]), 0.005)


def main(work):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cutaway", default=str(ROOT / "build/release/cutaway"))
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--gpu", default="attila")
    options = parser.parse_args()
    cutaway = measuring.need_program(options.cutaway, "build it, or give --cutaway")
    host, build = measuring.host(), measuring.build(cutaway)
    print(f"{build['version']}; {build['compiler']}; {host['cpu']}, {host['cpus']} CPUs, load {host['load']}")
    for name, (frames, program) in PROGRAMS.items():
        capture = work / f"{name}.cutaway"
        run([cutaway, "capture", "--gpu", options.gpu, "-o", capture, "--frames", frames, "--quiet", "--", *program])
        runs = [simulate(cutaway, capture, options.gpu, work / "out") for _ in range(options.runs)]
        rate, quad = (measuring.spread([r[name] for r in runs]) for name in ("rate", "quad"))
        last = runs[-1]
        print(f"{name} 640x480, frame 2 on {options.gpu}: {last['cycles']:,} cycles; {rate['median']:,.0f} cycles/s "
              f"(median of {rate['runs']}; {rate['least']:,.0f} to {rate['most']:,.0f}); {last['ticks']:.1f} of "
              f"{last['possible']:.0f} ticks/cycle; {quad['median']:.0f} ns/quad; "
              f"{last['memory']:.0f} MB; emulator {emulate(cutaway, capture):.0f} frames/s", flush=True)


if __name__ == "__main__":
    sys.exit(measuring.call(main, "frames.py"))
