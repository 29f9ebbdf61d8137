#version 450
#extension GL_EXT_buffer_reference : require
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Colors { vec4 color[4]; uint written; };
layout(push_constant) uniform P { Colors from; } p;
layout(location = 0) out vec4 color;
void main() { color = p.from.written == 28 ? p.from.color[gl_FragCoord.y < 8 ? 0 : 1] : vec4(0); }
