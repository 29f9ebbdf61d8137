#include <algorithm>
#include <spirv/unified1/spirv.hpp>

#include "base/error.h"
#include "compiler/translate.h"

namespace cutaway::compiler {
namespace {

bool in_registers(uint32_t storage) {
  return storage == spv::StorageClassFunction || storage == spv::StorageClassPrivate ||
         storage == spv::StorageClassOutput || storage == spv::StorageClassInput;
}

bool in_buffer(uint32_t storage) {
  return storage == spv::StorageClassUniform || storage == spv::StorageClassPushConstant ||
         storage == spv::StorageClassStorageBuffer;
}

bool in_descriptors(uint32_t storage) {
  return storage == spv::StorageClassUniform || storage == spv::StorageClassStorageBuffer ||
         storage == spv::StorageClassUniformConstant;
}

}  // namespace

void Translator::variables() {
  for (const Word& word : m_.variables) {
    const uint32_t storage = arg(word, 0);
    if (storage == spv::StorageClassInput) input_variable(word);
    variable(word, storage);
  }
}

void Translator::variable(const Word& word, uint32_t storage) {
  const Type& pointer = m_.type(word.type);
  const Type& type = m_.type(pointer.element);
  Pointer p;
  p.variable = word.result;
  p.storage = storage;
  p.type = pointer.element;
  if (in_scratch_.contains(word.result) || storage == spv::StorageClassWorkgroup) {
    place(word, type);
    if (storage != spv::StorageClassWorkgroup) p.storage = kScratchStorage;
    if (word.words.size() > 1) store_words(p, get(word.words[1]));
    define(word.result, word.type, {}).pointer = p;
    return;
  }
  if (in_registers(storage) && storage != spv::StorageClassInput) {
    if (type.components > (1u << 14)) unsupported(word, "has more than 16384 components");
    work(type.components);
    slots_[word.result] = b.new_slots(type.components);
    if (word.words.size() > 1) {
      const Lanes initial = get(word.words[1]);
      for (size_t i = 0; i < initial.size(); ++i)
        b.write(slots_[word.result] + static_cast<uint32_t>(i), initial[i]);
    }
  }
  define(word.result, word.type, {}).pointer = p;
}

void Translator::input_variable(const Word& word) {
  const Decorations& d = m_.decoration(word.result);
  const uint32_t type = m_.type(word.type).element;
  if (m_.type(type).components > 256)
    unsupported(word, "of storage class Input has more than 256 components");
  Lanes& lanes = inputs_[word.result];
  if (d.builtin) lanes = builtin_input(*d.builtin, type);
  else input_lanes(lanes, type, d, d.location.value_or(0), d.component.value_or(0));
}

Translator::Lanes Translator::builtin_input(uint32_t builtin, uint32_t type) {
  auto input = [](uint32_t reg, uint32_t lane) {
    return Ref{.kind = RefKind::kInput, .lane = static_cast<uint8_t>(lane), .index = reg};
  };
  if (builtin == spv::BuiltInViewIndex)  // a draw is of one view
    return {{.kind = RefKind::kUniform, .index = b.ir.uniform({.kind = isa::ConstantRange::Kind::kView})}};
  if (builtin == spv::BuiltInDeviceIndex) return {literal(0)};
  if (request_.stage == arch::Stage::kVertex) {
    switch (builtin) {
      case spv::BuiltInVertexIndex:
        return {input(arch::kInputVertexId, 0)};
      case spv::BuiltInInstanceIndex:
        return {input(arch::kInputVertexId, 1)};
      case spv::BuiltInBaseVertex:
        return {input(arch::kInputVertexId, 2)};
      case spv::BuiltInBaseInstance:
        return {input(arch::kInputVertexId, 3)};
      case spv::BuiltInDrawIndex:
        return {input(arch::kInputDraw, 0)};
      default:
        break;
    }
  } else if (request_.stage == arch::Stage::kCompute) {
    const auto three = [&](uint32_t reg) { return Lanes{input(reg, 0), input(reg, 1), input(reg, 2)}; };
    switch (builtin) {
      case spv::BuiltInLocalInvocationId:
        return three(arch::kInputLocalId);
      case spv::BuiltInWorkgroupId:
        return three(arch::kInputWorkgroupId);
      case spv::BuiltInNumWorkgroups:
        return three(arch::kInputWorkgroups);
      case spv::BuiltInGlobalInvocationId: {
        const Lanes size = {literal(m_.local_size[0]), literal(m_.local_size[1]), literal(m_.local_size[2])};
        return b.op2(Opcode::kIadd, b.op2(Opcode::kImul, three(arch::kInputWorkgroupId), size),
                     three(arch::kInputLocalId));
      }
      // A subgroup is one invocation.
      case spv::BuiltInLocalInvocationIndex:
      case spv::BuiltInSubgroupId:
        return {input(arch::kInputLocalId, 3)};
      case spv::BuiltInNumSubgroups:
        return {literal(m_.local_size[0] * m_.local_size[1] * m_.local_size[2])};
      case spv::BuiltInSubgroupSize:
        return {literal(1)};
      case spv::BuiltInSubgroupLocalInvocationId:
        return {literal(0)};
      default:
        break;
    }
  } else {
    switch (builtin) {
      case spv::BuiltInFragCoord: {
        Lanes lanes;
        for (uint32_t i = 0; i < 4; ++i) lanes.push_back(input(arch::kInputFragCoord, i));
        return lanes;
      }
      case spv::BuiltInFrontFacing:
        return {input(arch::kInputFragment, 0)};
      case spv::BuiltInSampleId:
        return {input(arch::kInputFragment, 1)};
      case spv::BuiltInSamplePosition:  // with sample shading FragCoord is the sample's
        interface.per_sample = true;
        return b.op1(Opcode::kFrc, {input(arch::kInputFragCoord, 0), input(arch::kInputFragCoord, 1)});
      case spv::BuiltInSampleMask: {
        Lanes lanes(m_.type(type).components, literal(0));
        lanes.at(0) = input(arch::kInputFragment, 2);
        return lanes;
      }
      case spv::BuiltInHelperInvocation:  // none of its samples are covered
        return b.op2(Opcode::kIeq, {input(arch::kInputFragment, 2)}, {literal(0)});
      case spv::BuiltInPrimitiveId:
        return {input(arch::kInputFragment, 3)};
      case spv::BuiltInClipDistance:
      case spv::BuiltInCullDistance: {
        const uint32_t first = builtin == spv::BuiltInClipDistance ? isa::kClipLocation : isa::kCullLocation;
        if (m_.type(type).components > 8) user_error("shader: more than 8 clip or cull distances");
        Lanes lanes;
        for (uint32_t i = 0; i < m_.type(type).components; ++i) {
          interface.inputs[first + i / 4].location = first + i / 4;
          lanes.push_back(input(first + i / 4, i % 4));
        }
        return lanes;
      }
      case spv::BuiltInPointCoord:
        return {input(arch::kInputPointCoord, 0), input(arch::kInputPointCoord, 1)};
      default:
        break;
    }
  }
  user_error("shader: built-in input {} is not supported", builtin_name(builtin));
}

// Appends the components of an input that starts at a location (Vulkan "Location and Component Assignment").
void Translator::input_lanes(Lanes& lanes, uint32_t type_id, const Decorations& d, uint32_t location,
                             uint32_t component) {
  const Type& type = m_.type(type_id);
  if (type.components == 0) return;
  const uint32_t limit =
      request_.stage == arch::Stage::kVertex ? arch::kVertexAttributes : arch::kInterpolants;
  switch (type.kind) {
    case TypeKind::kInt:
    case TypeKind::kFloat:
    case TypeKind::kVector: {
      if (location >= limit)
        user_error("shader: input location {} is beyond the {} there are", location, limit);
      isa::Varying& v = interface.inputs[location];
      v.location = location;
      v.mode = d.flat ? arch::Interpolation::kFlat
                      : (d.linear ? arch::Interpolation::kLinear : arch::Interpolation::kPerspective);
      v.at = d.sample ? arch::SampleLocation::kSample
                      : (d.centroid ? arch::SampleLocation::kCentroid : arch::SampleLocation::kCenter);
      for (uint32_t i = 0; i < type.components; ++i) {
        if (component + i > 3)
          user_error("shader: an input at location {} has too many components", location);
        lanes.push_back(
            {.kind = RefKind::kInput, .lane = static_cast<uint8_t>(component + i), .index = location});
      }
      return;
    }
    case TypeKind::kMatrix:
    case TypeKind::kArray: {
      const uint32_t step = type.kind == TypeKind::kMatrix ? 1 : locations(type.element);
      for (uint32_t i = 0; i < type.count; ++i)
        input_lanes(lanes, type.element, d, location + i * step, component);
      return;
    }
    case TypeKind::kStruct:
      for (uint32_t i = 0; i < type.members.size(); ++i) {
        const Decorations& member = m_.member(type_id, i);
        if (member.builtin) {
          const Lanes part = builtin_input(*member.builtin, type.members[i]);
          lanes.insert(lanes.end(), part.begin(), part.end());
          continue;
        }
        Decorations merged = member;
        merged.flat |= d.flat, merged.linear |= d.linear, merged.centroid |= d.centroid,
            merged.sample |= d.sample;
        const uint32_t at = member.location.value_or(location);
        input_lanes(lanes, type.members[i], merged, at, member.component.value_or(0));
        location = at + locations(type.members[i]);
      }
      return;
    default:
      user_error("shader: an input is of a type that is not supported");
  }
}

void Translator::access_chain(const Word& word) {
  const Value& base = value(arg(word, 0));
  if (!base.pointer) unsupported(word, "needs a pointer");
  Pointer p = *base.pointer;
  for (size_t i = 1; i < word.words.size(); ++i) step(p, word.words[i]);
  define(word.result, word.type, {}).pointer = p;
}

void Translator::step(Pointer& p, uint32_t index_id) {
  const Type& type = m_.type(p.type);
  const std::optional<uint32_t> index = literal_of(index_id);
  const bool buffer = in_buffer(p.storage);
  // Arrays of descriptors.
  if (in_descriptors(p.storage) && !p.chose_element && type.kind == TypeKind::kArray) {
    if (!index) {
      if (type.count > kMaxChoices)
        user_error("shader: dynamic index into an array of {} descriptors; at most {} are supported",
                   type.count, kMaxChoices);
      p.choice = {index_id, type.count};
    }
    p.element = index.value_or(0);
    p.chose_element = true;
    p.type = type.element;
    return;
  }
  p.chose_element = true;
  if (type.kind == TypeKind::kStruct) {
    if (!index || *index >= type.members.size())
      user_error("shader: OpAccessChain needs a constant member index");
    if (buffer) {
      const Decorations& d = m_.member(p.type, *index);
      p.offset += d.offset.value_or(0);
      if (d.matrix_stride) p.matrix_stride = *d.matrix_stride;
      p.row_major = d.row_major;
    } else {
      p.offset += type.starts[*index];
    }
    p.type = type.members[*index];
    return;
  }
  if (type.element == 0 || type.kind == TypeKind::kPointer) user_error("shader: OpAccessChain into a scalar");
  uint32_t stride = m_.type(type.element).components;
  if (buffer) {
    if (type.kind == TypeKind::kVector) {
      stride = p.component_stride;
    } else if (type.kind == TypeKind::kMatrix) {
      stride = p.row_major ? 4 : p.matrix_stride;
      if (p.row_major) p.component_stride = p.matrix_stride;
    } else {
      stride = m_.decoration(p.type).array_stride.value_or(0);
    }
  }
  if (index) {
    uint32_t at = *index;
    if (type.count && at >= type.count) at = type.count - 1;  // undefined by the specification; stay inside
    p.offset += at * stride;
  } else {
    p.steps.push_back({index_id, stride, type.count});
    if (p.steps.size() > 8) user_error("shader: more than 8 dynamic indices in a row");
  }
  p.type = type.element;
}

// One select per element that a dynamic index may name.
Translator::Lanes Translator::load_registers(const Pointer& p, size_t at, uint32_t offset) {
  const uint32_t count = m_.type(p.type).components;
  if (at == p.steps.size()) {
    Lanes lanes(count);
    work(count);
    if (p.storage == spv::StorageClassInput) {
      const Lanes& all = inputs_.at(p.variable);
      if (offset + count > all.size()) user_error("shader: OpLoad reads beyond an input");
      std::copy(all.begin() + offset, all.begin() + offset + count, lanes.begin());
    } else {
      const uint32_t first = slots_.at(p.variable) + offset;
      for (uint32_t i = 0; i < count; ++i) lanes[i] = b.read(first + i);
    }
    return lanes;
  }
  const Step& step = p.steps[at];
  if (step.count > kMaxDynamicElements)
    user_error(
        "shader: dynamic index into an array of {} elements outside of buffers; at most {} are supported",
        step.count, kMaxDynamicElements);
  const Lanes index = get(step.id);
  Lanes result = load_registers(p, at + 1, offset);
  for (uint32_t i = 1; i < step.count; ++i) {
    const Lanes other = load_registers(p, at + 1, offset + i * step.stride);
    result = select(b.op2(Opcode::kIeq, index, {literal(i)}), other, result);
  }
  return result;
}

void Translator::store_registers(const Pointer& p, size_t at, uint32_t offset, const Ref& condition,
                                 const Lanes& lanes) {
  if (at == p.steps.size()) {
    const uint32_t first = slots_.at(p.variable) + offset;
    work(static_cast<uint32_t>(lanes.size()));
    if (condition.is_literal()) {
      for (size_t i = 0; i < lanes.size(); ++i) b.write(first + static_cast<uint32_t>(i), lanes[i]);
      return;
    }
    Lanes old(lanes.size());
    for (size_t i = 0; i < lanes.size(); ++i) old[i] = b.read(first + static_cast<uint32_t>(i));
    const Lanes merged = b.op3(Opcode::kSel, Builder::splat(condition, lanes.size()), lanes, old);
    // An element that nobody has written yet stays free to hold anything.
    for (size_t i = 0; i < lanes.size(); ++i) b.write(first + static_cast<uint32_t>(i), merged[i]);
    return;
  }
  const Step& step = p.steps[at];
  if (step.count > kMaxDynamicElements)
    user_error(
        "shader: dynamic index into an array of {} elements outside of buffers; at most {} are supported",
        step.count, kMaxDynamicElements);
  const Lanes index = get(step.id);
  for (uint32_t i = 0; i < step.count; ++i) {
    const Lanes here = b.op2(Opcode::kAnd, {condition}, b.op2(Opcode::kIeq, index, {literal(i)}));
    store_registers(p, at + 1, offset + i * step.stride, here[0], lanes);
  }
}

Translator::Lanes Translator::load(const Pointer& p) {
  if (p.choice.id) {
    Lanes result;
    for_each_choice(p, [&](const Pointer& one, const Lanes& here) {
      const Lanes lanes = load(one);
      result = result.empty() ? lanes : select(here, lanes, result);
    });
    return result;
  }
  if (in_registers(p.storage)) return load_registers(p, 0, p.offset);
  if (in_buffer(p.storage)) return load_buffer(p, 0, p.offset);
  if (p.storage == kScratchStorage || p.storage == spv::StorageClassWorkgroup) return load_words(p);
  user_error("shader: OpLoad from storage class {} is not supported", storage_name(p.storage));
}

void Translator::store(const Pointer& p, const Lanes& lanes) {
  if (lanes.size() != m_.type(p.type).components)
    user_error("shader: OpStore of a value that does not fit its variable");
  if (p.storage == kScratchStorage || p.storage == spv::StorageClassWorkgroup ||
      p.storage == spv::StorageClassStorageBuffer || p.storage == spv::StorageClassUniform) {
    store_words(p, lanes);
    return;
  }
  if (!in_registers(p.storage) || p.storage == spv::StorageClassInput)
    user_error("shader: OpStore to storage class {} is not supported", storage_name(p.storage));
  store_registers(p, 0, p.offset, literal(~0u), lanes);
}

}  // namespace cutaway::compiler
