#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "func/shader/micro_program.h"

namespace cutaway::func {

// The runs of arithmetic of a program, compiled for the processor of the host. They give the bits of the
// interpreter (MicroOp::execute). Whatever is no arithmetic remains: flow, texture, memory.
class CompiledProgram {
 public:
  // Executes a run of instructions: in all lanes, or in those of `lanes`.
  using Function = void (*)(const Registers* registers, uint64_t lanes);

  // A run; without instructions: none starts here. The thread must be in FloatMode.
  struct Run {
    void execute(const Registers& registers) const { in_all_lanes(&registers, 0); }
    void execute_in(const Registers& registers, uint64_t lanes) const { in_some_lanes(&registers, lanes); }

    uint32_t instructions = 0;
    Function in_all_lanes = nullptr, in_some_lanes = nullptr;
  };

  // Returns null where nothing can be compiled: without AVX-512, with CUTAWAY_INTERPRET=1 or
  // CUTAWAY_PORTABLE=1 in the environment, for groups that are no multiple of 16 lanes, when the system gives
  // no memory to execute, or when all compiled programs of the process together would need more than kMaxCode
  // bytes.
  //
  // temporaries_end: nobody reads the temporaries after the program's end, so they need not be stored.
  static std::unique_ptr<const CompiledProgram> compile(const MicroProgram& program, bool temporaries_end,
                                                        AluPath path = AluPath::kBest);
  static constexpr size_t kMaxCode = 64 << 20;

  ~CompiledProgram();

  const Run& operator[](uint32_t pc) const { return runs_[pc]; }
  size_t code_bytes() const;

 private:
  class Code;
  explicit CompiledProgram(AluPath path);

  std::unique_ptr<Code> code_;
  std::vector<Run> runs_;  // by pc
};

// Compiles a program when kHotGroups of its groups have started, in the thread that starts the last of them.
class CompileWhenHot {
 public:
  static constexpr uint32_t kHotGroups = 64;

  // Counts a group that starts. Returns the compiled program, or null. `program` must be the same each time.
  const CompiledProgram* start_group(const MicroProgram& program) const {
    if (tried_.load(std::memory_order_acquire)) return compiled_.get();
    return count_group(program);
  }

 private:
  const CompiledProgram* count_group(const MicroProgram& program) const;

  mutable std::atomic<uint32_t> groups_ = 0;
  mutable std::unique_ptr<const CompiledProgram> compiled_;
  mutable std::atomic<bool> tried_ = false;  // compiled_ will not change
};

}  // namespace cutaway::func
