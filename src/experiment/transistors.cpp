#include "experiment/transistors.h"

#include <algorithm>

namespace cutaway::experiment {
namespace {

// ATT-14, in millions and shares.
constexpr double kVertexUnit = 2.5, kShaderUnit = 15, kSimdAlu = 0.15, kScalarAlu = 0.05;

}  // namespace

double transistors(const ShaderArea& area) {
  const double wider = 1 + kSimdAlu * (std::max(area.simd_alus, 1u) - 1) + kScalarAlu * area.scalar_alus;
  return kVertexUnit * area.vertex_units + kShaderUnit * wider * area.shader_units;
}

ShaderArea shader_area(const machine::Config& config) {
  ShaderArea area;
  for (const machine::ShaderClass& shader : config.shaders) {
    if (!shader.runs(arch::Stage::kFragment)) {
      if (shader.runs(arch::Stage::kVertex)) area.vertex_units += shader.topology.units;
      continue;
    }
    area.shader_units += shader.topology.units;
    area.simd_alus = shader.unit.issue == "n-way" ? shader.unit.ways : 1;
    area.scalar_alus = shader.unit.issue == "simd-and-scalar";
  }
  return area;
}

}  // namespace cutaway::experiment
