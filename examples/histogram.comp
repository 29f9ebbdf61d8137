#version 450
// How often each of 64 brightnesses occurs in a picture: a workgroup counts its 16x16 pixels in shared memory, and
// adds what it found to the whole.
layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0, rgba8) readonly uniform image2D picture;
layout(set = 0, binding = 2) buffer Histogram { uint pixels[64]; };
shared uint counted[64];

void main() {
  if (gl_LocalInvocationIndex < 64) counted[gl_LocalInvocationIndex] = 0;
  barrier();
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (all(lessThan(at, imageSize(picture)))) {
    uvec3 color = uvec3(imageLoad(picture, at).rgb * 255.0 + 0.5);
    uint brightness = (77 * color.r + 150 * color.g + 29 * color.b) >> 8;
    atomicAdd(counted[brightness >> 2], 1);
  }
  barrier();
  if (gl_LocalInvocationIndex < 64 && counted[gl_LocalInvocationIndex] != 0)
    atomicAdd(pixels[gl_LocalInvocationIndex], counted[gl_LocalInvocationIndex]);
}
