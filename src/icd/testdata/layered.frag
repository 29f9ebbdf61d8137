#version 450
layout(location = 0) out vec4 color;
// Tells where the fragment was sent.
void main() { color = vec4(gl_Layer == 1, gl_ViewportIndex == 1, 1, 1); }
