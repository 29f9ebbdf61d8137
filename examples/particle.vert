#version 450
layout(location = 0) in vec4 place;     // and its age in steps
layout(location = 1) in vec4 movement;  // a step, and what it is
layout(location = 0) out vec4 out_place;
layout(location = 1) out vec4 out_movement;
void main() {
  out_place = place;
  out_movement = movement;
}
