#version 450
layout(location = 0) in vec3 place;
layout(location = 1) flat in vec4 tint;
layout(location = 0) out vec4 color;
void main() {
  // Hair is thinner the farther out its shell is.
  vec2 cell = fract(place.xy * 2.5) - 0.5;
  if (place.z > 0.5 && dot(cell, cell) > 0.2 - 0.05 * place.z) discard;
  color = vec4(tint.rgb + vec3(0.0, 0.0, 0.03 * float(gl_PrimitiveID % 8)), 1.0);
}
