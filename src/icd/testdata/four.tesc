#version 450
layout(vertices = 4) out;
void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  const float whole = gl_PatchVerticesIn == 4 ? 1.0 : 0.0;  // others are culled
  gl_TessLevelOuter = float[4](whole, whole, whole, whole);
  gl_TessLevelInner = float[2](1.0, 1.0);
}
