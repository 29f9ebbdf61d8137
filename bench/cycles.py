#!/usr/bin/python3
"""How fast presets simulate a frame of a capture, or all: with one command, or an old one beside a new one.

usage: cycles.py --capture FILE [--frame N|all] [--runs N] [--gpu NAME[:UNIT.PARAM=VALUE]...] COMMAND [COMMAND]

COMMAND is a `cutaway`, with its presets beside it. The commands take turns, so that other load of the host
meets both. Each run is one process on one core with --stats none. Prints, per preset:
  cycles/s    simulated cycles per host second, the median of the runs and their range
  ticks       ticks of boxes per cycle
  ns/tick     host nanoseconds per tick
With --callgrind each command runs once under valgrind instead, which counts the host's instructions in ticks:
these do not depend on the host's load. It is 50 times as slow.
The cycles and the hash of all counters must be equal between commands, else it fails. Cycles per second are no
assertion: they depend on the host and on what else it does.
"""
import argparse
import json
import pathlib
import re
import shutil
import sys
import tempfile

import measuring

GPUS = ["attila:shader.units=8", "geforce6800", "g80", "d3d11"]


def conditions(commands):
    host = measuring.host()
    print(f"{host['cpu']}, {host['cpus']} CPUs, load {host['load']}")
    for command in commands:
        build = measuring.build(command)
        print(f"{command}: {build['version']}; {build['compiler']}")


def simulation(command, gpu, options, folder):
    name, *settings = gpu.split(":")
    sets = [word for setting in settings for word in ("--set", setting)]
    frames = [] if options.frame == "all" else ["--frames", str(options.frame)]
    return [command, "simulate", options.capture, *frames, "--gpu", name, *sets, "--jobs", "1", "--quiet",
            "--stats", "none", "--out", folder]


def simulate(command, gpu, options, folder):
    measuring.run(simulation(command, gpu, options, folder))
    summary = json.loads((folder / "summary.json").read_text())
    host, frames = summary["host"], summary["frames"]
    return {"cycles": sum(frame["cycles"] for frame in frames), "rate": host["cycles_per_second"],
            "ticks": host["executed_ticks"],
            "figures": tuple((frame["cycles"], frame["statistics_hash"], frame["memory_hash"]) for frame in frames)}


def without_mode_check(command, folder):
    """A copy whose check of the floating-point mode always passes: valgrind does not keep the mode's bits."""
    copy = folder / "cutaway"
    shutil.copy(command, copy)
    home = pathlib.Path(command).resolve().parent
    presets = home / "presets" if (home / "presets").is_dir() else home.parent.parent / "presets"  # installed, or built
    shutil.copytree(presets, folder / "presets", dirs_exist_ok=True)
    symbols = measuring.run(["nm", "-C", copy])
    address = int(re.search(r"^(\w+) \w cutaway::func::FloatMode::active\(\)$", symbols, re.M)[1], 16)
    headers = measuring.run(["readelf", "-lW", copy])
    for offset, start, size in re.findall(r"LOAD\s+(0x\w+) (0x\w+) 0x\w+ (0x\w+)", headers):
        if int(start, 16) <= address < int(start, 16) + int(size, 16):
            with open(copy, "r+b") as file:
                file.seek(address - int(start, 16) + int(offset, 16))
                file.write(bytes([0xB8, 1, 0, 0, 0, 0xC3]))  # mov eax, 1; ret
    return copy


def instructions(command, gpu, options, folder):
    copy = without_mode_check(command, folder)
    measuring.run(["valgrind", "--tool=callgrind", "--toggle-collect=cutaway::engine::Domain::tick(bool)",
                   f"--callgrind-out-file={folder}/callgrind.%p", *simulation(copy, gpu, options, folder / "out")],
                  seconds=7200)
    counts = [re.search(r"^(?:totals|summary): (\d+)", file.read_text(), re.M)
              for file in folder.glob("callgrind.*")]
    summary = json.loads((folder / "out" / "summary.json").read_text())
    return max(int(count[1]) for count in counts if count), summary["host"]["executed_ticks"]


def measure(commands, gpu, options, folder, step=lambda text: None):
    """A machine's figures by command: cycles, cycles/s of each run, ticks; and whether all runs agree in cycles,
    counters and memory. step is told of each run before it begins."""
    runs = {command: [] for command in commands}
    for number in range(options.runs):
        for command in commands:
            step(f"{gpu}: run {number + 1} of {options.runs}, {command}")
            runs[command].append(simulate(command, gpu, options, folder))
    agree = len({run["figures"] for of_command in runs.values() for run in of_command}) == 1
    figures = {command: {"cycles": of_command[-1]["cycles"], "ticks": of_command[-1]["ticks"],
                         "cycles_per_second": measuring.spread([run["rate"] for run in of_command])}
               for command, of_command in runs.items()}
    return figures, agree


def main(work):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commands", nargs="+", metavar="COMMAND")
    parser.add_argument("--capture", required=True, type=measuring.need_file)
    parser.add_argument("--frame", type=lambda word: word if word == "all" else int(word), default=3)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--gpu", action="append")
    parser.add_argument("--callgrind", action="store_true")
    options = parser.parse_args()
    commands = [measuring.need_program(command, "build it") for command in options.commands]
    conditions(commands)
    for gpu in options.gpu or GPUS:
        if options.callgrind:
            for command in commands:
                with tempfile.TemporaryDirectory() as folder:
                    count, ticks = instructions(command, gpu, options, pathlib.Path(folder))
                print(f"{gpu} {command}: {count / 1e9:.2f} G instructions, {count / ticks:,.0f} a tick", flush=True)
            continue
        figures, agree = measure(commands, gpu, options, work)
        if not agree:
            raise measuring.Failed(f"{gpu}: the commands differ in cycles, counters or memory")
        for command, of in figures.items():
            rate, cycles, ticks = of["cycles_per_second"], of["cycles"], of["ticks"]
            print(f"{gpu} {command}: {cycles:,} cycles; {rate['median']:,.0f} cycles/s (median of {rate['runs']}; "
                  f"{rate['least']:,.0f} to {rate['most']:,.0f}); {ticks / cycles:.1f} ticks; "
                  f"{1e9 * cycles / rate['median'] / ticks:.0f} ns/tick", flush=True)


if __name__ == "__main__":
    sys.exit(measuring.call(main, "cycles.py"))
