#version 450
// Two triangles over the left (instance 0) or right (instance 1) half of the target.
void main() {
  const vec2 corners[6] = vec2[](vec2(0, 0), vec2(1, 0), vec2(0, 1), vec2(0, 1), vec2(1, 0), vec2(1, 1));
  const vec2 p = corners[gl_VertexIndex];
  gl_Position = vec4(p.x - 1 + gl_InstanceIndex, 2 * p.y - 1, 0.5, 1);
}
