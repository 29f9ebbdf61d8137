#version 450
// The sum of numbers: a workgroup adds up 1024 of them in shared memory, in a tree.
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer From { uint number[]; };
layout(set = 0, binding = 2) writeonly buffer To { uint sum[]; };
shared uint partial[256];

void main() {
  uint first = gl_WorkGroupID.x * 1024 + gl_LocalInvocationIndex, total = 0;
  for (uint i = first; i < first + 1024; i += 256)
    if (i < number.length()) total += number[i];
  partial[gl_LocalInvocationIndex] = total;
  barrier();
  for (uint apart = 128; apart > 0; apart >>= 1) {
    if (gl_LocalInvocationIndex < apart)
      partial[gl_LocalInvocationIndex] += partial[gl_LocalInvocationIndex + apart];
    barrier();
  }
  if (gl_LocalInvocationIndex == 0) sum[gl_WorkGroupID.x] = partial[0];
}
