#version 450
// An iteration of Jacobi for the pressure whose Laplacian is the divergence.
layout(binding = 0) uniform sampler2D pressure;
layout(binding = 1) uniform sampler2D divergence;
layout(push_constant) uniform Run { vec2 texel; };
layout(location = 0) out vec4 color;

void main() {
  vec2 here = gl_FragCoord.xy * texel, right = vec2(texel.x, 0.0), down = vec2(0.0, texel.y);
  color = vec4(0.25 * (texture(pressure, here + right).x + texture(pressure, here - right).x +
                       texture(pressure, here + down).x + texture(pressure, here - down).x -
                       texture(divergence, here).x));
}
