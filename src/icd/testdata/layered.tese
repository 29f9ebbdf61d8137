#version 450
#extension GL_ARB_shader_viewport_layer_array : require
layout(quads) in;
layout(location = 0) flat in int number[];
// Instance i goes to layer i % 2 and viewport i / 2.
void main() {
  gl_Layer = number[0] % 2;
  gl_ViewportIndex = number[0] / 2;
  gl_Position = mix(mix(gl_in[0].gl_Position, gl_in[1].gl_Position, gl_TessCoord.y),
                    mix(gl_in[2].gl_Position, gl_in[3].gl_Position, gl_TessCoord.y), gl_TessCoord.x);
}
