#version 450
#extension GL_EXT_multiview : require
layout(location = 0) flat in int view;
layout(location = 0) out vec4 color;
void main() { color = vec4(view == gl_ViewIndex, gl_ViewIndex / 255.0, 0, 1); }
