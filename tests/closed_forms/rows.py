"""The rows of the page: a scene that asks for one thing, a machine, the bounds that apply, and where more than 2 %
lie between them and what is measured the reason, and machines without it."""
import math
from fractions import Fraction

import bounds
from bounds import Bound, Program
from bus_rows import buses
from geforce_rows import geforce, registers_of_geforce
from host_rows import host
from load_rows import interpolation, loads_under_way
from rates import captures, patches, rasterisers, workgroups_inside
from prefetch_rows import prefetches
from register_rows import register_ports
from table import Row, Section, WITHIN  # noqa: F401
from translation_rows import translation
from workgroup_rows import doubles, fences, workgroups

SECTOR = 64  # bytes of a transaction

NO_TURNS = ("memory.read_to_write=0", "memory.write_to_read=0")
EVEN = (*NO_TURNS, "memory.interleave=64", "z_stencil.compression=false")
WITHOUT_TURNS = (("no turning around", NO_TURNS), ("and a line spread over all channels", EVEN))
TURNS = ("reads and writes of memory alternate. A ROP reads a line of 256 bytes and writes one before it requests more. A channel therefore seldom finds more "
         "than a line's four transactions of a kind (`memory.same_direction` would let it serve 32) and turns around after them: `memory.read_to_write` + "
         "`memory.write_to_read` cycles for every two lines. In addition, a line is in one channel (`memory.interleave`): for the time of a tile the other "
         "channels get fewer requests")


def samples():
    """Several samples of a pixel, all equal: one sector in so many moves where they are compressed."""
    def covered(count, blended, compressed):
        quads = 8 * 128 * 128 // 4
        sectors = quads * 4 * 4 // SECTOR * (1 if compressed else count) * (2 if blended else 1)
        return lambda m: [bounds.rops(m, count * quads), bounds.memory(m, sectors)]

    burst = {"within": 0.1, "without": (("room for them", ("color_write.write_backs=64",)),),
             "why": "the first quad of a tile allocates eight lines, each of which asks for the cleared parts of its four sectors. These are more requests "
                    "than `color_write.write_backs` and a line's own have room for, and the port sends one a cycle"}
    queue = {"within": 0.1, "without": (("a longer queue", ("color_write.queue=512",)),),
             "why": "a quad waits for its colors in the queue of the color write unit: `color_write.queue` quads, eight entries to a quad, do not cover the "
                    "latency of memory"}
    rows = []
    for count in (2, 4, 8):
        for compressed in (False, True):
            for blended in (False, True):
                # So narrow that memory or the ROPs bind, and not both.
                width = 32 // count if blended else 32 if compressed and count == 2 else 16
                what = (f"{count} samples{', blending' if blended else ''}, one channel of {width} bytes a cycle"
                        f"{', compressed' if compressed else ''}")
                rows.append(Row(what, f"fill-{'blend' if blended else 'color'}-{count}x", covered(count, blended, compressed),
                                sets=("memory.channels=1", f"memory.bytes_per_cycle={width}", *NO_TURNS,
                                      f"color_write.compression={str(compressed).lower()}"),
                                **((queue if blended else burst) if compressed and count == 8 else {})))
    return rows


def fill():
    quads = 8 * 128 * 128 // 4  # 8 layers
    sectors = quads * 4 * 4 // SECTOR  # of 32-bit pixels, once
    program = Program(2, vectors=1)

    def covered(shaded, transactions):
        def list_bounds(m):
            found = [bounds.rops(m, quads), bounds.memory(m, transactions * sectors)]
            return found + [bounds.issue(m, "fragment", 4 * quads, program)] if shaded else found
        return list_bounds

    color, blend, depth, both, alone = (covered(True, 1), covered(True, 2), covered(True, 3), covered(True, 4), covered(False, 2))
    blocks = sectors // 4

    def compressed(m):
        return [bounds.rops(m, quads), bounds.memory(m, 2 * blocks)]

    narrow = ("memory.channels=1", "memory.bytes_per_cycle=4", *NO_TURNS)
    wide = {"why": TURNS, "without": WITHOUT_TURNS}
    eight = ("shader.units=8",)
    rows = [Row("color", "fill-color", color), Row("blending: color read and written", "fill-blend", blend, within=0.45, **wide),
            Row("color, depth read and written", "fill-depth", depth, within=0.4, why=TURNS, without=WITHOUT_TURNS[:1]),
            Row("blending, depth read and written", "fill-depth-blend", both, within=0.25, why=TURNS, without=WITHOUT_TURNS[:1]),
            Row("depth alone, read and written", "fill-depth-only", alone, within=0.45, **wide),
            Row("depth alone, cleared before: compressed to a sector of four", "fill-depth-cleared", compressed, within=0.1,
                why="a quad waits for its depths in the queue of the Z and stencil unit: `z_stencil.queue` quads, 16 to a block, do not cover the latency of "
                    "memory and `memory.expand_latency`",
                without=(("a longer queue", ("z_stencil.queue=512",)),)),
            Row("the same, one channel of 4 bytes a cycle", "fill-depth-cleared", compressed, sets=narrow),
            Row("8 units, color", "fill-color", color, sets=eight),
            Row("8 units, color, one channel", "fill-color", color, sets=(*eight, "memory.channels=1")),
            Row("8 units, blending", "fill-blend", blend, sets=eight, within=0.45, **wide),
            Row("8 units, blending, two channels", "fill-blend", blend, sets=(*eight, "memory.channels=2"), within=0.4, why=TURNS,
                without=WITHOUT_TURNS[:1]),
            Row("8 units, color, depth", "fill-depth", depth, sets=eight, within=0.4, without=WITHOUT_TURNS,
                why=TURNS + ". The phase between the ROPs decides how often both ask one channel: a latency of memory of 39 to 43 cycles, 40 here, changes the "
                            "measurement without turns by 20 %")]
    many = (*eight, "memory.channels=16")
    rows += [Row("8 units, blending, 16 channels", "fill-blend", blend, sets=many),
             Row("8 units, color, depth, 16 channels", "fill-depth", depth, sets=many, within=0.15,
                 why="a quad waits for its depths in the queue of the Z and stencil unit, where `z_stencil.queue` quads, four to a transaction, do not always "
                     "cover the latency of memory",
                 without=(("a longer queue", ("z_stencil.queue=512",)),))]
    rows += samples()
    return Section("Fill", "Layers of a triangle over 128x128 pixels, which no cache holds; another 8 layers are measured. A program of two instructions "
                           "(`MOV`, and `END`, which is free) gives the color; depth alone has none. A transaction moves 64 bytes: 16 colors or depths. The "
                           "program, one instruction a quad, keeps two shader units as busy as the two ROPs. The paper also found that memory is used at 80 to 90 % if depth and color are "
                           "both read and written (ATT-15).", rows)


TILES = ("`work_distributor.fragments` is \"tile-map\": a quad can go only to the unit that owns its tile. While that unit is full, the quads behind it wait, "
         "including those for the other unit. Groups that came in together end together, since they issue in turn, so units become empty and full in bursts")


def texture():
    quads, accesses = 2 * 64 * 64 // 4, 16  # 2 layers

    def sampled(each):
        return lambda m: [bounds.steps(m, quads, accesses, each),
                          bounds.issue(m, "fragment", 4 * quads, Program(accesses + 1)), bounds.rops(m, quads)]

    kinds = [("nearest", "nearest", 1), ("bilinear", "bilinear", 1), ("trilinear", "trilinear: two levels", 2)]
    kinds += [(f"anisotropic-{n}", f"anisotropic {n}x: {n} probes", n) for n in (2, 4, 8)]
    kinds += [("anisotropic-4-trilinear", "anisotropic 4x: four probes of two levels", 8)]
    turns = {"within": 0.35, "why": TILES, "without": (("quads to the units in turn", ("work_distributor.fragments=turns",)),)}
    rows = [Row(what, f"texture-{scene}", sampled(each), **(turns if 1 < each < 8 else {})) for scene, what, each in kinds]
    formats = (("r8", "8 bits a texel"), ("bc1", "BC1, 4 bits"), ("bc3", "BC3, 8 bits"), ("rgba16f", "four halves, 64 bits"),
               ("rgba32f", "four floats, 128 bits"))
    rows += [Row(f"bilinear, {text}", f"texture-format-{name}", sampled(1)) for name, text in formats]
    # Of 32 quads side by side 4 lie across two lines, and of 32 one upon the other.
    across = 1 + Fraction(4, 32)
    rows += [Row(f"bilinear, a cache of {text}", "texture-bilinear", lambda m, lines=lines: [bounds.banked_steps(m, quads, accesses, lines), *sampled(1)(m)],
                 sets=(f"texture.cache_banks={banks}",), **(turns if banks < 4 else {}))
             for banks, text, lines in ((1, "one bank", across * across), (4, "four banks", 1))]
    def carried(m):
        units = m["shader.units"] // m["shader.units_per_texture"]
        request, result = (Bound(f"the {name}", f"{quads:,} quads x {accesses} x {words} / {bounds.p(m, f'texture.{name}_words')} / {units} texture units",
                                 Fraction(quads * accesses * math.ceil(Fraction(words, m[f"texture.{name}_words"])), units))
                           for name, words in (("request", 2), ("result", 4)))
        return [request, result, *sampled(1)(m)]

    rows += [Row(f"bilinear, {request} words of a request and {result} of a result a cycle", "texture-bilinear", carried,
                 sets=(f"texture.request_words={request}", f"texture.result_words={result}", "work_distributor.fragments=turns"))
             for request, result in ((1, 4), (2, 2), (1, 1), (2, 3))]
    early = {"within": 0.05, "without": (("quads in order", ("reorder_buffer.order=quads",)),),
             "why": "quads of a primitive leave when they have been shaded (`reorder_buffer.order`), which shortens the frame of two layers by more than that "
                    "of four"}
    rows += [Row(f"d3d11, {what}", f"texture-{scene}", sampled(each), preset="d3d11", **(early if each == 1 else {}))
             for scene, what, each in kinds[1:4]]
    return Section("Texture", "16 accesses a fragment, all but the last into registers that nothing reads, to a texture of 16x16 texels, which the cache "
                              "holds: nearest and bilinear magnified four times, trilinear at 1.5 texels a pixel, anisotropic at a pixel of n by 1 texels (4x "
                              "of two levels: 6 by 1.5). A quad takes a step for each bilinear sample; `END` is free. Formats without a "
                              "column are of 32 bits. The paper gives no cost of formats, and the model has none while texels are in the cache. A request has two "
                              "coordinates of each thread and a result four components, which pass the ports of a texture unit in one cycle unless "
                              "`texture.request_words` or `texture.result_words` makes them narrower. The lines of "
                              "the texture, 2 by 2 of 8x8 texels, are in separate banks if there are four; with one bank a step looks them up one after the "
                              "other. Two layers of 64x64 pixels are measured.", rows)


def vertices():
    count = 3000

    def form(length, scalars=0):
        program = Program(length, vectors=length - 1 - scalars, independent=True, scalars=scalars)
        return lambda m: [bounds.vertices_in_order(m, count), bounds.issue(m, "vertex", count, program),
                          bounds.vertex_cache_fill(m, count * 16 // SECTOR), bounds.memory(m, count * 16 // SECTOR)]

    rows = [Row(f"{length} instructions", f"vertices-{length}", form(length))
            for length in (2, 4, 8, 16, 32, 64)]
    rows += [Row(f"64 instructions, {text}", "vertices-64", form(64), sets=sets) for text, sets in (
        ("2-way", ("shader.ways=2",)), ("4-way", ("shader.ways=4",)), ("one SIMD and one scalar", ("shader.issue=simd-and-scalar",)))]
    rows += [Row(f"64 instructions, 31 of them scalar, {text}", "vertices-mixed-64", form(64, 31), sets=sets) for text, sets in (
        ("1-way", ()), ("2-way", ("shader.ways=2",)), ("one SIMD and one scalar", ("shader.issue=simd-and-scalar",)))]
    rows += [Row(f"30 `LDC` of 32 instructions, {text}", "vertices-indexed-32", form(32), sets=sets) for text, sets in (
        ("1-way", ()), ("2-way", ("shader.ways=2",)))]
    rows += [Row(f"2 instructions, {text}", "vertices-2", form(2), sets=("streamer.fill_bytes=8", *sets)) for text, sets in (
        ("8 bytes a cycle into the vertex cache", ()), ("and lines of 256 bytes", ("streamer.line_bytes=256",)))]
    return Section("Vertices by length of their program", f"{count:,} vertices without indices, of one attribute of 16 bytes, all behind the viewer. The instructions are independent, and "
                                                          "`END`, which is free, is one of them. Ways of issue: ATT-9. `LDC` reads a constant by an index "
                                                          "of the vertex as quickly as any operand.", rows)


def grid_indices(columns, rows):
    """Squares row after row, each of two triangles."""
    pitch = columns + 1
    for y in range(rows):
        for x in range(columns):
            at = y * pitch + x
            yield from (at, at + 1, at + pitch, at + 1, at + pitch + 1, at + pitch)


def fifo_misses(indices, size):
    held, misses = [], 0
    for index in indices:
        if index not in held:
            misses += 1
            held = (held + [index])[-size:]
    return misses


def batch_misses(indices, size):
    """Of triangles: before one for which there may be too little room all is forgotten (DX-3)."""
    held, misses = set(), 0
    for at, index in enumerate(indices):
        if at % 3 == 0 and len(held) + 3 > size:
            held.clear()
        misses += index not in held
        held.add(index)
    return misses


def grids():
    rows = []
    for columns in (3, 7, 8, 9, 40):
        lines = 1200 // columns
        triangles = 2 * columns * lines

        def misses(m, columns=columns, lines=lines):
            size = m["streamer.post_cache"]
            return fifo_misses(grid_indices(columns, 2 * lines), size) - fifo_misses(grid_indices(columns, lines), size)

        def shaded(m, misses=misses, triangles=triangles):
            return [bounds.constant("misses of a FIFO", f"{misses(m) / triangles:.3f} a triangle, {bounds.p(m, 'streamer.post_cache')}", misses(m))]

        def cycles(m, misses=misses, triangles=triangles):
            return [bounds.vertices_in_order(m, 3 * triangles), bounds.issue(m, "vertex", misses(m), Program(32, vectors=31))]

        count = {"measured": lambda work: work.sum(r"gpu\.streamer\d\.vertices_shaded"), "unit": "vertices", "within": 0}
        rows.append(Row(f"{columns} squares wide: vertices shaded", f"grid-{columns}", shaded, **count))
        if columns == 9:
            rows.append(Row(f"g80, {columns} squares wide: vertices shaded", f"grid-{columns}", shaded, preset="g80", **count))
        if columns in (3, 7, 9):
            def batched(m, columns=columns, lines=lines, triangles=triangles):
                size = m["streamer.post_cache"]
                found = batch_misses(grid_indices(columns, 2 * lines), size) - batch_misses(grid_indices(columns, lines), size)
                return [bounds.constant("misses of batches", f"{found / triangles:.3f} a triangle, {bounds.p(m, 'streamer.post_cache')}", found)]
            rows.append(Row(f"d3d11, {columns} squares wide: vertices shaded", f"grid-{columns}", batched, preset="d3d11",
                            sets=("geometry.units=1",), **count))
        rows.append(Row(f"{columns} squares wide: cycles", f"grid-{columns}", cycles))
    blocks = 60

    def best(m):
        return [bounds.constant("misses of batches", f"{blocks} blocks x 30 vertices of 40 triangles: 0.750 a triangle, "
                                f"{bounds.p(m, 'streamer.post_cache')}", blocks * 30)]

    rows.append(Row("d3d11, blocks of 5x4 squares: vertices shaded", "grid-blocks", best, preset="d3d11",
                    sets=("geometry.units=1",), **count))
    return Section("Vertices by reuse", "A grid of squares, two triangles each, row after row: about 2,400 triangles more, whose vertices have a program of 32 "
                                        "instructions. A FIFO in `tests/closed_forms/rows.py`, independent of the machine, counts how many are shaded. With 16 "
                                        "places a row of up to 7 squares finds the vertices that it shares with the one above; a row of 9 or more finds none, "
                                        "since the first row already brings in more than the cache holds. d3d11 shades vertices in batches of 32 and forgets "
                                        "everything with each batch (DX-3), so a long row shades most vertices twice; in the best order, blocks of 6x5 "
                                        "vertices, it shades 0.75 vertices a triangle.", rows)


def registers():
    quads, chain = 4 * 64 * 64 // 4, 65
    rows = []
    for temporaries in (1, 2, 3, 4, 5, 6, 8, 10, 12, 16):
        named = f"{temporaries} temporaries" if temporaries > 1 else "1 temporary"

        def cycles(m, temporaries=temporaries):
            groups = m.groups_inside("fragment", temporaries)
            life = 1 + chain * m["shader.scalar_latency"] + m["shader.pipeline_stages"]
            return [bounds.constant("groups inside", f"{quads:,} groups x {life:,} cycles of one / {groups} at once / {bounds.p(m, 'shader.units')}",
                                    quads * life / groups / m["shader.units"]),
                    bounds.issue(m, "fragment", 4 * quads, Program(chain + 1))]

        def inside(m, temporaries=temporaries):
            threads = m.groups_inside("fragment", temporaries) * m["shader.group_lanes"]
            each = math.ceil(temporaries / m["shader.register_granularity"]) * m["shader.register_granularity"]
            file = (m["shader.threads"] + m["shader.input_threads"]) * m["shader.registers_per_thread"]
            return [bounds.constant("registers" if file // each < m["shader.threads"] else "contexts",
                                    f"min({bounds.p(m, 'shader.threads')}, {file} registers / {each}), whole groups", threads)]

        sets = ("shader.scalar_latency=64", "work_distributor.fragments=turns")
        rows += [Row(f"{named}: threads inside", f"occupancy-{temporaries}", inside, sets=sets, unit="threads", measured=lambda work: (
                    4 * work.sum(r"gpu\.shader\d\.resident_groups") / sum(c for u, c in work.units.items() if "shader" in u))),
                 Row(f"{named}: cycles", f"occupancy-{temporaries}", cycles, sets=sets)]
    return Section("Threads by registers", "4,096 quads (layers of 64x64 pixels) whose program is 65 `RCP`, each of which waits for the one before, and `END`. "
                                           "Scalar operations take 64 cycles here, and quads go to the units in turn, so a unit lacks groups, never issue "
                                           "slots: the fewer groups it holds, the longer it takes. A thread gets its temporaries in pairs; 112 threads execute "
                                           "at once, and the file has 4 registers for each of them and of the 16 at the inputs (ATT-2, ATT-8). Threads inside "
                                           "are a mean over the cycles.", rows)


def memory():
    quads = 64 * 64 // 4

    def read(accesses, transactions):
        units = bounds.texture_units
        return lambda m: [bounds.memory(m, quads * accesses * transactions),
                          bounds.constant("requests", f"{quads * accesses * transactions:,} sectors / 1 a cycle / {units(m)} texture units",
                                          quads * accesses * transactions / units(m)),
                          bounds.steps(m, quads, accesses), bounds.issue(m, "fragment", 4 * quads, Program(accesses + 1))]

    sectors = (256 << 10) // SECTOR
    chunks = [Row("256 KB copied", "copy", lambda m: [bounds.memory(m, 2 * sectors), bounds.constant(
                  "copy engine", f"{sectors:,} chunks x 2 transactions / 1 a cycle", 2 * sectors)], within=0.1,
                  why="chunks are read and written by half of `copy_engine.chunks`, and between two halves each channel turns around, for "
                      "`memory.read_to_write` or `memory.write_to_read` cycles",
                  without=(("no turning around", NO_TURNS),)),
              Row("256 KB filled", "fill-buffer", lambda m: [bounds.memory(m, sectors), bounds.constant(
                  "copy engine", f"{sectors:,} chunks / 1 a cycle", sectors)])]
    one = ("memory.channels=1",)
    rows = [Row("8 textures in order", "reads-in-order", read(8, 1), within=0.5,
                why="a thread group waits for one texture instruction at a time, and 28 of them, two to a transaction of 64 bytes, do not always cover the "
                    "latency of memory",
                without=(("more threads", ("shader.threads=512", "texture.queue=256", "texture.step_queue=512")),)),
            Row("8 textures in order, one channel", "reads-in-order", read(8, 1), sets=one),
            Row("4 textures scattered", "reads-scattered", read(4, 4), within=0.4,
                why="if the load of the four channels is uneven for a while, the requests that wait for the other channels do not cover the latency of memory",
                without=(("a latency of one cycle", ("memory.latency=1",)),)),
            Row("4 textures scattered, one channel", "reads-scattered", read(4, 4), sets=one)]
    return Section("Memory", "Textures that no cache holds, read by point sampling. In order: 16 bytes a texel, a texel for each pixel, so that two quads use "
                             "every transaction. Scattered: 4 bytes a texel, each in a block of 64 bytes that nothing else reads, neighbours far apart, so "
                             "each texel costs a transaction. Memory is \"simple\", without banks and rows, as the paper's (ATT-1).",
                   rows + chunks)


def dram():
    filled, quads = (256 << 10) // SECTOR, 64 * 64 // 4
    banked = ("memory.dram=banked", "memory.channels=1")
    first_ready = (*banked, "memory.scheduler=fr-fcfs")

    uneven = {"why": "the transactions under way do not load all banks evenly: if two want rows of the same bank, these are `memory.t_ras` + `memory.t_rp` "
                     "apart, and the bus waits",
              "without": (("rows that come 7 cycles apart", ("memory.t_ras=6", "memory.t_rp=1")),)}

    def hits(m):
        cycles = bounds.open_rows(m, filled, write=True).cycles
        return [bounds.constant("hits", f"{filled:,} transactions - {filled * SECTOR:,} bytes / {bounds.p(m, 'memory.row_bytes')} - "
                                f"{float(cycles):,.0f} cycles / {bounds.p(m, 'memory.t_refi')}",
                                filled - filled * SECTOR / m["memory.row_bytes"] - cycles / m["memory.t_refi"])]

    def write(m):
        return [bounds.open_rows(m, filled, write=True)]

    rows = [Row("256 KB filled", "fill-buffer", write, sets=banked),
            Row("256 KB filled: transactions that find their row open", "fill-buffer", hits, sets=banked, unit="hits",
                measured=lambda work: work.sum(r".*\.row_hit")),
            Row("8 textures in order", "reads-in-order", lambda m: [bounds.open_rows(m, 8 * quads)], sets=first_ready),
            Row("a texture far apart, all banks", "reads-around-banks", lambda m: [bounds.new_rows(m, 4 * quads)],
                sets=(*first_ready, "shader.units=1"), within=0.15, **uneven),
            Row("4 textures scattered", "reads-scattered", lambda m: [bounds.new_rows(m, 16 * quads)], sets=first_ready, within=0.6, why=(
                uneven["why"] + ": the channel counts such cycles as `rows`, about as many as the difference"))]
    rows += [Row(f"a texture far apart, one bank, {sets[-1].split('=')[1]}", "reads-far-apart", lambda m: [bounds.rows_of_one_bank(m, 4 * quads)], sets=sets)
             for sets in (first_ready, (*banked, "memory.scheduler=same-direction"))]
    return Section("Banks and rows", "The same and more with `memory.dram` = \"banked\", on one channel, so its bus binds. Every transaction of the scattered "
                                     "textures opens a row. Far apart: every pixel reads a texel at a distance of 16 KB and more from those under way with it, "
                                     "in another row of the same bank, or of the next.", rows)


def clears():
    blocks, tiles, sectors = 640 * 480 * 4 // 256, 640 * 480 // 64, 640 * 480 * 4 // SECTOR
    slow = ("color_write.fast_clear=false", "z_stencil.fast_clear=false")

    def entries(m):
        return f"{tiles:,} tiles / {bounds.p(m, 'hierarchical_z.clear_tiles')}", tiles / m["hierarchical_z.clear_tiles"]

    def tags(m):
        return f"{blocks:,} blocks / {bounds.p(m, 'memory.clear_blocks')}", blocks / m["memory.clear_blocks"]

    def color(m):
        return [bounds.constant("block tags", *tags(m))]

    def depth(m):
        first, second = entries(m), tags(m)
        return [bounds.constant("hierarchical Z, then block tags", f"{first[0]} + {second[0]}", first[1] + second[1])]

    def written(m):
        return [bounds.constant("copy engine", f"{sectors:,} sectors / 1 a cycle", sectors), bounds.memory(m, sectors)]

    again = {"within": 0.1, "why": "the second begins when the first is done: its packet is taken, caches are ordered to flush, and the order goes to the "
                                   "memory controller and back"}
    def written_once(m):
        return [bounds.constant("sectors with depths", f"{pixels:,} pixels / 16", pixels // 16)]

    pixels = 128 * 128
    return Section("Clears", "A target of 640x480 pixels of 32 bits, cleared by a `CLEAR`; measured are as many pixels more in one clear, and a second clear "
                             "of the same, which begins when the first is in memory, so its start and drain are part of the measurement.",
                   [Row("color", "clear-color", color), Row("depth and stencil", "clear-depth", depth),
                    Row("color, a second time", "clear-color-again", color, **again),
                    Row("depth and stencil, a second time", "clear-depth-again", depth, **again),
                    Row("color, written", "clear-color", written, sets=slow),
                    Row("depth alone, stencils stay in memory; a layer over 128x128 pixels tests and writes depths, and reads none", "fill-depth-cleared-alone",
                        written_once, unit="transactions", within=0,
                        measured=lambda work: work.sum(r"gpu\.memory_controller\.z_stencil\d\.(read|write)_bytes") / SECTOR)])


def depth_writes():
    pairs, quads = 4, 4 * 64 * 64 // 4  # 4 layers a draw
    program = Program(17)

    def form(shaded, tested=0):
        """Draws of a pair that are shaded, and those whose tests come while none is."""
        def list_bounds(m):
            shading, rops = bounds.issue(m, "fragment", 4 * quads, program), bounds.rops(m, quads)
            text = f"{pairs} x {shaded} x ({shading.formula})" + (f" + {pairs} x {tested} x ({rops.formula})" if tested else "")
            return [Bound("shader issue", text, pairs * (shaded * shading.cycles + tested * rops.cycles))]
        return list_bounds

    window = {"within": 0.06, "without": (("more threads", ("shader.threads=1024", "reorder_buffer.entries=1024")),),
              "why": "the quads of the next draw wait behind those that are tested, and the threads of the units do not last so long"}

    def row(order, scene, *what):
        sets = (f"z_stencil.write_order={order}",)
        return Row(f"`{order}`" + (", tested again late" if scene == "both" else ""), f"late-then-{scene}", form(*what), sets=sets,
                   **(window if what == (1,) else {}))

    return Section("Depth writes before and after shading", f"{pairs} pairs of draws, each of 4 layers over 64x64 pixels with a program of 17 instructions, behind a cleared depth that the Z caches hold. The first of a pair is tested after shading, the second before it, and no fragment passes. "
                   "`flush`: the second draw is tested when the first has come back; no program runs meanwhile. `stay_late`: both are shaded. `write_late`: "
                   "the tests of the second take place while the first is being shaded. `track`: so do those of the second's first layer, whose last quad "
                   "waits for the last quad of the first draw; three layers follow. A second draw that only rejects before shading waits for nothing (DX-6).",
                   [row("flush", "early", 1, 1), row("stay_late", "early", 2), row("write_late", "early", 1), row("track", "early", 1, Fraction(3, 4)),
                    row("flush", "both", 1), row("track", "both", 1)])


def others():
    quads = 8 * 128 * 128 // 4
    return Section("Other presets", "These rows repeat those above whose scenes are large enough for the chip: its larger caches hold more of them.", [
        Row("g80, color", "fill-color", lambda m: [bounds.rops(m, quads), bounds.issue(m, "fragment", 4 * quads, Program(2, vectors=1))], preset="g80")])


def geometry_programs():
    strip, points = 3000, 3072

    def plain(m):
        return [bounds.vertices_in_order(m, strip, each=1, again=2)]

    def passed(most):
        def form(m):
            found = [bounds.vertices_in_order(m, strip, each=1, again=2), bounds.emitted(m, strip - 2, 3),
                     bounds.issue(m, "geometry", strip - 2, Program(7, vectors=3))]
            lanes = m[f"{m.shader['geometry']}.group_lanes"]
            if m["geometry_shading.output_vertices"] < lanes * (most + 3):
                found.append(bounds.one_group_in_output(m, strip - 2, 3, most, Program(7, vectors=3)))
            return found
        return form

    def amplified(vertices):
        def form(m):
            found = [bounds.vertices_in_order(m, points, each=1), bounds.emitted(m, points, vertices)]
            lanes = m[f"{m.shader['geometry']}.group_lanes"]
            if m["geometry_shading.output_vertices"] < 2 * lanes * vertices:
                found.append(bounds.one_group_in_output(m, points, vertices))
            return found
        return form

    way = {"within": 0.07, "why": "each group goes to the shader unit and back over wires of a cycle, and at the end of a batch one group has fewer lanes"}
    rows = [Row("g80, a strip as it is", "strip-plain", plain, preset="g80"),
            Row("g80, a strip through a program", "strip-geometry", passed(3), preset="g80")]
    rows += [Row(f"g80, through one that may emit {most}", f"strip-geometry-most-{most}", passed(most), preset="g80", **way)
             for most in (16, 32, 64, 128)]
    rows += [Row("d3d11, a strip as it is", "strip-plain", plain, preset="d3d11", sets=("streamer.vertices_per_cycle=1",)),
             Row("d3d11, a strip through a program", "strip-geometry", passed(3), preset="d3d11")]
    rows += [Row(f"d3d11, through one that may emit {most}", f"strip-geometry-most-{most}", passed(most), preset="d3d11", **way)
             for most in (16, 32, 64, 128)]
    rows += [Row(f"d3d11, {vertices} of each", f"amplified-{vertices}", amplified(vertices), preset="d3d11")
             for vertices in (1, 2, 4, 8, 16)]
    rows.append(Row("d3d11, 16 of each, room for one group", "amplified-16", amplified(16), preset="d3d11",
                    sets=("geometry_shading.output_vertices=512",), within=0.05,
                    why="with room for the vertices of one group, a front end begins the next group when the last of them has left, and waits for its program, "
                        "too. The shader unit's wire has the unit's clock",
                    without=(("room for two", ("geometry_shading.output_vertices=1024",)),)))
    return Section("Geometry programs", f"Triangles of a strip of {strip:,} vertices, all behind the viewer, as they are and through a program "
                   f"that emits each again; then {points:,} points, from each of which a program makes 1 to 16. In a strip primitive "
                   "assembly makes a triangle from each vertex. A program emits three vertices for it, and a front end takes one of these in a "
                   "cycle: passing a strip through costs 2.8 to 3 times as much if geometry binds. (A list has three vertices for each triangle "
                   "itself, so passing it through costs almost nothing.) The cost depends on how many vertices a program *may* emit, though it "
                   "emits three: the output buffer reserves room for them. With 32 for each of 32 lanes it has room for one group, and the next "
                   "waits until the last vertex has left: 4.7 times. With 128 a group has 8 lanes: 6.3 times. Chips of that time took 3 to 7 "
                   "times (DX-9); the document does not say whether it means strips. The number of emitted vertices multiplies time in the same "
                   "way, as long as the output buffer has room for the groups that are being shaded.", rows)


def sections():
    return [make() for make in (fill, prefetches, depth_writes, rasterisers, texture, vertices, grids, registers, geometry_programs, patches, captures, workgroups, fences, loads_under_way, interpolation, register_ports, doubles,
                                workgroups_inside, memory, dram, buses, translation,
                                host, clears, others, geforce, registers_of_geforce)]
