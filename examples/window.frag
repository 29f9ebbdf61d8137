#version 450
// The picture of a window; its alpha does not count.
layout(set = 0, binding = 0) uniform sampler2D picture;
layout(push_constant) uniform Push { vec4 place; vec4 tint; };
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 color;
void main() { color = vec4(texture(picture, at).rgb * tint.rgb, tint.a); }
