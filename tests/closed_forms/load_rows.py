"""Loads under way, and the evaluation of interpolants."""
from fractions import Fraction

import bounds
from bounds import Bound, clock, clock_text, p
from table import Row, Section


def loads_under_way():
    """One group, whose loads are independent."""
    sets = ("shader.stages=vertex,fragment,compute", "shader.stores=compute", "storage_cache.slices=1", "shader.units=1",
            "shader.group_lanes=32", "shader.simd_lanes=32", "shader.threads=1024", "shader.input_threads=64", "shader.workgroups=1")
    loads, registers = 2 * 2048, 8

    def form(m):
        most = m["shader.loads_under_way"]
        together = max(1, min(most, registers))
        trip = m["shader.texture_latency"] + m["storage_cache.latency"] + 3
        over = f" / {p(m, 'shader.loads_under_way')}" if most and most <= registers else f" / {registers} registers" if most else ""
        return [Bound("the storage cache", f"{loads:,} x ({p(m, 'shader.texture_latency')} + {p(m, 'storage_cache.latency')} + 3){over}",
                      Fraction(loads * trip, together)),
                bounds.issue(m, "compute", 32 * 2, bounds.Program(2048))]

    rows = [Row(f"{most} under way{text}", "loads-in-turn", form, sets=(*sets, f"shader.loads_under_way={most}", *changes))
            for text, changes in (("", ()), (", storage_cache.latency 100", ("storage_cache.latency=100",))) for most in (0, 1, 2, 4, 8, 16)]
    return Section("Loads under way", "A workgroup of one group on a machine that holds one loads eight registers in turn, over and over. With "
                                      "`shader.loads_under_way` 0 or 1 each load waits for the one before. Otherwise the group waits where there is no room "
                                      "for another load, or where a load would write a register that the last load of that register has not written yet: "
                                      "of 16 loads eight can be under way. The term of 3 cycles is that of a load in the section above.", rows)


def interpolation():
    """Fragments that read many interpolants."""
    quads = 4 * 64 * 64 // 4

    def evaluated(count):
        def form(m):
            found = [bounds.rops(m, quads), shaded(m, count)]
            if m["interpolator.vectors_per_cycle"]:
                found.append(Bound("the interpolator", f"{quads:,} quads x {count} / {p(m, 'interpolator.vectors_per_cycle')}",
                                   Fraction(quads * count, m["interpolator.vectors_per_cycle"])))
            return found
        return form

    def shaded(m, count):
        c = "shader"
        lanes, simd, units, passes = m[f"{c}.group_lanes"], m[f"{c}.simd_lanes"], m[f"{c}.units"], m[f"{c}.interpolation_passes"]
        issues, text = bounds.issues(m, c, bounds.Program(count // 3 + 1, vectors=count // 3))
        cycles = Fraction(4 * quads, lanes) * (issues + 4 * count * passes) * Fraction(lanes, simd) / units
        more = f" + {count} x 4 x {p(m, f'{c}.interpolation_passes')}" if passes else ""
        return Bound("shader issue", f"{4 * quads:,} threads / {p(m, f'{c}.simd_lanes')} x ({text}{more}) / {p(m, f'{c}.units')}" + clock_text(m, f"{c}.mhz"),
                     cycles * clock(m, f"{c}.mhz"))

    rows = [Row(f"{count} interpolants, {rate or 'any number'} a cycle", f"interpolants-{count}", evaluated(count),
                sets=(f"interpolator.vectors_per_cycle={rate}", "work_distributor.fragments=turns"))
            for count, rate in ((3, 1), (6, 1), (15, 1), (6, 4), (15, 4), (15, 8))]
    rows += [Row(f"{count} interpolants, {passes} passes a component in the shader", f"interpolants-{count}", evaluated(count),
                 sets=(f"shader.interpolation_passes={passes}", "work_distributor.fragments=turns"))
             for count, passes in ((3, 1), (6, 2), (15, 1), (15, 2))]
    return Section("Interpolants", "Four layers of 64x64 fragments whose program reads all components of 3 to 15 interpolants with a third as many `MAD`s. "
                                   "Fixed-function evaluators give `interpolator.vectors_per_cycle` of them for a quad in a cycle. Or the shader units "
                                   "evaluate them from barycentric coordinates (DX-7): `shader.interpolation_passes` passes of a group for each component, "
                                   "before its first instruction.", rows)
