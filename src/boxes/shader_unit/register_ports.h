#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "boxes/shader_unit/issue_policy.h"

namespace cutaway::boxes {

// The read ports of a shader unit's temporaries (ATT-8): how many different ones each thread reads in a pass.
// A temporary of halves occupies half a port (NV4-4). What one ALU forwards to another is not read.
class RegisterPorts {
 public:
  // registers: of four 32-bit floats that a pass reads; 0: any number.
  explicit RegisterPorts(unsigned registers) : halves_(2 * registers) {}

  bool limited() const { return halves_ != 0; }

  // Returns the passes in which an instruction alone reads its operands; at least 1.
  uint32_t passes(const func::MicroOp& op) const {
    if (!limited()) return 1;
    Reads reads;
    reads.add(op, nullptr);
    return std::max(1u, (reads.halves() + halves_ - 1) / halves_);
  }

  // Returns true if `next` finds ports for its operands in the pass of `bundle`. forwards: it may take what
  // those write.
  bool fit(const IssueBundle& bundle, const func::MicroOp& next, bool forwards) const {
    if (!limited()) return true;
    Reads reads;
    IssueBundle before;
    for (uint32_t i = 0; i < bundle.count(); i++) {
      reads.add(bundle[i], forwards ? &before : nullptr);
      before.add(bundle[i]);
    }
    reads.add(next, forwards ? &before : nullptr);
    return reads.halves() <= halves_;
  }

 private:
  // Different temporaries, each with the halves of it that are read.
  class Reads {
   public:
    // given: instructions whose results need not be read; null: none.
    void add(const func::MicroOp& op, const IssueBundle* given) {
      for (const func::MicroSource& source : op.src)
        if (source.file == isa::File::kTemporary && source.read && !is_given(source, given))
          add(source.component[0] / 4, halves_of(source.half));
    }
    uint32_t halves() const {
      uint32_t sum = 0;
      for (uint32_t i = 0; i < count_; i++) sum += static_cast<uint32_t>(std::popcount(of_[i].halves));
      return sum;
    }

   private:
    struct Of {
      uint16_t temporary = 0;
      uint8_t halves = 0;  // low, high
    };
    static uint8_t halves_of(isa::Half half) {
      return half == isa::Half::kNone ? 3 : half == isa::Half::kLow ? 1 : 2;
    }
    static bool is_given(const func::MicroSource& source, const IssueBundle* given) {
      if (!given) return false;
      for (uint32_t c = 0; c < 4; c++)
        if ((source.read >> c & 1) && !given->writes(source.component[c])) return false;
      return true;
    }
    void add(unsigned temporary, uint8_t halves) {
      uint32_t i = 0;
      while (i < count_ && of_[i].temporary != temporary) i++;
      if (i == count_) of_[count_++] = {static_cast<uint16_t>(temporary), 0};
      of_[i].halves |= halves;
    }

    uint32_t count_ = 0;
    std::array<Of, 3 * (kMaxIssueWays + 1)> of_;
  };

  uint32_t halves_;
};

}  // namespace cutaway::boxes
