#include "compiler/built_in_types.h"

#include <algorithm>
#include <spirv/unified1/spirv.hpp>

#include "compiler/refusal.h"

namespace cutaway::compiler {
namespace {

struct BuiltInType {
  uint32_t builtin;
  TypeKind scalar;
  uint32_t fewest, most;     // components
  bool each_vertex = false;  // may be an array over the vertices of a primitive or patch
};

constexpr uint32_t kMany = 8;
constexpr BuiltInType kTypes[] = {
    {spv::BuiltInPosition, TypeKind::kFloat, 4, 4, true},
    {spv::BuiltInPointSize, TypeKind::kFloat, 1, 1, true},
    {spv::BuiltInClipDistance, TypeKind::kFloat, 1, kMany, true},
    {spv::BuiltInCullDistance, TypeKind::kFloat, 1, kMany, true},
    {spv::BuiltInVertexIndex, TypeKind::kInt, 1, 1},
    {spv::BuiltInInstanceIndex, TypeKind::kInt, 1, 1},
    {spv::BuiltInBaseVertex, TypeKind::kInt, 1, 1},
    {spv::BuiltInBaseInstance, TypeKind::kInt, 1, 1},
    {spv::BuiltInDrawIndex, TypeKind::kInt, 1, 1},
    {spv::BuiltInPrimitiveId, TypeKind::kInt, 1, 1},
    {spv::BuiltInInvocationId, TypeKind::kInt, 1, 1},
    {spv::BuiltInLayer, TypeKind::kInt, 1, 1},
    {spv::BuiltInViewportIndex, TypeKind::kInt, 1, 1},
    {spv::BuiltInTessLevelOuter, TypeKind::kFloat, 4, 4},
    {spv::BuiltInTessLevelInner, TypeKind::kFloat, 2, 2},
    {spv::BuiltInTessCoord, TypeKind::kFloat, 3, 3},
    {spv::BuiltInPatchVertices, TypeKind::kInt, 1, 1},
    {spv::BuiltInFragCoord, TypeKind::kFloat, 4, 4},
    {spv::BuiltInPointCoord, TypeKind::kFloat, 2, 2},
    {spv::BuiltInFrontFacing, TypeKind::kBool, 1, 1},
    {spv::BuiltInSampleId, TypeKind::kInt, 1, 1},
    {spv::BuiltInSamplePosition, TypeKind::kFloat, 2, 2},
    {spv::BuiltInSampleMask, TypeKind::kInt, 1, kMany},
    {spv::BuiltInFragDepth, TypeKind::kFloat, 1, 1},
    {spv::BuiltInFragStencilRefEXT, TypeKind::kInt, 1, 1},
    {spv::BuiltInHelperInvocation, TypeKind::kBool, 1, 1},
    {spv::BuiltInNumWorkgroups, TypeKind::kInt, 3, 3},
    {spv::BuiltInWorkgroupId, TypeKind::kInt, 3, 3},
    {spv::BuiltInLocalInvocationId, TypeKind::kInt, 3, 3},
    {spv::BuiltInGlobalInvocationId, TypeKind::kInt, 3, 3},
    {spv::BuiltInLocalInvocationIndex, TypeKind::kInt, 1, 1},
    {spv::BuiltInSubgroupSize, TypeKind::kInt, 1, 1},
    {spv::BuiltInNumSubgroups, TypeKind::kInt, 1, 1},
    {spv::BuiltInSubgroupId, TypeKind::kInt, 1, 1},
    {spv::BuiltInSubgroupLocalInvocationId, TypeKind::kInt, 1, 1},
    {spv::BuiltInSubgroupEqMask, TypeKind::kInt, 4, 4},
    {spv::BuiltInSubgroupGeMask, TypeKind::kInt, 4, 4},
    {spv::BuiltInSubgroupGtMask, TypeKind::kInt, 4, 4},
    {spv::BuiltInSubgroupLeMask, TypeKind::kInt, 4, 4},
    {spv::BuiltInSubgroupLtMask, TypeKind::kInt, 4, 4},
    {spv::BuiltInViewIndex, TypeKind::kInt, 1, 1},
    {spv::BuiltInDeviceIndex, TypeKind::kInt, 1, 1},
};

class Check {
 public:
  Check(const Module& module, arch::Stage stage) : m_(module), stage_(stage) {}

  void variable(const Word& variable) const {
    const uint32_t type = m_.type(variable.type).element;
    const Decorations& d = m_.decoration(variable.result);
    if (d.builtin) {
      built_in(*d.builtin, type, has_vertices(arg(variable, 0)) && !d.patch);
      return;
    }
    uint32_t block = type;
    while (m_.type(block).kind == TypeKind::kArray) block = m_.type(block).element;
    const Type& members = m_.type(block);
    for (uint32_t i = 0; i < members.members.size(); ++i)
      if (const auto builtin = m_.member(block, i).builtin) built_in(*builtin, members.members[i], false);
  }

 private:
  // True if variables of a storage class are arrays over vertices.
  bool has_vertices(uint32_t storage) const {
    const bool input = storage == spv::StorageClassInput;
    return stage_ == arch::Stage::kTessControl ||
           (input && (stage_ == arch::Stage::kGeometry || stage_ == arch::Stage::kTessEvaluation));
  }

  void built_in(uint32_t builtin, uint32_t type_id, bool vertices) const {
    const auto* rule = std::ranges::find(kTypes, builtin, &BuiltInType::builtin);
    if (rule == std::end(kTypes)) return;  // refused where it is used
    if (rule->each_vertex && vertices && m_.type(type_id).kind == TypeKind::kArray)
      type_id = m_.type(type_id).element;
    const Type &type = m_.type(type_id), &scalar = m_.scalar(type_id);
    if (scalar.kind != rule->scalar || scalar.bits != 32 || type.components < rule->fewest ||
        type.components > rule->most)
      invalid("built-in {} is of a type that it does not have in Vulkan", builtin_name(builtin));
  }

  const Module& m_;
  arch::Stage stage_;
};

}  // namespace

void check_built_ins(const Module& module, arch::Stage stage) {
  const Check check(module, stage);
  for (const Word& variable : module.variables) {
    const uint32_t storage = arg(variable, 0);
    if (storage == spv::StorageClassInput || storage == spv::StorageClassOutput) check.variable(variable);
  }
}

}  // namespace cutaway::compiler
