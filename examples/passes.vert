#version 450

layout(push_constant) uniform Draw {
  vec4 rectangle;  // centre, half size
  vec4 tint;
};

layout(location = 0) out vec2 texel;
layout(location = 1) flat out vec4 out_tint;

// Vertices 0 to 3 of a strip.
void main() {
  const vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
  gl_Position = vec4(rectangle.xy + (2.0 * corner - 1.0) * rectangle.zw, 0.5, 1.0);
  texel = corner;
  out_tint = tint;
}
