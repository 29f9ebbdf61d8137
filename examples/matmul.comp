#version 450
// A product of square matrices in tiles of 16x16, which a workgroup loads into shared memory for all its threads.
layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 1) readonly buffer B { float b[]; };
layout(set = 0, binding = 2) writeonly buffer C { float c[]; };
layout(push_constant) uniform Push { uint size; };
shared float a_tile[16][16], b_tile[16][16];

void main() {
  uvec2 at = gl_GlobalInvocationID.xy, local = gl_LocalInvocationID.xy;
  float sum = 0.0;
  for (uint tile = 0; tile < size; tile += 16) {
    a_tile[local.y][local.x] = a[at.y * size + tile + local.x];
    b_tile[local.y][local.x] = b[(tile + local.y) * size + at.x];
    barrier();
    for (uint k = 0; k < 16; k++) sum += a_tile[local.y][k] * b_tile[k][local.x];
    barrier();
  }
  c[at.y * size + at.x] = sum;
}
