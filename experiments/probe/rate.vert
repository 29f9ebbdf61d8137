#version 450

// Of triangles nothing but the place, as it comes or TRANSFORMED by a matrix; of LAYERS how far they are, and
// where in textures.

layout(location = 0) in vec2 place;  // as the window is clipped: -1 to 1
layout(push_constant) uniform Push {
  mat4 matrix;
  vec2 repeats;   // of a texture along the sides of the window
  float farther;  // of each layer
};
layout(location = 0) out vec2 at;

void main() {
#if defined TRANSFORMED
  gl_Position = matrix * vec4(place, 0.5, 1);
#elif defined LAYERS
  gl_Position = vec4(place, 0.5 + farther * gl_InstanceIndex, 1);
  at = (place * 0.5 + 0.5) * repeats;
#else
  gl_Position = vec4(place, 0.5, 1);
#endif
}
