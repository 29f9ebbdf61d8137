#version 450
// Subtracts the gradient of the pressure, so that what flows into an element flows out of it.
layout(binding = 0) uniform sampler2D state;
layout(binding = 1) uniform sampler2D pressure;
layout(push_constant) uniform Run { vec2 texel; };
layout(location = 0) out vec4 color;

void main() {
  vec2 here = gl_FragCoord.xy * texel, right = vec2(texel.x, 0.0), down = vec2(0.0, texel.y);
  vec4 old = texture(state, here);
  vec2 gradient = 0.5 * vec2(texture(pressure, here + right).x - texture(pressure, here - right).x,
                             texture(pressure, here + down).x - texture(pressure, here - down).x);
  color = vec4(old.xy - gradient, old.zw);
}
