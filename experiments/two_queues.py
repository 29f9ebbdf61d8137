#!/usr/bin/env python3
"""Graphics beside compute: the frame of examples/async_compute with one command stream and with two.

usage: two_queues.py [--cutaway COMMAND] [--example PROGRAM] [--out DIR] [--page FILE]

Captures the program whole, and each of its parts alone, and simulates them on g80 and d3d11, verified, without and with
command_processor.compute_queue. What DIR (default out/two-queues) holds is not captured or simulated again.
Exit code 1: a frame did not verify, or could not be simulated.
"""
import argparse
import pathlib

import measured_page

PARTS = {"both": [], "graphics": ["--only", "graphics"], "compute": ["--only", "compute"]}
STREAMS = {"one": "false", "two": "true"}


def capture(options, part):
    file = options.out / f"{part}.cutaway"
    if not file.exists():
        measured_page.run(options, "capture", "-o", file, "--", options.example, *PARTS[part], options.out / f"{part}.ppm")
    return file


def line(options, gpu, streams):
    cycles, counted = {}, {}
    for part in PARTS:
        cycles[part], counted[part] = measured_page.simulate(
            options, capture(options, part), gpu, 1, options.out / f"{part}-{gpu}-{streams}",
            f"--set=command_processor.compute_queue={STREAMS[streams]}")
    both = counted["both"]
    return (f"| {gpu} | {streams} | {cycles['both']:,} | {cycles['graphics']:,} | {cycles['compute']:,}"
            f" | {both.get('side_by_side_cycles', 0):,} | {both.get('follow_cycles', 0):,} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--example", default=measured_page.ROOT / "build/release/examples/async_compute", type=pathlib.Path)
    measured_page.add_options(parser, "out/two-queues")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    lines = ["| chip | command streams | together | graphics alone | compute alone | both under way | one follows the other |",
             "| --- | --- | ---: | ---: | ---: | ---: | ---: |"]
    lines += [line(options, gpu, streams) for gpu in ["g80", "d3d11"] for streams in STREAMS]
    measured_page.write(options, "\n".join(lines), "two queues")


if __name__ == "__main__":
    main()
