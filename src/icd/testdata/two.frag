#version 450
layout(location = 0) out vec4 first;
layout(location = 1) out vec4 second;
void main() {
  first = vec4(1, 0, 0, 1);
  second = vec4(0, 1, 0, 1);
}
