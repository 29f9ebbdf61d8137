#version 450

layout(location = 0) in vec2 pixel;
layout(push_constant) uniform Push { float window; };

void main() {
  gl_Position = vec4(pixel / window * 2 - 1, 0, 1);
  gl_PointSize = 1;
}
