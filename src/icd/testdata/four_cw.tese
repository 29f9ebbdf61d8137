#version 450
layout(quads, cw) in;
void main() {
  gl_Position = mix(mix(gl_in[0].gl_Position, gl_in[1].gl_Position, gl_TessCoord.y),
                    mix(gl_in[2].gl_Position, gl_in[3].gl_Position, gl_TessCoord.y), gl_TessCoord.x);
}
