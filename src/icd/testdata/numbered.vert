#version 450
#extension GL_ARB_shader_draw_parameters : require
// A point for each vertex in the row of its draw. Its color tells the instance and the first vertex.
layout(location = 0) flat out vec4 given;
void main() {
  gl_PointSize = 1;
  gl_Position = vec4((2 * gl_VertexIndex + 1) / 16.0 - 1, (2 * gl_DrawIDARB + 1) / 16.0 - 1, 0, 1);
  given = vec4(gl_InstanceIndex / 255.0, gl_BaseVertexARB / 255.0, 1, 1);
}
