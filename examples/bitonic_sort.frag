#version 450
// A step of a bitonic sort: each key meets the one that is `stride` further or before, and keeps the less or the
// greater of both. The numbers of keys are floats, as chips of the time have no integers.
layout(binding = 0) uniform sampler2D keys;
layout(push_constant) uniform Run {
  vec2 texel;
  float width, per_width;
  float stride, per_stride;
  float per_block;  // of sorted keys after this step; every second block is sorted downwards
};
layout(location = 0) out vec4 color;

void main() {
  vec2 at = floor(gl_FragCoord.xy);
  float number = at.y * width + at.x;
  float is_second = mod(floor(number * per_stride), 2.0);
  float is_downwards = mod(floor(number * per_block), 2.0);
  float partner = number + stride - 2.0 * stride * is_second;
  float row = floor(partner * per_width);
  float own = texture(keys, gl_FragCoord.xy * texel).x;
  float other = texture(keys, (vec2(partner - row * width, row) + 0.5) * texel).x;
  color = vec4(is_second == is_downwards ? min(own, other) : max(own, other));
}
