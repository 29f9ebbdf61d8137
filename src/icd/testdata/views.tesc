#version 450
#extension GL_EXT_multiview : require
layout(vertices = 4) out;
layout(location = 0) out vec4 of_control[];
void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  of_control[gl_InvocationID] = vec4(gl_ViewIndex);
  gl_TessLevelOuter = float[4](1, 1, 1, 1);
  gl_TessLevelInner = float[2](1, 1);
}
