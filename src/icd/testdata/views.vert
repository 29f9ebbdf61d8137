#version 450
#extension GL_EXT_multiview : require
// Two triangles over one column of four pixels for each view.
layout(location = 0) flat out int view;
void main() {
  const vec2 corners[6] = vec2[](vec2(0, 0), vec2(1, 0), vec2(0, 1), vec2(0, 1), vec2(1, 0), vec2(1, 1));
  const vec2 p = corners[gl_VertexIndex];
  view = gl_ViewIndex;
  gl_Position = vec4((p.x + gl_ViewIndex) / 2 - 1, 2 * p.y - 1, 0.5, 1);
}
