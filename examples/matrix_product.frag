#version 450
// Texel (x, y) is the block of rows 2y and 2y + 1 and columns 2x and 2x + 1 of a matrix, row by row. Adds 16 products
// of blocks, of a row of blocks on the left and a column on the right, to the sum of earlier runs.
layout(binding = 0) uniform sampler2D left;
layout(binding = 1) uniform sampler2D right;
layout(binding = 2) uniform sampler2D earlier;
layout(push_constant) uniform Run { vec2 texel; float first; };
layout(location = 0) out vec4 color;

vec2 here;
vec4 sum;

void add(float block) {
  float along = first + block * texel.x;
  vec4 a = texture(left, vec2(along, here.y)), b = texture(right, vec2(here.x, along));
  sum += a.xxzz * b.xyxy;
  sum += a.yyww * b.zwzw;
}

void add_four(float block) {
  add(block);
  add(block + 1.0);
  add(block + 2.0);
  add(block + 3.0);
}

void main() {
  here = gl_FragCoord.xy * texel;
  sum = texture(earlier, here);
  add_four(0.0);
  add_four(4.0);
  add_four(8.0);
  add_four(12.0);
  color = sum;
}
