#version 450

layout(location = 0) in vec4 position;
layout(location = 1) in vec2 texel;
layout(location = 2) in vec4 tint;

layout(set = 0, binding = 0) uniform View { mat4 transform; };
layout(push_constant) uniform Draw { vec4 shift; };

layout(location = 0) out vec2 out_texel;
layout(location = 1) out vec4 out_tint;

void main() {
  gl_Position = transform * (position + shift);
  out_texel = texel;
  out_tint = tint;
}
