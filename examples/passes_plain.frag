#version 450

layout(location = 0) in vec2 texel;
layout(location = 1) flat in vec4 tint;

layout(location = 0) out vec4 color;

void main() {
  if (distance(texel, vec2(0.5)) > 0.5) discard;
  color = tint;
}
