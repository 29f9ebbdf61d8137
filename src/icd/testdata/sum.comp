#version 450
// Every workgroup adds up its part of the input by halves in shared memory.
layout(local_size_x_id = 0) in;
layout(set = 0, binding = 0) readonly buffer In { uint values[]; };
layout(set = 0, binding = 1) buffer Out {
  uint total, length;
  uvec4 group[];
};
layout(push_constant) uniform Push { uint factor; };
shared uint part[gl_WorkGroupSize.x];

void main() {
  const uint i = gl_LocalInvocationIndex;
  part[i] = values[gl_GlobalInvocationID.x] * factor;
  for (uint half_size = gl_WorkGroupSize.x / 2; half_size > 0; half_size /= 2) {
    barrier();
    if (i < half_size) part[i] += part[i + half_size];
  }
  if (i != 0) return;
  group[gl_WorkGroupID.x] = uvec4(part[0], gl_WorkGroupID.x, gl_NumWorkGroups.x, gl_WorkGroupSize.x);
  atomicAdd(total, part[0]);
  length = values.length();
}
