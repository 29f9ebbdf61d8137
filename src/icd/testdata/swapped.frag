#version 450
layout(binding = 0) uniform sampler2D target;
layout(location = 0) out vec4 color;
// The color that the target has here, with red and blue swapped, and some green.
void main() { color = texelFetch(target, ivec2(gl_FragCoord.xy), 0).bgra + vec4(0, 0.25, 0, 0); }
