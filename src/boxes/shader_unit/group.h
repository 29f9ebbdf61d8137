#pragma once

#include <cstdint>
#include <vector>

#include "boxes/shader_unit/group_time.h"
#include "boxes/shader_unit/loads_under_way.h"
#include "boxes/shader_unit/scoreboard.h"
#include "func/shader/thread_group.h"
#include "messages/draw_state.h"
#include "messages/messages.h"

namespace cutaway::boxes {

// The state of a group of threads (ATT-8): free, ready, blocked by one of several things, or finished.
enum class GroupPhase : uint8_t {
  kFree,
  kReady,
  kTexture,        // waits for its texture unit, or for a load that it answers; so do the next two
  kPull,           // waits for the interpolator
  kStorage,        // waits for the storage cache
  kFence,          // waits at a memory barrier for its own stores
  kBarrierStores,  // waits for its own stores before it arrives at a barrier
  kBarrier,        // waits at a barrier for other groups of its workgroup
  kBranch,         // waits behind a branch for others of its batch
  kDraining,       // has ended, but for its own stores
  kFinished        // its results leave when the pipelines are empty
};

// A group of threads inside a shader unit: what it works on, the program that it executes, and its registers.
// Members that each instruction asks for stand together at the beginning: a unit holds dozens of groups.
struct Group {
  uint16_t index = 0;  // in its table
  GroupPhase phase = GroupPhase::kFree;
  arch::Stage stage{};
  bool of_driver = false;  // its draw is the driver's own
  uint32_t width = 0;      // lanes for which its registers are laid out
  const messages::DrawState* state = nullptr;
  const func::MicroProgram* program = nullptr;  // null: it has none, or none any more
  messages::Origin origin;
  engine::Cycle end_ready = 0;  // when all results are there
  uint64_t outputs = 0;         // registers that its program writes, bit each
  GroupTime time;
  func::Registers view;
  uint32_t number = 0;                // of its draw or dispatch
  messages::FragmentGroup fragments;  // of the fragment stage
  messages::VertexGroup vertices;     // of a stage before the rasteriser
  LoadsUnderWay loads;
  func::ThreadGroup threads;
  Scoreboard scoreboard;
  std::vector<uint32_t> input, temporary, output;
  std::vector<uint32_t> scratch;  // as large as any program before has asked for

  const func::MicroOp& next_op() const { return (*program)[threads.pc()]; }
  const isa::Instruction& next_instruction() const { return program->instruction(threads.pc()); }
};

}  // namespace cutaway::boxes
