"""Colors and depths that are read while quads are shaded."""
from fractions import Fraction

import bounds
from bounds import Bound, p
from table import Row, Section

SECTOR = 64


def prefetches():
    quads = 8 * 128 * 128 // 4
    sets = ("shader.units=8", "memory.channels=16", "color_write.queue=4", "memory.latency=80")

    def blend(m):
        found = [bounds.rops(m, quads), bounds.memory(m, 2 * quads * 16 // SECTOR)]
        if m["color_write.prefetches"]:
            return found
        transfer = SECTOR // m["memory.bytes_per_cycle"]
        trip = m["memory.latency"] + transfer + 2 * m["wires.memory_latency"] + 3
        return found + [Bound("the queue of colors", f"{quads:,} quads / {p(m, 'rop.units')} / {p(m, 'color_write.queue')} x ({p(m, 'memory.latency')} + "
                              f"{SECTOR} / {p(m, 'memory.bytes_per_cycle')} + 2 x {p(m, 'wires.memory_latency')} + 3)",
                              Fraction(quads * trip, m["rop.units"] * m["color_write.queue"]))]

    rows = [Row("colors read when the quad comes back", "fill-blend", blend, sets=sets),
            Row("while it is shaded", "fill-blend", blend, sets=(*sets, "color_write.prefetches=256"))]
    return Section("Prefetches", "Layers of blended quads with a short queue before the color write units and a slow memory. A sector of 64 bytes holds the "
                                 "colors of four quads, as many as the queue. Each four wait for a trip to memory: its latency, the transfer, the wires, "
                                 "and three cycles to look the first quad up and ask, to take the answer, and to blend. With `color_write.prefetches` the "
                                 "colors are read while their quads are shaded (d3d11's document, part 9), and the ROPs bind.", rows)
