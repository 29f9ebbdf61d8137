#version 450
#extension GL_EXT_multiview : require
layout(points) in;
layout(triangle_strip, max_vertices = 4) out;
layout(location = 0) flat out int view;
// A column of four pixels for each view.
void main() {
  for (int i = 0; i < 4; i++) {
    gl_Position = vec4(float(i & 1) / 2 + float(gl_ViewIndex) / 2 - 1, 2 * (i >> 1) - 1, 0.5, 1);
    view = gl_ViewIndex;
    EmitVertex();
  }
}
