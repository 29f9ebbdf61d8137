#version 450
// Nothing is drawn: each fragment that no opaque thing hides joins the list of its pixel, as a node that names the one
// before it. Node 0 stands for none.
layout(early_fragment_tests) in;
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(push_constant) uniform Scene {
  mat4 camera;
  vec4 light;
  vec4 tint;
  float ambient, direct;
};
struct Node {
  uint color, next;
  float depth;
};
layout(set = 0, binding = 0, r32ui) uniform uimage2D heads;
layout(set = 0, binding = 1) buffer Nodes { Node nodes[]; };
layout(set = 0, binding = 2) buffer Counters { uint used; };

void main() {
  float cosine = abs(dot(normalize(normal), normalize(light.xyz - position)));
  uint node = atomicAdd(used, 1) + 1;
  if (node >= nodes.length()) return;
  nodes[node].color = packUnorm4x8(vec4(tint.rgb * (ambient + direct * cosine), tint.a));
  nodes[node].depth = gl_FragCoord.z;
  nodes[node].next = imageAtomicExchange(heads, ivec2(gl_FragCoord.xy), node);
}
