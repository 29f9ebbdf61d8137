#version 450
layout(location = 0) in vec2 place;
void main() { gl_Position = vec4(place, 0, 1); }
