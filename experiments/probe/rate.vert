#version 450
#extension GL_GOOGLE_include_directive : enable

// Of triangles nothing but the place, as it comes or TRANSFORMED by a matrix; of LAYERS how far they are, and
// where in textures. MADS: so many, that hang on one another by fours. BLOCKS: every other block of vertices
// takes one of two loops of one length. FLOW: constructs, as those of rate.frag.

layout(location = 0) in vec2 place;  // as the window is clipped: -1 to 1
layout(push_constant) uniform Push {
  mat4 matrix;
  vec2 repeats;   // of a texture along the sides of the window
  float farther;  // of each layer
  int turns;      // of the loop; more than 0: constructs are taken
  float block;    // vertices
};
layout(location = 0) out vec2 at;

#include "rate_mads.glsl"

void main() {
#if defined TRANSFORMED
  gl_Position = matrix * vec4(place, 0.5, 1);
#elif defined LAYERS
  gl_Position = vec4(place, 0.5 + farther * gl_InstanceIndex, 1);
  at = (place * 0.5 + 0.5) * repeats;
#elif defined MADS || defined FLOW || defined BLOCKS
  DECLARE(place)
#if defined MADS
  PROGRAM
#elif defined FLOW
  SIXTEEN_CONSTRUCTS
#else
  EITHER_LOOP(mod(floor(float(gl_VertexIndex) / block), 2) < 0.5)
#endif
  // There are no layers: nothing of it counts.
  gl_Position = vec4(place, 0.5, 1) + (a + b + c + d) * farther;
#else
  gl_Position = vec4(place, 0.5, 1);
#endif
}
