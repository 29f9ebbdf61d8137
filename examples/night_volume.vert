#version 450
// The volume that a body keeps from the light. Each face has vertices of its own: those of faces that look away
// from the light move far away from it, and the sides between faces stretch with them.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;  // of the face
layout(push_constant) uniform Scene {
  mat4 camera;
  vec4 light;
  vec4 tint;
  float ambient, direct;
};
const float kNear = 0.02, kFar = 12.0;
void main() {
  const vec3 at = position + vec3(gl_InstanceIndex % 5 - 2, 0, gl_InstanceIndex / 5 - 2) * 2.1;
  const vec3 ray = at - light.xyz;
  gl_Position = camera * vec4(at + normalize(ray) * (dot(normal, ray) > 0.0 ? kFar : kNear), 1.0);
}
