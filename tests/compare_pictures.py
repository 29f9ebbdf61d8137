#!/usr/bin/python3
"""Compares pictures of two drivers, pixel by pixel, and says where they differ.

usage: compare_pictures.py [--edges DIR] [--limit SHARE] OURS THEIRS

OURS and THEIRS are folders with the same number of PNGs, or two PNGs; they are compared in order of name. A pixel
differs if any of R, G, B does by more than 2. At most SHARE (0.001) of the pixels of a picture may.

--edges DIR: for each picture a PNG whose color names the primitive that a pixel shows (`cutaway emulate
--primitives`). Every pixel that differs must then lie within one pixel of another primitive's (an edge), or be one
whose nearest texel is a matter of rounding (red is even there): the edge of a texel; or be read with
an anisotropic sampler (green is even), whose filter is the driver's choice.

Prints the ten worst pixels of each picture. Exit status: 0 within the limits, 1 not, 2 bad input.
"""
import argparse
import pathlib
import sys

from PIL import Image

TOLERANCE = 2
EXPLAINED = {"anisotropic": "read with an anisotropic sampler", "edge": "at an edge", "texel edge": "at the edge of a texel"}


def pictures(path):
    path = pathlib.Path(path)
    return sorted(path.glob("*.png")) if path.is_dir() else [path]


def load(path):
    with Image.open(path) as image:
        return image.convert("RGB")


def place(ids, x, y):
    """What a difference at a pixel has to do with: EXPLAINED, or else INSIDE."""
    width, height = ids.size

    def primitive(i, j):
        red, green, blue = ids.getpixel((i, j))
        return red | 1, green | 1, blue

    red, green, blue = ids.getpixel((x, y))
    drawn = red or green or blue
    if drawn and not green & 1:
        return "anisotropic"
    here = primitive(x, y)
    if any(primitive(i, j) != here
           for i in range(max(0, x - 1), min(width, x + 2))
           for j in range(max(0, y - 1), min(height, y + 2))):
        return "edge"
    return "INSIDE" if red & 1 or not drawn else "texel edge"


def compare(ours, theirs, ids):
    """Differences as (largest, x, y, ours, theirs, place), worst first; number of pixels."""
    a, b = load(ours), load(theirs)
    if a.size != b.size:
        sys.exit(f"compare_pictures: {ours} is {a.size}, {theirs} is {b.size}")
    found = []
    width = a.size[0]
    pairs = zip(a.getdata(), b.getdata())
    for i, (p, q) in enumerate(pairs):
        worst = max(abs(u - v) for u, v in zip(p, q))
        if worst > TOLERANCE:
            x, y = i % width, i // width
            found.append((worst, x, y, p, q, place(ids, x, y) if ids else None))
    return sorted(found, reverse=True), a.size[0] * a.size[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ours")
    parser.add_argument("theirs")
    parser.add_argument("--edges")
    parser.add_argument("--limit", type=float, default=0.001)
    options = parser.parse_args()
    ours, theirs = pictures(options.ours), pictures(options.theirs)
    edges = pictures(options.edges) if options.edges else [None] * len(ours)
    if not ours or len(ours) != len(theirs) or len(edges) != len(ours):
        print(f"compare_pictures: {len(ours)} pictures in {options.ours}, {len(theirs)} in {options.theirs}, "
              f"{len(edges)} of edges; expected as many of each", file=sys.stderr)
        return 2
    good = True
    for mine, other, ids in zip(ours, theirs, edges):
        found, total = compare(mine, other, load(ids) if ids else None)
        inside = sum(1 for f in found if f[5] == "INSIDE")
        counts = ", ".join(f"{sum(1 for f in found if f[5] == reason)} {where}" for reason, where in EXPLAINED.items())
        good &= len(found) <= options.limit * total and inside == 0
        print(f"{mine.name}: {len(found)} of {total} pixels ({100 * len(found) / total:.4f} %) differ by more than "
              f"{TOLERANCE}" + (f"; {counts}, {inside} inside a triangle" if ids else ""))
        for worst, x, y, p, q, edge in found[:10]:
            where = "" if edge is None else f", {edge}"
            print(f"  ({x}, {y}): ours {p}, theirs {q}, by {worst}{where}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
