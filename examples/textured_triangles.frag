#version 450

layout(location = 0) in vec2 texel;
layout(location = 1) in vec4 tint;

layout(set = 0, binding = 1) uniform sampler2D image;

layout(location = 0) out vec4 color;

void main() { color = texture(image, texel) * tint; }
