#version 450
// The same for chips without atomics: each thread has 64 bins of its own in shared memory, one in each bank's column;
// then each adds up one value's bins of all threads. Bins of a workgroup are added up by another dispatch.
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) readonly buffer From { uint value[]; };
layout(set = 0, binding = 2) writeonly buffer To { uint bin[]; };
shared uint counted[64 * 32];

void main() {
  uint thread = gl_LocalInvocationIndex;
  for (uint i = thread; i < 64 * 32; i += 32) counted[i] = 0;
  barrier();
  uint first = gl_WorkGroupID.x * 1024 + thread;
  for (uint i = first; i < first + 1024; i += 32) counted[(value[i] & 63) * 32 + thread]++;
  barrier();
  for (uint mine = thread; mine < 64; mine += 32) {
    uint sum = 0;
    for (uint i = 0; i < 32; i++) sum += counted[mine * 32 + (i + thread) % 32];
    bin[gl_WorkGroupID.x * 64 + mine] = sum;
  }
}
