#pragma once

#include <algorithm>
#include <array>

#include "boxes/shader_unit/issue_policy.h"

namespace cutaway::boxes {

// What two units of four components do in one pass, one behind the other, with a branch processor at the end
// (NV4-5): the first multiplies and moves, or computes the address of a texture instruction; the second does
// everything, MAD and dot products too. Either does two instructions whose components lie in parts of three
// and one or of two and two. A reciprocal has a place of its own beside the first unit, and so has the
// normalising of a vector to halves (NV4-4); other scalar operations, or a second reciprocal, take the last
// component of the second. A fog unit stands behind both and blends what a program puts out (chapter 30.3).
// Results that come later in the pass may depend on earlier ones, a texture access's answer too: registers
// are written behind it.
class MulAndMadIssue final : public IssuePolicy {
 public:
  uint32_t most() const override { return kMaxIssueWays; }
  bool forwards() const override { return true; }
  uint32_t passes(const func::MicroOp& op) const override {
    return op.op == isa::Opcode::kNrm && !normalizes_halves(op) ? kNormalizePasses : 1;
  }
  bool blends_fog() const override { return true; }
  bool joins(const IssueBundle& bundle, const func::MicroOp& next) const override {
    if (next.op_class == isa::OpClass::kFlow) return true;  // and the last of its pass
    Pass pass;
    return place(pass, bundle, next, 0);
  }

 private:
  // Components that the instructions of a unit take.
  struct Unit {
    std::array<uint8_t, 2> taken{};
    uint32_t count = 0;

    bool takes(uint8_t components) const {
      if (count == 0) return true;
      return count == 1 && (fit(taken[0], components) || fit(components, taken[0]));
    }
    // xyz and w, or xy and zw.
    static bool fit(uint32_t first, uint32_t second) {
      return (!(first & 8) && !(second & 7)) || (!(first & 12) && !(second & 3));
    }
  };
  enum Stage : uint8_t { kFirst, kSecond, kFogUnit };
  struct Pass {
    std::array<Unit, 2> unit;
    bool reciprocal = false, normalize = false, fog = false;
    std::array<Stage, kMaxIssueWays> stage{};  // by instruction
  };

  static bool normalizes_halves(const func::MicroOp& op) {
    return op.op == isa::Opcode::kNrm && op.dst_half != isa::Half::kNone;
  }
  static bool addresses(const func::MicroOp& op) {
    return op.op_class == isa::OpClass::kTexture || op.op_class == isa::OpClass::kMemory;
  }
  static bool first_can(const func::MicroOp& op) {
    return addresses(op) || op.op == isa::Opcode::kMul || op.op == isa::Opcode::kMov;
  }
  static uint8_t components(const func::MicroOp& op) {
    if (addresses(op)) return 15;
    if (op.op_class == isa::OpClass::kScalar) return 8;
    switch (op.op) {
      case isa::Opcode::kDp2:
        return 3;
      case isa::Opcode::kDp3:
        return 7;
      case isa::Opcode::kDp4:
        return 15;
      default:
        return op.dst_mask;
    }
  }

  // Whether instruction i of the bundle, or the next behind it, and those after it find places. What reads
  // the result of another, or writes over it, has to stand behind it.
  static bool place(Pass& pass, const IssueBundle& bundle, const func::MicroOp& next, uint32_t i) {
    if (i > bundle.count()) return true;
    const func::MicroOp& op = i < bundle.count() ? bundle[i] : next;
    uint32_t least = kFirst;
    for (uint32_t j = 0; j < i; j++)
      if (bundle.reads(op, j) || bundle.writes_same(op, j)) least = std::max(least, pass.stage[j] + 1u);
    if (op.op == isa::Opcode::kFog)
      return least <= kFogUnit && try_alone(pass, bundle, next, i, pass.fog, kFogUnit);
    const bool first = least == kFirst;
    if (first && op.op == isa::Opcode::kRcp && try_alone(pass, bundle, next, i, pass.reciprocal, kFirst))
      return true;
    if (normalizes_halves(op)) return first && try_alone(pass, bundle, next, i, pass.normalize, kFirst);
    if (first && first_can(op) && try_unit(pass, bundle, next, i, op, kFirst)) return true;
    return least <= kSecond && !addresses(op) && try_unit(pass, bundle, next, i, op, kSecond);
  }
  // A place of its own: beside the first unit, or in the fog unit.
  static bool try_alone(Pass& pass, const IssueBundle& bundle, const func::MicroOp& next, uint32_t i,
                        bool& taken, Stage stage) {
    if (taken) return false;
    taken = true;
    pass.stage[i] = stage;
    if (place(pass, bundle, next, i + 1)) return true;
    taken = false;
    return false;
  }
  static bool try_unit(Pass& pass, const IssueBundle& bundle, const func::MicroOp& next, uint32_t i,
                       const func::MicroOp& op, Stage stage) {
    Unit& unit = pass.unit[stage];
    if (!unit.takes(components(op))) return false;
    unit.taken[unit.count++] = components(op);
    pass.stage[i] = stage;
    if (place(pass, bundle, next, i + 1)) return true;
    unit.count--;
    return false;
  }
};

}  // namespace cutaway::boxes
