#include "compiler/builder.h"

#include <algorithm>

#include "compiler/refusal.h"
#include "isa/operands.h"

namespace cutaway::compiler {
namespace {

constexpr uint32_t kOne = 0x3f800000;

bool is(const Ref& ref, uint32_t bits) { return ref.is_literal() && plain(ref) && ref.index == bits; }

// Applies modifiers of literals to their bits.
Ref settled(Ref ref) {
  if (!ref.is_literal()) return ref;
  if (ref.absolute) ref.index &= 0x7fffffff;
  if (ref.negate) ref.index ^= 0x80000000;
  ref.negate = ref.absolute = false;
  return ref;
}

Ref negated(Ref ref) {
  ref.negate = !ref.negate;
  return settled(ref);
}

}  // namespace

Builder::Builder() { new_block({}); }

uint32_t Builder::append(Inst inst) {
  if (ir.insts.size() >= kMaxInsts) unsupported("it is too large: more than {} instructions", kMaxInsts);
  CUTAWAY_CHECK(reachable());
  const auto id = static_cast<uint32_t>(ir.insts.size());
  inst.block = block_;
  inst.line = line;
  ir.insts.push_back(std::move(inst));
  std::vector<uint32_t>& order = ir.blocks[block_].insts;
  const bool ended = !order.empty() && is_block_end(ir.insts[order.back()].op);  // in_entry()
  order.insert(order.end() - ended, id);
  return id;
}

// Identities that save an instruction. Those of floats ignore the sign of zero, unless floats are exact.
bool Builder::fold(Opcode op, const std::array<Ref, 3>& s, Ref& result) const {
  using enum Opcode;
  const uint32_t sources = isa::info(op).sources;
  bool literals = true;
  std::array<uint32_t, 3> values{};
  for (uint32_t i = 0; i < sources; ++i) {
    if (s[i].is_undef() && op != kSel) literals = false;
    literals = literals && s[i].is_literal();
    values[i] = settled(s[i]).index;
  }
  uint32_t value = 0;
  if (literals && fold_literals(op, values, value)) {
    result = literal(value);
    return true;
  }
  auto take = [&](const Ref& ref) {
    result = ref;
    return true;
  };
  switch (op) {
    case kMul:
      if (exact_floats) break;
      if (is(s[1], kOne)) return take(s[0]);
      if (is(s[0], kOne)) return take(s[1]);
      if (is(s[1], kOne | 0x80000000)) return take(negated(s[0]));
      if (is(s[0], kOne | 0x80000000)) return take(negated(s[1]));
      break;
    case kAdd:
      if (exact_floats) break;
      if (is(s[1], 0) || is(s[1], 0x80000000)) return take(s[0]);
      if (is(s[0], 0) || is(s[0], 0x80000000)) return take(s[1]);
      break;
    case kIadd:
    case kOr:
    case kXor:
      if (is(s[1], 0) && plain(s[0])) return take(s[0]);
      if (is(s[0], 0) && plain(s[1])) return take(s[1]);
      if (op == kOr && s[0] == s[1] && plain(s[0])) return take(s[0]);
      if (op == kOr && (is(s[0], ~0u) || is(s[1], ~0u))) return take(literal(~0u));
      break;
    case kShl:
    case kShr:
    case kAsr:
      if (is(s[1], 0) && plain(s[0])) return take(s[0]);
      break;
    case kAnd:
      if (is(s[0], 0) || is(s[1], 0)) return take(literal(0));
      if (is(s[0], ~0u) && plain(s[1])) return take(s[1]);
      if (is(s[1], ~0u) && plain(s[0])) return take(s[0]);
      if (s[0] == s[1] && plain(s[0])) return take(s[0]);
      break;
    case kImul:
      if (is(s[0], 0) || is(s[1], 0)) return take(literal(0));
      if (is(s[0], 1) && plain(s[1])) return take(s[1]);
      if (is(s[1], 1) && plain(s[0])) return take(s[0]);
      break;
    case kSel:
      if (s[0].is_literal()) return take(s[0].index ? s[1] : s[2]);
      if (s[1] == s[2] || s[2].is_undef()) return take(s[1]);
      if (s[1].is_undef()) return take(s[2]);
      if (is(s[1], ~0u) && is(s[2], 0) && plain(s[0])) return take(s[0]);
      break;
    default:
      break;
  }
  return false;
}

Builder::Lanes Builder::op(Opcode op, const std::vector<Lanes>& sources) {
  CUTAWAY_CHECK(sources.size() == isa::info(op).sources);
  const size_t count = sources[0].size();
  std::vector<Lanes> in = sources;
  for (uint32_t s = 0; s < in.size(); ++s) {
    CUTAWAY_CHECK(in[s].size() == count);
    if (!float_source(op, s)) in[s] = bits(in[s]);
  }
  Lanes result(count);
  // Lanes that fold or repeat need no instruction.
  std::vector<size_t> needed, same_as(count);
  for (size_t i = 0; i < count; ++i) {
    std::array<Ref, 3> lane{};
    for (size_t s = 0; s < in.size(); ++s) lane[s] = in[s][i];
    same_as[i] = i;
    if (fold(op, lane, result[i])) continue;
    for (size_t j : needed) {
      bool same = true;
      for (const Lanes& source : in) same = same && source[i] == source[j];
      if (same) same_as[i] = j;
    }
    if (same_as[i] == i) needed.push_back(i);
  }
  for (size_t start = 0; start < needed.size(); start += 4) {
    Inst inst{.op = op, .sources = static_cast<uint8_t>(in.size())};
    inst.width = static_cast<uint8_t>(std::min<size_t>(4, needed.size() - start));
    for (size_t s = 0; s < in.size(); ++s) {
      inst.src[s].width = inst.width;
      for (uint32_t i = 0; i < inst.width; ++i) inst.src[s].ref[i] = settled(in[s][needed[start + i]]);
    }
    const uint32_t width = inst.width, id = append(std::move(inst));
    for (uint32_t i = 0; i < width; ++i) result[needed[start + i]] = ref(id, i);
  }
  for (size_t i = 0; i < count; ++i)
    if (same_as[i] != i) result[i] = result[same_as[i]];
  return result;
}

Builder::Lanes Builder::scalar(Opcode op, const Lanes& a) { return scalar(op, a, {}); }

Builder::Lanes Builder::scalar(Opcode op, const Lanes& a, const Lanes& b) {
  Lanes result(a.size());
  const Lanes x = float_source(op, 0) ? a : bits(a);
  const Lanes y = float_source(op, 1) ? b : bits(b);
  for (size_t i = 0; i < a.size(); ++i) {
    const std::array<Ref, 3> lane{x[i], y.empty() ? Ref{} : y[i], {}};
    size_t same = i;
    for (size_t j = 0; j < i; ++j)
      if (x[j] == x[i] && (y.empty() || y[j] == y[i])) same = j;
    if (same != i) {
      result[i] = result[same];
      continue;
    }
    if (fold(op, lane, result[i])) continue;
    Inst inst{.op = op, .width = 1, .sources = isa::info(op).sources};
    for (uint32_t s = 0; s < inst.sources; ++s) {
      inst.src[s].width = 1;
      inst.src[s].ref[0] = settled(lane[s]);
    }
    result[i] = ref(append(std::move(inst)), 0);
  }
  return result;
}

Ref Builder::dot(const Lanes& a, const Lanes& b) {
  if (a.size() == 1) return op2(Opcode::kMul, a, b)[0];
  constexpr Opcode kDot[] = {Opcode::kDp2, Opcode::kDp3, Opcode::kDp4};
  Inst inst{.op = kDot[a.size() - 2], .width = 1, .sources = 2};
  for (uint32_t s = 0; s < 2; ++s) {
    inst.src[s].width = static_cast<uint8_t>(a.size());
    for (size_t i = 0; i < a.size(); ++i) inst.src[s].ref[i] = settled(s ? b[i] : a[i]);
  }
  return ref(append(std::move(inst)), 0);
}

Builder::Lanes Builder::negate(const Lanes& a) {
  Lanes result = a;
  for (Ref& ref : result) ref = negated(ref);
  return result;
}

Builder::Lanes Builder::absolute(const Lanes& a) {
  Lanes result = a;
  for (Ref& ref : result) {
    ref.absolute = true;
    ref.negate = false;
    ref = settled(ref);
  }
  return result;
}

Builder::Lanes Builder::bits(const Lanes& a) {
  if (std::all_of(a.begin(), a.end(), plain)) return a;
  Lanes result = a, changed;
  for (const Ref& r : a)
    if (!plain(r)) changed.push_back(r);
  changed = op1(Opcode::kMov, changed);
  size_t n = 0;
  for (Ref& r : result)
    if (!plain(r)) r = changed[n++];
  return result;
}

Builder::Lanes Builder::ineg(const Lanes& a) {
  const Lanes source = bits(a);
  Lanes result(a.size());
  Lanes dynamic;
  for (const Ref& r : source)
    if (!r.is_literal()) dynamic.push_back(r);
  if (!dynamic.empty()) {
    const size_t before = ir.insts.size();
    // 0 + -x, with the negation as the operand's modifier; the addition of zero must not be folded away.
    Lanes sum;
    for (size_t start = 0; start < dynamic.size(); start += 4) {
      Inst inst{.op = Opcode::kIadd, .sources = 2};
      inst.width = static_cast<uint8_t>(std::min<size_t>(4, dynamic.size() - start));
      inst.src[0].invert = true;
      for (uint32_t s = 0; s < 2; ++s) inst.src[s].width = inst.width;
      for (uint32_t i = 0; i < inst.width; ++i) {
        inst.src[0].ref[i] = dynamic[start + i];
        inst.src[1].ref[i] = literal(0);
      }
      const uint32_t width = inst.width, id = append(std::move(inst));
      for (uint32_t i = 0; i < width; ++i) sum.push_back(ref(id, i));
    }
    (void)before;
    dynamic = sum;
  }
  size_t n = 0;
  for (size_t i = 0; i < a.size(); ++i)
    result[i] = source[i].is_literal() ? literal(0u - source[i].index) : dynamic[n++];
  return result;
}

Builder::Lanes Builder::logical_not(const Lanes& a) { return op1(Opcode::kNot, a); }

Builder::Lanes Builder::saturate(const Lanes& a) {
  Lanes result(a.size());
  for (size_t start = 0; start < a.size(); start += 4) {
    Inst inst{.op = Opcode::kMov, .saturate = true, .sources = 1};
    inst.width = inst.src[0].width = static_cast<uint8_t>(std::min<size_t>(4, a.size() - start));
    for (uint32_t i = 0; i < inst.width; ++i) inst.src[0].ref[i] = a[start + i];
    const uint32_t width = inst.width, id = append(std::move(inst));
    for (uint32_t i = 0; i < width; ++i) result[start + i] = ref(id, i);
  }
  return result;
}

}  // namespace cutaway::compiler
