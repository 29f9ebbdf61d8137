#include <algorithm>

#include "compiler/translate/doubles.h"
#include "compiler/translate/part.h"
#include "compiler/translate/wide.h"

// Storage of types whose size is not one word. Integers of 8 and 16 bits are zero-extended words, halves are
// floats, integers of 64 bits are two words, the low word first.
namespace cutaway::compiler {

const Type& Part::scalar_of(uint32_t id) const {
  if (const auto constant = m_.constants.find(id); constant != m_.constants.end())
    return m_.scalar(constant->second.type);
  const Value* found = values_.find(id);
  return m_.scalar(found ? found->type : 0);
}

Lanes Part::index_of(uint32_t id) {
  const Lanes kept = get(id);
  const Type& type = scalar_of(id);
  if (kept.empty()) invalid("instruction {}: an index lacks its value", b.line);
  return is_small(type) && type.is_signed ? sign_extended(type, {kept[0]}) : Lanes{kept[0]};
}

Lanes Part::low_words(uint32_t id) {
  const Lanes kept = get(id);
  return scalar_of(id).bits == 64 ? Wide::low(kept) : kept;
}

Lanes Part::as_words(uint32_t id) {
  const Type& scalar = scalar_of(id);
  if (is_double(scalar)) return Doubles(b).op(Opcode::kD2f, {get(id)});
  const Lanes words = low_words(id);
  const bool extend = scalar.kind == TypeKind::kInt && is_small(scalar) && scalar.is_signed;
  return extend ? sign_extended(scalar, words) : words;
}

Lanes Part::unsigned_result(uint32_t type, const Lanes& words) {
  return m_.scalar(type).bits == 64 ? Wide(b).zero_extended(words) : narrowed(type, words);
}

Lanes Part::narrowed(uint32_t type_id, const Lanes& words) {
  const Type& type = m_.type(type_id);
  if (type.kind == TypeKind::kStruct) {
    Lanes all;
    for (uint32_t i = 0; i < type.members.size(); ++i) {
      const auto first = words.begin() + type.starts[i];
      const Lanes member =
          narrowed(type.members[i], Lanes(first, first + m_.type(type.members[i]).components));
      all.insert(all.end(), member.begin(), member.end());
    }
    return all;
  }
  const Type& scalar = m_.scalar(type_id);
  if (!is_small(scalar)) return words;
  if (scalar.kind == TypeKind::kFloat) return rounded_to_halves(words);
  return b.op2(Opcode::kAnd, words, Builder::splat(literal((1u << scalar.bits) - 1), words.size()));
}

Lanes Part::rounded_to_halves(const Lanes& floats) {
  const size_t first = b.ir.insts.size();
  const Lanes result = b.op1(Opcode::kRoundHalf, floats);
  for (const Ref& ref : result)
    if (ref.is_value() && ref.index >= first) b.ir.insts[ref.index].half = request_.halves;
  return result;
}

Lanes Part::sign_extended(const Type& scalar, const Lanes& kept) {
  return b.op3(Opcode::kIbfe, kept, Builder::splat(literal(0), kept.size()),
               Builder::splat(literal(scalar.bits), kept.size()));
}

Lanes Part::packed(const Type& scalar, const Lanes& kept) {
  if (!is_small(scalar)) return b.bits(kept);
  const size_t each = 32 / scalar.bits;
  Lanes words;
  for (size_t i = 0; i < kept.size(); i += each) {
    if (scalar.kind == TypeKind::kFloat) {
      Inst pack{.op = Opcode::kPackHalf, .width = 1, .sources = 1};
      pack.src[0].width = 2;
      pack.src[0].ref = {kept[i], i + 1 < kept.size() ? kept[i + 1] : literal(0)};
      for (Ref& ref : pack.src[0].ref)
        if (ref.is_undef()) ref = literal(0);
      words.push_back(b.ref(b.append(pack), 0));
      continue;
    }
    Lanes word = {kept[i].is_undef() ? literal(0) : kept[i]};
    for (size_t k = 1; k < each && i + k < kept.size(); ++k) {
      if (kept[i + k].is_undef()) continue;
      word = b.op2(Opcode::kOr, word,
                   b.op2(Opcode::kShl, {kept[i + k]}, {literal(static_cast<uint32_t>(k) * scalar.bits)}));
    }
    words.push_back(word[0]);
  }
  return words;
}

Lanes Part::unpacked(const Type& scalar, const Lanes& words, size_t count) {
  if (!is_small(scalar)) return words;
  const size_t each = 32 / scalar.bits;
  Lanes kept;
  for (size_t i = 0; i < count; ++i) {
    const Ref& word = component(words, i / each);
    const auto shift = static_cast<uint32_t>(i % each) * scalar.bits;
    if (scalar.kind != TypeKind::kFloat) {
      kept.push_back(b.op3(Opcode::kUbfe, {word}, {literal(shift)}, {literal(scalar.bits)})[0]);
      continue;
    }
    if (word.is_literal()) {
      kept.push_back(literal(float_of_half(word.index >> shift & 0xffff)));
      continue;
    }
    Inst unpack{.op = Opcode::kUnpackHalf, .width = 2, .sources = 1};
    unpack.src[0].width = 1;
    unpack.src[0].ref[0] = b.bits({word})[0];
    kept.push_back(b.ref(b.append(unpack), shift ? 1 : 0));
  }
  return kept;
}

}  // namespace cutaway::compiler
