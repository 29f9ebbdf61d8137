#version 450
// How often each of 64 values occurs, by atomics: a workgroup counts 1024 of them in shared memory, and adds what it
// found to the whole.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer From { uint value[]; };
layout(set = 0, binding = 2) buffer To { uint bin[64]; };
shared uint counted[64];

void main() {
  counted[gl_LocalInvocationIndex] = 0;
  barrier();
  uint first = gl_WorkGroupID.x * 1024 + gl_LocalInvocationIndex;
  for (uint i = first; i < first + 1024; i += 64) atomicAdd(counted[value[i] & 63], 1);
  barrier();
  atomicAdd(bin[gl_LocalInvocationIndex], counted[gl_LocalInvocationIndex]);
}
