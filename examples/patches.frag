#version 450
layout(location = 0) in vec3 given;
layout(location = 0) out vec4 color;
void main() { color = vec4(1 - given.xy, 1, 1); }
