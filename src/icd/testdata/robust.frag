#version 450
layout(location = 0) flat in vec4 fetched;
layout(location = 1) flat in vec4 indexed;
layout(location = 2) flat in vec4 fixed_place;
layout(location = 0) out vec4 colors[3];
void main() {
  colors[0] = fetched;
  colors[1] = indexed;
  colors[2] = fixed_place;
}
