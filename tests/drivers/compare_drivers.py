#!/usr/bin/env python3
"""Runs a program on Cutaway and on Mesa's software driver, both below the validation layer, and compares the
pictures that it writes.

usage: compare_drivers.py CUTAWAY_MANIFEST FOLDER PROGRAM [ARGUMENT...]

PROGRAM takes the path of a PPM file as its last argument. At most 0.1 % of the pixels may differ by more than 2
in any channel, and each of them must lie beside an edge: some neighbour within a pixel differs from it by more
than 2 in the reference too. The validation layer must be silent. Exits with 1 and says what is wrong.
"""
import os
import pathlib
import subprocess
import sys

TOLERANCE = 2
SHARE = 0.001
REFERENCE = "lvp_icd"


def reference_manifest():
    for folder in ("/usr/share/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/etc/vulkan/icd.d"):
        for path in sorted(pathlib.Path(folder).glob(REFERENCE + "*.json")):
            return path
    sys.exit("compare_drivers.py: no manifest of Mesa's software driver (package mesa-vulkan-drivers)")


def run(manifest, command, picture):
    picture.unlink(missing_ok=True)
    environment = dict(os.environ, VK_DRIVER_FILES=str(manifest), VK_ICD_FILENAMES=str(manifest),
                       VK_INSTANCE_LAYERS="VK_LAYER_KHRONOS_validation")
    result = subprocess.run(command + [str(picture)], env=environment, capture_output=True, text=True, timeout=600)
    text = result.stdout + result.stderr
    print(f"== {manifest}\n{text}", end="")
    if result.returncode != 0 or not picture.exists():
        sys.exit(f"compare_drivers.py: exit code {result.returncode} on {manifest}")
    if "Validation" in text or "VUID" in text:
        sys.exit("compare_drivers.py: the validation layer complains")


def read_ppm(path):
    data = path.read_bytes()
    magic, size, depth, rows = data.split(b"\n", 3)
    width, height = map(int, size.split())
    if magic != b"P6" or depth != b"255" or len(rows) != 3 * width * height:
        sys.exit(f"compare_drivers.py: {path} is not the PPM file that was expected")
    return width, height, rows


def main():
    manifest, folder, command = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    folder.mkdir(parents=True, exist_ok=True)
    name = pathlib.Path(command[0]).name
    ours, theirs = folder / f"{name}_cutaway.ppm", folder / f"{name}_reference.ppm"
    run(manifest, command, ours)
    run(reference_manifest(), command, theirs)
    width, height, a = read_ppm(ours)
    if read_ppm(theirs)[:2] != (width, height):
        sys.exit("compare_drivers.py: the pictures differ in size")
    b = read_ppm(theirs)[2]

    def pixel(rows, x, y):
        return rows[3 * (y * width + x):3 * (y * width + x) + 3]

    def apart(p, q):
        return max(abs(i - j) for i, j in zip(p, q))

    def beside_edge(x, y):
        here = pixel(b, x, y)
        return any(apart(here, pixel(b, i, j)) > TOLERANCE
                   for j in range(max(0, y - 1), min(height, y + 2))
                   for i in range(max(0, x - 1), min(width, x + 2)))

    worse = sorted(((apart(pixel(a, x, y), pixel(b, x, y)), x, y) for y in range(height) for x in range(width)
                    if apart(pixel(a, x, y), pixel(b, x, y)) > TOLERANCE), reverse=True)
    print(f"{len(worse)} of {width * height} pixels differ by more than {TOLERANCE}")
    for difference, x, y in worse[:10]:
        print(f"  ({x}, {y}): {tuple(pixel(a, x, y))} instead of {tuple(pixel(b, x, y))}, {difference} apart")
    inside = [(x, y) for _, x, y in worse if not beside_edge(x, y)]
    if len(worse) > SHARE * width * height or inside:
        sys.exit(f"compare_drivers.py: the pictures differ: {len(worse)} pixels, {len(inside)} away from any edge")


if __name__ == "__main__":
    main()
