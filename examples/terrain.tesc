#version 450
// Each edge is divided by how near its middle is to the eye, so that neighbours divide it alike.
layout(vertices = 4) out;
layout(location = 0) in vec2 place[];
layout(location = 0) out vec2 out_place[];
layout(location = 1) patch out vec4 tint;
layout(push_constant) uniform Push { float most; } push;
float factor(vec2 a, vec2 b) { return max(1.0, push.most * (1.0 - 0.9 * ((a.y + b.y) * 0.5))); }
void main() {
  out_place[gl_InvocationID] = place[gl_InvocationID];
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  barrier();
  if (gl_InvocationID == 0) {
    gl_TessLevelOuter[0] = factor(out_place[0], out_place[2]);
    gl_TessLevelOuter[1] = factor(out_place[0], out_place[1]);
    gl_TessLevelOuter[2] = factor(out_place[1], out_place[3]);
    gl_TessLevelOuter[3] = factor(out_place[2], out_place[3]);
    gl_TessLevelInner[0] = 0.5 * (gl_TessLevelOuter[1] + gl_TessLevelOuter[3]);
    gl_TessLevelInner[1] = 0.5 * (gl_TessLevelOuter[0] + gl_TessLevelOuter[2]);
    tint = vec4(0.1 * float(gl_PrimitiveID % 3), 0.0, 0.1 * float(gl_PrimitiveID % 5), 0.0);
  }
}
