#version 450
// Half the flow out of each element.
layout(binding = 0) uniform sampler2D state;
layout(push_constant) uniform Run { vec2 texel; };
layout(location = 0) out vec4 color;

void main() {
  vec2 here = gl_FragCoord.xy * texel, right = vec2(texel.x, 0.0), down = vec2(0.0, texel.y);
  color = vec4(0.5 * (texture(state, here + right).x - texture(state, here - right).x +
                      texture(state, here + down).y - texture(state, here - down).y));
}
