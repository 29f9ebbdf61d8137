#version 450

// So many TEXTURES are read at the fragment's place; so many MADS hang on one another by fours.

layout(location = 0) in vec2 at;
layout(location = 0) out vec4 color;
#if TEXTURES
layout(set = 0, binding = 0) uniform sampler2D texels[TEXTURES];
#endif

void main() {
  color = vec4(0.25, 0.5, 0.125, 0.5);
#define READ(i) color += texture(texels[i], at);
#if TEXTURES > 0
  READ(0)
#endif
#if TEXTURES > 1
  READ(1)
#endif
#if TEXTURES > 2
  READ(2)
#endif
#if TEXTURES > 3
  READ(3)
#endif
#if TEXTURES > 4
  READ(4)
#endif
#if TEXTURES > 5
  READ(5)
#endif
#if TEXTURES > 6
  READ(6)
#endif
#if TEXTURES > 7
  READ(7)
#endif
#ifdef MADS
  vec4 a = at.xyxy, b = at.yxyx, c = a + 0.5, d = b + 0.5, k = vec4(at, 0.5, 0.25);
#define FOUR a = a * k + k; b = b * k + k; c = c * k + k; d = d * k + k;
#define SIXTEEN FOUR FOUR FOUR FOUR
  SIXTEEN SIXTEEN SIXTEEN SIXTEEN
  color += a + b + c + d;
#endif
}
