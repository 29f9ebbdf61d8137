#version 450
// The picture sharp in its middle and blurred towards its upper and lower ends, as of a toy; and its histogram in bars
// at the bottom.
layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0, rgba8) readonly uniform image2D blurred;
layout(set = 0, binding = 1, rgba8) uniform image2D picture;
layout(set = 0, binding = 2) readonly buffer Histogram { uint pixels[64]; };

void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(picture);
  if (any(greaterThanEqual(at, size))) return;
  float away = abs(float(at.y) + 0.5 - 0.5 * float(size.y)) / float(size.y);
  vec4 color = mix(imageLoad(picture, at), imageLoad(blurred, at), smoothstep(0.08, 0.3, away));
  // Four brightnesses to a bar, whose height is the root of its share, so that rare ones are seen too.
  int first = at.x * 16 / size.x * 4;
  uint counted = pixels[first] + pixels[first + 1] + pixels[first + 2] + pixels[first + 3];
  float share = float(counted) / float(size.x * size.y);
  if (float(size.y - at.y) <= sqrt(share) * 0.5 * float(size.y)) color.rgb = 1.0 - 0.5 * color.rgb;
  imageStore(picture, at, color);
}
