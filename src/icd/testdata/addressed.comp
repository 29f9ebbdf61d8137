#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
layout(local_size_x = 8) in;
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Colors { vec4 color[4]; uint written; };
layout(push_constant) uniform P { uvec2 to; } p;
// Colors 0 and 1 become red and blue, 2 their sum.
void main() {
  Colors to = Colors(p.to);
  const uint i = gl_LocalInvocationIndex;
  if (i < 2) to.color[i] = vec4(i == 0, 0, i == 1, 1);
  atomicAdd(to.written, i);
}
