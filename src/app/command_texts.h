#pragma once

// Texts of --help besides the options.
namespace cutaway::app {

inline constexpr const char* kDescription =
    R"(Cutaway: a whole graphics GPU, cycle by cycle, under unmodified Vulkan and OpenGL programs.

A program runs on Cutaway's driver and an emulator of the GPU, which records a capture. The clocked machine
then simulates the captured frames: pictures, and where every cycle went.)";

inline constexpr const char* kExamples = R"(
Examples:
  cutaway run --frames 2..4 --out out/gears -- glxgears
      Runs glxgears until its 4th frame, then simulates frames 2 to 4. Pictures in out/gears/frames/,
      figures in out/gears/summary.json, the capture in out/gears/capture.cutaway.
  cutaway capture -o cube.cutaway --frames 1..10 -- vkcube --c 10
  cutaway capture -o game.cutaway --frames 1.. game.trace
      Replays a recording of apitrace (or gfxreconstruct, .gfxr) on the driver.
  cutaway run --frames 1..3 --gpu d3d11 -- program.exe
      A program for Windows in Direct3D, by Wine.
  cutaway simulate cube.cutaway --frames 3 --set texture.cache_lines=64 --out out/small-cache
      The same frames on other machines, as often as wanted.
  cutaway simulate cube.cutaway --verify
      Compares all GPU memory with the emulator's after every frame.
  cutaway simulate cube.cutaway --frames 3 --timeline cube.pftrace --timeline-cycles 5000..9000
      What every unit did in those cycles, for ui.perfetto.dev.
  cutaway trace cube.cutaway --frame 3 --draw 2 --fragment 250,250 --svg life.svg
      The life of one fragment, from unit to unit, as text and as a picture.
  cutaway gpus attila
      Its units and wires, and every parameter that --set takes: value, range, meaning, source.
  cutaway gpus attila streamer
      One unit: its wires, its parameters, what costs nothing in it.
  cutaway gpus attila --set shader.units=4 --svg four-shaders.svg
      The same, and its block diagram as a picture.
  cutaway sweep examples/sweeps/bandwidth.toml --jobs 4
      Every point of a grid of frames, machines and parameters; a sweep that was ended goes on.
  cutaway experiment attila-fig4 --jobs 4
      A figure of the ATTILA paper, measured again, with a verdict on each of its claims.

Frames are counted from 1 by presents. A program that presents nothing is one frame, number 1.
However a program ends, the whole frames captured by then are kept.

Exit codes:
  0  done
  1  verify found a difference, or the program failed or was interrupted
  2  something given cannot be used, or standard output cannot be written: results are kept
  3  a defect of Cutaway
  4  verify cannot decide: all that differs hangs on the order of threads)";

inline constexpr const char* kRunExample = R"(
Examples:
  cutaway run --frames 2..4 --out out/gears -- glxgears
      Runs glxgears until its 4th frame, then simulates frames 2 to 4.
  cutaway run --frames 1..3 --gpu d3d11 -- program.exe
      A program for Windows in Direct3D, by Wine.
  cutaway explain out/gears
      What held each frame up, and which change would help.

Frames are counted from 1 by presents. A program that presents nothing is one frame, number 1.)";

inline constexpr const char* kCaptureExample = R"(
Examples:
  cutaway capture -o cube.cutaway --frames 1..10 -- vkcube --c 10
      Frames 1 to 10 of a program.
  cutaway capture -o game.cutaway --frames 1.. game.trace
      Replays a recording of apitrace (or gfxreconstruct, .gfxr) on the driver.
  cutaway simulate cube.cutaway --gpu g80 --out out/cube
      Simulates what was captured, as often as wanted.

However a program ends, the whole frames captured by then are kept.)";

inline constexpr const char* kEmulateExample = R"(
Examples:
  cutaway emulate cube.cutaway --out out/cube
      Pictures of all frames, in out/cube/frames/.
  cutaway emulate cube.cutaway --frames 3 --primitives --out out/cube
      Also a picture whose colors tell which primitive each pixel shows.)";

inline constexpr const char* kSimulateExample = R"(
Examples:
  cutaway simulate cube.cutaway --frames 3 --out out/cube
      Pictures and figures of frame 3, for `cutaway explain` and `cutaway report`.
  cutaway simulate cube.cutaway --frames 3 --set texture.cache_lines=64 --out out/small-cache
      The same frame on another machine. `cutaway gpus attila` lists the parameters.
  cutaway simulate cube.cutaway --verify
      Compares all GPU memory with the emulator's after every frame.
  cutaway simulate cube.cutaway --frames 3 --timeline cube.pftrace --timeline-cycles 5000..9000
      What every unit did in those cycles, for ui.perfetto.dev.
  cutaway simulate cube.cutaway --live
      A page in the browser that shows the machine while it runs.
  cutaway simulate game.cutaway --frames 3 --with desktop.cutaway --slice-us 500
      Two programs on one GPU, in turns of 500 microseconds: what each frame takes together and alone.)";

inline constexpr const char* kTraceExample = R"(
Examples:
  cutaway trace cube.cutaway --frame 3 --draw 2 --fragment 250,250 --svg life.svg
      The life of one fragment, from unit to unit, as text and as a picture.
  cutaway trace cube.cutaway --frame 3 --draw 2 --vertex 17
  cutaway trace cube.cutaway --frame 3 --draw 2 --request 100 --gpu g80
      The 100th request to memory of that draw, on another chip.
  cutaway trace game.cutaway --frame 3 --draw 9 --fragment 50,60 --cycles 1200000..1300000
      A fragment of a draw that takes over a million cycles: only what happens in this window.)";

inline constexpr const char* kInfoExample = R"(
Example:
  cutaway info cube.cutaway
      Its program, frames, sizes and key frames; compares every checksum.)";

inline constexpr const char* kGpusExample = R"(
Examples:
  cutaway gpus
      The presets.
  cutaway gpus attila
      Its units and wires, and every parameter that --set takes: value, range, meaning, source.
  cutaway gpus attila --set shader.units=4 --svg four-shaders.svg
      The same, and its block diagram as a picture.)";

inline constexpr const char* kExplainExample = R"(
Examples:
  cutaway explain out/gears
      What held each frame up, with evidence, and its most expensive draws.
  cutaway explain out/gears --frame 3 --draw 2
      One draw alone.
  cutaway explain out/gears --frame 3 --try shader.units=4 --try "memory.channels=8;gpu.memory_mhz=800"
      Simulates the frame again with each change and ranks them by the time that they save.
  cutaway explain out/gears --frame 3 --try auto
      Tries what the evidence suggests, up and down, and ranks it by the time that it saves.
  cutaway explain out/gears --frame 3 --pixel 100,120
      What became of every fragment of a pixel, of a run with --stats fragments.
  cutaway explain out/gears --json)";

inline constexpr const char* kDisasmExample = R"(
Examples:
  cutaway disasm cube.cutaway
      Every shader program, each instruction beside the SPIR-V that it comes from.
  cutaway disasm cube.cutaway --program 2 --spirv)";

inline constexpr const char* kReportExample = R"(
Examples:
  cutaway report out/gears -o gears.html
      One page of a run: its frames, units, draws, time, memory, programs.
  cutaway report out/attila out/g80 -o both.html
      Two runs side by side.
  cutaway report out/narrow out/wide -o sweeps.html
      Two sweeps, point by point.)";

inline constexpr const char* kSweepExample = R"(
A sweep file:
  captures = ["cube.cutaway"]             # from the file's folder
  frames = "2..4"                         # of each; default: all
  gpus = ["attila", "attila-split"]       # presets or machine files; default: attila
  set.texture.cache_lines = 64            # of all points
  [[vary]]                                # each [[vary]] times each other one
  memory.channels = [1, 2, 4]             # a list, or a range:
  [[vary]]
  shader.threads = {from = 16, to = 256, factor = 2}
  [[plot]]
  x = "memory.channels"
  y = "cycles"
  series = "gpu"

Ctrl-C, a crash or kill -9 lose no finished point: the same command goes on. It prints a hash of the results.
docs/sweeps.md has all that a sweep file may say.

Exit codes:
  0  all points have results
  1  some failed
  2  something given cannot be used, it was interrupted, or standard output cannot be written)";

inline constexpr const char* kSampleExample = R"(
Examples:
  cutaway sample game.cutaway --error 1%
      Cycles, bytes and counters of all frames, each with the interval that holds it with 95 % confidence.
  cutaway sample game.cutaway --error 2% --gpu g80 --check 10 --jobs 4
      On another machine; 10 frames held back say whether the estimate keeps its promise.

Frames are grouped by what the emulator counts of them; some of each group are simulated, at random, and stand
for the others. Ctrl-C, a crash or kill -9 lose no finished frame: the same command goes on.
docs/sampling.md tells how, and what an interval means.

Exit codes:
  0  estimated
  1  some frames could not be simulated
  2  something given cannot be used, it was interrupted, or standard output cannot be written)";

inline constexpr const char* kExperimentExample = R"(
Examples:
  cutaway experiment list
      What there is, what it claims, and how long it takes.
  experiments/record_match.sh
      Records frames of an OpenArena match into out/match.cutaway.
  cutaway experiment attila-fig4 attila-fig5 --jobs 4
      Simulates them on every configuration. Into out/experiments/attila-fig4/ and .../attila-fig5/ go:

Results:
  figure.svg      the figure, with what the paper says drawn in
  verdicts.md     each claim: holds, in part or does not hold, and what the statistics say why
  verdicts.json   the same for programs
  results.csv     all numbers

Ctrl-C, a crash or kill -9 lose no finished frame: the same command goes on, and experiments share what they have
simulated. docs/experiments.md has all that an experiment's file may say.

Exit codes:
  0  done, whatever the verdicts
  1  some frames could not be simulated
  2  something given cannot be used, it was interrupted, or standard output cannot be written)";

inline constexpr const char* kProbeExample = R"(
Examples:
  cutaway probe list
      The experiments, and what was measured on an 8800 GTS.
  cutaway probe E1 --gpu g80
      Slow pixels in a quad, on the preset g80: each time beside the one that it is compared with.
  cutaway probe E1.2 --gpu g80 --pictures
      In which order its fragments end while one is slow: out/probe/pictures/index.html.
  cutaway probe E2 E3 --gpu d3d11 --out out/probe-d3d11
  cutaway probe --driver
      The same programs on the GPU of this computer, by the timestamps of its driver.

Exit codes:
  0  all experiments were drawn, whatever they show
  1  some could not be
  2  something given cannot be used, it was interrupted, or standard output cannot be written)";

inline constexpr const char* kFidelityExample = R"(
Examples:
  cutaway fidelity list
      The figures, with their sources.
  cutaway fidelity --gpu g80
      All that was published of G80 and can be measured, beside the preset.
  cutaway fidelity R1 R3
      Rates of fragments and of triangles, on each preset of whose chip they were published.

Exit codes:
  0  all was measured, whatever it shows
  1  some could not be
  2  something given cannot be used, it was interrupted, or standard output cannot be written)";

}  // namespace cutaway::app
