#!/usr/bin/python3
"""How fast presets simulate one frame of a capture: with one command, or an old one beside a new one.

usage: cycles.py --capture FILE [--frame N] [--runs N] [--gpu NAME[:UNIT.PARAM=VALUE]...] COMMAND [COMMAND]

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
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

GPUS = ["attila:shader.units=8", "geforce6800", "g80", "d3d11"]


def conditions(commands):
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    print(f"{cpu}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    for command in commands:
        version = subprocess.run([command, "--version"], capture_output=True, text=True, check=True).stdout.strip()
        notes = subprocess.run(["readelf", "-p", ".comment", command], capture_output=True, text=True).stdout
        compiler = re.search(r"GCC: \(.*?\) \S+|clang version \S+", notes)
        print(f"{command}: {version}; {compiler[0] if compiler else 'unknown compiler'}")


def simulation(command, gpu, options, folder):
    name, *settings = gpu.split(":")
    sets = [word for setting in settings for word in ("--set", setting)]
    return [command, "simulate", options.capture, "--frames", str(options.frame), "--gpu", name, *sets,
            "--jobs", "1", "--quiet", "--stats", "none", "--out", folder]


def simulate(command, gpu, options, folder):
    subprocess.run(simulation(command, gpu, options, folder), check=True, capture_output=True)
    summary = json.loads((folder / "summary.json").read_text())
    host, frame = summary["host"], summary["frames"][0]
    return {"cycles": frame["cycles"], "rate": host["cycles_per_second"], "ticks": host["executed_ticks"],
            "figures": (frame["cycles"], frame["statistics_hash"], frame["memory_hash"])}


def without_mode_check(command, folder):
    """A copy whose check of the floating-point mode always passes: valgrind does not keep the mode's bits."""
    copy = folder / "cutaway"
    shutil.copy(command, copy)
    home = pathlib.Path(command).resolve().parent
    presets = home / "presets" if (home / "presets").is_dir() else home.parent.parent / "presets"  # installed, or built
    shutil.copytree(presets, folder / "presets", dirs_exist_ok=True)
    symbols = subprocess.run(["nm", "-C", copy], capture_output=True, text=True, check=True).stdout
    address = int(re.search(r"^(\w+) \w cutaway::func::FloatMode::active\(\)$", symbols, re.M)[1], 16)
    headers = subprocess.run(["readelf", "-lW", copy], capture_output=True, text=True, check=True).stdout
    for offset, start, size in re.findall(r"LOAD\s+(0x\w+) (0x\w+) 0x\w+ (0x\w+)", headers):
        if int(start, 16) <= address < int(start, 16) + int(size, 16):
            with open(copy, "r+b") as file:
                file.seek(address - int(start, 16) + int(offset, 16))
                file.write(bytes([0xB8, 1, 0, 0, 0, 0xC3]))  # mov eax, 1; ret
    return copy


def instructions(command, gpu, options, folder):
    copy = without_mode_check(command, folder)
    subprocess.run(["valgrind", "--tool=callgrind", "--toggle-collect=cutaway::engine::Domain::tick(bool)",
                    f"--callgrind-out-file={folder}/callgrind.%p", *simulation(copy, gpu, options, folder / "out")],
                   check=True, capture_output=True)
    counts = [re.search(r"^(?:totals|summary): (\d+)", file.read_text(), re.M)
              for file in folder.glob("callgrind.*")]
    summary = json.loads((folder / "out" / "summary.json").read_text())
    return max(int(count[1]) for count in counts if count), summary["host"]["executed_ticks"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commands", nargs="+", metavar="COMMAND")
    parser.add_argument("--capture", required=True)
    parser.add_argument("--frame", type=int, default=3)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--gpu", action="append")
    parser.add_argument("--callgrind", action="store_true")
    options = parser.parse_args()
    conditions(options.commands)
    for gpu in options.gpu or GPUS:
        if options.callgrind:
            for command in options.commands:
                with tempfile.TemporaryDirectory() as work:
                    count, ticks = instructions(command, gpu, options, pathlib.Path(work))
                print(f"{gpu} {command}: {count / 1e9:.2f} G instructions, {count / ticks:,.0f} a tick", flush=True)
            continue
        runs = {command: [] for command in options.commands}
        with tempfile.TemporaryDirectory() as work:
            for _ in range(options.runs):
                for command in options.commands:
                    runs[command].append(simulate(command, gpu, options, pathlib.Path(work)))
        if len({run["figures"] for of_command in runs.values() for run in of_command}) > 1:
            sys.exit(f"{gpu}: the commands differ in cycles, counters or memory")
        for command, of_command in runs.items():
            rates = [run["rate"] for run in of_command]
            rate, last = statistics.median(rates), of_command[-1]
            print(f"{gpu} {command}: {last['cycles']:,} cycles; {rate:,.0f} cycles/s (median of {len(rates)}; "
                  f"{min(rates):,.0f} to {max(rates):,.0f}); {last['ticks'] / last['cycles']:.1f} ticks; "
                  f"{1e9 * last['cycles'] / rate / last['ticks']:.0f} ns/tick", flush=True)


if __name__ == "__main__":
    sys.exit(main())
