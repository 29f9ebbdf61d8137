#version 450
layout(quads, fractional_odd_spacing, ccw) in;
layout(location = 0) in vec2 place[];
layout(location = 1) patch in vec4 tint;
layout(location = 0) out vec4 color;
void main() {
  vec2 p = mix(mix(place[0], place[1], gl_TessCoord.x), mix(place[2], place[3], gl_TessCoord.x), gl_TessCoord.y);
  float h = 0.12 * sin(p.x * 9.0) * cos(p.y * 7.0) + 0.05 * sin(p.x * 23.0 + p.y * 17.0);
  float w = 0.6 + p.y;
  gl_Position = vec4((p.x * 2.0 - 1.0) * 1.1, (0.9 - p.y * 0.9) * 1.0 - h * 1.2 - 0.1, p.y * w * 0.8, w);
  color = vec4(0.3 + h * 3.0, 0.5 + h * 2.0, 0.25, 1.0) + tint;
}
