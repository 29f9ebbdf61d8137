#version 450

// Triangles as they come.

layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec2 came_at[];
layout(location = 0) out vec2 at;

void main() {
  for (int i = 0; i < 3; i++) {
    gl_Position = gl_in[i].gl_Position;
    at = came_at[i];
    EmitVertex();
  }
}
