#version 450
layout(set = 0, binding = 0) uniform sampler2D picture;
layout(location = 0) out vec4 color;
void main() { color = texture(picture, gl_FragCoord.xy / 8 - 0.5); }
