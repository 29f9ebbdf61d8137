#pragma once

#include "arch/registers.h"
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
  }
};

}  // namespace cutaway::arch
