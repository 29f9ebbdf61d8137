"""Read ports of temporaries."""
from fractions import Fraction

import bounds
from geforce_rows import CHIP, FRAGMENTS, shaded
from table import Row, Section


def register_ports():
    def alone(temporaries):
        """One instruction in a pass: three moves, 64 instructions that read so many, and one that reads none."""
        def form(m):
            ports = m["shader.register_reads"]
            passes = -(-temporaries // ports) if ports else 1
            text = f"64 x {temporaries} temporaries / {bounds.p(m, 'shader.register_reads')}" if passes > 1 else "64"
            cycles = Fraction(FRAGMENTS, m["shader.simd_lanes"]) * (3 + 64 * passes + 1) / m["shader.units"]
            formula = f"{FRAGMENTS:,} threads / {bounds.p(m, 'shader.simd_lanes')} x (3 + {text} + 1) / {bounds.p(m, 'shader.units')}"
            return [bounds.Bound("shader issue", formula, cycles), bounds.rops(m, FRAGMENTS // 4)]
        return form

    def together(halves):
        """32 `MUL` and `MAD`, which read three between them: in 32 passes if those find ports, else in 64."""
        def form(m):
            ports = m["shader.register_reads"]
            fit = not ports or (3 if halves else 6) <= 2 * ports
            passes, text = (34, "2 + 31 + 1") if fit else (65, "2 + 63")
            return [shaded(lambda m: passes, text)(m), bounds.rops(m, FRAGMENTS // 4)]
        return form

    rows = [Row(f"64 `MAD` of {count} temporaries, {ports or 'any number'} in a pass", f"program-mads-of-{count}", alone(count),
                sets=(f"shader.register_reads={ports}", "work_distributor.fragments=turns"))
            for count, ports in ((2, 0), (2, 1), (2, 2), (3, 1), (3, 2), (3, 3))]
    rows += [Row(f"32 `MUL` and `MAD` of 3 temporaries{' of halves' if halves else ''}, {ports} in a pass",
                 f"program-mul-mad-of-3{'-halves' if halves else ''}", together(halves), preset=CHIP, sets=(f"shader.register_reads={ports}",))
             for halves, ports in ((False, 3), (False, 2), (True, 2))]
    return Section("Register ports", "Four layers of 64x64 fragments. `shader.register_reads` temporaries of four floats of 32 bits are read in a pass (ATT-8). "
                                     "An instruction that reads more takes further passes, and two that read more between them do not issue together. "
                                     "Temporaries of halves count half: the two units of a GeForce 6800 pipe, which the document says may run out of "
                                     "register bandwidth with floats alone, go on at full rate with halves.", rows)
