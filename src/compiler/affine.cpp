#include "compiler/affine.h"

#include <algorithm>

namespace cutaway::compiler {
namespace {

constexpr int kDepth = 8;  // instructions looked through in a row
constexpr size_t kMaxTerms = 4;

Affine scaled(Affine a, uint32_t factor) {
  for (Affine::Term& term : a.terms) term.scale *= factor;
  a.offset *= factor;
  std::erase_if(a.terms, [](const Affine::Term& term) { return term.scale == 0; });
  return a;
}

Affine shifted_right(Affine a, uint32_t bits) {
  for (Affine::Term& term : a.terms) term.scale >>= bits;
  a.offset >>= bits;
  return a;
}

Affine sum(Affine a, const Affine& b) {
  a.terms.insert(a.terms.end(), b.terms.begin(), b.terms.end());
  a.offset += b.offset;
  std::sort(a.terms.begin(), a.terms.end());
  for (size_t i = 1; i < a.terms.size(); ++i) {
    if (a.terms[i].ref != a.terms[i - 1].ref) continue;
    a.terms[i].scale += a.terms[i - 1].scale;
    a.terms[i - 1].scale = 0;
  }
  std::erase_if(a.terms, [](const Affine::Term& term) { return term.scale == 0; });
  return a;
}

Affine affine(const Ir& ir, const Ref& ref, int depth);

// The sum that an instruction computes in one lane; false if it computes no sum, or one of too many terms.
bool expand(const Ir& ir, const Inst& inst, uint8_t lane, int depth, Affine& result) {
  const Ref& x = inst.src[0].ref[lane];
  const Ref& y = inst.src[1].ref[lane];
  const bool inverted = inst.src[0].invert || inst.src[1].invert;
  const uint32_t count = y.is_literal() ? y.index & 31 : 0;
  switch (inst.op) {
    case Opcode::kIadd:
      result = sum(scaled(affine(ir, x, depth), inst.src[0].invert ? ~0u : 1),
                   scaled(affine(ir, y, depth), inst.src[1].invert ? ~0u : 1));
      return result.terms.size() <= kMaxTerms;
    case Opcode::kImul:
      if (inverted || (!x.is_literal() && !y.is_literal())) return false;
      result = y.is_literal() ? scaled(affine(ir, x, depth), y.index) : scaled(affine(ir, y, depth), x.index);
      return true;
    case Opcode::kShl:
      if (inverted || !y.is_literal()) return false;
      result = scaled(affine(ir, x, depth), 1u << count);
      return true;
    case Opcode::kShr:
      if (inverted || !y.is_literal()) return false;
      result = affine(ir, x, depth);
      if (!result.is_multiple(count)) return false;
      result = shifted_right(result, count);
      return true;
    default:
      return false;
  }
}

Affine affine(const Ir& ir, const Ref& ref, int depth) {
  if (ref.is_literal()) return {{}, ref.index};
  if (ref.is_value() && plain(ref) && depth > 0) {
    const Inst& inst = ir.insts[ref.index];
    Affine result;
    if (!inst.phi && !inst.saturate && inst.sources == 2 && shape(inst.op) == Shape::kLanes &&
        expand(ir, inst, ref.lane, depth - 1, result))
      return result;
  }
  return {{{ref, 1}}, 0};
}

}  // namespace

bool Affine::is_multiple(uint32_t bits) const {
  const uint32_t mask = (1u << bits) - 1;
  return (offset & mask) == 0 &&
         std::all_of(terms.begin(), terms.end(), [&](const Term& term) { return (term.scale & mask) == 0; });
}

Affine affine_of(const Ir& ir, const Ref& ref) { return affine(ir, ref, kDepth); }

}  // namespace cutaway::compiler
