#!/usr/bin/env python3
"""Captures a program without a window and simulates its one frame: the clocked machine must leave the memory that
the emulator leaves.

usage: verify_example.py CUTAWAY FOLDER PROGRAM [GPU]

PROGRAM takes the path of a PPM file as its last argument, and must write the same one with and without capture.
Exits with 1 and says what is wrong.
"""
import os
import pathlib
import shutil
import subprocess
import sys


def run(command, **environment):
    print("+", *command, flush=True)
    result = subprocess.run(list(map(str, command)), env=dict(os.environ, **environment), capture_output=True,
                            text=True, timeout=600)
    print(result.stdout + result.stderr, end="")
    if result.returncode:
        sys.exit(f"verify_example.py: exit code {result.returncode}")
    return result.stdout + result.stderr


def main():
    cutaway, folder, program = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    manifest = str(cutaway.parent / "cutaway_icd.json")
    plain, captured, capture = folder / "plain.ppm", folder / "captured.ppm", folder / "frame.cutaway"
    run([program, plain], VK_DRIVER_FILES=manifest, VK_ICD_FILENAMES=manifest)
    run([cutaway, "capture", "-o", capture, "--frames", "1", "--", program, captured])
    if plain.read_bytes() != captured.read_bytes():
        sys.exit("verify_example.py: the pictures with and without capture differ")
    gpu = ["--gpu", sys.argv[4]] if len(sys.argv) > 4 else []
    text = run([cutaway, "simulate", capture, "--verify", *gpu, "--out", folder / "simulated"])
    if "equal the emulator's" not in text:
        sys.exit("verify_example.py: nothing was verified")


main()
