#version 450
// One pixel of row 0.
void main() {
  gl_PointSize = 1;
  gl_Position = vec4((2 * gl_VertexIndex + 1) / 16.0 - 1, 1 / 16.0 - 1, 0, 1);
}
