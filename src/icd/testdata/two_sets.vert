#version 450
layout(set = 0, binding = 0) uniform Block { vec4 left; } from;
// Two triangles from x = left on.
void main() {
  const vec2 corners[6] = vec2[](vec2(0, 0), vec2(1, 0), vec2(0, 1), vec2(0, 1), vec2(1, 0), vec2(1, 1));
  const vec2 p = corners[gl_VertexIndex];
  gl_Position = vec4(mix(from.left.x, 1, p.x), 2 * p.y - 1, 0.5, 1);
}
