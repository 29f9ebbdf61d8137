#version 450
// A point of one pixel with a color.
layout(location = 0) in vec2 at;
layout(location = 3) in vec4 color;
layout(location = 0) flat out vec4 given;
void main() {
  gl_PointSize = 1;
  gl_Position = vec4((2 * at + 1) / 16 - 1, 0, 1);
  given = color;
}
