#version 450
// Each sample by its number and place.
layout(location = 0) out vec4 color;
void main() { color = vec4(gl_SampleID / 8.0, gl_SamplePosition, 1); }
