"""The benchmarks, and on each chip what binds them and why."""
import dataclasses

CURED = 0.9  # of the cycles, at the most, are left by a cure


@dataclasses.dataclass
class On:
    chip: str
    binds: tuple  # the kinds of unit that may hold the frame up most, as `explain` names them
    cure: tuple  # parameters that take it away
    why: str  # a sentence; the cycles with the cure stand behind it


@dataclasses.dataclass
class Benchmark:
    name: str
    what: str
    on: tuple
    refused: dict = dataclasses.field(default_factory=dict)  # chip: reason


PASSES = ("an instruction of 32 threads takes four passes of the 8 lanes (`shader.simd_lanes`), so the issue port is occupied {} of the time")
NO_COMPUTE = {"attila": "attila has no compute programs"}
LATENCY = ("a thread's load waits for memory before anything else of its workgroup can proceed. The limit is latency, not bytes, and the few workgroups of a "
           "unit begin together")

BENCHMARKS = (
    Benchmark("reduction", "The sum of 131,072 numbers: 128 workgroups of 256 threads add up 1,024 each, four a thread and then in a tree in shared memory, "
                           "with a barrier for each of its eight levels; one more adds up their results", (
                  On("d3d11", ("shader", "texture"), ("memory.latency=1",), LATENCY),
                  On("g80", ("shader", "texture_arbiter"), ("shader.simd_lanes=32",), PASSES.format("three quarters") +
                     "; in addition, two units send their loads through one arbiter to one texture unit (`shader.units_per_texture`)")),
              NO_COMPUTE),
    Benchmark("matmul", "The product of two matrices of 128 by 128, in 64 workgroups of 16 by 16 threads. Each loads a tile of both into shared memory, "
              "which its threads then read 32 times for each pair of tiles", (
                  On("d3d11", ("shader",), ("shader.mhz=2802",), "the shader units issue in 71 % of their cycles: two loads of shared memory for each "
                     "multiplication and addition, and addresses component by component (`shader.issue` is \"scalar\")"),
                  On("g80", ("shader",), ("shader.simd_lanes=32",), PASSES.format("85 %"))),
              NO_COMPUTE),
    Benchmark("histogram", "The frequency of each of 64 values among 131,072, with small ones more frequent: 128 workgroups of 64 threads count by atomics in "
                           "shared memory, and add their results to 64 words by atomics of the cache that owns them", (
                  On("d3d11", ("texture",), ("memory.latency=1",), LATENCY + ". Atomics of a word that several threads of a group count follow each "
                     "other: 14,462 cycles of 16 units for 2,048 of them, which the waits for memory cover"),),
              {"g80": "g80 has no atomics", **NO_COMPUTE}),
    Benchmark("histogram-without-atomics", "The same without atomics: each of 32 threads of a workgroup counts in 64 words of its own, in a bank of its own, 8 "
                                           "KB in all; then each adds up a value's words of all threads. One workgroup adds up the results of the 128", (
                  On("d3d11", ("shader",), ("shader.shared_bytes=131072", "shader.workgroups=32"), "shared memory has room for four workgroups of one group "
                                                                                                   "each, so a unit has four groups to hide latency with. The "
                                                                                                   "last sum is done by one workgroup, about half of all "
                                                                                                   "cycles, in which 15 units do nothing"),
                  On("g80", ("shader",), ("shader.shared_bytes=65536", "shader.workgroups=32"), "shared memory has room for two workgroups of one group each. "
                                                                                                "The last sum is done by one workgroup, about a quarter of all "
                                                                                                "cycles")),
              NO_COMPUTE),
)
