#version 450
layout(location = 0) in vec2 corner;
layout(location = 1) flat in vec3 tint;
layout(location = 0) out vec4 color;
void main() { color = vec4(tint * max(1.0 - dot(corner, corner), 0.0), 1.0); }
