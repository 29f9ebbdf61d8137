#version 450
// Bodies in five rows of five.
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
  out_position = position + vec3(gl_InstanceIndex % 5 - 2, 0, gl_InstanceIndex / 5 - 2) * 2.1;
  out_normal = normal;
  gl_Position = camera * vec4(out_position, 1.0);
}
