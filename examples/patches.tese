#version 450
#extension GL_ARB_shader_viewport_layer_array : require
layout(quads, equal_spacing) in;
layout(location = 0) out vec3 given;
// Patches go to the layers in turn.
void main() {
  gl_Layer = gl_PrimitiveID % 2;
  gl_Position = mix(mix(gl_in[0].gl_Position, gl_in[1].gl_Position, gl_TessCoord.x),
                    mix(gl_in[2].gl_Position, gl_in[3].gl_Position, gl_TessCoord.x), gl_TessCoord.y);
  given = vec3(gl_TessCoord.xy, 0);
}
