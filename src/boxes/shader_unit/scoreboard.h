#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "arch/registers.h"
#include "boxes/shader_unit/issue_policy.h"
#include "engine/domain.h"

namespace cutaway::boxes {

// The cycles from which on the temporaries of a group can be read, component by component, and the registers
// that loads are going to write.
class Scoreboard {
 public:
  // The cycle in which the result of a load is there: not known yet.
  static constexpr engine::Cycle kUnderWay = engine::kAsleep;

  // A program of so many temporaries begins: all of them can be read.
  void clear(uint32_t temporaries) {
    std::fill_n(ready_.begin(), size_t{4} * temporaries, 0);
    latest_ = 0;
  }

  // The components that `op` writes can be read from cycle `ready` on, unless a slower result is still under
  // way to them.
  void write(const func::MicroOp& op, engine::Cycle ready) {
    engine::Cycle* component = &ready_[size_t{op.dst} * 4];
    latest_ = std::max(latest_, ready);
    for (uint32_t c = 0; c < 4; c++)
      if (op.dst_mask >> c & 1) component[c] = std::max(component[c], ready);
  }

  // A load begins: nothing can read or write the components that `op` writes until its result is there.
  // Returns the cycle in which earlier results have reached them.
  engine::Cycle begin_load(const func::MicroOp& op) {
    loads_++;
    if (op.dst_file == isa::File::kOutput) loaded_outputs_[op.dst] |= op.dst_mask;
    if (op.dst_file != isa::File::kTemporary) return 0;
    engine::Cycle* component = &ready_[size_t{op.dst} * 4];
    engine::Cycle reached = 0;
    for (uint32_t c = 0; c < 4; c++)
      if (op.dst_mask >> c & 1) reached = std::max(reached, std::exchange(component[c], kUnderWay));
    return reached;
  }
  // Its result is there in cycle `ready`.
  void end_load(const func::MicroOp& op, engine::Cycle ready) {
    loads_--;
    if (op.dst_file == isa::File::kOutput) loaded_outputs_[op.dst] &= static_cast<uint8_t>(~op.dst_mask);
    if (op.dst_file != isa::File::kTemporary) return;
    latest_ = std::max(latest_, ready);
    for (uint32_t c = 0; c < 4; c++)
      if (op.dst_mask >> c & 1) ready_[size_t{op.dst} * 4 + c] = ready;
  }

  // The first cycle, not before `earliest`, in which `op` can read its operands; kUnderWay if a load is going
  // to write one of them, or a component that `op` writes. Instructions of `given` forward to it what they
  // write.
  engine::Cycle operands_ready(const func::MicroOp& op, engine::Cycle earliest,
                               const IssueBundle* given = nullptr) const {
    if (latest_ <= earliest && !loads_) return earliest;
    if (loads_ && writes_loaded(op)) return kUnderWay;
    for (const func::MicroSource& source : op.src) {
      if (source.file != isa::File::kTemporary) continue;
      for (uint32_t c = 0; c < 4; c++)
        if ((source.read >> c & 1) && !(given && given->writes(source.component[c])))
          earliest = std::max(earliest, ready_[source.component[c]]);
    }
    return earliest;
  }

 private:
  bool writes_loaded(const func::MicroOp& op) const {
    if (op.dst_file == isa::File::kOutput) return loaded_outputs_[op.dst] & op.dst_mask;
    if (op.dst_file != isa::File::kTemporary) return false;
    for (uint32_t c = 0; c < 4; c++)
      if ((op.dst_mask >> c & 1) && ready_[size_t{op.dst} * 4 + c] == kUnderWay) return true;
    return false;
  }

  engine::Cycle latest_ = 0;  // of all components that no load is going to write
  uint32_t loads_ = 0;        // under way
  std::array<uint8_t, arch::kShaderOutputs> loaded_outputs_{};  // components that loads are going to write
  std::array<engine::Cycle, size_t{arch::kTemporaries} * 4> ready_{};  // [register * 4 + component]
};

}  // namespace cutaway::boxes
