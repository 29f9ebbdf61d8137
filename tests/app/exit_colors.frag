#version 450
layout(constant_id = 0) const int kSteps = 1;
layout(location = 0) out vec4 color;
// Arrays, loops, a function, transcendentals: much of a compiler.
float slope(vec2 at, int steps) {
  float values[8];
  for (int i = 0; i < 8; i++) values[i] = float(i) * 0.125;
  float sum = 0.0;
  for (int i = 0; i < steps; i++) {
    if (at.x > 1e6) continue;
    sum += values[(i + int(at.y)) & 7] * sin(at.x) * 0.0;
  }
  return sum;
}
void main() {
  color = vec4(slope(gl_FragCoord.xy, kSteps), float(kSteps) / 255.0, 0.0, 1.0);
}
