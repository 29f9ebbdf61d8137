#pragma once

#include "arch/registers.h"
#include "draw/by_stage.h"
#include "draw/fragment_plan.h"
#include "draw/stage_state.h"
#include "parts/instruction_counts.h"
#include "parts/tile_counts.h"
#include "parts/touched_lines.h"

namespace cutaway::parts {

class FragmentLog;  // parts/fragment_log.h

// A stage's state, and which of its states it is.
struct StageState : draw::StageState {
  uint64_t version = 0;  // another one for each change
};

// One version of all state that a draw reads. The command processor fills it before the draw starts and
// leaves it alone until the draw has ended.
struct DrawState : draw::FragmentPlan {  // its plan: worked out when the version is made
  arch::Registers registers{};
  draw::ByStage<StageState> stage;
  bool of_driver = false;  // draws are the driver's own work, not a program's (arch/marker.h)

  uint32_t users = 0;  // draws under way with this version
  // Where boxes count what happens to fragments and to groups at instructions, note which lines texture units
  // ask for, and tell what becomes of fragments; null: nowhere.
  TileCounts* tiles = nullptr;
  InstructionCounts* instructions = nullptr;
  TouchedLines* touched_lines = nullptr;
  FragmentLog* log = nullptr;

  const StageState& vertex() const { return stage[arch::Stage::kVertex]; }
  const StageState& fragment() const { return stage[arch::Stage::kFragment]; }
  // Without a fragment program fragments are neither interpolated nor shaded: depth and stencil only.
  bool shades_fragments() const { return fragment().program != nullptr; }
  // Interpolants that fragments come with, bit each: all but those that their program only asks for.
  uint32_t pushed() const {
    const uint32_t count = registers.vertex_out.interpolants;
    const uint32_t all = count < arch::kInterpolants ? (1u << count) - 1 : ~0u;
    const draw::Program* program = fragment().program.get();
    return program ? all & ~(program->inputs_pulled & ~static_cast<uint32_t>(program->inputs_read)) : all;
  }
  // Becomes `from`; of the stages, those that differ are copied.
  void assign(const DrawState& from);
  // Works out the plan and what follows from it.
  void prepare();
  void note_written();
  // Whether its fragments have no effect behind the early test of depth and stencil: no color is written, and
  // no program decides on them or stores anything. Known when it is prepared.
  bool ends_before_shading = false;
  // `depth` for quads that hierarchical Z has accepted: their comparison is always true.
  func::DepthState accepted_depth;
  // Resources that its programs read or write and that lie in memory which one of them writes, bit each: for
  // coherence their loads go where stores go. Known when it is prepared.
  draw::ByStage<uint64_t> written{};
};

}  // namespace cutaway::parts
