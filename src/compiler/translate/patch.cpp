#include "compiler/translate/patch.h"

#include <algorithm>
#include <spirv/unified1/spirv.hpp>

#include "compiler/translate/inputs.h"

namespace cutaway::compiler {
namespace {

constexpr uint32_t kLocationBytes = 16;

// The pseudo-location of a built-in.
uint32_t builtin_location(uint32_t builtin) {
  switch (builtin) {
    case spv::BuiltInPosition:
      return isa::kPositionLocation;
    case spv::BuiltInPointSize:
      return isa::kPointSizeLocation;
    case spv::BuiltInClipDistance:
      return isa::kClipLocation;
    case spv::BuiltInCullDistance:
      return isa::kCullLocation;
    case spv::BuiltInTessLevelOuter:
      return isa::PatchLayout::kOuterLocation;
    case spv::BuiltInTessLevelInner:
      return isa::PatchLayout::kInnerLocation;
    default:
      unsupported("built-in {} of a patch is not supported", builtin_name(builtin));
  }
}

// True for built-in inputs of an evaluation program that its patch holds. Registers and literals give all
// others.
bool is_in_memory(uint32_t builtin) {
  switch (builtin) {
    case spv::BuiltInPosition:
    case spv::BuiltInPointSize:
    case spv::BuiltInClipDistance:
    case spv::BuiltInCullDistance:
    case spv::BuiltInTessLevelOuter:
    case spv::BuiltInTessLevelInner:
      return true;
    default:
      return false;
  }
}

bool is_factor(uint32_t builtin) {
  return builtin == spv::BuiltInTessLevelOuter || builtin == spv::BuiltInTessLevelInner;
}

}  // namespace

// True for variables of the patch itself: decorated so, as a whole or by member, or the factors.
bool PatchMemory::is_of_patch(uint32_t variable, uint32_t type) const {
  const Decorations& d = m_.decoration(variable);
  if (d.patch || (d.builtin && is_factor(*d.builtin))) return true;
  return !m_.type(type).members.empty() && m_.member(type, 0).patch;
}

// A variable's built-in, or that of a block's first member: a block has built-ins only or none.
std::optional<uint32_t> PatchMemory::builtin_of(const Word& variable) const {
  if (const auto builtin = m_.decoration(variable.result).builtin) return builtin;
  uint32_t type = m_.type(variable.type).element;
  while (m_.type(type).kind == TypeKind::kArray) type = m_.type(type).element;
  return m_.type(type).members.empty() ? std::nullopt : m_.member(type, 0).builtin;
}

bool PatchMemory::holds(const Word& variable) const {
  const uint32_t storage = arg(variable, 0);
  if (request_.stage == arch::Stage::kTessControl) return storage == spv::StorageClassOutput;
  if (request_.stage != arch::Stage::kTessEvaluation || storage != spv::StorageClassInput) return false;
  const std::optional<uint32_t> builtin = builtin_of(variable);
  return !builtin || is_in_memory(*builtin);
}

void PatchMemory::lay_out() {
  isa::PatchLayout& layout = interface.patch;
  layout.patch.fill(isa::PatchLayout::kNowhere), layout.vertex.fill(isa::PatchLayout::kNowhere);
  if (request_.stage == arch::Stage::kTessEvaluation && request_.patch) layout = *request_.patch;
  if (request_.stage != arch::Stage::kTessControl) return;
  std::array<bool, 64> patch{}, vertex{};
  for (const Word& word : m_.variables) {
    if (!holds(word)) continue;
    uint32_t type = m_.type(word.type).element;
    const bool of_patch = is_of_patch(word.result, type);
    if (!of_patch) type = m_.type(type).element;
    const Decorations& d = m_.decoration(word.result);
    note_locations(type, d, d.location.value_or(0),
                   of_patch ? isa::PatchLayout::kOuterLocation : isa::kVaryingLocations,
                   of_patch ? patch : vertex);
  }
  layout.patch[isa::PatchLayout::kOuterLocation] = arch::kPatchOuter;
  layout.patch[isa::PatchLayout::kInnerLocation] = arch::kPatchInner;
  uint32_t bytes = arch::kPatchFactorBytes, of_vertex = 0;
  for (uint32_t i = 0; i < isa::PatchLayout::kOuterLocation; ++i)
    if (patch[i]) layout.patch[i] = static_cast<uint16_t>(std::exchange(bytes, bytes + kLocationBytes));
  for (uint32_t i = 0; i < vertex.size(); ++i)
    if (vertex[i])
      layout.vertex[i] = static_cast<uint16_t>(std::exchange(of_vertex, of_vertex + kLocationBytes));
  layout.first_vertex = bytes;
  layout.vertex_bytes = of_vertex;
  layout.bytes = bytes + of_vertex * m_.modes.max_vertices;
  if (layout.bytes > arch::kPatchBytes)
    unsupported("a patch takes {} bytes, but can have {}", layout.bytes, arch::kPatchBytes);
}

void PatchMemory::note_locations(uint32_t type_id, const Decorations& d, uint32_t location, uint32_t limit,
                                 std::array<bool, 64>& used) {
  const Type& type = m_.type(type_id);
  const auto mark = [&](uint64_t first, uint32_t count, uint32_t end) {
    if (first + count > end)
      unsupported("output location {} is beyond the {} there are", first + count - 1, end);
    for (uint32_t i = 0; i < count; ++i) used[first + i] = true;
  };
  if (d.builtin) {
    mark(builtin_location(*d.builtin), (std::clamp(type.components, 1u, 8u) + 3) / 4, 64);
    return;
  }
  if (type.kind != TypeKind::kStruct) {
    mark(location, std::min(locations(m_, type_id), 64u), limit);
    return;
  }
  for (uint32_t i = 0; i < type.members.size(); ++i) {
    const Decorations& member = m_.member(type_id, i);
    const uint32_t at = member.location.value_or(location);
    note_locations(type.members[i], member, at, limit, used);
    location = at + std::min(locations(m_, type.members[i]), 64u);
  }
}

void PatchMemory::place(Pointer& p) {
  const Decorations& d = m_.decoration(p.variable);
  p.storage = kPatchStorage;
  p.of_patch = is_of_patch(p.variable, p.type);
  p.location = d.location.value_or(0);
  p.component = d.component.value_or(0);
  if (d.builtin) name_builtin(p, *d.builtin, p.of_patch ? p.type : m_.type(p.type).element);
}

void PatchMemory::name_builtin(Pointer& p, uint32_t builtin, uint32_t type) {
  p.location = builtin_location(builtin);
  p.component = 0;
  p.packed = m_.type(type).kind == TypeKind::kArray;
}

void PatchMemory::step(Pointer& p, uint32_t index_id, std::optional<uint32_t> index) {
  const Type& type = m_.type(p.type);
  if (!p.of_patch && p.vertex == 0) {
    if (type.element == 0) invalid("OpAccessChain needs a vertex of the patch");
    p.vertex = index_id;
    p.type = type.element;
    return;
  }
  if (type.kind == TypeKind::kStruct) {
    if (!index || *index >= type.members.size()) invalid("OpAccessChain needs a constant member index");
    uint32_t location = p.location;
    for (uint32_t i = 0; i <= *index; ++i) {
      location = m_.member(p.type, i).location.value_or(location);
      if (i < *index) location += locations(m_, type.members[i]);
    }
    const Decorations& member = m_.member(p.type, *index);
    p.location = location, p.component = member.component.value_or(0);
    if (member.builtin) name_builtin(p, *member.builtin, type.members[*index]);
    p.type = type.members[*index];
    return;
  }
  if (type.element == 0 || type.kind == TypeKind::kPointer) invalid("OpAccessChain into a scalar");
  const bool words = type.kind == TypeKind::kVector || p.packed;
  const uint32_t each = words ? m_.type(type.element).components : locations(m_, type.element);
  if (!index) {
    p.steps.push_back({index_id, (words ? 4 : kLocationBytes) * each, type.count});
  } else {
    const uint32_t at = type.count && *index >= type.count ? type.count - 1 : *index;
    (words ? p.component : p.location) += at * each;
  }
  p.type = type.element;
}

uint32_t PatchMemory::byte_of(const Pointer& p, uint32_t location, uint32_t component) const {
  const auto& places = p.of_patch ? interface.patch.patch : interface.patch.vertex;
  const uint64_t at = uint64_t{location} + component / 4;
  if (at >= places.size()) return isa::PatchLayout::kNowhere;
  return places[at] + component % 4 * 4;
}

void PatchMemory::components(const Pointer& p, std::vector<uint32_t>& bytes) {
  if (!p.of_patch && p.vertex == 0) {  // all vertices
    const Type& vertices = m_.type(p.type);
    for (uint32_t i = 0; i < vertices.count; ++i) {
      const size_t first = bytes.size();
      components(p, vertices.element, p.location, p.component, p.packed, bytes);
      for (size_t k = first; k < bytes.size(); ++k) bytes[k] += i * interface.patch.vertex_bytes;
    }
    return;
  }
  components(p, p.type, p.location, p.component, p.packed, bytes);
}

void PatchMemory::components(const Pointer& p, uint32_t type_id, uint32_t location, uint32_t component,
                             bool packed, std::vector<uint32_t>& bytes) {
  const Type& type = m_.type(type_id);
  if (type.components == 0) return;
  switch (type.kind) {
    case TypeKind::kInt:
    case TypeKind::kFloat:
    case TypeKind::kVector:
      for (uint32_t i = 0; i < type.components; ++i) bytes.push_back(byte_of(p, location, component + i));
      return;
    case TypeKind::kMatrix:
    case TypeKind::kArray: {
      const uint32_t each = locations(m_, type.element);
      for (uint32_t i = 0; i < type.count; ++i)
        if (packed) components(p, type.element, location, component + i, packed, bytes);
        else components(p, type.element, location + i * each, component, packed, bytes);
      return;
    }
    case TypeKind::kStruct:
      for (uint32_t i = 0; i < type.members.size(); ++i) {
        const Decorations& member = m_.member(type_id, i);
        if (member.builtin) {
          const bool array = m_.type(type.members[i]).kind == TypeKind::kArray;
          components(p, type.members[i], builtin_location(*member.builtin), 0, array, bytes);
          continue;
        }
        const uint32_t at = member.location.value_or(location);
        components(p, type.members[i], at, member.component.value_or(0), false, bytes);
        location = at + locations(m_, type.members[i]);
      }
      return;
    default:
      unsupported("a variable in the memory of a patch has a type that is not supported");
  }
}

}  // namespace cutaway::compiler
