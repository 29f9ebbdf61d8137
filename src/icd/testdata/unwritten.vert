#version 450
// Captured outputs that are never written, beside one that is.
layout(xfb_buffer = 0, xfb_stride = 16, xfb_offset = 0, location = 0) out vec4 never;
layout(xfb_buffer = 1, xfb_stride = 8, location = 1) out Block {
  layout(xfb_offset = 4) float second;
  layout(xfb_offset = 0) float first;
} block;
layout(xfb_buffer = 2, xfb_stride = 4, xfb_offset = 0, location = 3) out float written;
void main() {
  written = float(gl_VertexIndex);
  gl_Position = vec4(0);
}
