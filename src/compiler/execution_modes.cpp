#include "compiler/execution_modes.h"

#include <algorithm>
#include <spirv/unified1/spirv.hpp>

#include "compiler/refusal.h"

namespace cutaway::compiler {

void ExecutionModes::apply(const Word& word) {
  if (arg(word, 0) != m_.entry) return;
  const uint32_t mode = arg(word, 1);
  switch (mode) {
    case spv::ExecutionModeLocalSize:
      for (uint32_t i = 0; i < 3; ++i) m_.local_size[i] = arg(word, 2 + i);
      break;
    case spv::ExecutionModeSignedZeroInfNanPreserve:
      m_.exact_floats = true;
      break;
    case spv::ExecutionModeDenormPreserve:
    case spv::ExecutionModeDenormFlushToZero:
    case spv::ExecutionModeRoundingModeRTZ:
      floats(mode, arg(word, 2));
      break;
    case spv::ExecutionModePixelCenterInteger:
    case spv::ExecutionModeOriginLowerLeft:
      unsupported("execution mode {} is not supported", mode);
    default:
      depth(mode);
      primitives(mode, word);
      tessellation(mode);
  }
}

void ExecutionModes::apply_id(const Word& word) {
  if (arg(word, 0) == m_.entry && arg(word, 1) == spv::ExecutionModeLocalSizeId)
    for (uint32_t i = 0; i < 3; ++i) size_ids_[i] = arg(word, 2 + i);
}

void ExecutionModes::check(arch::Stage stage) {
  workgroup_size();
  check_primitives(stage);
}

void ExecutionModes::depth(uint32_t mode) {
  switch (mode) {
    case spv::ExecutionModeEarlyFragmentTests:
      m_.early_tests = true;
      break;
    case spv::ExecutionModeDepthReplacing:
      m_.depth_replacing = true;
      break;
    case spv::ExecutionModeDepthGreater:
      m_.depth_not_less = true;
      break;
    case spv::ExecutionModeDepthLess:
      m_.depth_not_greater = true;
      break;
    case spv::ExecutionModeDepthUnchanged:
      m_.depth_not_less = m_.depth_not_greater = true;
      break;
    default:
      break;
  }
}

// Floats of 32 bits flush denormals, all others keep them; all are rounded to nearest even (docs/isa.md).
void ExecutionModes::floats(uint32_t mode, uint32_t bits) {
  if (mode == spv::ExecutionModeRoundingModeRTZ)
    unsupported("execution mode RoundingModeRTZ {} is not supported", bits);
  const bool flushes = mode == spv::ExecutionModeDenormFlushToZero;
  if (flushes != (bits == 32))
    unsupported("execution mode {} {} is not supported", flushes ? "DenormFlushToZero" : "DenormPreserve",
                bits);
  m_.flushes_floats |= flushes;
  m_.exact_floats = true;
}

// Geometry programs; the vertices of a patch; and the domain of triangles, which both name.
void ExecutionModes::primitives(uint32_t mode, const Word& word) {
  isa::PrimitiveModes& modes = m_.modes;
  switch (mode) {
    case spv::ExecutionModeInvocations:
      modes.invocations = arg(word, 2);
      break;
    case spv::ExecutionModeOutputVertices:
      modes.max_vertices = arg(word, 2);
      break;
    case spv::ExecutionModeInputPoints:
      modes.input_vertices = 1;
      break;
    case spv::ExecutionModeInputLines:
      modes.input_vertices = 2;
      break;
    case spv::ExecutionModeTriangles:
      modes.input_vertices = 3;
      modes.domain = static_cast<uint32_t>(arch::TessDomain::kTriangles);
      break;
    case spv::ExecutionModeInputLinesAdjacency:
      modes.input_vertices = 4;
      break;
    case spv::ExecutionModeInputTrianglesAdjacency:
      modes.input_vertices = 6;
      break;
    case spv::ExecutionModeOutputPoints:
      modes.output_topology = static_cast<uint32_t>(arch::Topology::kPointList);
      break;
    case spv::ExecutionModeOutputLineStrip:
      modes.output_topology = static_cast<uint32_t>(arch::Topology::kLineStrip);
      break;
    case spv::ExecutionModeOutputTriangleStrip:
      modes.output_topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
      break;
    default:
      break;
  }
}

void ExecutionModes::tessellation(uint32_t mode) {
  isa::PrimitiveModes& modes = m_.modes;
  switch (mode) {
    case spv::ExecutionModeQuads:
      modes.domain = static_cast<uint32_t>(arch::TessDomain::kQuads);
      break;
    case spv::ExecutionModeIsolines:
      modes.domain = static_cast<uint32_t>(arch::TessDomain::kIsolines);
      break;
    case spv::ExecutionModeSpacingEqual:
      modes.spacing = static_cast<uint32_t>(arch::TessSpacing::kEqual);
      break;
    case spv::ExecutionModeSpacingFractionalEven:
      modes.spacing = static_cast<uint32_t>(arch::TessSpacing::kFractionalEven);
      break;
    case spv::ExecutionModeSpacingFractionalOdd:
      modes.spacing = static_cast<uint32_t>(arch::TessSpacing::kFractionalOdd);
      break;
    case spv::ExecutionModeVertexOrderCw:
      modes.clockwise = 1;
      break;
    case spv::ExecutionModeVertexOrderCcw:
      modes.clockwise = 0;
      break;
    case spv::ExecutionModePointMode:
      modes.point_mode = 1;
      break;
    default:
      break;
  }
}

void ExecutionModes::check_primitives(arch::Stage stage) const {
  const isa::PrimitiveModes& modes = m_.modes;
  if (stage == arch::Stage::kTessControl &&
      (modes.max_vertices == 0 || modes.max_vertices > arch::kPatchVertices))
    unsupported("execution mode OutputVertices {}; 1 to {} are supported", modes.max_vertices,
                arch::kPatchVertices);
  if (stage != arch::Stage::kGeometry) return;
  if (modes.input_vertices == 0) invalid("its execution modes name no input primitive");
  if (modes.max_vertices > arch::kMaxEmittedVertices)
    unsupported("execution mode OutputVertices {}; at most {} are supported", modes.max_vertices,
                arch::kMaxEmittedVertices);
  if (modes.invocations == 0 || modes.invocations > arch::kGeometryInvocations)
    unsupported("execution mode Invocations {}; 1 to {} are supported", modes.invocations,
                arch::kGeometryInvocations);
}

// A constant decorated as WorkgroupSize overrides execution modes.
void ExecutionModes::workgroup_size() {
  for (const auto& [id, decorations] : m_.decorations)
    if (decorations.builtin == spv::BuiltInWorkgroupSize)
      if (const auto found = m_.constants.find(id); found != m_.constants.end()) {
        const auto evaluated = m_.evaluated.find(id);
        if (evaluated != m_.evaluated.end() && evaluated->second.size() != 3)
          invalid("the size of its workgroups has {} components", evaluated->second.size());
        for (uint32_t i = 0; i < 3; ++i)
          if (evaluated != m_.evaluated.end()) m_.local_size[i] = evaluated->second[i];
          else size_ids_[i] = arg(found->second, i);
      }
  for (uint32_t i = 0; i < 3; ++i) {
    if (size_ids_[i] == 0) continue;
    const std::optional<uint32_t> size = m_.integer(size_ids_[i]);
    if (!size) invalid("the size of its workgroups is no constant");
    m_.local_size[i] = *size;
  }
  uint64_t count = 1;
  for (uint32_t size : m_.local_size) count = std::min(count * size, uint64_t{1} << 30);
  if (count == 0 || count > arch::kWorkgroupInvocations)
    unsupported("workgroups of {}x{}x{} invocations; 1 to {} are supported", m_.local_size[0],
                m_.local_size[1], m_.local_size[2], arch::kWorkgroupInvocations);
}

}  // namespace cutaway::compiler
