#version 450
// The light of all bodies at each texel.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 1) readonly buffer Bodies { vec4 bodies[]; };
layout(set = 0, binding = 2, rgba8) writeonly uniform image2D glow;

void main() {
  const ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(glow);
  if (any(greaterThanEqual(at, size))) return;
  const vec2 place = (vec2(at) + 0.5) * (2.0 / float(size.y)) - vec2(float(size.x) / float(size.y), 1.0);
  float light = 0.0;
  for (uint i = 0; i < bodies.length(); i++) {
    const vec2 away = bodies[i].xy - place;
    light += 1.0 / (dot(away, away) + 0.002);
  }
  light *= 0.005 / sqrt(float(bodies.length()));
  imageStore(glow, at, vec4(light, light * light * 0.8, light * 0.3, 1.0));
}
