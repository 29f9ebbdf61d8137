#!/usr/bin/env python3
"""Prints a torus knot as Wavefront OBJ: 96 rings of 12 vertices, and a quad between each two neighbours.

The tube of radius 0.45 follows ((2 + cos 3t) cos 2t, (2 + cos 3t) sin 2t, sin 3t). Each ring lies in the plane across
the curve; its first vertex points away from the z axis.
"""
import math

RINGS, SIDES, RADIUS = 96, 12, 0.45


def curve(t):
    return ((2 + math.cos(3 * t)) * math.cos(2 * t), (2 + math.cos(3 * t)) * math.sin(2 * t), math.sin(3 * t))


def tangent(t):
    around = 2 + math.cos(3 * t)
    return unit((-3 * math.sin(3 * t) * math.cos(2 * t) - 2 * around * math.sin(2 * t),
                 -3 * math.sin(3 * t) * math.sin(2 * t) + 2 * around * math.cos(2 * t), 3 * math.cos(3 * t)))


def unit(a):
    length = math.sqrt(sum(x * x for x in a))
    return tuple(x / length for x in a)


def cross(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def ring(t):
    center, along = curve(t), tangent(t)
    side = unit(cross(along, (math.cos(2 * t), math.sin(2 * t), 0)))
    outward = cross(side, along)
    for angle in (2 * math.pi * i / SIDES for i in range(SIDES)):
        yield tuple(c + RADIUS * (math.cos(angle) * o + math.sin(angle) * s)
                    for c, o, s in zip(center, outward, side))


def main():
    print(f"# A torus knot: {RINGS} rings of {SIDES} vertices.")
    for i in range(RINGS):
        for vertex in ring(2 * math.pi * i / RINGS):
            print("v {:.3f} {:.3f} {:.3f}".format(*vertex))
    for i in range(RINGS):
        here, there = SIDES * i + 1, SIDES * ((i + 1) % RINGS) + 1
        for side in range(SIDES):
            after = (side + 1) % SIDES
            print("f", here + side, here + after, there + after, there + side)


main()
