#version 450
layout(input_attachment_index = 0, set = 0, binding = 0) uniform subpassInput depth;
layout(input_attachment_index = 1, set = 0, binding = 1) uniform usubpassInput stencil;
layout(location = 0) out vec4 color;
void main() { color = vec4(subpassLoad(depth).x, float(subpassLoad(stencil).x) / 255, 0, 1); }
