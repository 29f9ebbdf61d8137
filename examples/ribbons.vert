#version 450
#extension GL_ARB_shader_viewport_layer_array : require
layout(location = 0) in vec2 place;
layout(location = 0) out vec3 given;
// Each instance has a layer, and lies a little lower.
void main() {
  gl_Layer = gl_InstanceIndex;
  given = vec3(place * 0.5 + 0.5, float(gl_InstanceIndex));
  gl_Position = vec4(place.x, place.y + 0.0625 * gl_InstanceIndex, 0.5, 1);
}
