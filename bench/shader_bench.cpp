#include <benchmark/benchmark.h>
#include <bit>

#include "func/float_mode.h"
#include "func/testing/shader_group.h"

// Shader arithmetic: instructions × lanes per second, for groups of every width and both instruction sets.
namespace {

using namespace cutaway;
using namespace cutaway::func;

// Twelve instructions such as a fragment program of the time has (ATT-15: 6 to 12): diffuse and specular
// light.
constexpr const char* kLight = R"(
  DP3 r0.x, i0, i0
  RSQ r0.x, r0.x
  MUL r1.xyz, i0, r0.x
  DP3 r2.x, r1, c0
  MAX r2.x, r2.x, c1.x
  DP3 r2.y, r1, c2
  MAX r2.y, r2.y, c1.x
  MUL r2.z, r2.y, r2.y
  MUL r2.z, r2.z, r2.z
  MAD r3, i1, r2.x, c3
  MAD r3, c4, r2.z, r3
  MOV_SAT o0, r3
  END)";
constexpr const char* kMad =
    "MAD r0, i0, c0, r1\nMAD r1, i1, c1, r0\nMAD r0, r1, -c2.x, |r0|\nMAD o0, r0, r1, c3\nEND";
constexpr const char* kTranscendental = "EX2 r0.x, i0.x\nLG2 r0.y, i0.y\nSIN r0.z, i0.z\nCOS o0, i0.w\nEND";
constexpr const char* kDivergent = R"(
  FLT r0.x, i0.x, c0.x
  IF r0.x
    ADD r1, i0, c1
  ELSE
    MUL r1, i0, c1
  ENDIF
  MOV o0, r1
  END)";

void shade(benchmark::State& state, const char* text, AluPath path) {
  if (path == AluPath::kAvx2 && !has_avx2()) {
    state.SkipWithError("the processor has no AVX2");
    return;
  }
  const FloatMode mode;
  const auto width = static_cast<uint32_t>(state.range(0));
  const MicroProgram program(isa::assemble(text), width, path);
  ShaderGroup g(width);
  for (size_t n = 0; n < g.input.size(); ++n)
    g.input[n] = std::bit_cast<uint32_t>(static_cast<float>(n % 61) / 61.0f);
  std::fill(g.constant.begin(), g.constant.end(), std::bit_cast<uint32_t>(0.5f));
  const uint64_t lanes = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  for (auto _ : state) {
    g.group.start(width, lanes);
    benchmark::DoNotOptimize(run(program, g.group, g.registers()));
  }
  const double instructions =
      static_cast<double>(state.iterations()) * static_cast<double>(g.group.executed());
  state.counters["lane_instructions"] =
      benchmark::Counter(instructions * width, benchmark::Counter::kIsRate, benchmark::Counter::kIs1000);
  state.counters["per_instruction"] =
      benchmark::Counter(instructions, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void register_all() {
  struct Program {
    const char* name;
    const char* text;
  };
  struct Path {
    const char* name;
    AluPath path;
  };
  for (const Program& program :
       {Program{"light", kLight}, Program{"mad", kMad}, Program{"transcendental", kTranscendental},
        Program{"divergent", kDivergent}})
    for (const Path& path : {Path{"sse2", AluPath::kPortable}, Path{"avx2", AluPath::kAvx2}})
      benchmark::RegisterBenchmark(
          (std::string("shader/") + program.name + "/" + path.name).c_str(),
          [text = program.text, p = path.path](benchmark::State& state) { shade(state, text, p); })
          ->ArgName("width")
          ->RangeMultiplier(2)
          ->Range(4, 64);
}

}  // namespace

int main(int argc, char** argv) {
  register_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
