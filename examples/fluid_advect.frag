#version 450
// Moves velocity (xy) and dye (z) along the velocity: an element takes the values of the place that flows to it, linear
// between its four neighbours. Textures of 32-bit floats are not filtered on chips of the time.
layout(binding = 0) uniform sampler2D state;
layout(push_constant) uniform Run { vec2 texel; float time_step; };
layout(location = 0) out vec4 color;

void main() {
  vec2 from = gl_FragCoord.xy - time_step * texture(state, gl_FragCoord.xy * texel).xy - 0.5;
  vec2 corner = floor(from), share = from - corner;
  vec2 at = (corner + 0.5) * texel;
  vec4 top = mix(texture(state, at), texture(state, at + vec2(texel.x, 0.0)), share.x);
  vec4 bottom = mix(texture(state, at + vec2(0.0, texel.y)), texture(state, at + texel), share.x);
  color = mix(top, bottom, share.y);
}
