#pragma once

#include <string>

#include "arch/state.h"
#include "base/field.h"
#include "boxes/shader_unit/shader_unit.h"

namespace cutaway::machine {

inline constexpr EnumName<arch::Stage> kStageNames[] = {
    {arch::Stage::kVertex, "vertex"},
    {arch::Stage::kTessControl, "tess-control"},
    {arch::Stage::kTessEvaluation, "tess-evaluation"},
    {arch::Stage::kGeometry, "geometry"},
    {arch::Stage::kFragment, "fragment"},
    {arch::Stage::kCompute, "compute"},
};

// Number of shader units of one kind, the stages that they run, and resources shared by neighbours.
struct ShaderClassSpec {
  EnumSet<arch::Stage> stages = {arch::Stage::kVertex, arch::Stage::kFragment};
  EnumSet<arch::Stage> stores = {};
  unsigned units = 2;
  unsigned units_per_cluster = 1;
  unsigned units_per_texture = 1;
  double mhz = 400;

  template <class V>
  static void fields(V&& v) {
    using S = ShaderClassSpec;
    v("stages", &S::stages, kStageNames, "stages whose programs the units run");
    v("stores", &S::stores, kStageNames,
      "stages among these whose programs may store to buffers and images, through the storage cache");
    v("units", &S::units, "units", 0u, 64u, "shader units of this class; 0: there is no such class");
    v("units_per_cluster", &S::units_per_cluster, "units", 1u, 16u,
      "neighbouring units that take fragments from one queue; it divides the units");
    v("units_per_texture", &S::units_per_texture, "units", 1u, 16u,
      "neighbouring units that share a texture unit; it divides the units");
    v("mhz", &S::mhz, "MHz", 1.0, 10000.0, "clock of the units");
  }
};

// A table of its own in a preset: any table that states `stages`.
struct ShaderClass {
  std::string name = "shader";  // of the table, and of the boxes: "gpu.shader0"
  ShaderClassSpec topology;
  boxes::ShaderUnitSpec unit{.free_end = true};

  bool runs(arch::Stage stage) const { return topology.units && topology.stages.has(stage); }
};

}  // namespace cutaway::machine
