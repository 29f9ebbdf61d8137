#include "compiler/patterns.h"

namespace cutaway::compiler {

Inst* source_of(Ir& ir, const Operand& operand) {
  if (operand.width == 0 || !operand.ref[0].is_value()) return nullptr;
  for (uint32_t i = 0; i < operand.width; ++i)
    if (!operand.ref[i].is_value() || operand.ref[i].index != operand.ref[0].index) return nullptr;
  Inst& inst = ir.insts[operand.ref[0].index];
  return inst.phi || inst.dead ? nullptr : &inst;
}

bool unmodified(const Operand& operand) {
  for (uint32_t i = 0; i < operand.width; ++i)
    if (operand.ref[i].negate || operand.ref[i].absolute) return false;
  return true;
}

bool all(const Operand& operand, uint32_t bits) {
  for (uint32_t i = 0; i < operand.width; ++i)
    if (!operand.ref[i].is_literal() || operand.ref[i].index != bits) return false;
  return operand.width > 0;
}

Operand pick(const Operand& of, const Operand& by) {
  Operand result{.width = by.width, .invert = of.invert};
  for (uint32_t i = 0; i < by.width; ++i) result.ref[i] = of.ref[by.ref[i].lane];
  return result;
}

std::vector<std::vector<uint32_t>> uses_of(const Ir& ir) {
  std::vector<std::vector<uint32_t>> uses(ir.insts.size());
  for (uint32_t id = 0; id < ir.insts.size(); ++id) {
    if (ir.insts[id].dead) continue;
    each_ref(ir.insts[id], [&](const Ref& ref) {
      if (ref.is_value() && (uses[ref.index].empty() || uses[ref.index].back() != id))
        uses[ref.index].push_back(id);
    });
  }
  return uses;
}

}  // namespace cutaway::compiler
