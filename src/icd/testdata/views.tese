#version 450
#extension GL_EXT_multiview : require
layout(quads) in;
layout(location = 0) in vec4 of_control[];
layout(location = 0) flat out int view;
// A column of four pixels for each view; -1 where the stages do not agree on the view.
void main() {
  const vec4 p = mix(mix(gl_in[0].gl_Position, gl_in[1].gl_Position, gl_TessCoord.y),
                     mix(gl_in[2].gl_Position, gl_in[3].gl_Position, gl_TessCoord.y), gl_TessCoord.x);
  view = of_control[3].x == gl_ViewIndex ? gl_ViewIndex : -1;
  gl_Position = vec4((p.x + 1) / 4 + float(gl_ViewIndex) / 2 - 1, p.y, 0.5, 1);
}
