"""Closed forms: the least cycles of the core's clock that a machine needs for an amount of work at one place, from
its parameters alone. What takes longest binds."""
import dataclasses
import math
from fractions import Fraction


@dataclasses.dataclass
class Bound:
    name: str  # of what binds
    formula: str
    cycles: Fraction


def number(value):
    return f"{value:,.0f}" if value == int(value) else f"{float(value):,.1f}"


def p(m, name):
    """A parameter as it stands in a formula."""
    return f"`{name}` {m[name]}"


def rops(m, quads):
    return Bound("ROPs", f"{number(quads)} quads / {p(m, 'rop.units')}", Fraction(quads, m["rop.units"]))


@dataclasses.dataclass
class Program:
    """Instructions of a program, END among them, which `free_end` takes away; those of four components, which a scalar unit issues one by one;
    whether none hangs on another; and how many are of the scalar ALU, each between two of the SIMD ALU."""
    instructions: int
    vectors: int = 0
    independent: bool = False
    scalars: int = 0


def issues(m, c, program):
    """Issues of a program, and how they follow."""
    mode, ways = m[f"{c}.issue"], m[f"{c}.ways"]
    instructions = program.instructions - (m[f"{c}.free_end"] == "true")
    if mode == "scalar":
        return instructions + 3 * program.vectors, f"{instructions + 3 * program.vectors} components"
    if mode == "n-way" and ways == 1:
        return instructions, f"{instructions} instructions"
    if not program.independent:
        raise ValueError(f"{m.preset}: no closed form of several instructions in a cycle that hang on one another")
    if mode == "n-way":
        return math.ceil(instructions / ways), f"{instructions} instructions / {p(m, f'{c}.ways')}"
    simd = instructions - program.scalars
    return simd, f"{simd} instructions of the SIMD ALU"


def issue(m, stage, threads, program):
    """Full groups, each of which holds the issue port until all of its lanes have begun every instruction."""
    c = m.shader[stage]
    lanes, simd, units = m[m.lanes_of(stage)], m[f"{c}.simd_lanes"], m[f"{c}.units"]
    passes = math.ceil(lanes / min(simd, lanes))
    count, text = issues(m, c, program)
    formula = f"{number(threads)} threads / {p(m, m.lanes_of(stage))} x {text}"
    if passes > 1:
        formula += f" x {passes} passes of {p(m, f'{c}.simd_lanes')}"
    formula += f" / {p(m, f'{c}.units')}"
    cycles = Fraction(threads, lanes) * count * passes / units
    return Bound("shader issue", formula + clock_text(m, f"{c}.mhz"), cycles * clock(m, f"{c}.mhz"))


def clock(m, name):
    return Fraction(m["gpu.core_mhz"], m[name])


def clock_text(m, name):
    return "" if m[name] == m["gpu.core_mhz"] else f" x `gpu.core_mhz` {m['gpu.core_mhz']} / {p(m, name)}"


def texture_units(m):
    c = m.shader["fragment"]
    return m[f"{c}.units"] // m[f"{c}.units_per_texture"]


def steps(m, quads, accesses, samples=1):
    """samples: bilinear, of an access."""
    units, rate = texture_units(m), m["texture.steps_per_cycle"]
    each = accesses * math.ceil(samples / m["texture.step_samples"])
    return Bound("bilinear steps", f"{number(quads)} quads x {each} steps / {p(m, 'texture.steps_per_cycle')} / {units} texture units",
                 Fraction(quads * each, rate * units))


def banked_steps(m, quads, each, lines):
    """lines: of a step, in the bank in which most of them lie; the mean over all steps."""
    units, rate = texture_units(m), m["texture.steps_per_cycle"]
    return Bound("banks", f"{number(quads)} quads x {each} steps x {lines} lines of a bank / {p(m, 'texture.steps_per_cycle')} / {units} texture units, "
                 f"{p(m, 'texture.cache_banks')}", Fraction(quads * each, rate * units) * lines)


def memory(m, sectors):
    each = math.ceil(64 / m["memory.bytes_per_cycle"])
    return Bound("memory", f"{number(sectors)} transactions x 64 / {p(m, 'memory.bytes_per_cycle')} / {p(m, 'memory.channels')}" +
                 clock_text(m, "gpu.memory_mhz"), Fraction(sectors * each, m["memory.channels"]) * clock(m, "gpu.memory_mhz"))


def refreshed(m, cycles, lost):
    """Of each `memory.t_refi` the parameters in `lost` pass without a transfer."""
    interval = m["memory.t_refi"]
    gone = sum(m[f"memory.{name}"] for name in lost)
    return (Fraction(cycles * interval, interval - gone) * clock(m, "gpu.memory_mhz"),
            f" x {p(m, 'memory.t_refi')} / ({interval} - {' - '.join(p(m, f'memory.{name}') for name in lost)})" + clock_text(m, "gpu.memory_mhz"))


def open_rows(m, sectors, write=False):
    """Transactions of banked memory whose rows are open, or opened beside the transfers of others."""
    column = "t_wl" if write else "t_cl"
    cycles, text = refreshed(m, sectors * math.ceil(64 / m["memory.bytes_per_cycle"]), ("t_rp", "t_rfc", "t_rcd", column))
    return Bound("bus", f"{number(sectors)} transactions x 64 / {p(m, 'memory.bytes_per_cycle')} / {p(m, 'memory.channels')}" + text,
                 cycles / m["memory.channels"])


def new_rows(m, sectors):
    """Each opens a row, in banks that are asked evenly."""
    bus, distance, cycle = math.ceil(64 / m["memory.bytes_per_cycle"]), m["memory.t_rrd"], m["memory.t_ras"] + m["memory.t_rp"]
    each = max(Fraction(bus), Fraction(distance), Fraction(cycle, m["memory.banks"]))
    cycles, text = refreshed(m, sectors * each, ("t_rp", "t_rfc", "t_rcd", "t_cl"))
    return Bound("rows of all banks", f"{number(sectors)} transactions x max(64 / {p(m, 'memory.bytes_per_cycle')}, {p(m, 'memory.t_rrd')}, "
                 f"({p(m, 'memory.t_ras')} + {p(m, 'memory.t_rp')}) / {p(m, 'memory.banks')})" + text, cycles / m["memory.channels"])


def rows_of_one_bank(m, sectors):
    """Each opens another row of one bank, which a refresh has to close no more than the next."""
    cycles, text = refreshed(m, sectors * (m["memory.t_ras"] + m["memory.t_rp"]), ("t_rfc",))
    return Bound("rows of one bank", f"{number(sectors)} transactions x ({p(m, 'memory.t_ras')} + {p(m, 'memory.t_rp')})" + text, cycles)


def vertices_in_order(m, vertices, each=3, again=0):
    """each: new vertices of a primitive; again: those that a batch has of the one before."""
    units = m["geometry.units"]
    if units > 1:  # the end of a batch takes a cycle as a vertex does
        batch = each * m["geometry.batch"]
        return Bound("streamer", f"{number(vertices)} vertices x ({batch} + {again + 1}) / {batch} of a batch / {p(m, 'geometry.units')}",
                     Fraction(vertices * (batch + again + 1), batch * units))
    rate = m["streamer.vertices_per_cycle"]
    formula = "1 a cycle" if rate == 1 else p(m, "streamer.vertices_per_cycle")
    return Bound("streamer", f"{number(vertices)} vertices / {formula}", Fraction(vertices, rate))


def vertex_cache_fill(m, sectors):
    return Bound("fill of the vertex cache", f"{number(sectors)} sectors x 64 / {p(m, 'streamer.fill_bytes')}", Fraction(sectors * 64, m["streamer.fill_bytes"]))


def emitted(m, primitives, vertices):
    """Of geometry programs, of each primitive so many vertices of up to 16 outputs."""
    units, batch = m["geometry.units"], m["geometry.batch"]
    formula, cycles = f"{number(primitives)} primitives x {vertices} emitted vertices, 1 a cycle", Fraction(primitives * vertices)
    if units > 1:
        formula += f", and 1 for a batch of {batch}, / {p(m, 'geometry.units')}"
        cycles = (cycles + Fraction(primitives, batch)) / units
    return Bound("geometry shading", formula, cycles)


def one_group_in_output(m, primitives, vertices, most=None, program=None):
    """Where the output buffer has room for one group, each of whose lanes may emit `most` vertices: the group's program runs (`program`),
    its vertices leave the shader unit, then the buffer."""
    c, name, units = m.shader["geometry"], "geometry_shading.output_vertices", m["geometry.units"]
    core = clock(m, f"{c}.mhz")
    formula = f"{number(primitives * vertices)} vertices x (1 + {p(m, 'gpu.core_mhz')} / {p(m, f'{c}.mhz')}) of one group after the other, {p(m, name)}"
    cycles = primitives * vertices * (1 + core)
    if program:
        lanes = min(m[f"{c}.group_lanes"], m[name] // most)
        passes = math.ceil(m[f"{c}.group_lanes"] / m[f"{c}.simd_lanes"])
        once = program.instructions * passes + m[f"{c}.vertex_latency"]
        formula += (f", and {number(primitives)} / {lanes} groups x ({program.instructions} instructions x {passes} passes + "
                    f"{p(m, f'{c}.vertex_latency')}){clock_text(m, f'{c}.mhz')}")
        cycles += Fraction(primitives, lanes) * once * core
    if units > 1:
        formula, cycles = formula + f", / {p(m, 'geometry.units')}", cycles / units
    return Bound("output buffer", formula, cycles)


def constant(name, formula, cycles):
    return Bound(name, formula, Fraction(cycles))
