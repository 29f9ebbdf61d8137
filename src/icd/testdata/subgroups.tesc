#version 450
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
// Counts in quarters what subgroups are: all is 1, or 0.25 for the second component.
layout(vertices = 4) out;
layout(location = 0) out vec4 counts[];
void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  counts[gl_InvocationID] =
      vec4(gl_SubgroupSize, gl_SubgroupEqMask.x + gl_SubgroupInvocationID, 4 * subgroupAdd(1u), gl_SubgroupLeMask.x * 4) / 4;
  gl_TessLevelOuter = float[4](1.0, 1.0, 1.0, 1.0);
  gl_TessLevelInner = float[2](1.0, 1.0);
}
