#version 450
// Red grows to the right, green downwards; a storage texel buffer counts the pixels of each row.
layout(local_size_x = 4, local_size_y = 4) in;
layout(set = 0, binding = 0, rgba8) writeonly uniform image2D picture;
layout(set = 0, binding = 1, r32ui) uniform uimageBuffer rows;

void main() {
  const ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(at, imageSize(picture)))) return;
  imageStore(picture, at, vec4(vec2(at * 16) / 255.0, 0.0, 1.0));
  imageAtomicAdd(rows, at.y, 1u);
}
