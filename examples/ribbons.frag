#version 450
#extension GL_ARB_shader_stencil_export : require
layout(location = 0) in vec3 given;
layout(location = 0) out vec4 color;
// The stencil has the number of the stripe of 16 columns.
void main() {
  gl_FragStencilRefARB = int(gl_FragCoord.x) / 16;
  color = vec4(given, 1);
}
