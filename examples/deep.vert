#version 450
layout(location = 0) in vec3 place;
layout(location = 0) out vec3 given;
// The last component is the depth within the viewport's range.
void main() {
  gl_Position = vec4(place, 1);
  given = vec3(0.5 + 0.5 * place.xy, place.z);
}
