#version 450
// Silhouettes: an edge between a triangle that faces the eye and one that does not becomes a narrow band, in a
// color and at a depth that its direction says.
layout(triangles_adjacency) in;
layout(triangle_strip, max_vertices = 12) out;
layout(location = 0) in vec3 normal[];
layout(location = 0) flat out vec3 ink;
vec4 place(int i) {
  vec3 p = gl_in[i].gl_Position.xyz;
  return vec4(p.x * 0.75 * 0.5, (p.y * 0.8 - p.z * 0.6) * 0.5, 0.01 * float(i), 1.0);
}
float area(vec2 a, vec2 b, vec2 c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }
void main() {
  vec4 p[6];
  for (int i = 0; i < 6; i++) p[i] = place(i);
  if (area(p[0].xy, p[2].xy, p[4].xy) <= 0.0) return;
  for (int i = 0; i < 6; i += 2) {
    vec4 a = p[i], b = p[(i + 2) % 6], beyond = p[i + 1];
    if (area(a.xy, beyond.xy, b.xy) > 0.0) continue;
    vec2 along = normalize(b.xy - a.xy), across = vec2(-along.y, along.x) * 0.015;
    ink = vec3(0.5 + 0.5 * along, 0.2);
    float z = 0.05 + 0.02 * along.x;
    gl_Layer = 1;
    gl_Position = vec4(a.xy - across, z, 1.0); EmitVertex();
    gl_Layer = 1;
    gl_Position = vec4(a.xy + across, z, 1.0); EmitVertex();
    gl_Layer = 1;
    gl_Position = vec4(b.xy - across, z, 1.0); EmitVertex();
    gl_Layer = 1;
    gl_Position = vec4(b.xy + across, z, 1.0); EmitVertex();
    EndPrimitive();
  }
}
