#version 450
// Adds up what workgroups have counted, a bin for each thread.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer From { uint counted[]; };
layout(set = 0, binding = 2) writeonly buffer To { uint bin[]; };

void main() {
  uint sum = 0;
  for (uint i = gl_LocalInvocationIndex; i < counted.length(); i += 64) sum += counted[i];
  bin[gl_LocalInvocationIndex] = sum;
}
