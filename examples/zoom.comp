#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 8, local_size_y = 8) in;

// The Mandelbrot set, in fixed point with 28 bits behind the point.
layout(std430, binding = 0) buffer Pixels { u8vec4 pixels[]; };
layout(std430, binding = 1) readonly buffer Palette { f16vec3 palette[16]; };
layout(std430, binding = 2) buffer Counts { uint inside, turns; };
layout(std430, push_constant) uniform Place {
  int64_t left, top, pixel;
  uint16_t limit, width;
  uint8_t opacity;
};

void main() {
  const uvec2 at = gl_GlobalInvocationID.xy;
  const int64_t cx = left + int64_t(at.x) * pixel, cy = top + int64_t(at.y) * pixel;
  int64_t x = 0, y = 0;
  uint16_t n = 0us;
  for (; n < limit; n++) {
    const int64_t xx = x * x >> 28, yy = y * y >> 28;
    if (xx + yy > 4l << 28) break;
    y = (x * y >> 27) + cy;
    x = xx - yy + cx;
  }
  // Of a number beyond 32 bits.
  const uint8_t level = uint8_t(int64_t(n) * 0xff00000000l / int64_t(limit) >> 32);
  const f16vec3 color = palette[n & 15us] * (1.0hf - float16_t(n) / float16_t(limit)) * 255.0hf;
  pixels[at.y * width + at.x] = u8vec4(u8vec3(color.rg, level), opacity);
  const uint sum = subgroupAdd(uint(n)), stayed = subgroupAdd(uint(n == limit));
  if (subgroupElect()) {
    atomicAdd(turns, sum);
    atomicAdd(inside, stayed);
  }
}
