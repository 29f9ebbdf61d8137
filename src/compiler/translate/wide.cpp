#include "compiler/translate/wide.h"

#include <algorithm>

namespace cutaway::compiler {

Wide::Lanes Wide::words(const Lanes& x, size_t which) {
  Lanes of_each;
  for (size_t i = which; i < x.size(); i += 2) of_each.push_back(x[i]);
  return of_each;
}

Wide::Lanes Wide::join(const Lanes& low, const Lanes& high) {
  Lanes all;
  for (size_t i = 0; i < low.size(); ++i) all.push_back(low[i]), all.push_back(high[i]);
  return all;
}

// Combines the words by OR: nonzero if any bit is set.
Wide::Lanes Wide::any(const Lanes& words) {
  Lanes all = {words[0]};
  for (size_t i = 1; i < words.size(); ++i) all = b.op2(Opcode::kOr, all, {words[i]});
  return all;
}

Wide::Lanes Wide::add(const Lanes& x, const Lanes& y) {
  const Lanes sum = b.op2(Opcode::kIadd, low(x), low(y));
  const Lanes carry = b.op2(Opcode::kUlt, sum, low(x));  // -1
  const Lanes one = shifted(Opcode::kAnd, carry, 1);
  return join(sum, b.op2(Opcode::kIadd, b.op2(Opcode::kIadd, high(x), high(y)), one));
}

Wide::Lanes Wide::sub(const Lanes& x, const Lanes& y) {
  const Lanes borrow = b.op2(Opcode::kUlt, low(x), low(y));  // -1
  const Lanes difference = b.op2(Opcode::kIadd, low(x), b.ineg(low(y)));
  return join(difference, b.op2(Opcode::kIadd, b.op2(Opcode::kIadd, high(x), b.ineg(high(y))), borrow));
}

Wide::Lanes Wide::mul(const Lanes& x, const Lanes& y) {
  const Lanes across =
      b.op2(Opcode::kIadd, b.op2(Opcode::kImul, low(x), high(y)), b.op2(Opcode::kImul, high(x), low(y)));
  return join(b.op2(Opcode::kImul, low(x), low(y)),
              b.op2(Opcode::kIadd, b.op2(Opcode::kUmulh, low(x), low(y)), across));
}

// (xh 2^32 + xl) (yh 2^32 + yl), where each product of words has 64 bits.
Wide::Lanes Wide::mul_high(const Lanes& x, const Lanes& y) {
  const auto product = [&](const Lanes& m, const Lanes& n) {
    return join(b.op2(Opcode::kImul, m, n), b.op2(Opcode::kUmulh, m, n));
  };
  const Lanes xl = low(x), xh = high(x), yl = low(y), yh = high(y);
  // None of these sums reaches 2^64.
  const Lanes first = add(product(xh, yl), zero_extended(b.op2(Opcode::kUmulh, xl, yl)));
  const Lanes second = add(product(xl, yh), zero_extended(low(first)));
  return add(add(product(xh, yh), zero_extended(high(first))), zero_extended(high(second)));
}

// Word shifts use five bits of the amount: 31 - s equals ~s there.
Wide::Lanes Wide::shift_left(const Lanes& x, const Lanes& by) {
  const Lanes crossing =
      b.op2(Opcode::kShr, shifted(Opcode::kShr, low(x), 1), b.logical_not(by));  // low >> (32 - s)
  const Lanes moved = b.op2(Opcode::kShl, low(x), by);
  const Lanes joined = b.op2(Opcode::kOr, b.op2(Opcode::kShl, high(x), by), crossing);
  const Lanes far = shifted(Opcode::kAnd, by, 32);
  return join(b.op3(Opcode::kSel, far, zeros(by.size()), moved), b.op3(Opcode::kSel, far, moved, joined));
}

Wide::Lanes Wide::shift_right(const Lanes& x, const Lanes& by, bool is_signed) {
  const Lanes crossing = b.op2(Opcode::kShl, shifted(Opcode::kShl, high(x), 1), b.logical_not(by));
  const Lanes moved = b.op2(is_signed ? Opcode::kAsr : Opcode::kShr, high(x), by);
  const Lanes joined = b.op2(Opcode::kOr, b.op2(Opcode::kShr, low(x), by), crossing);
  const Lanes far = shifted(Opcode::kAnd, by, 32);
  const Lanes beyond = is_signed ? shifted(Opcode::kAsr, high(x), 31) : zeros(by.size());
  return join(b.op3(Opcode::kSel, far, moved, joined), b.op3(Opcode::kSel, far, beyond, moved));
}

Wide::Lanes Wide::equal(const Lanes& x, const Lanes& y) {
  return b.op2(Opcode::kAnd, b.op2(Opcode::kIeq, low(x), low(y)), b.op2(Opcode::kIeq, high(x), high(y)));
}

Wide::Lanes Wide::less(const Lanes& x, const Lanes& y, bool is_signed) {
  const Lanes same =
      b.op2(Opcode::kAnd, b.op2(Opcode::kIeq, high(x), high(y)), b.op2(Opcode::kUlt, low(x), low(y)));
  return b.op2(Opcode::kOr, b.op2(is_signed ? Opcode::kIlt : Opcode::kUlt, high(x), high(y)), same);
}

Wide::Lanes Wide::is_negative(const Lanes& x) { return b.op2(Opcode::kIlt, high(x), zeros(x.size() / 2)); }

Wide::Lanes Wide::select(const Lanes& condition, const Lanes& yes, const Lanes& no) {
  return b.op3(Opcode::kSel, join(condition, condition), yes, no);
}

namespace {

bool known(const Wide::Lanes& x) {
  return std::all_of(x.begin(), x.end(), [](const Ref& ref) { return ref.is_literal(); });
}

// Constants, as operations on specialization constants have them.
Wide::Division divided(const Wide::Lanes& x, const Wide::Lanes& y) {
  const auto number = [](const Wide::Lanes& of, size_t i) {
    return uint64_t{of[i + 1].index} << 32 | of[i].index;
  };
  const auto append = [](Wide::Lanes& to, uint64_t value) {
    to.push_back(literal(static_cast<uint32_t>(value)));
    to.push_back(literal(static_cast<uint32_t>(value >> 32)));
  };
  Wide::Division result;
  for (size_t i = 0; i < x.size(); i += 2) {
    const uint64_t n = number(x, i), by = number(y, i);
    append(result.quotient, by ? n / by : ~uint64_t{0});
    append(result.rest, by ? n % by : n);
  }
  return result;
}

}  // namespace

// Numbers that fit in one word are divided by the machine.
Wide::Division Wide::divide(const Lanes& x, const Lanes& y) {
  const size_t count = x.size();
  if (known(x) && known(y)) return divided(x, y);
  const Lanes tall = any(b.op2(Opcode::kOr, high(x), high(y)));
  if (tall[0].is_literal() && tall[0].index == 0)
    return {zero_extended(b.scalar(Opcode::kUdiv, low(x), low(y))),
            zero_extended(b.scalar(Opcode::kUmod, low(x), low(y)))};
  const uint32_t slots = b.new_slots(static_cast<uint32_t>(2 * count));
  const auto keep = [&](const Division& d) {
    for (size_t i = 0; i < count; ++i) {
      b.write(slots + static_cast<uint32_t>(i), d.quotient[i]);
      b.write(slots + static_cast<uint32_t>(count + i), d.rest[i]);
    }
  };
  b.begin_if(tall[0]);
  keep(divide_in_loop(x, y));
  b.begin_else();
  keep({zero_extended(b.scalar(Opcode::kUdiv, low(x), low(y))),
        zero_extended(b.scalar(Opcode::kUmod, low(x), low(y)))});
  b.end_if();
  Division result;
  for (size_t i = 0; i < count; ++i) {
    result.quotient.push_back(b.read(slots + static_cast<uint32_t>(i)));
    result.rest.push_back(b.read(slots + static_cast<uint32_t>(count + i)));
  }
  return result;
}

// Computes one bit of the quotient per iteration: the dividend shifts out of one number as the quotient
// shifts in.
Wide::Division Wide::divide_in_loop(const Lanes& x, const Lanes& y) {
  const auto count = static_cast<uint32_t>(x.size());
  const Lanes one = Builder::splat(literal(1), count / 2);
  const uint32_t number = b.new_slots(count), rest = b.new_slots(count), turn = b.new_slots(1);
  const auto write = [&](uint32_t slot, const Lanes& lanes) {
    for (uint32_t i = 0; i < lanes.size(); ++i) b.write(slot + i, lanes[i]);
  };
  const auto read = [&](uint32_t slot) {
    Lanes lanes;
    for (uint32_t i = 0; i < count; ++i) lanes.push_back(b.read(slot + i));
    return lanes;
  };
  write(number, x);
  write(rest, zeros(count));
  b.write(turn, literal(0));
  b.begin_loop();
  const Lanes n = read(number), r = read(rest);
  const Lanes next_bit = shifted(Opcode::kShr, high(n), 31), lost_bit = shifted(Opcode::kAsr, high(r), 31);
  Lanes taken = shift_left(r, one);
  taken = join(b.op2(Opcode::kOr, low(taken), next_bit), high(taken));
  // A bit shifted out of the remainder is 2^64, more than any divisor.
  const Lanes fits = b.op2(Opcode::kOr, lost_bit, b.logical_not(less(taken, y, false)));
  write(rest, select(fits, sub(taken, y), taken));
  const Lanes moved = shift_left(n, one);
  write(number, join(b.op2(Opcode::kOr, low(moved), shifted(Opcode::kAnd, fits, 1)), high(moved)));
  const Lanes turns = b.op2(Opcode::kIadd, {b.read(turn)}, {literal(1)});
  b.write(turn, turns[0]);
  b.next();
  b.leave(Opcode::kBreak, b.op2(Opcode::kUge, {b.read(turn)}, {literal(64)})[0]);
  b.end_loop();
  return {read(number), read(rest)};
}

Wide::Division Wide::divide_signed(const Lanes& x, const Lanes& y) {
  const Division d = divide(absolute(x), absolute(y));
  const Lanes differ = b.op2(Opcode::kXor, is_negative(x), is_negative(y));
  return {select(differ, negate(d.quotient), d.quotient), select(is_negative(x), negate(d.rest), d.rest)};
}

// The machine rounds the 32 bits from the highest set bit on; the lowest of them is set if any lower bit is.
Wide::Lanes Wide::to_float(const Lanes& x, bool is_signed) {
  const Lanes magnitude = is_signed ? absolute(x) : x;
  const size_t n = x.size() / 2;
  const Lanes top = b.op1(Opcode::kUfls, high(magnitude));  // -1: the high word is zero
  const Lanes by = b.op2(Opcode::kIadd, Builder::splat(literal(31), n), b.ineg(top));
  const Lanes tall = b.op2(Opcode::kIne, high(magnitude), zeros(n));
  const Lanes moved = shift_left(magnitude, by);  // by 32 if the high word is zero
  const Lanes below = shifted(Opcode::kAnd, b.op2(Opcode::kIne, low(moved), zeros(n)), 1);
  const Lanes rounded = b.op1(Opcode::kU2f, b.op2(Opcode::kOr, high(moved), below));
  // 2^(top + 1); 1 if the high word is zero.
  const Lanes exponent = shifted(Opcode::kIadd, top, 128);
  const Lanes scale = shifted(Opcode::kShl, exponent, 23);
  Lanes value =
      b.op2(Opcode::kMul, rounded, b.op3(Opcode::kSel, tall, scale, Builder::splat(literal_float(1), n)));
  if (!is_signed) return value;
  return b.op3(Opcode::kSel, is_negative(x), Builder::negate(value), value);
}

Wide::Lanes Wide::of_float(const Lanes& x, bool is_signed) {
  const Lanes magnitude = is_signed ? Builder::absolute(x) : x;
  const auto factor = [&](float f) { return Builder::splat(literal_float(f), x.size()); };
  const Lanes top = b.op1(Opcode::kF2u, b.op2(Opcode::kMul, magnitude, factor(0x1p-32f)));
  // The remainder is exact: the high word has no more bits than the float.
  const Lanes taken = b.op2(Opcode::kMul, b.op1(Opcode::kU2f, top), factor(0x1p32f));
  const Lanes rest = b.op1(Opcode::kF2u, b.op2(Opcode::kAdd, magnitude, Builder::negate(taken)));
  const Lanes value = join(rest, top);
  if (!is_signed) return value;
  return select(b.op2(Opcode::kFlt, x, factor(0)), negate(value), value);
}

}  // namespace cutaway::compiler
