#include "compiler/translate/values.h"

#include <spirv/unified1/spirv.hpp>

#include "compiler/refusal.h"

namespace cutaway::compiler {
namespace {

constexpr uint32_t kMaxWork = 1 << 22;

}  // namespace

void Work::operator()(uint32_t amount) {
  done_ += amount;
  if (done_ > kMaxWork) unsupported("it is too large once its functions and loops are laid out");
}

Value& Values::define(uint32_t id, uint32_t type, Lanes lanes) {
  Value& v = state_.values[id];
  v = Value{std::move(lanes), type, b.block(), kNone, {}, {}};
  return v;
}

const Value* Values::find(uint32_t id) const {
  const auto found = state_.values.find(id);
  return found == state_.values.end() ? nullptr : &found->second;
}

const Value& Values::at(uint32_t id) const {
  const Value* found = find(id);
  if (!found) invalid("%{} is used before it is defined", id);
  return *found;
}

uint32_t Values::type_of(uint32_t id) const {
  if (const auto constant = m_.constants.find(id); constant != m_.constants.end())
    return constant->second.type;
  return at(id).type;
}

Lanes Values::get(uint32_t id) {
  const auto found = state_.values.find(id);
  if (found == state_.values.end()) {
    if (m_.constants.contains(id)) return constant(id);
    invalid("%{} is used before it is defined", id);
  }
  Value& v = found->second;
  if (!v.plain()) invalid("%{} is used as a plain value but is a pointer or a handle", id);
  if (v.block == b.block() || dominates(b.ir, v.block, b.block())) return v.lanes;
  // Control flow was rearranged around it: the value is read like a variable.
  Lanes lanes = v.lanes;
  for (size_t i = 0; i < lanes.size(); ++i) {
    if (!lanes[i].is_value()) continue;
    if (v.slot == kNone) {
      v.slot = b.new_slots(static_cast<uint32_t>(lanes.size()));
      for (size_t k = 0; k < lanes.size(); ++k)
        b.write_in(v.slot + static_cast<uint32_t>(k), v.block, v.lanes[k]);
    }
    lanes[i] = b.read(v.slot + static_cast<uint32_t>(i));
  }
  return lanes;
}

std::optional<uint32_t> Values::literal_of(uint32_t id) {
  const Lanes lanes = get(id);
  const auto type = m_.types.find(type_of(id));
  const bool wide = type != m_.types.end() && type->second.kind == TypeKind::kInt && type->second.bits == 64;
  if (lanes.size() != (wide ? 2 : 1) || !lanes[0].is_literal() || !lanes.back().is_literal())
    return std::nullopt;
  return lanes[0].index;
}

Lanes Values::constant(uint32_t id) {
  const auto found = m_.constants.find(id);
  CUTAWAY_CHECK(found != m_.constants.end(), "%{} is no constant", id);
  const Word& word = found->second;
  const Type& type = m_.type(word.type);
  if (type.components > (1u << 16)) unsupported("a constant has more than {} components", 1u << 16);
  work_(type.components);
  switch (word.op) {
    case spv::OpConstantTrue:
    case spv::OpSpecConstantTrue:
      return {literal(~0u)};
    case spv::OpConstantFalse:
    case spv::OpSpecConstantFalse:
      return {literal(0)};
    case spv::OpConstant:
    case spv::OpSpecConstant:
      if (type.components == 2) return {literal(arg(word, 0)), literal(arg(word, 1))};
      if (type.bits == 32) return {literal(arg(word, 0))};
      if (type.kind == TypeKind::kFloat) return {literal(float_of_half(arg(word, 0)))};
      return {literal(arg(word, 0) & ((1u << type.bits) - 1))};
    case spv::OpConstantNull:
      return Lanes(type.components, literal(0));
    case spv::OpUndef:
      return Lanes(type.components);
    case spv::OpConstantComposite:
    case spv::OpSpecConstantComposite: {
      Lanes all;
      for (uint32_t part : word.words) {
        const Lanes lanes = get(part);
        all.insert(all.end(), lanes.begin(), lanes.end());
      }
      all.resize(type.components);
      return all;
    }
    case spv::OpSpecConstantOp: {
      const auto evaluated = m_.evaluated.find(id);
      CUTAWAY_CHECK(evaluated != m_.evaluated.end(), "%{} was not evaluated", id);
      Lanes all;
      for (uint32_t bits : evaluated->second) all.push_back(literal(bits));
      return all;
    }
    default:
      unsupported(word);
  }
}

uint32_t Values::slot_of(uint32_t variable) const {
  const auto found = state_.slots.find(variable);
  CUTAWAY_CHECK(found != state_.slots.end(), "variable %{} lies in no registers", variable);
  return found->second;
}

uint32_t Values::place_of(uint32_t variable) const {
  const auto found = state_.places.find(variable);
  CUTAWAY_CHECK(found != state_.places.end(), "variable %{} lies in no memory", variable);
  return found->second;
}

}  // namespace cutaway::compiler
