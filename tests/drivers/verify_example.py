#!/usr/bin/env python3
"""Captures a program without a window and simulates its one frame: the clocked machine must leave the memory that
the emulator leaves.

usage: verify_example.py CUTAWAY FOLDER PROGRAM [ARGUMENT...] [--gpu GPU] [--refused GPU:REASON...]

GPU may have parameters: d3d11,translation.pages=4KB.

PROGRAM takes the path of a PPM file as its last argument, and must write the same one with and without capture. What a
chip lacks for it the simulation of that chip must name. Exits with 1 and says what is wrong.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys


def run(command, refused=None, **environment):
    print("+", *command, flush=True)
    result = subprocess.run(list(map(str, command)), env=dict(os.environ, **environment), capture_output=True,
                            text=True, timeout=600)
    print(result.stdout + result.stderr, end="")
    if refused and (result.returncode == 0 or refused not in result.stderr):
        sys.exit(f"verify_example.py: not refused for: {refused}")
    if result.returncode and not refused:
        sys.exit(f"verify_example.py: exit code {result.returncode}")
    return result.stdout + result.stderr


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cutaway", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("program", nargs="+")
    parser.add_argument("--gpu", action="append", default=[])
    parser.add_argument("--refused", action="append", default=[])
    options = parser.parse_args()
    cutaway, folder, program = options.cutaway, options.folder, options.program
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    manifest = str(cutaway.parent / "cutaway_icd.json")
    plain, captured, capture = folder / "plain.ppm", folder / "captured.ppm", folder / "frame.cutaway"
    run([*program, plain], VK_DRIVER_FILES=manifest, VK_ICD_FILENAMES=manifest)
    run([cutaway, "capture", "-o", capture, "--frames", "1", "--", *program, captured])
    if plain.read_bytes() != captured.read_bytes():
        sys.exit("verify_example.py: the pictures with and without capture differ")

    def simulate(gpu, **how):
        name, *values = gpu.split(",")
        settings = [word for value in values for word in ("--set", value)]
        return run([cutaway, "simulate", capture, "--verify", "--gpu", name, *settings, "--out", folder / gpu], **how)

    for gpu in options.gpu or ["attila"]:
        if "equal the emulator's" not in simulate(gpu):
            sys.exit("verify_example.py: nothing was verified")
    for gpu, reason in (one.split(":", 1) for one in options.refused):
        simulate(gpu, refused=reason)


main()
