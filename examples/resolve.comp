#version 450
// The list of each pixel, sorted from far to near, blended over what is opaque.
layout(local_size_x = 8, local_size_y = 8) in;
struct Node {
  uint color, next;
  float depth;
};
layout(set = 0, binding = 0, r32ui) readonly uniform uimage2D heads;
layout(set = 0, binding = 1) readonly buffer Nodes { Node nodes[]; };
layout(set = 0, binding = 3, rgba8) uniform image2D picture;
const uint kMost = 16;  // of a pixel; more are left out

void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(at, imageSize(picture)))) return;
  uint colors[kMost];
  float depths[kMost];
  uint found = 0;
  for (uint node = imageLoad(heads, at).r; node != 0 && found < kMost; node = nodes[node].next) {
    uint place = found++;
    float depth = nodes[node].depth;
    for (; place > 0 && depths[place - 1] < depth; place--) {
      depths[place] = depths[place - 1];
      colors[place] = colors[place - 1];
    }
    depths[place] = depth;
    colors[place] = nodes[node].color;
  }
  vec4 color = imageLoad(picture, at);
  for (uint i = 0; i < found; i++) {
    vec4 over = unpackUnorm4x8(colors[i]);
    color.rgb = mix(color.rgb, over.rgb, over.a);
  }
  imageStore(picture, at, color);
}
