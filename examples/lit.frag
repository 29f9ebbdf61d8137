#version 450
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(push_constant) uniform Scene {
  mat4 camera;
  vec4 light;
  vec4 tint;
  float ambient, direct;
};
layout(location = 0) out vec4 color;
void main() {
  float cosine = max(dot(normalize(normal), normalize(light.xyz - position)), 0.0);
  color = vec4(tint.rgb * (ambient + direct * cosine), tint.a);
}
