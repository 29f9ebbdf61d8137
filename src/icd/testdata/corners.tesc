#version 450
layout(vertices = 4) out;
layout(location = 0) flat in int instance[];
layout(location = 0) flat out int number[];
void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  number[gl_InvocationID] = instance[gl_InvocationID];
  gl_TessLevelOuter = float[4](1, 1, 1, 1);
  gl_TessLevelInner = float[2](1, 1);
}
