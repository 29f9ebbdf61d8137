"""The bus to the host: its rates in each direction, and the latency of a doorbell."""
import math
from fractions import Fraction

from bounds import Bound, clock, clock_text, p
from table import Row, Section

SECTOR = 64  # bytes of a request
PCIE = ("bus.bytes_per_cycle=16", "bus.mhz=250", "bus.shared=false", "bus.header=16", "bus.payload=64", "bus.latency=50", "bus.memory_latency=25")
AGP = ("bus.bytes_per_cycle=4", "bus.mhz=528", "bus.shared=true", "bus.header=0", "bus.payload=32", "bus.latency=26", "bus.memory_latency=53")
ALL = ("bus.memory=all", "bus.requests=128")


def packet(m, data):
    """Cycles of a packet with so many bytes of data."""
    return math.ceil((m["bus.header"] + data) / m["bus.bytes_per_cycle"])


def busiest(m, count, up, down):
    """`count` times packets of this data in each direction, in cycles of the core."""
    cycles = [sum(packet(m, data) for data in way) for way in (up, down)]
    each = sum(cycles) if m["bus.shared"] == "true" else max(cycles)
    return Bound("the bus", f"{count:,} x {each} cycles{clock_text(m, 'bus.mhz')}", Fraction(count * each) * clock(m, "bus.mhz"))


def buses():
    sectors = (256 << 10) // SECTOR
    forms = {"256 KB filled": ("fill-buffer", ALL, lambda m: [busiest(m, sectors, [SECTOR], [])]),
             "256 KB copied": ("copy", ALL, lambda m: [busiest(m, sectors, [0, SECTOR], [SECTOR])]),
             "256 KB written by the host": ("host-writes", (), lambda m: [busiest(m, (256 << 10) // m["bus.payload"], [], [m["bus.payload"]])])}
    rows = [Row(f"{what}, {name}", scene, form, sets=(*bus, *more))
            for name, bus in (("PCI Express", PCIE), ("AGP 8x", AGP)) for what, (scene, more, form) in forms.items()]
    return Section("The bus to the host", "Copies and fills of memory that lies in system memory as a whole (`bus.memory` = \"all\"), with enough requests under way; "
                                          "and what the host writes into video memory before a frame. A packet takes (`bus.header` + data) / `bus.bytes_per_cycle` cycles of the "
                                          "bus, rounded up; a copy sends a read and a write to the host for every 64 bytes, and data come back. PCI Express has two directions, "
                                          "AGP one that both share. Then submissions of one packet, a `NOP`: each costs the trip of its commands from memory, and with a bus before it "
                                          "the host's write of the commands and the doorbell.", rows + submissions())


def submissions():
    count = 64

    def form(m):
        trip = 2 * m["wires.memory_latency"] + m["memory.latency"] + Fraction(SECTOR, m["memory.bytes_per_cycle"]) + 2
        text = f"2 x {p(m, 'wires.memory_latency')} + {p(m, 'memory.latency')} + {SECTOR} / {p(m, 'memory.bytes_per_cycle')} + 2"
        if not m["bus.bytes_per_cycle"]:
            return [Bound("commands", f"{count} x ({text})", count * trip)]
        bell = 2 * packet(m, 4) + m["bus.latency"]
        return [Bound("doorbells and commands", f"{count} x ({text} + ({2 * packet(m, 4)} + {p(m, 'bus.latency')}){clock_text(m, 'bus.mhz')})",
                      count * (trip + bell * clock(m, "bus.mhz")))]

    return [Row(f"64 submissions, {name}", "submissions-64", form, sets=bus) for name, bus in (("no bus", ()), ("PCI Express", PCIE), ("AGP 8x", AGP))]
