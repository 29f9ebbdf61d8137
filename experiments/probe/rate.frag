#version 450

// So many TEXTURES are read at the fragment's place; so many MADS hang on one another by fours; BLOCKS: every
// other block of the window loops; READS: texels of a texture are read one after the other.

layout(location = 0) in vec2 at;
layout(location = 0) out vec4 color;
#if TEXTURES > 0
layout(set = 0, binding = 0) uniform sampler2D texels_0;
#endif
#if TEXTURES > 1
layout(set = 0, binding = 1) uniform sampler2D texels_1;
#endif
#if TEXTURES > 2
layout(set = 0, binding = 2) uniform sampler2D texels_2;
#endif
#if TEXTURES > 3
layout(set = 0, binding = 3) uniform sampler2D texels_3;
#endif
#if TEXTURES > 4
layout(set = 0, binding = 4) uniform sampler2D texels_4;
#endif
#if TEXTURES > 5
layout(set = 0, binding = 5) uniform sampler2D texels_5;
#endif
#if TEXTURES > 6
layout(set = 0, binding = 6) uniform sampler2D texels_6;
#endif
#if TEXTURES > 7
layout(set = 0, binding = 7) uniform sampler2D texels_7;
#endif

#if defined BLOCKS || defined READS
layout(push_constant) uniform Push {
  layout(offset = 76) int turns;  // of the loop
  float block;                    // pixels along a side
  int lines;                      // of 4 x 4 texels, that are read
};
#endif

void main() {
#ifndef READS
  color = vec4(0.25, 0.5, 0.125, 0.5);
#define READ(texels) color += texture(texels, at);
#if TEXTURES > 0
  READ(texels_0)
#endif
#if TEXTURES > 1
  READ(texels_1)
#endif
#if TEXTURES > 2
  READ(texels_2)
#endif
#if TEXTURES > 3
  READ(texels_3)
#endif
#if TEXTURES > 4
  READ(texels_4)
#endif
#if TEXTURES > 5
  READ(texels_5)
#endif
#if TEXTURES > 6
  READ(texels_6)
#endif
#if TEXTURES > 7
  READ(texels_7)
#endif
#ifdef MADS
  vec4 a = at.xyxy, b = at.yxyx, c = a + 0.5, d = b + 0.5, k = vec4(at, 0.5, 0.25);
#define FOUR a = a * k + k; b = b * k + k; c = c * k + k; d = d * k + k;
#define SIXTEEN FOUR FOUR FOUR FOUR
  SIXTEEN SIXTEEN SIXTEEN SIXTEEN
  color += a + b + c + d;
#endif
#ifdef BLOCKS
  const vec2 cell = floor(gl_FragCoord.xy / block);
  if (mod(cell.x + cell.y, 2) < 0.5)
    for (int i = 0; i < turns; i++) color = color * 0.5 + at.xyxy;
#endif
#else
  // The next place hangs on what was read, though it is never more than 1.
  color = vec4(0);
  const int columns = textureSize(texels_0, 0).x / 4;
  int line = 0;
  for (int i = 0; i < turns; i++) {
    color = texelFetch(texels_0, ivec2(line % columns, line / columns) * 4, 0);
    line += 1 + int(color.x * 0.5);
    if (line == lines) line = 0;
  }
#endif
}
