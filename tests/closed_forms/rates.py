"""Rows about patches, workgroups, and triangles for several rasterisers."""
import math
from fractions import Fraction

import bounds
from bounds import Bound, Program
from table import Row, Section

SPACINGS = {"equal": (1, 2, 3, 4, 8, 16, 32, 64), "odd": (1, 2.5, 4.5, 15.5, 63), "even": (1, 2.5, 4.5, 15.5, 64)}
NAMED = {"equal": "equal", "odd": "fractional odd", "even": "fractional even"}


def segments(factor, spacing):
    """Of an edge (Vulkan, "Tessellator Spacing")."""
    up = math.ceil(factor)
    if spacing == "equal":
        return up
    return max(up + (up % 2 == 0), 1) if spacing == "odd" else max(up + up % 2, 2)


def strip(outer, inner):
    """The triangles between two rows of points, the inner one two segments shorter, in turn from both and mirrored about the
    middle."""
    i, j, segments = 0, 0, len(outer) - 1
    while i < segments or j < len(inner) - 1:
        if j == len(inner) - 1 or (i < segments and (i < j + 1 or (i == j + 1 and 2 * i + 1 < segments))):
            yield from (outer[i], inner[j], outer[i + 1])
            i += 1
        else:
            yield from (outer[i], inner[j], inner[j + 1])
            j += 1


def square_points(n):
    """The points of a square of n by n cells as its triangles name them: the ring along its edges, side after side, then
    what is inside, row after row."""
    if n == 1:
        yield from ((0, 0), (1, 1), (1, 0), (0, 0), (0, 1), (1, 1))
        return
    turns = (lambda x, y: (x, y), lambda x, y: (n - y, x), lambda x, y: (n - x, n - y), lambda x, y: (y, n - x))
    for turn in turns:
        yield from strip([turn(x, 0) for x in range(n + 1)], [turn(x, 1) for x in range(1, n)])
    for y in range(1, n - 1):
        for x in range(1, n - 1):
            a, b, c, d = (x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)
            if (2 * x + 1 < n) == (2 * y + 1 < n):
                yield from (a, c, b, a, d, c)
            else:
                yield from (a, d, b, b, d, c)


def patches():
    def count(factor):
        return 4 if factor > 40 else 32 if factor > 10 else 256

    def cycles(factor, spacing):
        n, patches = segments(factor, spacing), count(factor)
        points = 6 * n * n

        def form(m):
            rate, units = m["tessellation.points_per_cycle"], m["geometry.units"]
            batches = Fraction(patches, m["geometry.batch"])
            walk = m["tessellation.patch_cycles"] + math.ceil(points / rate)
            return [Bound("commit queue", f"{patches} patches x 6 x {n}² points, 1 a cycle, and 1 for a batch of {m['geometry.batch']}, / "
                          f"{bounds.p(m, 'geometry.units')}", (patches * points + batches) / units),
                    Bound("tessellator", f"{patches} patches x ({bounds.p(m, 'tessellation.patch_cycles')} + 6 x {n}² points / "
                          f"{bounds.p(m, 'tessellation.points_per_cycle')}) / {bounds.p(m, 'geometry.units')}", Fraction(patches * walk, units))]
        return form

    def shaded(factor, spacing):
        n, patches = segments(factor, spacing), count(factor)

        def form(m):
            size = m["tessellation.post_cache"]
            held, misses = {}, 0
            for point in square_points(n):
                if point not in held:
                    misses += 1
                    held[point] = True
                    if len(held) > size:
                        del held[next(iter(held))]
            return [Bound("misses of a FIFO", f"{patches} patches x {misses:,}, {misses / (2 * n * n):.3f} a triangle, "
                          f"{bounds.p(m, 'tessellation.post_cache')}; {(n + 1) ** 2:,} points are different", Fraction(patches * misses))]
        return form

    def spilled(m):
        return [Bound("sectors", "64 x 1 output / 4, rounded up", Fraction(64))]

    one = ("geometry.units=1",)
    rows = [Row(f"{NAMED[spacing]}, factor {factor}", f"patches-{spacing}-{factor}", cycles(factor, spacing), preset="d3d11", sets=one)
            for spacing, factors in SPACINGS.items() for factor in factors]
    rows += [Row(f"equal, factor {factor}, 1 point a cycle", f"patches-equal-{factor}", cycles(factor, "equal"), preset="d3d11",
                 sets=(*one, "tessellation.points_per_cycle=1")) for factor in (1, 3, 8)]
    rows += [Row("equal, factor 3, all front ends", "patches-equal-3", cycles(3, "equal"), preset="d3d11")]
    rows += [Row(f"equal, factor {factor}: points shaded", f"patches-equal-{factor}", shaded(factor, "equal"), preset="d3d11", sets=one,
                 measured=lambda work: work.sum(r"gpu\.tessellation\d?\.points_shaded"), unit="points", within=0)
             for factor in (1, 2, 3, 4, 8, 16, 32, 64)]
    rows += [Row(f"equal, factor {factor}, {slots} slots in memory: bytes written of a point", f"patches-equal-{factor}", spilled, preset="d3d11",
                 sets=("tessellation.post_cache=8", "tessellation.slots=9", f"tessellation.memory_slots={slots}", "tessellation.queue=1024"),
                 measured=lambda work: (work.sum(r"gpu\.memory_controller\.tessellation\d\.write_bytes") /
                                        work.sum(r"gpu\.tessellation\d\.points_spilled")), unit="bytes", within=0)
             for factor, slots in ((4, 20), (16, 500))]
    return Section("Patches", "Squares of one vertex with the same factor for all edges and inside; all behind the viewer. The spacing makes n segments from "
                              "the factor. A square then has n² cells of two triangles, whose points the tessellator walks: `tessellation.points_per_cycle` of "
                              "them after `tessellation.patch_cycles`. After it one point leaves in a cycle, so the tessellator holds up only patches of few "
                              "points. A FIFO in `tests/closed_forms/rates.py` counts how many points are shaded. It walks the ring along the edges and then "
                              "the inside, row after row: as long as the cache holds two rows, few are shaded twice. Points that find no slot on the chip go "
                              "to memory: four outputs in a sector.", rows)


def workgroups_inside():
    groups, chain = 256, 64

    def held(m, temporaries, shared):
        lanes = m["shader.group_lanes"]
        step = m["shader.register_granularity"]
        file = (m["shader.threads"] + m["shader.input_threads"]) * m["shader.registers_per_thread"]
        limits = {"workgroups": m["shader.workgroups"], "threads": m["shader.threads"] // lanes,
                  "shared memory": m["shader.shared_bytes"] // shared, "registers": file // (math.ceil(temporaries / step) * step * lanes)}
        name = min(limits, key=limits.get)
        of = {"workgroups": bounds.p(m, "shader.workgroups"), "threads": bounds.p(m, "shader.threads"),
              "shared memory": f"{bounds.p(m, 'shader.shared_bytes')} / {shared:,}", "registers": f"{file:,} registers / {lanes} x {temporaries}"}
        return name, of[name], limits[name]

    def inside(temporaries, shared):
        def form(m):
            name, formula, count = held(m, temporaries, shared)
            return [Bound(name, formula, Fraction(count))]
        return form

    def cycles(temporaries, shared):
        def form(m):
            name, _, count = held(m, temporaries, shared)
            life = 1 + chain * m["shader.scalar_latency"] + m["shader.pipeline_stages"]
            return [Bound(name, f"{groups} workgroups x {life:,} cycles of one / {count} at once" + bounds.clock_text(m, "shader.mhz"),
                          Fraction(groups * life, count) * bounds.clock(m, "shader.mhz"))]
        return form

    sets = ("shader.units=1", "shader.units_per_cluster=1", "fragment_generation.units=1", "shader.scalar_latency=64")
    shapes = [(f"{temporaries} temporaries", f"inside-{temporaries}-registers", temporaries, 1024) for temporaries in (4, 32, 48, 64, 96)]
    shapes += [(f"{kb} KB of shared memory", f"inside-{kb}-kb", 4, kb << 10) for kb in (4, 6, 8, 12, 16, 32)]
    rows = []
    for named, scene, temporaries, shared in shapes:
        rows += [Row(f"{named}: workgroups inside", scene, inside(temporaries, shared), preset="d3d11", sets=sets, unit="workgroups",
                     measured=lambda work: work.sum(r"gpu\.shader0\.resident_groups") / work.units["gpu.shader0"]),
                 Row(f"{named}: cycles", scene, cycles(temporaries, shared), preset="d3d11", sets=sets)]
    return Section("Workgroups inside by registers and shared memory", f"{groups} workgroups of one group on one shader unit; the program is 64 `RCP`, each of which waits for the one "
                                                                       "before, and `END`, so the time shows how many are inside at once. The scarcest of places, registers and shared "
                                                                       "memory decides (DX-12).", rows)


def captures():
    points = 4096

    def captured(words):
        def form(m):
            cycles = points * math.ceil(Fraction(4 * words, m["stream_out.bytes_per_cycle"]))
            formula = f"{points:,} points x ceil({4 * words} bytes / {bounds.p(m, 'stream_out.bytes_per_cycle')})"
            if m["geometry.units"] > 1:  # the end of a batch takes a cycle of its turn
                cycles += Fraction(points, m["geometry.batch"])
                formula += f" + 1 for a batch of {m['geometry.batch']}"
            return [bounds.vertices_in_order(m, points, each=1), Bound("path to memory", formula, Fraction(cycles)),
                    bounds.memory(m, points * 4 * words // 64)]
        return form

    rows = [Row(f"{chip}, {4 * words} bytes", f"captured-{words}", captured(words), preset=chip)
            for chip, sizes in (("g80", (6, 8, 16, 32)), ("d3d11", (2, 4, 6, 8, 16, 32))) for words in sizes]
    rows += [Row(f"d3d11, 32 bytes, {bytes_per_cycle} a cycle", "captured-8", captured(8), preset="d3d11",
                 sets=(f"stream_out.bytes_per_cycle={bytes_per_cycle}",)) for bytes_per_cycle in (4, 8, 32)]
    rows.append(Row("d3d11, 64 bytes, 32 sectors on the way", "captured-16", captured(16), preset="d3d11", sets=("stream_out.writes=32",), within=0.5,
                    why="a sector is on the way until memory has written it: 32 of them on a trip of about 180 cycles are one in 5.6 cycles, while the path "
                        "supplies one in 4", without=(("128 sectors on the way", ("stream_out.writes=128",)),)))
    return Section("Stream-out", f"{points:,} points of 8 to 128 bytes, all captured by transform feedback and none drawn. They leave over a narrow path (DX-10), on which each vertex "
                                 "begins a new cycle: 24 bytes take as long as 32.", rows)


def rasterisers():
    pixels, layers = 192, 4
    turns = ("work_distributor.fragments=turns", "fragment_generation.pixels_per_cycle=0", "streamer.vertices_per_cycle=1")

    def quads_of(side):
        """Of a triangle with legs of `side` pixels: half a square of quads, and those that its long side crosses."""
        across = side // 2
        return across * (across + 1) // 2

    def form(side):
        per_side = pixels // side
        strips, triangles = layers * per_side, layers * 2 * per_side * per_side
        vertices = strips * (2 * (per_side + 1) + 2)
        quads = triangles * quads_of(side)
        tiles = triangles if side <= 8 else triangles * (side // 8) ** 2

        def list_bounds(m):
            units = m["fragment_generation.units"]
            cycles = m["fragment_generation.tile_cycles"]
            looked = Fraction(tiles * cycles, units)
            scanned = f" x {bounds.p(m, 'fragment_generation.tile_cycles')}" if cycles > 1 else ""
            return [bounds.vertices_in_order(m, vertices, each=1, again=2),
                    Bound("rasterisers", f"{tiles:,} tiles in the bounds of {triangles:,} triangles{scanned} / {bounds.p(m, 'fragment_generation.units')}", looked),
                    Bound("quads given out", f"{quads:,} quads / {bounds.p(m, 'work_distributor.quads_per_cycle')}",
                          Fraction(quads, m["work_distributor.quads_per_cycle"])),
                    bounds.rops(m, quads), bounds.issue(m, "fragment", 4 * quads, Program(2, vectors=1))]
        return list_bounds

    short = {"within": 1.4, "without": (("a latency of memory of one cycle, too", ("memory.latency=1",)),),
             "why": "the 128 vertices of a front end between their index and primitive assembly do not cover the time of their attributes and programs"}
    uneven = {"within": 0.05, "without": (("longer queues before the Z units", ("wires.z_queue=256",)),
                                          ("and a latency of memory of one cycle", ("wires.z_queue=256", "memory.latency=1"))),
              "why": "the quads of a triangle of this size belong to three or four of the 12 ROPs, whose queues fill up (`wires.z_queue`). While a rasteriser "
                     "waits with its tile, other ROPs have nothing to do"}
    rows = [Row(f"triangles of {side * side // 2} pixels", f"triangles-{side}", form(side), preset="d3d11", sets=turns, **(uneven if side > 16 else {}))
            for side in (2, 4, 8, 16, 32)]
    rows += [Row(f"triangles of {side * side // 2} pixels, {text}", f"triangles-{side}", form(side), preset="d3d11", sets=(*turns, *sets))
             for side, text, sets in ((2, "two rasterisers", ("fragment_generation.units=2",)), (2, "two front ends", ("geometry.units=2",)),
                                      (8, "half the quads given out", ("work_distributor.quads_per_cycle=4",)),
                                      (4, "16 pixels scanned a cycle", ("fragment_generation.tile_cycles=4",)))]
    rows.append(Row("triangles of 2 pixels, a quarter of the streamer's queue", "triangles-2", form(2), preset="d3d11", sets=(*turns, "streamer.queue=128"), **short))
    large = 8 * pixels * pixels // 4

    def filled(m):
        return [bounds.rops(m, large), bounds.issue(m, "fragment", 4 * large, Program(2, vectors=1)),
                Bound("quads given out", f"{large:,} quads / {bounds.p(m, 'work_distributor.quads_per_cycle')}",
                      Fraction(large, m["work_distributor.quads_per_cycle"]))]

    rows += [Row(f"layers of one triangle{text}", "fill-color-192", filled, preset="d3d11", sets=(*turns, *sets)) for text, sets in (
        ("", ()), (", half the quads given out", ("work_distributor.quads_per_cycle=4",)), (", 6 ROPs", ("rop.units=6", "rop.channels_each=2", "z_stencil.quads_per_cycle=1")))]
    return Section("Triangles by size, and fill, on several rasterisers", "A target of 192x192 pixels covered four times by squares of two triangles, in "
                                                                          "strips of a row; then eight layers of one triangle. Vertices bind small triangles: "
                                                                          "each front end takes one vertex in a cycle, so there are at most four triangles a "
                                                                          "cycle (OUT-DX-2; 3.5 with the cycles of batches). Larger triangles are bound by the "
                                                                          "quads that the chip gives to its shader units, 32 pixels a cycle, though its ROPs "
                                                                          "could write 48 (OUT-DX-3; 94 % of that was measured on such a chip, OUT-DX-4). "
                                                                          "Quads go to the units in turn, so the tiles of a unit do not matter. "
                                                                          "The rasterisers send a tile a cycle, not 8 pixels as the preset's, and a front end "
                                                                          "takes one vertex, not two: else these would bind in their place.", rows)
