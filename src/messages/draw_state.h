#pragma once

#include "arch/registers.h"
#include "command_stream/by_stage.h"
#include "command_stream/fragment_plan.h"
#include "command_stream/stage_state.h"
#include "messages/instruction_counts.h"
#include "messages/tile_counts.h"
#include "messages/touched_lines.h"

namespace cutaway::messages {

class FragmentLog;  // messages/fragment_log.h

// A stage's state, with a version number.
struct StageState : command_stream::StageState {
  uint64_t version = 0;  // changes with every change of the state
};

// One version of all state that a draw reads. The command processor fills it before the draw starts and does
// not change it until the draw has ended.
struct DrawState : command_stream::FragmentPlan {  // the plan is computed when the version is made
  arch::Registers registers{};
  command_stream::ByStage<StageState> stage;
  bool of_driver = false;  // draws are the driver's own work, not a program's (arch/marker.h)

  uint32_t users = 0;  // draws in flight with this version
  // Recorders of boxes: fates of fragments, groups at instructions, lines touched by texture units, and the
  // fragment log; null: not recorded.
  TileCounts* tiles = nullptr;
  InstructionCounts* instructions = nullptr;
  TouchedLines* touched_lines = nullptr;
  FragmentLog* log = nullptr;

  const StageState& vertex() const { return stage[arch::Stage::kVertex]; }
  const StageState& fragment() const { return stage[arch::Stage::kFragment]; }
  // Without a fragment program, fragments are neither interpolated nor shaded: depth and stencil only.
  bool shades_fragments() const { return fragment().program != nullptr; }
  // Each sample of a quad is shaded as a quad.
  bool shades_samples() const { return sample_shading && shades_fragments(); }
  // Interpolants sent along with fragments, one bit each: all except those that their program only pulls.
  uint32_t pushed() const {
    const uint32_t count = registers.vertex_out.interpolants;
    const uint32_t all = count < arch::kInterpolants ? (1u << count) - 1 : ~0u;
    const command_stream::Program* program = fragment().program.get();
    return program ? all & ~(program->inputs_pulled & ~static_cast<uint32_t>(program->inputs_read)) : all;
  }
  // Copies `from`; of the stages, only those that differ.
  void assign(const DrawState& from);
  arch::DepthMode stated_depth_mode() const { return static_cast<arch::DepthMode>(registers.depth.mode); }
  // True if the results are the same whether the tests of mode kEarly come before shading or after it. After
  // plan().
  bool tests_on_either_side() const;
  // True if quads are tested after shading.
  bool tested_late() const { return depth.active() && depth_mode != arch::DepthMode::kEarly; }
  // Computes the plan and derived values, for tests of depth when the registers say.
  void prepare();
  // Depth and stencil are tested at another time than the registers say: see structures/depth_order.
  void test_at(arch::DepthMode mode);
  void note_written();
  // True if fragments have no effect after the early depth and stencil test: no color is written, and no
  // program decides about them or stores anything. Set by prepare().
  bool ends_before_shading = false;
  arch::DepthMode depth_mode = arch::DepthMode::kEarly;  // when depth and stencil are tested and written
  // `depth` for quads accepted by hierarchical Z: their comparison is always true.
  func::DepthState accepted_depth;
  // Resources in memory that one of the draw's programs writes, one bit each: for coherence, loads from them
  // take the path of stores. Set by prepare().
  command_stream::ByStage<uint64_t> written{};
};

}  // namespace cutaway::messages
