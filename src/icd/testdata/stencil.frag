#version 450
#extension GL_ARB_shader_stencil_export : require
layout(location = 0) out vec4 color;
// The stencil becomes the column.
void main() {
  gl_FragStencilRefARB = int(gl_FragCoord.x);
  color = vec4(0, 0, 1, 1);
}
