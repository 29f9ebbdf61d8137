#include <algorithm>

#include "compiler/backend.h"
#include "compiler/passes.h"
#include "compiler/patterns.h"

namespace cutaway::compiler {
namespace {

bool is_constant(const Operand& operand) {
  return std::all_of(operand.ref.begin(), operand.ref.begin() + operand.width, [](const Ref& ref) {
    return plain(ref) && (ref.kind == RefKind::kUniform || ref.is_literal());
  });
}

bool is_one_component(const Operand& operand) {
  return std::all_of(operand.ref.begin(), operand.ref.begin() + operand.width,
                     [&](const Ref& ref) { return ref == operand.ref[0]; });
}

// True if the lanes of `negated` are those of `operand` with the opposite sign.
bool is_negative_of(const Operand& negated, const Operand& operand) {
  for (uint32_t lane = 0; lane < operand.width; ++lane) {
    Ref opposite = operand.ref[lane];
    opposite.negate = !opposite.negate;
    if (opposite.is_literal()) opposite = literal(operand.ref[lane].index ^ 0x80000000);
    Ref found = negated.ref[lane];
    if (found.is_literal() && found.negate) found = literal(found.index ^ 0x80000000);
    if (found != opposite) return false;
  }
  return true;
}

// Makes `by`, an operand that reads a color less the fog's color, read the color. That was subtracted by an
// ADD, or by the MAD that computed the color if nothing else reads its result. False: it is something else.
bool add_fog(Inst& sum, uint32_t readers, const Operand& fog, Operand& by) {
  if (sum.saturate || sum.phi) return false;
  if (sum.op == Opcode::kMad && readers == 1 && is_negative_of(pick(sum.src[2], by), fog)) {
    sum.op = Opcode::kMul;
    sum.sources = 2;
    return true;
  }
  if (sum.op != Opcode::kAdd) return false;
  for (uint32_t s = 0; s < 2; ++s) {
    if (!is_negative_of(pick(sum.src[s], by), fog)) continue;
    by = pick(sum.src[1 - s], by);
    return true;
  }
  return false;
}

bool only_put_out(const Ir& ir, const std::vector<uint32_t>& users) {
  return std::all_of(users.begin(), users.end(), [&](uint32_t user) {
    return ir.insts[user].op == Opcode::kMov && ir.insts[user].output != 0xff;
  });
}

}  // namespace

void fuse_fog(Ir& ir) {
  std::vector<uint32_t> sums;
  const auto uses = uses_of(ir);
  for (uint32_t id = 0; id < ir.insts.size(); ++id) {
    Inst& inst = ir.insts[id];
    if (inst.dead || inst.phi || inst.op != Opcode::kMad || !only_put_out(ir, uses[id])) continue;
    const Operand fog = inst.src[2];
    if (!is_constant(fog)) continue;
    for (uint32_t s = 0; s < 2; ++s) {
      Operand color = inst.src[s];
      const Operand share = inst.src[1 - s];
      Inst* sum = source_of(ir, color);
      if (!sum || !plain(color) || !is_one_component(share)) continue;
      const uint32_t number = color.ref[0].index;
      if (!add_fog(*sum, static_cast<uint32_t>(uses[number].size()), fog, color)) continue;
      sums.push_back(number);
      inst.op = Opcode::kFog;
      inst.src = {color, share, fog};
      break;
    }
  }
  remove_unread(ir, sums);
}

}  // namespace cutaway::compiler
