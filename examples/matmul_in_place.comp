#version 450
// A product of square matrices where all three lie in one buffer, as programs have it that are given one buffer to
// read and write: no shared memory, each thread reads a row and a column.
layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 2) buffer Matrices { float m[]; };
layout(push_constant) uniform Push { uint size; };

void main() {
  uvec2 at = gl_GlobalInvocationID.xy;
  float sum = 0.0;
  for (uint k = 0; k < size; k++) sum += m[at.y * size + k] * m[(size + k) * size + at.x];
  m[(2 * size + at.y) * size + at.x] = sum;
}
