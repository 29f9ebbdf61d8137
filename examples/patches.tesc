#version 450
layout(vertices = 4) out;
void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  gl_TessLevelOuter = float[4](2, 2, 2, 2);
  gl_TessLevelInner = float[2](2, 2);
}
