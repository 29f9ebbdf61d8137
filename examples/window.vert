#version 450
// A rectangle of the screen, as a strip of two triangles.
layout(push_constant) uniform Push { vec4 place; vec4 tint; };
layout(location = 0) out vec2 at;
void main() {
  at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
  gl_Position = vec4(place.xy + at * place.zw, 0.0, 1.0);
}
