#version 450
// The half of the target above the diagonal from the lower left to the upper right corner.
void main() {
  const vec2 corners[3] = vec2[](vec2(-1, -1), vec2(1, -1), vec2(-1, 1));
  gl_Position = vec4(corners[gl_VertexIndex], 0.5, 1);
}
