"""docs/compute.md"""
from rows import BENCHMARKS

HEAD = """# Compute on the clock

The programs of [examples/compute_benchmarks.cpp](../examples/compute_benchmarks.cpp): how long they take on chips that have compute programs, what binds them, and what takes that away. `tests/compute_benchmarks/run.py --write docs/compute.md` writes this page; the test `compute_benchmarks` simulates each anew, with all memory held against the emulator's, and fails where another kind of unit binds than is stated or where the parameters behind a reason gain less than a tenth. Each program checks its own results against the CPU's, on every driver. Rates of single units stand in [closed-forms.md](closed-forms.md). By hand:

    build/release/cutaway capture -o matmul.cutaway -- build/release/examples/compute_benchmarks matmul out.ppm
    build/release/cutaway simulate --gpu d3d11 --out out matmul.cutaway
    build/release/cutaway explain out

Cycles are of the core's clock and of the whole frame: uploads lie in memory already, caches are empty, and what is stored is written back at the end. **Instructions** are those of groups. Storage buffers are read through the texture units and their caches. A figure moves by some percent with the addresses that a program's memory gets, which may differ from one version of the driver to the next; that of the histogram without atomics on `d3d11`, whose last sum waits for one load after the other, by a fifth.
"""


KINDS = {"shader": "shader units", "texture": "texture units", "texture_arbiter": "texture arbiters", "texture_cache": "the second level of their caches",
         "memory_controller": "memory", "command_processor": "command processing", "storage_cache": "the cache of stores and atomics"}


def held_up(findings, most=3):
    return ", ".join(f"{KINDS.get(one['kind'], one['kind'])} {100 * one['share']:.0f} %" for one in findings["held_up_by"][:most])


def line(on, result):
    cure = " ".join(f"`{one}`" for one in on.cure)
    return (f"| {on.chip} | {result.cycles:,} | {result.instructions:,} | {result.read:,} | {result.written:,} | {held_up(result.findings)} | "
            f"{on.why}. With {cure}: {result.cured:,} |")


def text(results):
    lines = [HEAD]
    for benchmark in BENCHMARKS:
        lines += [f"## `{benchmark.name}`", "", benchmark.what + ".", "", "| chip | cycles | instructions | bytes read | written | held up by | why |",
                  "| --- | ---: | ---: | ---: | ---: | --- | --- |"]
        lines += [line(on, results[benchmark.name, on.chip]) for on in benchmark.on]
        lines += [""] + [f"{chip} refuses it: \"{results[benchmark.name, chip].split('): ')[-1].split(';')[0]}\"." for chip in benchmark.refused] + [""]
    return "\n".join(lines).rstrip() + "\n"
