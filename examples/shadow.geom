#version 450
// A shadow volume: a triangle that faces the light stays as the near end, moved away from the light a little; one
// that does not becomes the far end; and where their edge runs a side stretches from the one to the other.
layout(triangles_adjacency) in;
layout(triangle_strip, max_vertices = 18) out;
layout(location = 0) in vec3 position[];
layout(push_constant) uniform Scene {
  mat4 camera;
  vec4 light;
  vec4 tint;
  float ambient, direct;
};
const float kNear = 0.02, kFar = 6.0;

bool faces_light(vec3 a, vec3 b, vec3 c) { return dot(cross(b - a, c - a), light.xyz - a) > 0.0; }

void emit(vec3 from, float distance) {
  gl_Position = camera * vec4(from + normalize(from - light.xyz) * distance, 1.0);
  EmitVertex();
}

void main() {
  if (!faces_light(position[0], position[2], position[4])) return;
  for (int i = 0; i < 6; i += 2) emit(position[i], kNear);
  EndPrimitive();
  for (int i = 4; i >= 0; i -= 2) emit(position[i], kFar);
  EndPrimitive();
  for (int i = 0; i < 6; i += 2) {
    vec3 a = position[i], b = position[(i + 2) % 6];
    if (faces_light(a, position[i + 1], b)) continue;
    emit(a, kNear);
    emit(a, kFar);
    emit(b, kNear);
    emit(b, kFar);
    EndPrimitive();
  }
}
