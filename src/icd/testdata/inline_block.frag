#version 450
// At a constant place, and at one that is known when the program runs.
layout(set = 0, binding = 1) uniform Block { vec4 value[3]; uint index; } b;
layout(location = 0) out vec4 color;
void main() { color = b.value[0] + b.value[b.index]; }
