#version 450
layout(location = 0) out vec4 color;
void main() {
  const float helper = gl_HelperInvocation ? 1 : 0;
  color = vec4(abs(dFdxFine(helper)), helper, abs(dFdyFine(helper)), 1);
}
