#include "emulator/quad_inputs.h"

#include <gtest/gtest.h>
#include <vector>

#include "emulator/testing/region.h"
#include "isa/instruction.h"

namespace cutaway::emulator::quad_inputs_test {
namespace {

// Input 0.x is a value that is 0 at the left edge and 1 at the right one; input 1 has none.
struct Bench : testing::Region {
  Meter meter{~uint64_t{0}};
  Statistics statistics;
  ShaderCore core{memory, meter, statistics};
  QuadGroup group;
  QuadInputs inputs{core, group};

  explicit Bench(std::string_view program = "MOV o0, i0\nEND\n") {
    std::vector<isa::EncodedInstruction> words;
    for (const isa::Instruction& instruction : isa::assemble(program))
      words.push_back(isa::encode(instruction));
    std::string error;
    state.stage[arch::Stage::kFragment].program =
        command_stream::make_program(arch::Stage::kFragment, std::move(words), 0, 0, kLanes, error);
    EXPECT_EQ(error, "");
    draw.shades = true;
    draw.components.push_back({0, 0, 0, arch::Interpolation::kPerspective, 0});
    draw.zeros.push_back({1, 2, 0, arch::Interpolation::kFlat, 0});
    for (const float value : {0.0f, 2.0f, 0.0f}) batch.values.push_back(std::bit_cast<uint32_t>(value));
    core.input(1, 2)[0] = core.input(1, 2)[kLanes - 1] = 77;
    inputs.begin(draw, batch);
  }
  void add(int32_t x, int32_t y) { group.quad[group.quads++] = quad(x, y, 0); }
  float input(uint32_t lane) { return std::bit_cast<float>(core.input(0, 0)[lane]); }
};

TEST(QuadInputs, InterpolateAtCenters) {
  Bench bench;
  bench.add(0, 0), bench.add(32, 10);
  bench.inputs.fill();
  const float expected[] = {0.5f, 1.5f, 0.5f, 1.5f, 32.5f, 33.5f, 32.5f, 33.5f};
  for (uint32_t lane = 0; lane < 8; lane++)
    EXPECT_NEAR(bench.input(lane), expected[lane] / 64, 1e-6f) << lane;
  for (const uint32_t lane : {0u, kLanes - 1})
    EXPECT_EQ(bench.core.input(1, 2)[lane], 0u) << "no interpolant gives it";
}

// A quad is filled once: what has been filled before stays.
TEST(QuadInputs, FillQuadsThatHaveJoined) {
  Bench bench;
  bench.add(0, 0);
  bench.inputs.fill();
  bench.core.input(0, 0)[0] = 5;
  bench.add(32, 10);
  bench.inputs.fill();
  EXPECT_EQ(bench.core.input(0, 0)[0], 5u);
  EXPECT_NEAR(bench.input(4), 32.5f / 64, 1e-6f);
  bench.inputs.restart();
  bench.inputs.fill();
  EXPECT_NEAR(bench.input(0), 0.5f / 64, 1e-6f);
}

TEST(QuadInputs, GivePositions) {
  Bench bench("MOV o0, i" + std::to_string(arch::kInputFragCoord) + "\nEND\n");
  bench.add(12, 6);
  bench.inputs.fill();
  EXPECT_EQ(std::bit_cast<float>(bench.core.input(arch::kInputFragCoord, 0)[3]), 13.5f);
  EXPECT_EQ(std::bit_cast<float>(bench.core.input(arch::kInputFragCoord, 1)[3]), 7.5f);
}

TEST(QuadInputs, PullInterpolantsAtOffsets) {
  Bench bench;
  bench.draw.components.clear();
  bench.draw.pulled.push_back({0, 0, 0, arch::Interpolation::kPerspective, 0});
  bench.add(0, 0), bench.add(32, 10);
  const uint32_t quarter = std::bit_cast<uint32_t>(0.25f);
  const uint32_t offset[2][4] = {{quarter, quarter, quarter, quarter}, {}};
  uint32_t out[4][4];
  bench.inputs.pull(1, 0, 1, offset, out);
  EXPECT_NEAR(std::bit_cast<float>(out[0][0]), 32.75f / 64, 1e-5f);
  EXPECT_NEAR(std::bit_cast<float>(out[0][3]), 33.75f / 64, 1e-5f);
}

}  // namespace
}  // namespace cutaway::emulator::quad_inputs_test
