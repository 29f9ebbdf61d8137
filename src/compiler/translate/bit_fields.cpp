#include "compiler/translate/bit_fields.h"

#include <spirv/unified1/spirv.hpp>

namespace cutaway::compiler {

BitFields::Field BitFields::field(const Word& word, size_t first, size_t components) {
  const auto each = [&](size_t operand) {
    return Builder::splat(component(low_words(arg(word, operand)), 0), components);
  };
  return {each(first), each(first + 1)};
}

// A shift by 64 would be one by 0.
Lanes BitFields::ones(const Lanes& count) {
  const Lanes all(2 * count.size(), literal(~0u));
  const Lanes whole = b.op2(Opcode::kUge, count, Builder::splat(literal(64), count.size()));
  return w.select(whole, all, b.logical_not(w.shift_left(all, count)));
}

Lanes BitFields::extract(const Word& word, const Type& scalar) {
  const Lanes x = get(arg(word, 0));
  const bool is_signed = word.op == spv::OpBitFieldSExtract;
  const size_t n = scalar.bits == 64 ? x.size() / 2 : x.size();
  const auto [offset, count] = field(word, 1, n);
  if (scalar.bits != 64)
    return narrowed(word.type, b.op3(is_signed ? Opcode::kIbfe : Opcode::kUbfe, x, offset, count));
  const Lanes low = b.op2(Opcode::kAnd, w.shift_right(x, offset, false), ones(count));
  if (!is_signed) return low;
  // The field's highest bit fills the bits above: moves it to the top and back. No bits: 0 is moved.
  const Lanes above = b.op2(Opcode::kIadd, Builder::splat(literal(64), n), b.ineg(count));
  return w.shift_right(w.shift_left(low, above), above, true);
}

// (base & ~mask) | (insert << offset & mask)
Lanes BitFields::insert(const Word& word, const Type& scalar) {
  const Lanes x = get(arg(word, 0)), inserted = get(arg(word, 1));
  if (inserted.size() != x.size()) invalid(word, "has operands of different sizes");
  const bool wide = scalar.bits == 64;
  const auto [offset, count] = field(word, 2, wide ? x.size() / 2 : x.size());
  if (!wide && x.empty()) invalid(word, "has no components");
  const auto moved = [&, &offset = offset](const Lanes& lanes) {
    return wide ? w.shift_left(lanes, offset) : b.op2(Opcode::kShl, lanes, offset);
  };
  const Lanes low =
      wide ? ones(count)
           : Builder::splat(b.op3(Opcode::kUbfe, {literal(~0u)}, {literal(0)}, {count[0]})[0], x.size());
  const Lanes mask = moved(low);
  const Lanes result = b.op2(Opcode::kOr, b.op2(Opcode::kAnd, x, b.logical_not(mask)),
                             b.op2(Opcode::kAnd, moved(inserted), mask));
  return narrowed(word.type, result);
}

bool BitFields::translate(const Word& word, Lanes& result) {
  const auto kept = [&] { return get(arg(word, 0)); };
  const auto scalar = [&]() -> const Type& { return scalar_of(arg(word, 0)); };
  switch (word.op) {
    case spv::OpBitFieldSExtract:
    case spv::OpBitFieldUExtract:
      result = extract(word, scalar());
      return true;
    case spv::OpBitFieldInsert:
      result = insert(word, scalar());
      return true;
    case spv::OpBitReverse: {
      const Lanes reversed = b.op1(Opcode::kBrev, kept());
      if (scalar().bits == 64) result = Wide::join(Wide::high(reversed), Wide::low(reversed));
      else if (scalar().bits == 32) result = reversed;
      else
        result = b.op2(Opcode::kShr, reversed, Builder::splat(literal(32 - scalar().bits), reversed.size()));
      return true;
    }
    case spv::OpBitCount: {
      const Lanes words = b.op1(Opcode::kPopc, kept());
      const Lanes counts =
          scalar().bits == 64 ? b.op2(Opcode::kIadd, Wide::low(words), Wide::high(words)) : words;
      result = unsigned_result(word.type, counts);
      return true;
    }
    default:
      return false;
  }
}

}  // namespace cutaway::compiler
