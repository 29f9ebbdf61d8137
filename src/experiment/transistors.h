#pragma once

#include "machine/config.h"

// How many transistors the shaders of a machine take: the estimate of the ATTILA paper (ATT-14), which it
// made from what two chips of the time differ in.
namespace cutaway::experiment {

// The shaders of a machine, as the estimate counts them.
struct ShaderArea {
  unsigned vertex_units = 0;  // that run vertex programs alone
  unsigned shader_units = 0;  // that run fragment programs, or both
  unsigned simd_alus = 1;     // of each of the shader units: instructions of any kind that it issues at once
  unsigned scalar_alus = 0;   // of each beside these, for instructions of one value
};

// In millions: 2.5 for a vertex shader and 15 for a shader unit, of which the unit takes 15 % more for each
// SIMD ALU after its first, and 5 % more for a scalar ALU. Vertex shaders have one size, however wide: the
// paper gives the increase beside the figure of the shader unit, and only so does what a unified machine
// saves shrink as units grow wider, as the paper says that it does.
double transistors(const ShaderArea& area);

ShaderArea shader_area(const machine::Config& config);

}  // namespace cutaway::experiment
