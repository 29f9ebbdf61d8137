#include "boxes/shader_unit/group_inputs.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/error.h"
#include "base/prefetch.h"
#include "command_stream/instruction_limit.h"
#include "func/float_mode.h"

namespace cutaway::boxes {

using arch::Stage;

// Points are laid out as vertices are: both are read where their message has them.
void load_vertices(Group& group) { group.view.input = group.vertices.vertices->word.data(); }

// One register names the primitive of a thread and its invocation; the others that the program reads are
// zero.
void load_primitives(Group& group) {
  const messages::GroupPrimitives& primitives = *group.vertices.primitives;
  for (uint64_t left = group.state->stage[group.stage].inputs_read(); left; left &= left - 1) {
    const auto reg = static_cast<uint32_t>(std::countr_zero(left));
    for (uint32_t c = 0; c < 4; c++) {
      uint32_t* to = &group.input[func::register_word(group.width, reg, c, 0)];
      std::fill_n(to, group.width, 0);
      if (reg != arch::kInputPrimitive) continue;
      if (c < 2)
        std::copy_n((c == 0 ? primitives.id : primitives.invocation).begin(), group.vertices.lanes, to);
      if (c == 2 && group.stage == Stage::kTessControl)
        std::fill_n(to, group.width, group.state->registers.tessellation.patch_vertices);
    }
  }
  group.view.input = group.input.data();
}

// The interpolator's message of one quad is laid out like registers: a group of one quad reads it in place.
void load_quads(Group& group) {
  const bool in_place = group.width == 4;
  const uint64_t fed = ((1ull << group.state->registers.vertex_out.interpolants) - 1) |
                       1ull << arch::kInputFragCoord | 1ull << arch::kInputFragment |
                       1ull << arch::kInputPointCoord;
  const uint64_t read = group.state->fragment().inputs_read();
  messages::GroupQuads& quads = *group.fragments.quads;
  for (uint32_t q = 0; q < quads.count; q++) prefetch_on_host(quads.quad[q].inputs->input);
  for (uint32_t q = 0; q < quads.count; q++) {
    auto& input = quads.quad[q].inputs->input;
    for (uint64_t left = in_place ? read & ~fed : read; left; left &= left - 1) {
      const uint32_t reg = static_cast<uint32_t>(std::countr_zero(left));
      if (!(fed >> reg & 1)) std::memset(input[reg], 0, sizeof input[reg]);
      if (in_place) continue;
      for (uint32_t c = 0; c < 4; c++)
        std::copy_n(input[reg][c], 4, &group.input[func::register_word(group.width, reg, c, 4 * q)]);
    }
  }
  group.view.input = in_place ? quads.quad[0].inputs->input[0][0] : group.input.data();
}

// Three registers, as far as the program reads them: the thread in its workgroup, as coordinates and as a
// number; the workgroup; and the number of workgroups.
void load_ids(Group& group, const messages::Workgroup& workgroup, uint32_t first) {
  const uint32_t* size = workgroup.state->registers.compute.local_size;
  const uint64_t read = workgroup.state->stage[Stage::kCompute].inputs_read();
  const auto fill = [&](uint32_t reg, auto&& value) {
    if (!(read >> reg & 1)) return;
    for (uint32_t c = 0; c < 4; c++)
      for (uint32_t lane = 0; lane < group.width; lane++)
        group.input[func::register_word(group.width, reg, c, lane)] = value(c, first + lane);
  };
  fill(arch::kInputLocalId, [&](uint32_t c, uint32_t index) {
    const uint32_t id[4] = {index % size[0], index / size[0] % size[1], index / size[0] / size[1], index};
    return id[c];
  });
  fill(arch::kInputWorkgroupId, [&](uint32_t c, uint32_t) { return c < 3 ? workgroup.id[c] : 0; });
  fill(arch::kInputWorkgroups, [&](uint32_t c, uint32_t) { return c < 3 ? workgroup.count[c] : 0; });
  group.view.input = group.input.data();
}

namespace {

void clear_registers(Group& group, const command_stream::Program& program) {
  const size_t words = size_t{4} * group.width;
  group.scoreboard.clear(program.temporaries);
  for (const uint32_t reg : program.zeroed_temporaries) std::fill_n(&group.temporary[reg * words], words, 0);
  for (uint64_t left = program.zeroed_outputs; left; left &= left - 1)
    std::fill_n(&group.output[static_cast<size_t>(std::countr_zero(left)) * words], words, 0);
  const size_t scratch_words = program.scratch_bytes / 4;
  if (group.scratch.size() < scratch_words * group.width) group.scratch.resize(scratch_words * group.width);
  std::fill_n(group.scratch.begin(), scratch_words * group.width, 0);
  group.view.scratch = group.scratch.data();
  group.view.scratch_words = static_cast<uint32_t>(scratch_words);
}

}  // namespace

void start(engine::Cycle now, Group& group, uint64_t lanes, uint64_t helpers) {
  const messages::StageState& state = group.state->stage[group.stage];
  const command_stream::Program* program = state.program.get();
  group.program = program ? &program->micro : nullptr;
  group.outputs = program ? program->outputs : 0;
  group.view.constant = &state.constants[0][0];
  group.end_ready = now;
  if (program) clear_registers(group, *program);
  messages::InstructionCounts* counts = program ? group.state->instructions : nullptr;
  group.time.start(now, counts ? counts->of(group.stage, group.origin.work) : nullptr);
  const uint32_t* size = group.state->registers.compute.local_size;
  const uint64_t limit =
      program && group.stage == Stage::kCompute
          ? command_stream::instruction_limit(program->barriers, size[0] * size[1] * size[2])
          : func::kInstructionLimit;
  CUTAWAY_CHECK(func::FloatMode::active(), "shaders run in FloatMode");
  group.threads.start(group.width, lanes, helpers, limit);
}

}  // namespace cutaway::boxes
