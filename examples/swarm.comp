#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_null_initializer : require

layout(local_size_x = 32) in;

struct Agent {
  ivec2 at, speed;  // 1/16 pixels
};
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Agents { Agent agent[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Count { uint bounces; };
layout(push_constant) uniform Push {
  Agents agents;
  Count count;
  ivec2 room;  // 1/16 pixels
} p;

shared uint bounces = {};

// Each agent moves on; it turns where it would leave the room.
void main() {
  Agent a = p.agents.agent[gl_GlobalInvocationID.x];
  for (int axis = 0; axis < 2; axis++) {
    const int next = a.at[axis] + a.speed[axis];
    if (next < 0 || next > p.room[axis]) {
      a.speed[axis] = -a.speed[axis];
      atomicAdd(bounces, 1);
    } else {
      a.at[axis] = next;
    }
  }
  p.agents.agent[gl_GlobalInvocationID.x] = a;
  barrier();
  if (gl_LocalInvocationIndex == 0) atomicAdd(p.count.bounces, bounces);
}
