#version 450
// Fur: every invocation moves its triangle out along the normals, to a shell; an odd one draws to the second layer,
// seen from the other side. Every third triangle leaves the surface altogether.
layout(triangles, invocations = 8) in;
layout(triangle_strip, max_vertices = 6) out;
layout(location = 0) in vec3 normal[];
layout(location = 1) in vec2 place[];
layout(location = 0) out vec3 out_place;
layout(location = 1) flat out vec4 tint;
void main() {
  int layer = gl_InvocationID & 1;
  float shell = float(gl_InvocationID >> 1);
  float away = gl_PrimitiveIDIn % 3 == 0 ? 0.25 : 0.0;
  vec3 face = normalize(normal[0] + normal[1] + normal[2]) * away;
  for (int side = 0; side < 2; side++) {
    if (side == 1 && shell > 0.0) break;  // the outside once more, a little smaller, in another color
    for (int i = 0; i < gl_in.length(); i++) {
      vec3 p = gl_in[i].gl_Position.xyz + normal[i] * shell * 0.02 + face;
      if (side == 1) p *= 0.5;
      if (layer == 1) p.xz = -p.xz;
      gl_Position = vec4(p.x * 0.75, (p.y * 0.8 - p.z * 0.6) * 1.0, p.z * 0.2 + p.y * 0.1 + 0.5, 1.0);
      gl_Layer = layer;
      out_place = vec3(place[i], shell);
      tint = vec4(vec3(0.4, 0.3, 0.2) + 0.12 * shell + 0.2 * float(side), 1.0);
      gl_PrimitiveID = gl_PrimitiveIDIn;
      EmitVertex();
    }
    EndPrimitive();
  }
}
