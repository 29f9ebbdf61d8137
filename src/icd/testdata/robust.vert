#version 450
// A point in row 0 for each vertex.
layout(location = 0) in vec4 given;
layout(set = 0, binding = 0) uniform Colors { vec4 color[16]; } colors;
layout(location = 0) flat out vec4 fetched;
layout(location = 1) flat out vec4 indexed;
layout(location = 2) flat out vec4 fixed_place;
void main() {
  fetched = given;
  indexed = colors.color[gl_VertexIndex & 15];
  fixed_place = colors.color[3];
  gl_PointSize = 1;
  gl_Position = vec4((2 * gl_VertexIndex + 1) / 16.0 - 1, 1 / 16.0 - 1, 0, 1);
}
