#version 450
layout(location = 0) out vec4 color;
void main() {
  double exact = double(gl_FragCoord.x) / 3.0LF;
  color = vec4(float(exact));
}
