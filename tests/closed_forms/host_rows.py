"""The host in time: submissions that are bound by it, by the GPU, or by one after the other."""
import math
from fractions import Fraction

from bounds import Bound, clock, clock_text, p
from bus_rows import PCIE, packet
from table import Row, Section

COUNT = 64
FENCE = 2  # cycles from the end of a submission to the host, and on to the next
TIMES = (20, 2000)  # nanoseconds


def trip(m):
    """Cycles of a submission of one NOP: its commands come from memory."""
    return 2 * m["wires.memory_latency"] + m["memory.latency"] + Fraction(64, m["memory.bytes_per_cycle"]) + 2


def computes(m, nanoseconds):
    return math.ceil(Fraction(nanoseconds * m["gpu.core_mhz"], 1000) / Fraction(str(m["host.cpu"])))


def host():
    def beside(nanoseconds):
        return lambda m: [Bound("the host", f"{COUNT} x {nanoseconds} ns / {p(m, 'host.cpu')}", Fraction(COUNT * computes(m, nanoseconds))),
                          Bound("commands", f"{COUNT} x trip", COUNT * trip(m))]

    def in_turn(nanoseconds):
        return lambda m: [Bound("the host and commands", f"{COUNT} x (trip + {FENCE} + {nanoseconds} ns / {p(m, 'host.cpu')})",
                                COUNT * (trip(m) + FENCE + computes(m, nanoseconds)))]

    def over_the_bus(nanoseconds):
        def form(m):
            there, back = 2 * packet(m, 4) + m["bus.latency"], packet(m, 8) + m["bus.latency"]
            interrupt = Fraction(str(m["host.interrupt_us"])) * m["gpu.core_mhz"]
            return [Bound("the host, the bus and commands",
                          f"{COUNT} x (trip + {FENCE} + ({there} + {back}){clock_text(m, 'bus.mhz')} + {p(m, 'host.interrupt_us')} us + {nanoseconds} ns)",
                          COUNT * (trip(m) + FENCE + (there + back) * clock(m, "bus.mhz") + interrupt + computes(m, nanoseconds)))]
        return form

    rows = [Row(f"64 submissions after {nanoseconds} ns each{text}, `host.cpu` {cpu}", scene + str(nanoseconds), form(nanoseconds), sets=(f"host.cpu={cpu}",))
            for nanoseconds in TIMES for text, scene, form in ((", beside the GPU", "host-", beside), (", which wait", "host-waits-", in_turn)) for cpu in (1, 2)]
    rows += [Row(f"64 submissions after {TIMES[0]} ns each, which wait, PCI Express, `host.interrupt_us` {us}", f"host-waits-{TIMES[0]}", over_the_bus(TIMES[0]),
                 sets=("host.cpu=1", f"host.interrupt_us={us}", *PCIE)) for us in (0, 2)]
    return Section("The host", "Submissions of one packet, a `NOP`, before each of which the host computes (`host.cpu`). It hands each over when the one before has ended: "
                               "computing goes on beside the GPU, so the longer of both binds, the trip of a submission's commands from memory (as of \"64 submissions, no bus\") "
                               "or the host. A host that first waits for the one before and then computes takes the sum, and two cycles for the fence. Behind a bus the doorbell, behind the host's write of the commands, "
                               "and the fence of 8 bytes cross it, and an interrupt (`host.interrupt_us`) wakes the host.", rows)
