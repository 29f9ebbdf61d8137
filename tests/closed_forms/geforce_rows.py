"""Rows about what a chip of 2004 did at most: its documents say it of each second or clock."""
from fractions import Fraction

import bounds
from bounds import Bound
from table import Row, Section

CHIP = "geforce6800"
FRAGMENTS = 4 * 64 * 64


def shaded(passes, text, fragments=FRAGMENTS):
    """Fragments whose program passes so often through the two units of a pipe."""
    if " " in text:
        text = f"({text})"

    def form(m):
        lanes, simd, units = m["shader.group_lanes"], m["shader.simd_lanes"], m["shader.units"]
        return Bound("shader issue", f"{fragments:,} threads / {bounds.p(m, 'shader.group_lanes')} x {text} passes x {lanes // simd} cycles / "
                     f"{bounds.p(m, 'shader.units')}", Fraction(fragments, lanes) * passes(m) * (lanes // simd) / units)
    return form


def programs():
    def row(what, scene, passes, text):
        form = shaded(passes if callable(passes) else lambda m: passes, text)
        return Row(what, f"program-{scene}", lambda m: [form(m), bounds.rops(m, FRAGMENTS // 4)], preset=CHIP)

    def textured(what, scene, passes, text):
        form = shaded(lambda m: passes, text)
        return Row(what, f"program-{scene}", lambda m: [form(m), bounds.steps(m, FRAGMENTS // 4, 16), bounds.rops(m, FRAGMENTS // 4)], preset=CHIP)

    def constructs(count, others):
        return lambda m: 16 * (count * m["shader.flow_passes"] + others) + 1

    passes = "`shader.flow_passes` 2"
    return [row("64 `MUL`", "muls", 33, "64 / 2 + 1"), row("64 `MAD`", "mads", 64, "64"),
            row("32 `MUL` and `MAD`: 16 + 16 a clock (NV4-2)", "mul-mad", 33, "32 + 1"),
            row("each `MAD` waits for the `MUL` before it", "mul-mad-chain", 33, "32 + 1"),
            row("each `MUL` waits for the `MAD` before it", "mad-mul-chain", 33, "1 + 32"),
            row("32 times four instructions of 3 and 1 components: eight operations (NV4-5)", "three-and-one", 33, "32 + 1"),
            row("32 times four instructions of 2 and 2 components", "two-and-two", 33, "32 + 1"),
            row("32 `MUL`, `MAD` and `RCP`", "reciprocal", 33, "32 + 1"),
            row("32 `MUL`, `MAD` and `NRM` to halves, which is free (NV4-4)", "normalize", 33, "32 + 1"),
            row("32 `NRM` to floats, of three passes each", "normalize-whole", 97, "32 x 3 + 1"),
            row("32 `MUL`, `MAD` and `FOG` of what the `MAD` gives, which is free", "fog", 33, "32 + 1"),
            row("32 `MUL`, `MAD` of three components and `EX2`", "special", 33, "32 + 1"),
            textured("16 `MAD` and texture accesses: four operations (NV4-5)", "mad-tex", 16, "16"),
            textured("16 `MUL`, `MAD` and texture accesses: every other `MUL` ends the pass of the access before it", "mul-mad-tex", 24, "16 x 3 / 2"),
            row("16 `IF` and `ENDIF` around a `MAD`: 4 cycles (NV4-3)", "if", constructs(2, 1), f"16 x (2 x {passes} + 1) + 1"),
            row("16 `IF`, `ELSE` and `ENDIF` around a `MAD`: 6 cycles (NV4-3)", "if-else", constructs(3, 1), f"16 x (3 x {passes} + 1) + 1"),
            row("16 `LOOP` and `ENDLOOP` around a `MAD`: 4 cycles (NV4-3)", "loop", constructs(2, 1), f"16 x (2 x {passes} + 1) + 1"),
            row("16 `CALL` of a `MAD` and `RET`: 2 cycles and 2 (NV4-3)", "call", constructs(2, 1), f"16 x (2 x {passes} + 1) + 1")]


def vertices():
    count = 3000

    def form(issues, text):
        def list_bounds(m):
            units = m["vertex_shader.units"]
            return [bounds.vertices_in_order(m, count),
                    Bound("shader issue", f"{count:,} vertices x {text} / {bounds.p(m, 'vertex_shader.units')}", Fraction(count * issues, units)),
                    bounds.memory(m, count * 16 // 64)]
        return list_bounds

    return [Row("vertices of 4 instructions: 1.5 a clock (OUT-NV4-12)", "vertices-5", form(4, "4 instructions"), preset=CHIP),
            Row("vertices of 31 instructions", "vertices-32", form(31, "31 instructions"), preset=CHIP),
            Row("vertices of 32 vector and 31 scalar instructions, together (NV4-2)", "vertices-mixed-64", form(32, "32 instructions of the SIMD ALU"), preset=CHIP),
            Row("vertices with 16 `IF` and `ENDIF`: 2 cycles (NV4-1)", "vertices-branches", form(16 * (2 + 1) + 1, "(16 x (2 + 1) + 1) instructions"), preset=CHIP)]


def pixels():
    quads, tiles = 8 * 128 * 128 // 4, 32 * 128 * 128 // 64

    def depth_alone(m):
        return [Bound("depth tests", f"{quads:,} quads / {bounds.p(m, 'z_stencil.quads_per_cycle')} / {bounds.p(m, 'rop.units')}",
                      Fraction(quads, m["z_stencil.quads_per_cycle"] * m["rop.units"])), bounds.memory(m, 2 * quads * 4 * 4 // 64 // 4)]

    def depth_held(m):
        held = 32 * 64 * 64 // 4
        return [Bound("depth tests", f"{held:,} quads / {bounds.p(m, 'z_stencil.quads_per_cycle')} / {bounds.p(m, 'rop.units')}",
                      Fraction(held, m["z_stencil.quads_per_cycle"] * m["rop.units"]))]

    def culled(m):
        return [Bound("hierarchical Z", f"{tiles:,} tiles / {bounds.p(m, 'hierarchical_z.tiles_per_cycle')}", Fraction(tiles, m["hierarchical_z.tiles_per_cycle"]))]

    def tested(m):
        return [Bound("depth tests", f"{tiles * 16:,} quads / {bounds.p(m, 'z_stencil.quads_per_cycle')} / {bounds.p(m, 'rop.units')}",
                      Fraction(tiles * 16, m["z_stencil.quads_per_cycle"] * m["rop.units"]))]

    def filtered(m):
        return [bounds.steps(m, 2 * 64 * 64 // 4, 16)]

    turns = {"within": 1.4, "without": (("no turning around", ("memory.read_to_write=0", "memory.write_to_read=0")),
                                                   ("and a longer queue", ("memory.read_to_write=0", "memory.write_to_read=0", "z_stencil.queue=512"))),
             "why": "reads and writes of memory alternate by the line of a block, and each channel turns around between them, which takes longer than the "
                    "transfers; `z_stencil.queue` quads do not cover the latency of memory at this rate either. A reviewer measured less than 71 % of the "
                    "stated rate of depth alone (OUT-NV4-7)"}
    return [Row("depth alone, which the caches hold: 32 pixels a clock (OUT-NV4-6)", "fill-depth-held", depth_held, preset=CHIP),
            Row("depth alone, compressed, read from memory and written", "fill-depth-cleared", depth_alone, preset=CHIP, **turns),
            Row("pixels that z-cull rejects: 64 a clock (NV4-2)", "fill-culled", culled, preset=CHIP),
            Row("pixels that z-cull rejects in two depth buffers in turn, both of which have entries", "fill-culled-in-turn", culled, preset=CHIP,
                sets=("hierarchical_z.surfaces=2",)),
            Row("pixels hidden in two depth buffers in turn, one of which has entries", "fill-culled-in-turn", tested, preset=CHIP, within=0.2,
                why="each draw reads its depths anew, of which the caches hold less than one buffer, and `z_stencil.queue` quads do not cover the latency of "
                    "memory", without=(("and a longer queue", ("z_stencil.queue=512",)),)),
            Row("pixels that early stencil rejects: as many (NV4-7)", "fill-stenciled", culled, preset=CHIP),
            Row("bilinear texels: 16 a clock (NV4-2)", "texture-bilinear", filtered, preset=CHIP)]


def registers_of_geforce():
    fragments, chain = 32 * 64 * 64, 65
    passes_of_chain = (chain + 1) // 2
    rows, sets = [], ("shader.scalar_latency=64", "shader.simd_lanes=16")

    def add(temporaries, what, scene):
        def cycles(m, temporaries=temporaries):
            groups = m.groups_inside("fragment", temporaries)
            passes = m["shader.group_lanes"] // m["shader.simd_lanes"]
            life = 1 + (passes_of_chain - 1) * m["shader.scalar_latency"] + passes + m["shader.scalar_latency"] + m["shader.pipeline_stages"]
            return [bounds.constant("groups inside", f"{fragments // m['shader.group_lanes']:,} groups x {life:,} cycles of one / {groups} at once / {bounds.p(m, 'shader.units')}",
                                    Fraction(fragments, m["shader.group_lanes"]) * life / groups / m["shader.units"]),
                    shaded(lambda m: passes_of_chain, f"{passes_of_chain}", fragments)(m)]
        rows.append(Row(what, scene, cycles, preset=CHIP, sets=sets))

    for temporaries in (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32):
        add(temporaries, "1 temporary" if temporaries == 1 else f"{temporaries} temporaries", f"occupancy-long-{temporaries}")
    for temporaries in (2, 4, 5, 8, 16):
        add(temporaries, f"{2 * temporaries} temporaries of halves", f"occupancy-halves-{2 * temporaries}")
    return Section("GeForce 6800 by temporaries", "131,072 fragments whose program is 65 `RCP`, each of which waits for the one before: two find a place in a "
                                                  "pass, one after the other. With up to 4 temporaries, or 8 of halves, all fragments are in flight; with more "
                                                  "registers fewer are (NV4-4): 16 groups of 64 fragments and 4,608 registers in each of the 4 quad pipelines. "
                                                  "Operations take 64 cycles here and the pipes are four times as wide, so all 16 groups are needed to hide "
                                                  "the wait: the loss with each further register shows at once.", rows)


def geforce():
    return Section("GeForce 6800 at most", "These are the peaks of the chip that documents state, each measured by a program or a scene that stresses nothing "
                                           "else (NV4-1 to NV4-5, OUT-NV4-6, OUT-NV4-12). Peaks a second are at 400 MHz: 600 M vertices are 1.5 a clock, 6.4 G "
                                           "bilinear texels 16, 12.8 G pixels of depth alone 32. A fragment passes through the pipe, 4 of them in a cycle of "
                                           "each of 4 quad pipelines, once for the instructions that its two units can execute together. Programs of fragments "
                                           "end with a `MOV` of the color, and `END` and `NEXT` cost nothing. A vertex issues a vector instruction and a "
                                           "scalar one in a cycle of each of 6 units.",
                   programs() + vertices() + pixels())
