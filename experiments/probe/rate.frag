#version 450
#extension GL_GOOGLE_include_directive : enable

// So many TEXTURES are read at the fragment's place; what was read is thrown away if it DISCARDS. Of CHAINED
// reads each says where the next is, and of SHADOWS what the next depths are compared with. So many MADS hang
// on one another by fours; with MULS every other one only multiplies, and with NORMALS as many vectors of
// halves are normalised beside each pair; of WAITS each hangs on the one before. BLOCKS: every other block of
// the window takes one of two loops of one length. FLOW: constructs that all go through alike: none, if, if
// and else, loop. READS: texels of a texture are read one after the other. STRIDES: words of a buffer; CHAIN:
// each says where the next one is.

layout(location = 0) in vec2 at;
layout(location = 0) out vec4 color;
#ifdef SHADOWS
#define TEXTURE sampler2DShadow
#else
#define TEXTURE sampler2D
#endif
#if defined CHAINED || defined SHADOWS
#define READ(texels)
#else
#define READ(texels) color += texture(texels, at);
#endif
#if TEXTURES > 0
layout(set = 0, binding = 0) uniform TEXTURE texels_0;
#endif
#if TEXTURES > 1
layout(set = 0, binding = 1) uniform TEXTURE texels_1;
#endif
#if TEXTURES > 2
layout(set = 0, binding = 2) uniform TEXTURE texels_2;
#endif
#if TEXTURES > 3
layout(set = 0, binding = 3) uniform TEXTURE texels_3;
#endif
#if TEXTURES > 4
layout(set = 0, binding = 4) uniform TEXTURE texels_4;
#endif
#if TEXTURES > 5
layout(set = 0, binding = 5) uniform TEXTURE texels_5;
#endif
#if TEXTURES > 6
layout(set = 0, binding = 6) uniform TEXTURE texels_6;
#endif
#if TEXTURES > 7
layout(set = 0, binding = 7) uniform TEXTURE texels_7;
#endif
#if defined STRIDES || defined CHAIN
layout(set = 0, binding = 0) readonly buffer Words { uint words[]; };
#endif

layout(push_constant) uniform Push {
  layout(offset = 76) int turns;  // of the loop; more than 0: constructs are taken
  float block;                    // pixels along a side
  int lines;                      // of 4 x 4 texels, that are read
  int stride;                     // words between those of two fragments
};

#include "rate_mads.glsl"

// Texels of all of the texture.
vec4 read_texels() {
  vec4 read = vec4(0);
#ifdef READS
  // The next place hangs on what was read, though it is never more than 1.
  const int columns = textureSize(texels_0, 0).x / 4;
  int line = 0;
  for (int i = 0; i < turns; i++) {
    read = texelFetch(texels_0, ivec2(line % columns, line / columns) * 4, 0);
    line += 1 + int(read.x * 0.5);
    if (line == lines) line = 0;
  }
#endif
  return read;
}

// Words of the buffer: one after the other, or others for each fragment of 128 x 128. These come in the order
// in which fragments do, as far as one can tell: squares of 8 x 4 read 32 words in a row, four times. So
// memory opens its rows one after the other, however far apart words lie.
uint read_words() {
  uint read = 0;
#if defined STRIDES
  const ivec2 pixel = ivec2(gl_FragCoord.xy);
  const int square = (pixel.y >> 2) * 16 + (pixel.x >> 3), lane = (pixel.y & 3) * 8 + (pixel.x & 7);
  for (int i = 0; i < 4; i++) read += words[((square * 4 + i) * 32 + lane) * stride];
#elif defined CHAIN
#define NEXT read = words[read];
#define SIXTEEN_NEXT NEXT NEXT NEXT NEXT NEXT NEXT NEXT NEXT NEXT NEXT NEXT NEXT NEXT NEXT NEXT NEXT
  for (int i = 0; i < turns; i += 16) { SIXTEEN_NEXT }
#endif
  return read;
}

void main() {
  color = vec4(0.25, 0.5, 0.125, 0.5);
#if defined READS
  color = read_texels();
#elif defined STRIDES || defined CHAIN
  color.x = float(read_words());
#else
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
#endif
#if defined CHAINED || defined SHADOWS
#ifdef CHAINED
  vec4 next = texture(texels_0, at);
#define ONE_READ next = texture(texels_0, next.xy);
#else
  float next = texture(texels_0, vec3(at, 0.5));
#define ONE_READ next = texture(texels_0, vec3(at, next));
#endif
#define FOUR_READS ONE_READ ONE_READ ONE_READ ONE_READ
  FOUR_READS FOUR_READS FOUR_READS FOUR_READS FOUR_READS FOUR_READS FOUR_READS FOUR_READS
  color += next;
#endif
#ifdef DISCARDS
  if (color.x < 100) discard;
#endif
#if defined MADS || defined FLOW
  DECLARE(at)
#ifdef NORMALS
  mediump vec3 n = vec3(at, 1), m = vec3(1, at);
#endif
#ifdef MADS
  PROGRAM
#else
  SIXTEEN_CONSTRUCTS
#endif
  color += a + b + c + d;
#ifdef NORMALS
  color.xyz += n + m;
#endif
#endif
#ifdef WAITS
  float w = at.x;
#define EIGHT w = w * at.y + at.x; w = w * at.y + at.x; w = w * at.y + at.x; w = w * at.y + at.x; \
              w = w * at.y + at.x; w = w * at.y + at.x; w = w * at.y + at.x; w = w * at.y + at.x;
#define SIXTY_FOUR_WAITS EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT
  for (int i = 0; i < turns; i++) { SIXTY_FOUR_WAITS SIXTY_FOUR_WAITS SIXTY_FOUR_WAITS SIXTY_FOUR_WAITS }
  color.x = w;
#endif
#ifdef BLOCKS
  const vec2 cell = floor(gl_FragCoord.xy / block);
  DECLARE(at)
  EITHER_LOOP(mod(cell.x + cell.y, 2) < 0.5)
  color = a + b + c + d;
#endif
}
