#include "boxes/shader_unit/group_inputs.h"

#include <fmt/format.h>

#include "boxes/shader_unit/group_bench_for_test.h"

namespace cutaway::boxes::group_inputs_test {
namespace {

using namespace group_test_bench;

// The primitive and the invocation of each thread; of a patch also how many vertices it has.
TEST(GroupInputs, NameThePrimitiveOfAThread) {
  for (const Stage stage : {Stage::kTessControl, Stage::kGeometry}) {
    messages::Pools pools;
    GroupBench bench(stage, fmt::format("MOV o0, i{}\nEND\n", arch::kInputPrimitive));
    bench.state->registers.tessellation.patch_vertices = 7;
    Group& group = bench.enter(1);
    group.vertices.lanes = 4;
    group.vertices.primitives = pools.group_primitives.allocate();
    for (uint32_t lane = 0; lane < 4; lane++)
      group.vertices.primitives->id[lane] = 40 + lane, group.vertices.primitives->invocation[lane] = lane;
    load_primitives(group);
    for (uint32_t lane = 0; lane < 4; lane++) {
      const auto word = [&](uint32_t component) {
        return group.input[func::register_word(group.width, arch::kInputPrimitive, component, lane)];
      };
      EXPECT_EQ(word(0), 40 + lane);
      EXPECT_EQ(word(1), lane);
      EXPECT_EQ(word(2), stage == Stage::kTessControl ? 7u : 0u);
      EXPECT_EQ(word(3), 0u);
    }
  }
}

}  // namespace
}  // namespace cutaway::boxes::group_inputs_test
