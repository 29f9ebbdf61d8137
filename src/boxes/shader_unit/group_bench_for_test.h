#pragma once

#include <gtest/gtest.h>
#include <memory>
#include <string_view>

#include "boxes/shader_unit/group_inputs.h"
#include "boxes/shader_unit/group_table.h"
#include "func/float_mode.h"
#include "messages/testing/draws.h"

// Groups that execute a program, without a simulator, for the tests of a shader unit's parts.
namespace cutaway::boxes::group_test_bench {

using arch::Stage;
using engine::Cycle;

struct GroupBench {
  const func::FloatMode mode;
  uint64_t residents = 0;
  GroupTable groups;
  std::unique_ptr<messages::DrawState> state = messages::testing::plain_state();
  Stage stage;

  GroupBench(Stage stage_in, std::string_view text, uint32_t lanes = 4, uint32_t places = 8)
      : groups(places, func::register_width(lanes), true, residents), stage(stage_in) {
    messages::testing::add_program(*state, stage, text, lanes, 2);
    // A raw buffer of four lines of 64 bytes at t0.
    arch::Surface buffer{};
    buffer.type = arch::Surface::make_type(arch::SurfaceType::kRawBuffer, arch::Tiling::kLinear);
    buffer.address = 0x1000;
    buffer.width = 256;
    state->stage[stage].resources[0] = func::make_texture_view(buffer);
    for (uint32_t c = 0; c < 8; c++) state->stage[stage].constants[c / 4][c % 4] = c;
    state->note_written();
  }
  // A group comes in, of these lanes, and begins its program.
  Group& enter(Cycle now, uint64_t lanes = 15) {
    Group& group = groups.next_free();
    group.stage = stage;
    group.state = state.get();
    group.view.input = group.input.data();
    groups.enter(now, group);
    start(now, group, lanes, 0);
    return group;
  }
};

}  // namespace cutaway::boxes::group_test_bench
