#pragma once

#include <array>
#include <compare>
#include <cstdint>

#include "func/shader/micro_program.h"
#include "isa/flow.h"
#include "isa/operands.h"

namespace cutaway::func {

class CompiledProgram;

// Instruction limit after which a looping program counts as endless: a fault of the GPU, as a watchdog would
// raise it. Checked at loop back edges and at calls.
constexpr uint64_t kInstructionLimit = uint64_t{1} << 24;

// Position of a group: the addresses of its CALLs, the outermost first, then the next instruction, then
// zeros. Places compare in the order in which a run of the program without loops reaches them.
struct Place {
  std::array<uint16_t, isa::kCallDepth + 1> pc{};
  auto operator<=>(const Place&) const = default;
};

// The control state of a group of lanes that share a program counter (docs/isa.md "Flow"). Masks have one bit
// per lane; lanes 4k … 4k+3 are a quad: (x, y), (x+1, y), (x, y+1), (x+1, y+1).
class ThreadGroup {
 public:
  // Starts anew. `lanes`: lanes with a vertex or a covered fragment. `helpers`: lanes that run only to
  // complete their quad. A quad without a real lane does not run at all. The owner's thread is in FloatMode.
  void start(uint32_t width, uint64_t lanes, uint64_t helpers = 0, uint64_t limit = kInstructionLimit);

  uint32_t width() const { return width_; }
  uint32_t pc() const { return pc_; }
  Place place() const;
  bool done() const { return done_; }        // END was executed or no lane is left
  bool runaway() const { return runaway_; }  // the instruction limit was reached
  uint64_t active() const { return active_; }
  uint64_t helpers() const { return helpers_; }
  uint64_t storing() const { return active_ & ~helpers_; }   // lanes whose stores and atomics take effect
  uint64_t survivors() const { return lanes_ & ~helpers_; }  // real lanes that were not demoted
  uint64_t executed() const { return executed_; }            // instructions since start
  // Mask for MicroOp::execute; null: inactive lanes need no masking.
  const uint32_t* lane_mask() const {
    if (all_on_) return nullptr;
    if (!lane_mask_ready_) fill_lane_mask();
    return lane_mask_;
  }
  bool all_on() const { return all_on_; }  // inactive lanes need no masking

  // Continues after runaway(), up to a new limit.
  void go_on(uint64_t limit) { limit_ = limit, runaway_ = false; }

  // Moves past the instruction at pc, which the caller has executed (texture and memory).
  void advance() {
    ++executed_;
    ++pc_;
  }

  // Moves past `instructions` from pc on, of which none is flow.
  void advance(uint32_t instructions) {
    executed_ += instructions;
    pc_ += instructions;
  }

  // Executes QREAD or QVOTE at pc.
  void of_quad(const MicroOp& op, const Registers& registers);

  // Executes one flow instruction at pc.
  void flow(const MicroOp& op, const Registers& registers);

 private:
  struct Construct {
    uint64_t saved = 0;                          // active lanes at the IF or LOOP
    uint64_t otherwise = 0;                      // IF: lanes for the ELSE
    uint64_t outer_live = 0, outer_running = 0;  // LOOP: those of the enclosing loop
    uint32_t skip = 0;           // next address if no lane is active: ELSE, ENDIF, NEXT, ENDLOOP
    uint32_t next = 0, end = 0;  // LOOP: its NEXT and ENDLOOP
    bool loop = false;
    uint8_t calls = 0;  // call depth at the construct
  };

  uint64_t condition(const MicroOp& op, const Registers& registers) const;
  void set_active(uint64_t mask) {
    active_ = mask;
    all_on_ = mask == alive_;
    lane_mask_ready_ = false;
  }
  void fill_lane_mask() const;
  void find_work();
  void kill(uint64_t mask);
  void end_loop(const MicroOp& op);

  uint32_t width_ = 0, pc_ = 0, depth_ = 0;
  uint8_t calls_ = 0;                             // current call depth
  std::array<uint16_t, isa::kCallDepth> call_{};  // addresses of the current CALLs
  bool done_ = true, runaway_ = false, all_on_ = true;
  uint64_t lanes_ = 0, helpers_ = 0;
  uint64_t alive_ = 0;    // lanes of quads that have not ended
  uint64_t active_ = 0;   // lanes that execute
  uint64_t live_ = 0;     // lanes in this iteration of the innermost loop: neither broken nor continued
  uint64_t running_ = 0;  // lanes that have not left the innermost loop
  uint64_t executed_ = 0, limit_ = 0;
  Construct construct_[isa::kFlowDepth];
  mutable bool lane_mask_ready_ = false;
  alignas(64) mutable uint32_t lane_mask_[kMaxWidth];
};

// The action that the next instruction of a group requires from its owner.
enum class Need : uint8_t {
  kStep,     // ALU or flow: call step()
  kTexture,  // the caller reads the sources (read_source), samples, writes the result (write_result), calls
             // advance()
  kMemory,   // the same; stores and atomics only in the storing() lanes
  kDone,
  kRunaway,  // a fault of the GPU
};

inline Need need(const MicroProgram& program, const ThreadGroup& group) {
  if (group.runaway()) return Need::kRunaway;
  if (group.done()) return Need::kDone;
  switch (program[group.pc()].op_class) {
    case isa::OpClass::kTexture:
      return Need::kTexture;
    case isa::OpClass::kMemory:
      return Need::kMemory;
    default:
      return Need::kStep;
  }
}

// Executes the instruction at pc; need() must be kStep. The thread must be in FloatMode.
inline void step(const MicroProgram& program, ThreadGroup& group, const Registers& registers) {
  const MicroOp& op = program[group.pc()];
  if (op.op_class == isa::OpClass::kFlow) {
    group.flow(op, registers);
  } else if (isa::is_of_quad(op.op)) {
    group.of_quad(op, registers);
  } else {
    op.execute(op, registers, group.width(), group.lane_mask());
    group.advance();
  }
}

// Executes until an action other than a step is needed, and returns it. compiled: `program` compiled, or
// null.
Need run(const MicroProgram& program, ThreadGroup& group, const Registers& registers,
         const CompiledProgram* compiled = nullptr);

}  // namespace cutaway::func
