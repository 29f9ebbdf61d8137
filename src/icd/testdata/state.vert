#version 450
layout(location = 0) in vec4 position;
layout(location = 0) flat out vec4 own;
layout(location = 1) out vec4 shade;
void main() {
  gl_Position = position;
  gl_PointSize = 3.0;
  own = vec4(float(gl_VertexIndex % 3) / 2.0, float(gl_VertexIndex % 5) / 4.0, 0.25, 1.0);
  shade = vec4(position.xy * 0.5 + 0.5, 0.5, position.x * 0.5 + 0.5);
}
