#version 450
// Corners of patches of a terrain, without vertex buffers: an 8 by 8 grid.
layout(location = 0) out vec2 place;
void main() {
  int patch_number = gl_VertexIndex / 4, corner = gl_VertexIndex % 4;
  place = vec2(patch_number % 8 + (corner & 1), patch_number / 8 + (corner >> 1)) / 8.0;
  gl_Position = vec4(place, 0.0, 1.0);
}
