"""docs/compute.md"""
from rows import BENCHMARKS

HEAD = """# Compute on the clock

The programs of [examples/compute_benchmarks.cpp](../examples/compute_benchmarks.cpp) run on the chips that have compute programs. This page gives their time, what binds them, and what removes that limit. `tests/compute_benchmarks/run.py --write docs/compute.md` writes this page. The test `compute_benchmarks` simulates each program again and compares all memory with the emulator's. It fails if another kind of unit binds than the stated one, or if the parameters behind a reason gain less than a tenth. Each program checks its own results against the CPU's, on every driver. [closed-forms.md](closed-forms.md) has rates of single units. By hand:

    build/release/cutaway capture -o matmul.cutaway -- build/release/examples/compute_benchmarks matmul out.ppm
    build/release/cutaway simulate --gpu d3d11 --out out matmul.cutaway
    build/release/cutaway explain out

Cycles are of the core's clock and of the whole frame: uploads are in memory already, caches are empty, and stores are written back at the end. **Instructions** are those of groups. Storage buffers are read through the texture units and their caches. A figure changes by some percent with the addresses that a program's memory gets, which may differ from one version of the driver to the next. The figure of the histogram without atomics on `d3d11` changes by a fifth, since its last sum waits for one load after the other.
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
