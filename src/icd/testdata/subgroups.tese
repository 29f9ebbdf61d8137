#version 450
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(quads) in;
layout(location = 0) in vec4 counts[];
layout(location = 0) out vec4 product;
void main() {
  gl_Position = mix(mix(gl_in[0].gl_Position, gl_in[1].gl_Position, gl_TessCoord.y),
                    mix(gl_in[2].gl_Position, gl_in[3].gl_Position, gl_TessCoord.y), gl_TessCoord.x);
  const vec4 own =
      vec4(gl_SubgroupSize, gl_SubgroupEqMask.x + gl_SubgroupInvocationID, 4 * subgroupAdd(1u), gl_SubgroupGeMask.x) / vec4(4, 1, 4, 15);
  product = own * counts[3];
}
