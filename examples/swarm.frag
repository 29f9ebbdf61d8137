#version 460
#extension GL_EXT_demote_to_helper_invocation : require

layout(set = 0, binding = 0) uniform Palette { vec4 color[6]; } palette;  // an inline uniform block
layout(location = 0) in vec2 place;
layout(location = 1) flat in uint number;
layout(location = 0) out vec4 color;

// A disc with a rim.
void main() {
  const float far = dot(place, place);
  if (far > 0.96) demote;
  color = far > 0.6 ? palette.color[5] : palette.color[number % 5];
}
