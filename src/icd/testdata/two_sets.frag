#version 450
layout(set = 1, binding = 0) uniform Block { vec4 color[2]; } from;
layout(constant_id = 3) const float green = 0;
layout(location = 0) out vec4 color;
void main() { color = from.color[1] + vec4(0, green, 0, 0); }
