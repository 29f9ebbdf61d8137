#include "compiler/passes.h"

namespace cutaway::compiler {

Ref compose(Ref inner, const Ref& outer) {
  if (outer.absolute) inner.absolute = true, inner.negate = false;
  inner.negate = inner.negate != outer.negate;
  if (!inner.is_literal()) return inner;
  if (inner.absolute) inner.index &= 0x7fffffff;
  if (inner.negate) inner.index ^= 0x80000000;
  inner.negate = inner.absolute = false;
  return inner;
}

Remap::Remap(const Ir& ir) : to_(ir.insts.size()) {
  for (uint32_t id = 0; id < to_.size(); ++id)
    for (uint8_t lane = 0; lane < 4; ++lane)
      to_[id][lane] = {.kind = RefKind::kValue, .lane = lane, .index = id};
}

Ref Remap::operator()(Ref ref) const {
  while (ref.is_value()) {
    const Ref& to = to_[ref.index][ref.lane];
    if (to.is_value() && to.index == ref.index && to.lane == ref.lane) break;
    ref = compose(to, ref);
  }
  return ref;
}

void Remap::apply(Ir& ir) const {
  for (Inst& inst : ir.insts) {
    if (!inst.dead) each_ref(inst, [&](Ref& ref) { ref = (*this)(ref); });
  }
}

}  // namespace cutaway::compiler
