#pragma once

#include "machine/config.h"

// Estimates the transistors of a machine's shaders by the model of the ATTILA paper (ATT-14), which derived
// it from the difference between two chips of the time.
namespace cutaway::experiment {

// A machine's shaders, in the terms of the estimate.
struct ShaderArea {
  unsigned vertex_units = 0;  // units that run only vertex programs
  unsigned shader_units = 0;  // units that run fragment programs, or both
  unsigned simd_alus = 1;     // per shader unit: instructions of any kind issued at once
  unsigned scalar_alus = 0;   // per shader unit, in addition: for single-value instructions
};

// In millions: 2.5 for a vertex shader and 15 for a shader unit, plus 15 % of a unit for each SIMD ALU after
// the first, and 5 % for a scalar ALU. Vertex shaders have one size, however wide: the paper gives the
// increase for the shader unit only, and only then does the saving of a unified machine shrink as units grow
// wider, as the paper says.
double transistors(const ShaderArea& area);

ShaderArea shader_area(const machine::Config& config);

}  // namespace cutaway::experiment
