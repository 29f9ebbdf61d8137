#pragma once

#include <array>
#include <memory>

#include "base/policy.h"
#include "func/shader/micro_op.h"

namespace cutaway::boxes {

constexpr uint32_t kMaxIssueWays = 8;

// NRM where no unit is made for it: a dot product, the reciprocal of a root and a multiplication.
constexpr uint32_t kNormalizePasses = 3;
// FOG where no unit is made for it: a subtraction and a MAD.
constexpr uint32_t kFogPasses = 2;

// Instructions of a group that issue in the same cycle, in the order of the program.
class IssueBundle {
 public:
  void add(const func::MicroOp& op) {
    op_[count_++] = &op;
    scalar_ += op.op_class == isa::OpClass::kScalar;
  }
  uint32_t count() const { return count_; }
  const func::MicroOp& operator[](uint32_t i) const { return *op_[i]; }
  // Of those: for the scalar ALU. All others are the SIMD ALU's: texture instructions compute addresses
  // there.
  uint32_t scalar() const { return scalar_; }
  uint32_t simd() const { return count_ - scalar_; }
  // Whether one of them writes a component that `op` writes too: they would reach the register file at once.
  bool writes_same(const func::MicroOp& op) const {
    for (uint32_t i = 0; i < count_; i++)
      if (writes_same(op, i)) return true;
    return false;
  }
  bool writes_same(const func::MicroOp& op, uint32_t i) const {
    return op.dst_file != isa::File::kNone && op_[i]->dst_file == op.dst_file && op_[i]->dst == op.dst &&
           (op_[i]->dst_mask & op.dst_mask);
  }
  // Whether `op` reads a component that instruction i writes.
  bool reads(const func::MicroOp& op, uint32_t i) const {
    if (op_[i]->dst_file != isa::File::kTemporary) return false;
    for (const func::MicroSource& source : op.src) {
      if (source.file != isa::File::kTemporary) continue;
      for (uint32_t c = 0; c < 4; c++)
        if ((source.read >> c & 1) && writes(i, source.component[c])) return true;
    }
    return false;
  }
  // Whether one of them writes a component of a temporary: register x 4 + component.
  bool writes(uint32_t component) const {
    for (uint32_t i = 0; i < count_; i++)
      if (op_[i]->dst_file == isa::File::kTemporary && writes(i, component)) return true;
    return false;
  }

 private:
  bool writes(uint32_t i, uint32_t component) const {
    return op_[i]->dst == component / 4 && (op_[i]->dst_mask >> component % 4 & 1);
  }

  uint32_t count_ = 0, scalar_ = 0;
  std::array<const func::MicroOp*, kMaxIssueWays> op_;
};

// Decides how many instructions of a group a shader unit issues in a cycle (ATT-9), and how its execute units
// work on the components of a register. Each policy has files of its own.
class IssuePolicy {
 public:
  virtual ~IssuePolicy() = default;
  // Instructions of a group that issue in a cycle, at most: 1 to kMaxIssueWays.
  virtual uint32_t most() const = 0;
  // Whether the ALUs that the instructions of `bundle`, fewer than most(), have left can take `next` in the
  // same cycle.
  virtual bool joins(const IssueBundle& bundle, const func::MicroOp& next) const = 0;
  // Whether an instruction may read, or write over, what those write that issue with it: joins() says which
  // may.
  virtual bool forwards() const { return false; }
  // How many times the lanes of a group pass through the execute units for an instruction: once where
  // instructions issue together.
  virtual uint32_t passes(const func::MicroOp& op) const {
    return op.op == isa::Opcode::kNrm ? kNormalizePasses : op.op == isa::Opcode::kFog ? kFogPasses : 1;
  }
  // Whether a unit is made for FOG, so that compiled programs should have it.
  virtual bool blends_fog() const { return false; }
};

// Policies are made with shader.ways, the most instructions of a group that issue in a cycle.
struct IssuePolicies : PolicyFamily<IssuePolicies, IssuePolicy, uint32_t> {};

}  // namespace cutaway::boxes
