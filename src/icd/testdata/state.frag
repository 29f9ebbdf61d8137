#version 450
layout(location = 0) flat in vec4 own;
layout(location = 1) in vec4 shade;
layout(location = 0) out vec4 first;
layout(location = 1) out vec4 second;
void main() {
  // The place of the first sample depends on their number, and so does the program.
  first = vec4(mix(own.rgb, interpolateAtSample(shade, 0).rgb, 0.5), shade.a);
  second = vec4(shade.gr, own.r, 0.5);
}
