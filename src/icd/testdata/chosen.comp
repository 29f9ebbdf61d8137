#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 4) in;
// Each invocation takes a word of its own buffer, from `first` on; each run starts 4 buffers on.
layout(binding = 0) buffer Out { uint first; uint run; uint sums[]; };
layout(binding = 1) uniform Base { uvec4 base; };
layout(binding = 2) readonly buffer In { uint words[]; } in_[];
void main() {
  const uint i = gl_LocalInvocationIndex;
  const uint from = first + i;
  sums[4 * run + i] = base.x + in_[nonuniformEXT(from)].words[i];
  barrier();
  if (i == 0) {
    first += 4;
    run += 1;
  }
}
