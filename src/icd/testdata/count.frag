#version 450
// Counts fragments and notes the last column of each row.
layout(set = 0, binding = 0) buffer Count {
  uint fragments;
  uint column[16];
};
layout(location = 0) out vec4 color;

void main() {
  atomicAdd(fragments, 1u);
  atomicMax(column[uint(gl_FragCoord.y)], uint(gl_FragCoord.x));
  color = vec4(0.0, 1.0, 0.0, 1.0);
}
