#version 450
// A point becomes a small square, in a color that its kind and age say.
layout(points) in;
layout(triangle_strip, max_vertices = 4) out;
layout(location = 0) in vec4 place[];
layout(location = 1) in vec4 movement[];
layout(location = 0) out vec2 corner;
layout(location = 1) flat out vec3 tint;
void main() {
  float young = max(1.0 - place[0].w / 26.0, 0.0);
  bool spark = movement[0].w == 2.0;
  vec2 size = (spark ? 0.02 + 0.02 * young : 0.03) * vec2(0.75, 1.0);
  for (int i = 0; i < 4; i++) {
    corner = vec2(i & 1, i >> 1) * 2.0 - 1.0;
    tint = spark ? mix(vec3(0.8, 0.15, 0.05), vec3(1.0, 0.9, 0.4), young) : vec3(0.6, 0.7, 1.0);
    gl_Position = vec4(place[0].x, -place[0].y, 0.5, 1.0) + vec4(corner * size, 0.0, 0.0);
    EmitVertex();
  }
}
