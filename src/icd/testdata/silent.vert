#version 450
// Captured outputs, a clip distance among them, none of which is written.
out gl_PerVertex {
  vec4 gl_Position;
  layout(xfb_buffer = 0, xfb_stride = 24, xfb_offset = 16) float gl_ClipDistance[2];
};
layout(xfb_buffer = 0, xfb_offset = 0, location = 0) out vec4 never;
void main() { gl_Position = vec4(0); }
