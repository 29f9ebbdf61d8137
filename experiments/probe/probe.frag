#version 450

// Additions in a loop: how often, the pixel says. With DEPENDENT each needs the one before, and a unit waits for
// it; without it there are 16 sums, and none has to wait. They are precise, and none equals another, since
// compilers would put them together. A turn has so many that the branch at its end, which is a wait, counts for
// little: 256, or 128 of those that wait. With ORDER each fragment notes as which it ends. With LINES
// the slow pixels are lines that come again and again.

layout(push_constant) uniform Push {
  float window;
  uint background;
  uint turns;
  uint pixels;    // slow ones
  uint mask;      // bits of a position that have to agree
  uvec4 slow_at;  // x in the lower half, y in the upper
};
layout(location = 0) out vec4 color;
#ifdef ORDER
layout(set = 0, binding = 0) buffer Order {
  uint ended;
  uint rank[];  // by pixel of the window, from 1
};
#endif

#ifdef DEPENDENT
float work(uint count, float step) {
  precise float sum = 0;
  for (uint i = 0; i < count; i++) {
#define FOUR sum += step; sum += step; sum += step; sum += step;
#define SIXTEEN FOUR FOUR FOUR FOUR
    SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN
  }
  return sum;
}
#else
float work(uint count, float step) {
  precise vec4 a = vec4(0, 1, 2, 3), b = a + 4, c = a + 8, d = a + 12;
  for (uint i = 0; i < count; i++) {
#define SIXTEEN a += step; b += step; c += step; d += step;
#define ALL_64 SIXTEEN SIXTEEN SIXTEEN SIXTEEN
    ALL_64 ALL_64 ALL_64 ALL_64
  }
  return dot(a + b + c + d, vec4(1));
}
#endif

void main() {
  float sum = 0;
#ifdef LINES
  // The lines' length, how far they are apart, and how far aside every other pixel of one is, are in slow_at.
  uint column = uint(gl_FragCoord.x);
  if (pixels > 0) {
    const uvec2 here = uvec2(gl_FragCoord.xy), first = uvec2(slow_at.x & 0xffff, slow_at.x >> 16);
    const uvec2 to = (here - first) % uvec2(slow_at.z & 0xffff, slow_at.z >> 16);
    if (all(greaterThanEqual(here, first)) && to.y < slow_at.y && (to.x == 0 || to.x == slow_at.w))
      for (uint row = 0; row < slow_at.y; row++)
        if (row == to.y && to.x == (row % 2) * slow_at.w) sum = work(turns, 0.25 + 0.25 * row);
  }
#else
  uint here = (uint(gl_FragCoord.x) | uint(gl_FragCoord.y) << 16) & mask, column = here;
  if (pixels > 0 && here == slow_at.x) sum = work(turns, 0.25);
  else if (pixels > 1 && here == slow_at.y) sum = work(turns, 0.5);
  else if (pixels > 2 && here == slow_at.z) sum = work(turns, 0.75);
  else if (pixels > 3 && here == slow_at.w) sum = work(turns, 1.25);
  else if (background > 0) sum = work(background, 1);
#endif
  color = vec4(fract(sum * 0.37), float(column & 0xff) / 255, 0.5, 1);
#ifdef ORDER
  // The sum is never this, which a compiler does not know: so the counter waits for the loop.
  uint one = sum == 0.37 ? 2 : 1;
  rank[uint(gl_FragCoord.y) * uint(window) + uint(gl_FragCoord.x)] = atomicAdd(ended, one) + 1;
#endif
}
