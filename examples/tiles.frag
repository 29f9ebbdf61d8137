#version 450
#extension GL_EXT_nonuniform_qualifier : require
// Tiles of 5x5 pixels, each from a picture of its own; neighbours in a quad may take others.
layout(set = 0, binding = 0) uniform Tint { vec4 tint; };
layout(set = 0, binding = 1) uniform sampler2D pictures[];
layout(push_constant) uniform Bound { uint bound; };  // a bit for each picture that is there
layout(location = 0) out vec4 color;
void main() {
  const uvec2 tile = uvec2(gl_FragCoord.xy) / 5u;
  const uint which = (tile.x * 3u + tile.y * 5u + (tile.x >> 2)) % 8u;
  color = vec4(0.0, 0.0, 0.0, 1.0);
  if ((bound >> which & 1u) != 0u)
    color = texture(pictures[nonuniformEXT(which)], gl_FragCoord.xy / 64.0) + tint;
}
