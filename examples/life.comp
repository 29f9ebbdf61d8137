#version 450
// One generation of Conway's game on a torus. A workgroup loads its cells and their neighbours into shared memory,
// counts the living, and paints what comes out.
layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0) readonly buffer From { uint from_cell[]; };
layout(set = 0, binding = 1) writeonly buffer To { uint to_cell[]; };
layout(set = 0, binding = 2) buffer Count { uint living[]; };
layout(set = 0, binding = 3, rgba8) writeonly uniform image2D picture;
layout(push_constant) uniform Push { uvec2 size; uint generation; };

const uint kTile = 18;
shared uint tile[kTile * kTile];
shared uint alive;

void main() {
  const uvec2 corner = gl_WorkGroupID.xy * gl_WorkGroupSize.xy + size - 1;
  for (uint i = gl_LocalInvocationIndex; i < kTile * kTile; i += 256) {
    const uvec2 at = (corner + uvec2(i % kTile, i / kTile)) % size;
    tile[i] = from_cell[at.y * size.x + at.x];
  }
  if (gl_LocalInvocationIndex == 0) alive = 0;
  barrier();

  const uvec2 local = gl_LocalInvocationID.xy;
  uint neighbours = 0;
  for (uint y = 0; y < 3; y++)
    for (uint x = 0; x < 3; x++)
      if (x != 1 || y != 1) neighbours += tile[(local.y + y) * kTile + local.x + x] & 1;
  // The upper bits hold a cell's age.
  const uint old = tile[(local.y + 1) * kTile + local.x + 1];
  const bool lives = neighbours == 3 || (neighbours == 2 && (old & 1) != 0);
  const uint age = lives ? min((old >> 1) + 1, 31) : 0;
  const uvec2 at = gl_GlobalInvocationID.xy;
  if (all(lessThan(at, size))) {
    to_cell[at.y * size.x + at.x] = age << 1 | uint(lives);
    if (lives) atomicAdd(alive, 1);
    imageStore(picture, ivec2(at), vec4(lives ? 255 : 16, age * 8, gl_WorkGroupID.x * 32 % 256, 255) / 255.0);
  }
  barrier();
  if (gl_LocalInvocationIndex == 0) atomicAdd(living[generation], alive);
}
