#version 460
#extension GL_EXT_buffer_reference : require

struct Agent {
  ivec2 at, speed;
};
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Agents { Agent agent[]; };
layout(push_constant) uniform Push {
  Agents agents;
  uvec2 unused;
  ivec2 room;
} p;

layout(location = 0) out vec2 place;        // within the agent
layout(location = 1) flat out uint number;

const int kSide = 12;  // pixels

// A square around each agent, whole pixels, without a vertex buffer.
void main() {
  const ivec2 corner = ivec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
  const ivec2 pixel = p.agents.agent[gl_InstanceIndex].at / 16 + corner * kSide;
  const vec2 size = vec2(p.room / 16 + kSide);
  place = vec2(corner) * 2 - 1;
  number = gl_InstanceIndex;
  gl_Position = vec4(vec2(pixel) / size * 2 - 1, float(gl_InstanceIndex + 1) / 128, 1);
}
