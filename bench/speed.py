#!/usr/bin/python3
"""How fast Cutaway is: the clocked machine in cycles a second, and the emulator beside Mesa's software renderers.

usage: speed.py [TRACE...] [--capture FILE] [--cutaway COMMAND] [--old COMMAND] [--write PAGE] [--json FILE]

    bench/speed.py openarena_dm1_gl1.trace                      both, with a capture made of the trace
    bench/speed.py --capture dm1.cutaway                        the machine alone
    bench/speed.py --capture dm1.cutaway --old old/cutaway      two builds in turn
    bench/speed.py --write docs/speed.md *.trace                the tables of the page, and a row of its history

The machine: a frame of a capture (--frame, default 3) on attila, attila with 8 shader units, geforce6800, g80 and
d3d11, as bench/cycles.py measures it. Without --capture the first trace is captured. Cycles a second are those of
wall time, in one process on one core.

The emulator: the last frame of each OpenGL trace drawn again and again by Zink on Cutaway and on lavapipe, and by
llvmpipe without Zink, as bench/compare_renderers.py measures it; needs apitrace and Mesa. CPU time, of all threads.
"vkcube" in place of a trace is that program in a window of Xvfb, on Cutaway and on lavapipe.

Builds and renderers take turns, so that other load of the host meets all of them. Each figure is the median of
--runs (machine) or --rounds (emulator), with the least and the most beside it. Wide ranges mean that the host was
busy: measure again. The driver is the one beside the command (cutaway_icd.json), as a build folder has it.

Exit status: 0 all was measured; 1 some could not be, which is told; 2 something given cannot be used, or it was
interrupted. A page and a file are written when all has been measured, or not at all.
"""
import argparse
import json
import pathlib
import shlex
import sys

import compare_renderers
import cycles
import measuring
import speed_tables
import vulkan_cube

# attila-sim, the ancestor, simulated its own regression frames at 20,000 to 32,000 cycles a CPU second, by frame, on
# a host of this kind.
ANCESTOR = 27_000
GPUS = ["attila", *cycles.GPUS]
DRIVER = "cutaway_icd.json"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, usage=argparse.SUPPRESS,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("traces", nargs="*", metavar="TRACE", help="OpenGL traces of apitrace, or vkcube")
    parser.add_argument("--capture", metavar="FILE", help="a capture for the machine; default: one of the first trace")
    parser.add_argument("--frame", type=int, default=3, metavar="N", help="of the capture; default: 3")
    parser.add_argument("--gpu", action="append", metavar="NAME[:UNIT.PARAM=VALUE]...",
                        help="a machine; may be given again; default: " + " ".join(GPUS))
    parser.add_argument("--cutaway", default=str(measuring.ROOT / "build/release/cutaway"), metavar="COMMAND",
                        help="default: build/release/cutaway")
    parser.add_argument("--old", metavar="COMMAND", help="another build, which takes turns with it")
    parser.add_argument("--runs", type=int, default=5, metavar="N", help="of each machine; default: 5")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="of each trace and renderer; default: 3")
    parser.add_argument("--seconds", type=float, default=2, metavar="S",
                        help="CPU seconds of a measurement of a renderer, at least; default: 2")
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="threads of a renderer; default: 1")
    parser.add_argument("--renderers", default="lavapipe,llvmpipe", metavar="A,B",
                        help="beside Cutaway: lavapipe, llvmpipe, softpipe; default: the first two")
    parser.add_argument("--only", choices=["clock", "emulator"], help="one of both")
    parser.add_argument("--markdown", action="store_true", help="tables as a page has them, and rows of its history")
    parser.add_argument("--write", type=pathlib.Path, metavar="PAGE", help="puts them into a page: docs/speed.md")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="all figures; -: on standard output alone")
    parser.add_argument("--quiet", action="store_true", help="no progress on standard error")
    return parser.parse_args()


def check(options):
    """Finds programs and files, before the first minute is spent."""
    if not options.traces and not (options.capture and options.only != "emulator"):
        raise measuring.CannotUse("nothing to measure: give OpenGL traces (*.trace), or --capture FILE; see --help")
    for count in (options.runs, options.rounds, options.threads, options.frame):
        if count < 1:
            raise measuring.CannotUse("--runs, --rounds, --threads and --frame are at least 1")
    options.traces = [vulkan_cube.need(trace) for trace in options.traces]
    if options.capture:
        options.capture = measuring.need_file(options.capture)
    elif options.only != "emulator" and vulkan_cube.is_cube(options.traces[0]):
        raise measuring.CannotUse("the machine needs a capture: give an OpenGL trace before vkcube, or --capture FILE")
    options.commands = {"new": measuring.need_program(options.cutaway, "build it, or give --cutaway")}
    if options.old:
        options.commands = {"old": measuring.need_program(options.old, "see --old"), **options.commands}
    if options.write:
        measuring.need_file(options.write)
    if options.json and str(options.json) != "-" and not options.json.absolute().parent.is_dir():
        raise measuring.CannotUse(f"{options.json}: its folder does not exist")
    options.emulator = options.traces if options.only != "clock" else []
    options.variables = {}  # of each renderer
    if options.emulator:
        measuring.need_program("eglretrace", "apt-get install apitrace")
        for build, command in options.commands.items():
            driver = measuring.need_file(pathlib.Path(command).resolve().parent / DRIVER)
            name = "cutaway" if build == "new" else f"cutaway {build}"
            options.variables[name] = compare_renderers.renderers(driver)["cutaway"]
        known = compare_renderers.renderers("")
        for name in filter(None, options.renderers.split(",")):
            if name == "cutaway" or name not in known:
                raise measuring.CannotUse(f"--renderers: '{name}' is none of lavapipe, llvmpipe, softpipe")
            if name == "lavapipe":
                measuring.need_file(compare_renderers.LAVAPIPE)
            options.variables[name] = known[name]


def capture_trace(options, work):
    trace = options.traces[0]
    capture = work / f"{trace.stem}.cutaway"
    measuring.run([options.commands["new"], "capture", "-o", capture, "--frames", f"1..{options.frame}", "--quiet",
                   trace])
    return capture


def measure_clock(options, work, progress):
    if not options.capture:
        progress.step(f"capturing {options.traces[0].name}")
        options.capture = capture_trace(options, work)
    results = []
    for gpu in options.gpu or GPUS:
        figures, agree = cycles.measure(list(options.commands.values()), gpu, options, work, progress.step)
        results.append({"machine": gpu, "agree": agree,
                        "builds": {build: figures[command] for build, command in options.commands.items()}})
    return results


def measure_trace(trace, options, step):
    """CPU milliseconds a frame by renderer; one that failed is missing, and its error told."""
    times, loops, errors = {name: [] for name in options.variables}, {}, []
    drivers = {name: variables for name, variables in options.variables.items()
               if vulkan_cube.can_draw(trace, variables)}
    for number in range(options.rounds):
        for name, variables in drivers.items():
            step(f"{trace.stem}: round {number + 1} of {options.rounds}, {name}")
            if number and not times[name]:
                continue  # it failed before
            try:
                frame = compare_renderers.last_frame(trace, compare_renderers.environment(variables, options.threads),
                                                     options.threads, options.seconds, loops.get(name))
            except measuring.Failed as error:
                times[name] = []
                errors.append(f"{trace.stem}, {name}: {error}")
                continue
            loops[name] = frame.loops
            times[name].append(1000 * frame.cpu)
    ms = {name: measuring.spread(values) for name, values in times.items() if values}
    ours = ms.get("cutaway")
    ratio = {name: of["median"] / ours["median"] for name, of in ms.items() if ours and name != "cutaway"}
    return {"trace": trace.stem, "cpu_ms": ms, "ratio": ratio, "whole_replay": 0 in loops.values(), "errors": errors,
            "cannot": [name for name in options.variables if name not in drivers]}


def command_line(words):
    """The command of the run, with files by their names alone, for a page."""
    return "bench/speed.py " + shlex.join(
        word if word.startswith("docs/") else pathlib.Path(word).name if "/" in word else word for word in words)


def main(work):
    options = arguments()
    check(options)
    clock = options.only != "emulator"
    machines = len(options.gpu or GPUS) if clock else 0
    progress = measuring.Progress(machines * options.runs * len(options.commands)
                                  + (1 if machines and not options.capture else 0)
                                  + len(options.emulator) * options.rounds * len(options.variables), options.quiet)
    figures = {"format": 1, "command": command_line(sys.argv[1:]), "host": measuring.host(), "mesa": measuring.mesa(),
               "builds": {name: measuring.build(command) for name, command in options.commands.items()},
               "ancestor": ANCESTOR, "frame": options.frame, "runs": options.runs, "rounds": options.rounds,
               "threads": options.threads, "renderers": list(options.variables), "clock": [], "emulator": []}
    if figures["host"]["load"] > 0.5 and not options.quiet:
        print(f"speed.py: the host has a load of {figures['host']['load']}: figures will be low", file=sys.stderr)
    try:
        if clock:
            figures["clock"] = measure_clock(options, work, progress)
        for trace in options.emulator:
            figures["emulator"].append(measure_trace(trace, options, progress.step))
    finally:
        progress.end()
    figures["capture"] = options.capture.name if options.capture else None
    figures["load_at_end"] = measuring.host()["load"]
    return show(figures, options)


def show(figures, options):
    if options.json and str(options.json) == "-":
        print(json.dumps(figures, indent=2))
    else:
        print(speed_tables.page_text(figures) if options.markdown else speed_tables.text(figures, speed_tables.aligned))
        for rows in speed_tables.history(figures).values() if options.markdown else ():
            print("\n".join(["", *rows]) if rows else "", end="\n" if rows else "")
    errors = [error for of in figures["emulator"] for error in of["errors"]]
    for error in errors:
        print(f"speed.py: {error}", file=sys.stderr)
    for of in figures["clock"]:
        if not of["agree"]:
            print(f"speed.py: {of['machine']}: runs differ in cycles, counters or memory (bench/cycles.py compares "
                  "builds)", file=sys.stderr)
            if not options.old:
                errors.append(of["machine"])
    if options.json and str(options.json) != "-":
        options.json.write_text(json.dumps(figures, indent=2) + "\n")
    if options.write and not errors:
        speed_tables.write(options.write, figures)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(measuring.call(main, "speed.py"))
