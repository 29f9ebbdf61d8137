#pragma once

#include "arch/registers.h"
#include "arch/state.h"
#include "base/field.h"

namespace cutaway::arch {

// Largest programs and draws that a chip executes. Programs of other stages have no limits but the
// contract's.
struct ProgramLimits {
  unsigned color_targets = kColorTargets;
  unsigned varyings = kInterpolants;
  unsigned vertex_textures = kResources;
  unsigned vertex_temporaries = kTemporaries;
  unsigned fragment_temporaries = kTemporaries;
  unsigned vertex_instructions = kInstructions;
  unsigned fragment_instructions = kInstructions;
  unsigned vertex_indexed_constants = 256;
  unsigned fragment_indexed_constants = 0;
  bool operator==(const ProgramLimits&) const = default;

  template <class V>
  static void fields(V&& v) {
    using S = ProgramLimits;
    v("color_targets", &S::color_targets, "targets", 1u, kColorTargets, "most color targets of a draw");
    v("varyings", &S::varyings, "vec4", 1u, kInterpolants,
      "most interpolated attributes that a fragment program reads");
    v("vertex_textures", &S::vertex_textures, "textures", 0u, kResources,
      "most textures that a vertex program reads");
    v("vertex_temporaries", &S::vertex_temporaries, "vec4", 1u, kTemporaries,
      "most temporaries of a vertex program");
    v("fragment_temporaries", &S::fragment_temporaries, "vec4", 1u, kTemporaries,
      "most temporaries of a fragment program; two registers of halves are one");
    v("vertex_instructions", &S::vertex_instructions, "instructions", 1u, kInstructions,
      "longest vertex program");
    v("fragment_instructions", &S::fragment_instructions, "instructions", 1u, kInstructions,
      "longest fragment program");
    v("vertex_indexed_constants", &S::vertex_indexed_constants, "vec4", 0u, kConstants,
      "largest uniform block that vertex programs read by index from constant registers; larger ones are read "
      "from memory");
    v("fragment_indexed_constants", &S::fragment_indexed_constants, "vec4", 0u, kConstants,
      "the same for fragment programs; 0: constant registers have no index");
  }

  // The largest block that a program of this stage reads by index from constant registers.
  unsigned indexed_constants(Stage stage) const {
    return stage == Stage::kFragment ? fragment_indexed_constants : vertex_indexed_constants;
  }
};

}  // namespace cutaway::arch
