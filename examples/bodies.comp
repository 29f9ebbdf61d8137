#version 450
// A step of bodies that draw each other near, each in an invocation: place and speed from one buffer to another.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer From { vec4 from[]; };
layout(set = 0, binding = 1) writeonly buffer To { vec4 to[]; };
shared vec2 places[gl_WorkGroupSize.x];

void main() {
  const uint me = gl_GlobalInvocationID.x, count = from.length();
  vec4 body = from[me];
  vec2 pull = vec2(0.0);
  for (uint first = 0; first < count; first += gl_WorkGroupSize.x) {
    places[gl_LocalInvocationIndex] = from[first + gl_LocalInvocationIndex].xy;
    barrier();
    for (uint i = 0; i < gl_WorkGroupSize.x; i++) {
      const vec2 away = places[i] - body.xy;
      const float nearness = inversesqrt(dot(away, away) + 0.02);
      pull += away * (nearness * nearness * nearness);
    }
    barrier();
  }
  body.zw += pull * (0.02 / float(count));
  body.xy += body.zw;
  to[me] = body;
}
