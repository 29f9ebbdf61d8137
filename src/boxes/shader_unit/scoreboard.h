#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "arch/registers.h"
#include "boxes/shader_unit/issue_policy.h"
#include "engine/domain.h"

namespace cutaway::boxes {

// The cycles from which on the temporaries of a group can be read, component by component.
class Scoreboard {
 public:
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

  // The first cycle, not before `earliest`, in which `op` can read its operands. Instructions of `given`
  // forward to it what they write.
  engine::Cycle operands_ready(const func::MicroOp& op, engine::Cycle earliest,
                               const IssueBundle* given = nullptr) const {
    if (latest_ <= earliest) return earliest;
    for (const func::MicroSource& source : op.src) {
      if (source.file != isa::File::kTemporary) continue;
      for (uint32_t c = 0; c < 4; c++)
        if ((source.read >> c & 1) && !(given && given->writes(source.component[c])))
          earliest = std::max(earliest, ready_[source.component[c]]);
    }
    return earliest;
  }

 private:
  std::array<engine::Cycle, size_t{arch::kTemporaries} * 4> ready_{};  // [register * 4 + component]
  engine::Cycle latest_ = 0;                                           // of all components
};

}  // namespace cutaway::boxes
