#version 450
// Four vertices of a patch over the whole viewport.
layout(location = 0) flat out int instance;
void main() {
  instance = gl_InstanceIndex;
  gl_Position = vec4(2 * vec2(gl_VertexIndex / 2, gl_VertexIndex % 2) - 1, 0.5, 1);
}
