#version 450
// The sum of sixteen attributes, over the whole target.
layout(location = 0) in vec4 a[16];
layout(location = 0) out vec4 sum;
void main() {
  sum = vec4(0);
  for (int i = 0; i < 16; i++) sum += a[i];
  const vec2 corners[3] = vec2[](vec2(-1, -1), vec2(3, -1), vec2(-1, 3));
  gl_Position = vec4(corners[gl_VertexIndex], 0, 1);
}
