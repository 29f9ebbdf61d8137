#version 450
// The whole target by a strip; its positions and, at offset 8 of another buffer, its numbers are captured.
layout(xfb_buffer = 0, xfb_stride = 16, xfb_offset = 0) out gl_PerVertex { vec4 gl_Position; };
layout(location = 0, xfb_buffer = 2, xfb_stride = 12, xfb_offset = 8) flat out uint number;
void main() {
  gl_Position = vec4(gl_VertexIndex % 2 * 2 - 1, gl_VertexIndex / 2 * 2 - 1, 0, 1);
  number = gl_VertexIndex;
}
