"""Workgroups: their memory, atomics, barriers, and the first level before the storage cache; 64-bit floats."""
from fractions import Fraction

from bounds import Bound, clock, clock_text, p
from table import Row, Section


def workgroups():
    sets = ("shader.stages=vertex,fragment,compute", "shader.stores=compute", "storage_cache.slices=1",
            "storage_cache.atomics_per_cycle=4", "shader.units=1", "shader.group_lanes=32", "shader.simd_lanes=32",
            "shader.threads=1024", "shader.input_threads=64")
    groups, accesses = 32, 64

    def shared(ways, over):
        # ways: of the words of a group, those of one bank, where there are as many banks as threads.
        def form(m):
            banks = m["shader.shared_banks"]
            together = ways if banks == 32 else over
            cycles = groups * (accesses * together + 2)
            return [Bound("banks of shared memory", f"{groups} groups x ({accesses} loads x {together} words of a bank + 2 "
                          "instructions)", Fraction(cycles))]
        return form

    rows = [Row(f"shared memory, words {ways} apart", f"shared-{ways}", shared(ways, None), sets=sets) for ways in (1, 2, 4, 8, 16, 32)]
    rows += [Row(f"words {ways} apart, 16 banks", f"shared-{ways}", shared(ways, over), sets=(*sets, "shader.shared_banks=16"))
             for ways, over in ((1, 2), (8, 16), (32, 32))]
    rows.append(Row("one word for all", "shared-0", shared(1, 2), sets=sets))
    requests, appends = 64 * 8, 32 * 128  # of 32 threads
    combined = (*sets, "storage_cache.same_word=combined", "shader.workgroups=32", "shader.shared_bytes=131072",
                "storage_cache.latency=8")

    def atomics(each, formula, requests=requests):
        return lambda m: [Bound("atomic units", f"{requests} requests x {formula}", Fraction(requests * each))]

    def lines(count):
        return lambda m: [Bound("transactions", f"{requests} x {count} lines, one a cycle", Fraction(requests * count))]

    rows += [Row("atomics of 32 threads on one word", "atomics-one", atomics(32, "32 atomics on a word"), sets=sets),
             Row("on 32 words of a line, 4 in a cycle", "atomics-spread", atomics(8, "32 / 4 words"), sets=sets),
             Row("on 32 words of a line, 16 in a cycle, 32 workgroups", "atomics-spread", atomics(2, "32 / 16 words"),
                 sets=(*sets, "storage_cache.atomics_per_cycle=16", "shader.workgroups=32", "shader.shared_bytes=131072")),
             Row("numbers of one counter for 32 threads", "appends", atomics(32, "32 atomics on a word", appends), sets=sets),
             Row("numbers of one counter, combined, 32 workgroups", "appends", atomics(1, "1 atomic on a word", appends), sets=combined),
             Row("on words of 32 lines", "atomics-lines", lines(32), sets=sets),
             Row("on words of 32 lines, 4 slices", "atomics-lines", lines(32), sets=(*sets, "storage_cache.slices=4"))]
    return Section("Workgroups", "Workgroups of 32 threads, which are a group, on one shader unit with 32 lanes. Loads of shared memory by each thread at its "
                                 "number times 1 to 32 words, into a register that nothing reads; the busiest bank holds the issue port. Then atomics without "
                                 "a result, which the slice that owns the word executes one after the other (DX-12). On one word they follow each other; on "
                                 "words of a line as many as there are units are executed in a cycle; those on several lines leave the shader unit line by "
                                 "line. A group's next atomic waits for the one before: if each takes little time, many groups are needed to keep a slice "
                                 "busy. Appending to a buffer takes a number of a counter for each thread; combined, those of a group take a cycle.", rows)


def fences():
    """One group at a time: what it waits for, round after round."""
    sets = ("shader.stages=vertex,fragment,compute", "shader.stores=compute", "storage_cache.slices=1", "shader.units=1",
            "shader.group_lanes=32", "shader.simd_lanes=32", "shader.threads=1024", "shader.input_threads=64", "shader.workgroups=1")
    rounds = 2 * 1024
    leaves, gone = ["shader.texture_latency"], 1  # a store: from its issue to the cycle after it has left
    far = ["shader.texture_latency", "storage_cache.latency"]

    def form(name, parameters, more):
        # more: cycles of wires, and of going on.
        return lambda m: [Bound(name, f"{rounds} x ({' + '.join(p(m, one) for one in parameters)} + {more})",
                                Fraction(rounds * (sum(m[one] for one in parameters) + more)))]

    def row(what, scene, name, parameters, more, *changes):
        return Row(what, scene, form(name, parameters, more), sets=(*sets, *changes))

    slow = "storage_cache.latency=100"
    rows = []
    for changes in ((), (slow,)):
        with_what = f", {slow.split('.')[1].replace('=', ' ')}" if changes else ""
        rows += [row("a store and `BAR`" + with_what, "stores-bar", "the barrier", [*leaves, "shader.barrier_latency"], gone, *changes),
                 row("a store and `BAR DEVICE`" + with_what, "stores-bar-device", "the store", [*far, "shader.barrier_latency"], 2, *changes),
                 row("a store and `MEMBAR`" + with_what, "stores-membar", "the store's address", leaves, gone + 1, *changes),
                 row("a store and `MEMBAR DEVICE`" + with_what, "stores-membar-device", "the store", far, 3, *changes),
                 row("a load" + with_what, "loads", "the storage cache", far, 3, *changes),
                 row("a load that a first level has" + with_what, "loads-cached", "the first level",
                     ["shader.texture_latency", "shader.l1_latency"], 1, *changes, "shader.l1_lines=16")]
    rows.append(row("a store to shared memory and `BAR SHARED`", "shared-bar", "shared memory",
                    ["shader.shared_latency", "shader.barrier_latency"], 0))
    return Section("Barriers, and the first level before the storage cache", "A workgroup of one group on a machine that holds one. Round after round it "
                                                                             "stores and reaches a barrier, or loads, and waits each time. At a barrier of no "
                                                                             "memory it waits until its store has left, at one of buffers until the store has "
                                                                             "been executed, so only the latter depends on the distance of the storage cache "
                                                                             "(DX-12). The terms of 1 to 3 cycles are wires, one there and one back, and the "
                                                                             "next issue.", rows)


def doubles():
    """The same number of operations on floats and on doubles, in one group at a time and in many."""
    one, count = ("shader.units=1", "shader.units_per_cluster=1", "fragment_generation.units=1"), 4096
    operations = (("mad", "`MAD`", None, "shader.simd_latency"), ("dfma", "`DFMA`", "shader.double_passes", "shader.simd_latency"),
                  ("ddiv", "`DDIV`", "shader.double_passes", "shader.scalar_latency"))

    def passes(m, often):
        """Of an operation: how often all lanes of a group pass, the cycles of a pass, and both as text."""
        cycles = -(-m["shader.group_lanes"] // m["shader.simd_lanes"])
        return m[often] if often else 1, cycles, p(m, often) if often else "1", f" x {cycles} cycles" if cycles > 1 else ""

    def bound(m, name, text, cycles):
        return [Bound(name, text + clock_text(m, "shader.mhz"), cycles * clock(m, "shader.mhz"))]

    def chain(often, latency):
        def form(m):
            times, cycles, text, each = passes(m, often)
            before = f"({text} - 1){each} + " if often else ""
            return bound(m, "the result", f"2 x {count:,} x ({before}{p(m, latency)})", 2 * count * ((times - 1) * cycles + m[latency]))
        return form

    def free(often):
        def form(m):
            times, cycles, text, each = passes(m, often)
            return bound(m, "shader issue", f"2 x {count:,} x {text}{each}", 2 * count * times * cycles)
        return form

    def hidden(often):
        def form(m):
            times, cycles, text, each = passes(m, often)
            return bound(m, "shader issue", f"768 groups x (64 x {text} + 1){each}", 768 * (64 * times + 1) * cycles)
        return form

    rows = []
    for changes in ((), ("shader.double_passes=8",), ("shader.simd_lanes=16",)):
        also = "".join(f", `{change.replace('=', '` ')}" for change in changes)
        for scene, named, often, latency in operations:
            if "shader.double_passes=8" in changes and scene != "dfma":
                continue
            sets = (*one, *changes)
            rows += [Row(f"each {named} waits for the one before{also}", f"{scene}-chain", chain(often, latency), preset="d3d11", sets=(*sets, "shader.workgroups=1")),
                     Row(f"no {named} waits{also}", f"{scene}-free", free(often), preset="d3d11", sets=(*sets, "shader.workgroups=1")),
                     Row(f"each {named} waits, 48 groups at once{also}", f"{scene}-groups", hidden(often), preset="d3d11", sets=(*sets, "shader.workgroups=64"))]
    return Section("64-bit floats", f"Two workgroups of a group, one at a time, with {count:,} operations each, of floats and of doubles; then 768 workgroups with 64 operations each, of "
                                    "which as many are inside as threads fit. All lanes of a group pass `shader.double_passes` times for an operation on doubles, and its result is "
                                    "available a latency after the last pass has begun. An operation that waits for the one before takes a cycle of 25 more; an operation that waits for "
                                    "nothing takes twice as long, and so does a waiting one if there are enough groups. Division takes no more passes than the others; its result takes "
                                    "`shader.scalar_latency`.", rows)
