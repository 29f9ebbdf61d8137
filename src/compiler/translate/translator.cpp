#include "compiler/translate.h"

#include <algorithm>
#include <spirv/unified1/spirv.hpp>

#include "base/error.h"

namespace cutaway::compiler {

void Translator::run() {
  find_scratch();
  variables();
  alive_ = b.new_slots(1);
  b.write(alive_, literal(~0u));
  call(m_.entry, {});
  if (b.reachable()) write_outputs();
  b.remove_trivial_phis();
}

void Translator::unsupported(const Word& word, const char* why) const {
  if (why) user_error("shader: {} {}", op_name(word.op), why);
  user_error("shader: {} is not supported", op_name(word.op));
}

uint32_t Translator::arg(const Word& word, size_t index) const {
  if (index >= word.words.size()) user_error("shader: {} lacks an operand", op_name(word.op));
  return word.words[index];
}

Translator::Value& Translator::define(uint32_t id, uint32_t type, Lanes lanes) {
  Value& v = values_[id];
  v = Value{std::move(lanes), type, b.block(), kNone, {}, {}};
  return v;
}

const Translator::Value& Translator::value(uint32_t id) const {
  const auto found = values_.find(id);
  if (found == values_.end()) user_error("shader: %{} is used before it is defined", id);
  return found->second;
}

Translator::Lanes Translator::get(uint32_t id) {
  const auto found = values_.find(id);
  if (found == values_.end()) {
    if (m_.constants.contains(id)) return constant(id);
    user_error("shader: %{} is used before it is defined", id);
  }
  Value& v = found->second;
  if (v.pointer || v.handle)
    user_error("shader: %{} is used as a plain value but is a pointer or a handle", id);
  if (v.block == b.block() || dominates(b.ir, v.block, b.block())) return v.lanes;
  // Control flow was rearranged around it: the value is found like a variable's.
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

std::optional<uint32_t> Translator::literal_of(uint32_t id) {
  const Lanes lanes = get(id);
  if (lanes.size() != 1 || !lanes[0].is_literal()) return std::nullopt;
  return lanes[0].index;
}

// First component and type of a member of a composite, by literal indices.
std::pair<uint32_t, uint32_t> Translator::member(uint32_t type_id, const std::span<const uint32_t>& path) {
  uint32_t start = 0;
  for (uint32_t index : path) {
    const Type& type = m_.type(type_id);
    if (type.kind == TypeKind::kStruct) {
      if (index >= type.members.size()) user_error("shader: a composite has no member {}", index);
      start += type.starts[index];
      type_id = type.members[index];
    } else {
      if (type.element == 0 || index >= type.count)
        user_error("shader: a composite has no element {}", index);
      start += index * m_.type(type.element).components;
      type_id = type.element;
    }
  }
  return {start, type_id};
}

Translator::Lanes Translator::composite(const Word& word) {
  switch (word.op) {
    case spv::OpCompositeConstruct: {
      Lanes all;
      for (uint32_t part : word.words) {
        const Lanes lanes = get(part);
        all.insert(all.end(), lanes.begin(), lanes.end());
      }
      return all;
    }
    case spv::OpCompositeExtract: {
      const Lanes from = get(arg(word, 0));
      const auto found = values_.find(word.words[0]);
      const uint32_t type = found != values_.end() ? found->second.type : m_.constants.at(word.words[0]).type;
      const auto [start, part] = member(type, word.words.subspan(1));
      const uint32_t count = m_.type(part).components;
      if (start + count > from.size()) unsupported(word, "reads beyond its composite");
      return Lanes(from.begin() + start, from.begin() + start + count);
    }
    case spv::OpCompositeInsert: {
      const Lanes object = get(arg(word, 0));
      Lanes into = get(arg(word, 1));
      const auto [start, part] = member(word.type, word.words.subspan(2));
      if (start + object.size() > into.size()) unsupported(word, "writes beyond its composite");
      std::copy(object.begin(), object.end(), into.begin() + start);
      return into;
    }
    default: {  // OpVectorShuffle
      const Lanes first = get(arg(word, 0)), second = get(arg(word, 1));
      Lanes both = first, result;
      both.insert(both.end(), second.begin(), second.end());
      for (uint32_t index : word.words.subspan(2))
        result.push_back(index < both.size() ? both[index] : Ref{});
      return result;
    }
  }
}

Translator::Lanes Translator::vector_dynamic(const Word& word) {
  const bool insert = word.op == spv::OpVectorInsertDynamic;
  Lanes vector = get(arg(word, 0));
  const Lanes index = get(arg(word, insert ? 2 : 1));
  const Lanes object = insert ? get(arg(word, 1)) : Lanes{};
  Lanes extracted = {vector.at(0)};
  for (uint32_t i = insert ? 0 : 1; i < vector.size(); ++i) {
    const Lanes here = b.op2(Opcode::kIeq, index, {literal(i)});
    if (insert) vector[i] = select(here, object, {vector[i]})[0];
    else extracted = select(here, {vector[i]}, extracted);
  }
  return insert ? vector : extracted;
}

void Translator::instruction(const Word& word) {
  work();
  b.line = word.number;
  Lanes result;
  switch (word.op) {
    case spv::OpLine:
    case spv::OpNoLine:
    case spv::OpName:
    case spv::OpPhi:
      return;
    case spv::OpUndef:
      if (m_.type(word.type).components > (1u << 16)) unsupported(word, "is too large");
      define(word.result, word.type, Lanes(m_.type(word.type).components));
      return;
    case spv::OpVariable:
      variable(word, arg(word, 0));
      return;
    case spv::OpAccessChain:
    case spv::OpInBoundsAccessChain:
      access_chain(word);
      return;
    case spv::OpLoad: {
      const Pointer pointer = value(arg(word, 0)).pointer.value_or(Pointer{});
      const TypeKind kind = m_.type(word.type).kind;
      if (kind == TypeKind::kImage || kind == TypeKind::kSampler || kind == TypeKind::kSampledImage) break;
      define(word.result, word.type, load(pointer));
      return;
    }
    case spv::OpStore: {
      const Value& to = value(arg(word, 0));
      if (!to.pointer) unsupported(word, "needs a pointer");
      store(Pointer(*to.pointer), get(arg(word, 1)));
      return;
    }
    case spv::OpCopyMemory: {
      const Value &to = value(arg(word, 0)), &from = value(arg(word, 1));
      if (!to.pointer || !from.pointer) unsupported(word, "needs pointers");
      store(Pointer(*to.pointer), load(Pointer(*from.pointer)));
      return;
    }
    case spv::OpCopyObject: {
      const auto found = values_.find(arg(word, 0));
      if (found != values_.end() && (found->second.pointer || found->second.handle)) {
        Value copy = found->second;
        values_[word.result] = copy;
        return;
      }
      define(word.result, word.type, get(arg(word, 0)));
      return;
    }
    case spv::OpCopyLogical:
      define(word.result, word.type, get(arg(word, 0)));
      return;
    case spv::OpCompositeConstruct:
    case spv::OpCompositeExtract:
    case spv::OpCompositeInsert:
    case spv::OpVectorShuffle:
      result = composite(word);
      break;
    case spv::OpVectorExtractDynamic:
    case spv::OpVectorInsertDynamic:
      result = vector_dynamic(word);
      break;
    case spv::OpExtInst: {
      const auto set = m_.extensions.find(arg(word, 0));
      if (set == m_.extensions.end()) unsupported(word, "names no instruction set");
      if (set->second.starts_with("NonSemantic.")) return;
      if (set->second != "GLSL.std.450")
        user_error("shader: instruction set {} is not supported", set->second);
      result = glsl(word);
      break;
    }
    case spv::OpFunctionCall: {
      std::vector<Value> arguments;
      for (uint32_t id : word.words.subspan(1)) {
        const auto found = values_.find(id);
        if (found != values_.end() && (found->second.pointer || found->second.handle))
          arguments.push_back(found->second);
        else arguments.push_back({get(id), 0, b.block(), kNone, {}, {}});
      }
      const uint32_t callee = arg(word, 0);
      result = call(callee, arguments);
      break;
    }
    case spv::OpDemoteToHelperInvocation:
      b.kill(literal(~0u));
      return;
    default:
      break;
  }
  if (result.empty() && !alu(word, result)) {
    if (image(word) || storage(word)) return;
    if (word.op == spv::OpFunctionCall) return;
    unsupported(word);
  }
  if (!b.reachable()) return;
  if (result.size() != m_.type(word.type).components)
    unsupported(word, "has operands that do not fit its type");
  define(word.result, word.type, std::move(result));
}

}  // namespace cutaway::compiler
