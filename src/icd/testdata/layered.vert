#version 450
#extension GL_ARB_shader_viewport_layer_array : require
// Two triangles over the whole viewport. Instance i goes to layer i % 2 and viewport i / 2.
void main() {
  const vec2 corners[6] = vec2[](vec2(0, 0), vec2(1, 0), vec2(0, 1), vec2(0, 1), vec2(1, 0), vec2(1, 1));
  gl_Layer = gl_InstanceIndex % 2;
  gl_ViewportIndex = gl_InstanceIndex / 2;
  gl_Position = vec4(2 * corners[gl_VertexIndex] - 1, 0.5, 1);
}
