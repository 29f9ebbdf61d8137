#include <spirv/unified1/spirv.hpp>

#include "compiler/translate/arithmetic.h"

// OpSDot and its like (SPV_KHR_integer_dot_product): of vectors of 32-bit integers, or of four bytes in a
// word.
namespace cutaway::compiler {
namespace {

constexpr uint32_t kBytes = 4;  // of a packed vector

bool accumulates(uint32_t op) { return op >= spv::OpSDotAccSat; }
bool first_is_signed(uint32_t op) { return op != spv::OpUDot && op != spv::OpUDotAccSat; }
bool second_is_signed(uint32_t op) { return op == spv::OpSDot || op == spv::OpSDotAccSat; }

}  // namespace

// The components of an operand, as words.
Lanes Arithmetic::dot_operand(const Lanes& operand, bool is_packed, bool is_signed) {
  if (!is_packed) return operand;
  Lanes bytes;
  for (uint32_t i = 0; i < kBytes; ++i) {
    const Lanes byte =
        b.op3(is_signed ? Opcode::kIbfe : Opcode::kUbfe, operand, {literal(8 * i)}, {literal(8)});
    bytes.push_back(byte[0]);
  }
  return bytes;
}

// x + y, or the least or greatest number where that is none of 32 bits.
Lanes Arithmetic::saturating_add(const Lanes& x, const Lanes& y, bool is_signed) {
  const Lanes sum = b.op2(Opcode::kIadd, x, y);
  if (!is_signed) return select(b.op2(Opcode::kUlt, sum, x), {literal(~0u)}, sum);
  // Wrong where both have one sign and the sum has the other.
  const Lanes wrong =
      b.op2(Opcode::kAnd, b.logical_not(b.op2(Opcode::kXor, x, y)), b.op2(Opcode::kXor, x, sum));
  const Lanes most =
      b.op2(Opcode::kXor, b.op2(Opcode::kAsr, x, {literal(31)}), {literal(0x7fffffff)});  // by the sign of x
  return select(b.op2(Opcode::kIlt, wrong, {literal(0)}), most, sum);
}

bool Arithmetic::integer_dot(const Word& word, Lanes& result) {
  if (word.op < spv::OpSDot || word.op > spv::OpSUDotAccSat) return false;
  const Lanes first = get(arg(word, 0)), second = get(arg(word, 1));
  const size_t format_at = accumulates(word.op) ? 3 : 2;
  const bool packed = word.words.size() > format_at;
  if (packed && (first.size() != 1 || second.size() != 1)) invalid(word, "of packed vectors takes two words");
  const Lanes x = dot_operand(first, packed, first_is_signed(word.op));
  const Lanes y = dot_operand(second, packed, second_is_signed(word.op));
  if (x.size() != y.size()) invalid(word, "has operands of different sizes");
  const Lanes products = b.op2(Opcode::kImul, x, y);
  result = {component(products, 0)};
  for (size_t i = 1; i < products.size(); ++i) result = b.op2(Opcode::kIadd, result, {products[i]});
  if (accumulates(word.op)) result = saturating_add(get(arg(word, 2)), result, word.op != spv::OpUDotAccSat);
  return true;
}

}  // namespace cutaway::compiler
