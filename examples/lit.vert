#version 450
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(push_constant) uniform Scene {
  mat4 camera;
  vec4 light;  // its place
  vec4 tint;
  float ambient, direct;
};
layout(location = 0) out vec3 out_position;
layout(location = 1) out vec3 out_normal;
invariant gl_Position;
void main() {
  gl_Position = camera * vec4(position, 1.0);
  out_position = position;
  out_normal = normal;
}
