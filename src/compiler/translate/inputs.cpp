#include "compiler/translate/inputs.h"

#include <bit>
#include <spirv/unified1/spirv.hpp>

namespace cutaway::compiler {
namespace {

// A component of an input register.
Ref input(uint32_t reg, uint32_t lane) {
  return {.kind = RefKind::kInput, .lane = static_cast<uint8_t>(lane), .index = reg};
}

}  // namespace

uint32_t locations(const Module& module, uint32_t type_id) {
  const Type& type = module.type(type_id);
  if (type.kind == TypeKind::kMatrix) return type.count * locations(module, type.element);
  if (type.kind == TypeKind::kVector) return (type.components + 3) / 4;
  if (type.kind == TypeKind::kArray) return type.count * locations(module, type.element);
  if (type.kind != TypeKind::kStruct) return 1;
  uint32_t sum = 0;
  for (const uint32_t member : type.members) sum += locations(module, member);
  return sum;
}

const Lanes& Inputs::lanes(uint32_t variable) const {
  const auto found = lanes_.find(variable);
  CUTAWAY_CHECK(found != lanes_.end(), "%{} is no input", variable);
  return found->second;
}

const isa::Varying& Inputs::varying(uint32_t reg) const {
  const auto found = interface.inputs.find(reg);
  CUTAWAY_CHECK(found != interface.inputs.end(), "input register {} is no varying", reg);
  return found->second;
}

void Inputs::declare(const Word& word) {
  const Decorations& d = m_.decoration(word.result);
  uint32_t type = m_.type(word.type).element;
  const bool whole = request_.stage == arch::Stage::kGeometry || request_.stage == arch::Stage::kTessControl;
  if (whole && m_.type(type).kind == TypeKind::kArray) {
    arrayed_.insert(word.result);
    type = m_.type(type).element;
  }
  if (m_.type(type).components > 256)
    unsupported(word, "of storage class Input has more than 256 components");
  Lanes& lanes = lanes_[word.result];
  if (d.builtin) lanes = builtin(*d.builtin, type);
  else append(lanes, type, d, d.location.value_or(0), d.component.value_or(0));
}

Lanes Inputs::builtin(uint32_t builtin, uint32_t type) {
  if (builtin == spv::BuiltInViewIndex)  // a draw has a single view
    return {{.kind = RefKind::kUniform, .index = b.ir.uniform({.kind = isa::ConstantRange::Kind::kView})}};
  if (builtin == spv::BuiltInDeviceIndex) return {literal(0)};
  if (const Lanes lanes = subgroup_builtin(builtin); !lanes.empty()) return lanes;
  if (request_.stage == arch::Stage::kVertex) return vertex_builtin(builtin);
  if (request_.stage == arch::Stage::kGeometry || request_.stage == arch::Stage::kTessControl ||
      request_.stage == arch::Stage::kTessEvaluation)
    return geometry_builtin(builtin, type);
  if (request_.stage == arch::Stage::kCompute) return compute_builtin(builtin);
  return fragment_builtin(builtin, type);
}

// In a fragment program the position in the quad. Without quads only the first invocation of a subgroup runs.
Ref Inputs::subgroup_lane() {
  if (!has_quads()) return literal(0);
  if (request_.stage == arch::Stage::kCompute)
    return b.op2(Opcode::kAnd, {input(arch::kInputLocalId, 3)}, {literal(kSubgroupSize - 1)})[0];
  const Lanes pixel = b.op1(Opcode::kF2i, {input(arch::kInputFragCoord, 0), input(arch::kInputFragCoord, 1)});
  const Lanes odd = b.op2(Opcode::kAnd, pixel, {literal(1), literal(1)});
  return b.op2(Opcode::kOr, {odd[0]}, b.op2(Opcode::kShl, {odd[1]}, {literal(1)}))[0];
}

// Built-ins that all stages have. Empty: it is another one.
Lanes Inputs::subgroup_builtin(uint32_t builtin) {
  const auto below = [&](uint32_t bit) {  // bits below the own one, including it if `bit` is 2
    return b.op2(Opcode::kIadd, b.op2(Opcode::kShl, {literal(bit)}, {subgroup_lane()}), {literal(~0u)});
  };
  const auto mask = [&](const Lanes& word) { return Lanes{word[0], literal(0), literal(0), literal(0)}; };
  const auto not_of = [&](const Lanes& word) { return b.op2(Opcode::kXor, word, {literal(kSubgroupMask)}); };
  switch (builtin) {
    case spv::BuiltInSubgroupSize:
      return {literal(kSubgroupSize)};
    case spv::BuiltInSubgroupLocalInvocationId:
      return {subgroup_lane()};
    case spv::BuiltInSubgroupEqMask:
      return mask(b.op2(Opcode::kShl, {literal(1)}, {subgroup_lane()}));
    case spv::BuiltInSubgroupGeMask:
      return mask(not_of(below(1)));
    case spv::BuiltInSubgroupGtMask:
      return mask(not_of(below(2)));
    case spv::BuiltInSubgroupLeMask:
      return mask(below(2));
    case spv::BuiltInSubgroupLtMask:
      return mask(below(1));
    default:
      return {};
  }
}

Lanes Inputs::vertex_builtin(uint32_t builtin) {
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
      unsupported("built-in input {} is not supported", builtin_name(builtin));
  }
}

// A vertex register that is not a varying.
Lanes Inputs::special(uint32_t location, uint32_t components) {
  interface.inputs[location] = {.location = location, .mode = arch::Interpolation::kFlat};
  Lanes lanes;
  for (uint32_t i = 0; i < components; ++i) lanes.push_back(input(location, i));
  return lanes;
}

Lanes Inputs::distances(uint32_t first, uint32_t type) {
  if (m_.type(type).components > 8) unsupported("more than 8 clip or cull distances");
  Lanes lanes;
  for (uint32_t i = 0; i < m_.type(type).components; ++i) {
    interface.inputs[first + i / 4].location = first + i / 4;
    lanes.push_back(input(first + i / 4, i % 4));
  }
  return lanes;
}

Lanes Inputs::geometry_builtin(uint32_t builtin, uint32_t type) {
  switch (builtin) {
    case spv::BuiltInPrimitiveId:
      return {input(arch::kInputPrimitive, 0)};
    case spv::BuiltInInvocationId:
      return {input(arch::kInputPrimitive, 1)};
    case spv::BuiltInPatchVertices:
      return {input(arch::kInputPrimitive, 2)};
    case spv::BuiltInTessCoord:
      return {input(arch::kInputTessCoord, 0), input(arch::kInputTessCoord, 1),
              input(arch::kInputTessCoord, 2)};
    case spv::BuiltInPosition:
      return special(isa::kPositionLocation, 4);
    case spv::BuiltInPointSize:
      return special(isa::kPointSizeLocation, 1);
    case spv::BuiltInClipDistance:
      return distances(isa::kClipLocation, type);
    case spv::BuiltInCullDistance:
      return distances(isa::kCullLocation, type);
    default:
      unsupported("built-in input {} is not supported", builtin_name(builtin));
  }
}

Lanes Inputs::compute_builtin(uint32_t builtin) {
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
    case spv::BuiltInLocalInvocationIndex:
      return {input(arch::kInputLocalId, 3)};
    // Invocations are grouped in numerical order.
    case spv::BuiltInSubgroupId:
      return b.op2(Opcode::kShr, {input(arch::kInputLocalId, 3)},
                   {literal(static_cast<uint32_t>(std::countr_zero(kSubgroupSize)))});
    case spv::BuiltInNumSubgroups: {
      const uint32_t count = m_.local_size[0] * m_.local_size[1] * m_.local_size[2];
      return {literal((count + kSubgroupSize - 1) / kSubgroupSize)};
    }
    default:
      unsupported("built-in input {} is not supported", builtin_name(builtin));
  }
}

Lanes Inputs::fragment_builtin(uint32_t builtin, uint32_t type) {
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
      if (lanes.empty()) invalid("built-in input SampleMask has no element");
      lanes[0] = input(arch::kInputFragment, 2);
      return lanes;
    }
    case spv::BuiltInHelperInvocation:  // none of its samples are covered
      return b.op2(Opcode::kIeq, {input(arch::kInputFragment, 2)}, {literal(0)});
    case spv::BuiltInPrimitiveId:
      return {input(arch::kInputFragment, 3)};
    case spv::BuiltInClipDistance:
      return distances(isa::kClipLocation, type);
    case spv::BuiltInCullDistance:
      return distances(isa::kCullLocation, type);
    case spv::BuiltInLayer:
      return special(isa::kLayerLocation, 1);
    case spv::BuiltInViewportIndex:
      return special(isa::kViewportLocation, 1);
    case spv::BuiltInPointCoord:
      return {input(arch::kInputPointCoord, 0), input(arch::kInputPointCoord, 1)};
    default:
      unsupported("built-in input {} is not supported", builtin_name(builtin));
  }
}

// Appends the components of an input that starts at a location (Vulkan "Location and Component Assignment").
void Inputs::append(Lanes& lanes, uint32_t type_id, const Decorations& d, uint32_t location,
                    uint32_t component) {
  const Type& type = m_.type(type_id);
  if (type.components == 0) return;
  const uint32_t limit =
      request_.stage == arch::Stage::kVertex ? arch::kVertexAttributes : arch::kInterpolants;
  switch (type.kind) {
    case TypeKind::kInt:
    case TypeKind::kFloat:
    case TypeKind::kVector: {
      for (uint32_t i = 0; i < type.components; ++i) {
        const uint32_t at = location + (component + i) / 4;
        if (location >= limit || at >= limit)
          unsupported("input location {} is beyond the {} there are", at, limit);
        if (at != location && m_.scalar(type_id).bits != 64)
          invalid("an input at location {} has too many components", location);
        isa::Varying& v = interface.inputs[at];
        v.location = at;
        v.mode = d.flat ? arch::Interpolation::kFlat
                        : (d.linear ? arch::Interpolation::kLinear : arch::Interpolation::kPerspective);
        v.at = d.sample ? arch::SampleLocation::kSample
                        : (d.centroid ? arch::SampleLocation::kCentroid : arch::SampleLocation::kCenter);
        lanes.push_back(
            {.kind = RefKind::kInput, .lane = static_cast<uint8_t>((component + i) % 4), .index = at});
      }
      return;
    }
    case TypeKind::kMatrix:
    case TypeKind::kArray: {
      const uint32_t step = locations(m_, type.element);
      for (uint32_t i = 0; i < type.count; ++i)
        append(lanes, type.element, d, location + i * step, component);
      return;
    }
    case TypeKind::kStruct:
      for (uint32_t i = 0; i < type.members.size(); ++i) {
        const Decorations& member = m_.member(type_id, i);
        if (member.builtin) {
          const Lanes part = builtin(*member.builtin, type.members[i]);
          lanes.insert(lanes.end(), part.begin(), part.end());
          continue;
        }
        Decorations merged = member;
        merged.flat |= d.flat, merged.linear |= d.linear, merged.centroid |= d.centroid,
            merged.sample |= d.sample;
        const uint32_t at = member.location.value_or(location);
        append(lanes, type.members[i], merged, at, member.component.value_or(0));
        location = at + locations(m_, type.members[i]);
      }
      return;
    default:
      unsupported("an input is of a type that is not supported");
  }
}

}  // namespace cutaway::compiler
