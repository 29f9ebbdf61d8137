#version 450
layout(set = 0, binding = 0) uniform A { vec4 value; } a;
layout(set = 0, binding = 1) uniform B { vec4 value; } b[2];
layout(location = 0) out vec4 color;
void main() { color = a.value + b[0].value + b[1].value; }
