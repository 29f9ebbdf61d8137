#version 450
// A torus of points of its surface, and its normal.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 0) out vec3 out_normal;
layout(location = 1) out vec2 out_place;
void main() {
  gl_Position = vec4(position, 1.0);
  out_normal = normal;
  out_place = position.xz * 2.5;
}
