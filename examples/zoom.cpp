// Types of other sizes than 32 bits: the Mandelbrot set in integers of 64 bits, counted in 16,
// colored in halves, written as bytes; sums over subgroups. Computes the sums on the CPU, and fails where
// they differ.
//
//   zoom OUTPUT.ppm

#include <array>
#include <cstdint>
#include <cstring>

#include "resources.h"
#include "zoom.comp.h"

namespace {

using headless::Buffer;
using headless::Context;

constexpr uint16_t kWidth = 96, kHeight = 64, kLimit = 48;

struct Place {
  int64_t left, top, pixel;  // 1 / 2^28
  uint16_t limit, width;
  uint8_t opacity, padding[3];
};
constexpr Place kPlace{-int64_t{9} << 26, -int64_t{1} << 28, 1 << 23, kLimit, kWidth, 255, {}};

struct Features {
  VkPhysicalDevice8BitStorageFeatures bytes{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES};
  VkPhysicalDevice16BitStorageFeatures halves{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES,
                                              &bytes};
  VkPhysicalDeviceShaderFloat16Int8Features small{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES, &halves};
  VkPhysicalDeviceFeatures core{};
  Features() {
    bytes.storageBuffer8BitAccess = bytes.storagePushConstant8 = VK_TRUE;
    halves.storageBuffer16BitAccess = halves.storagePushConstant16 = VK_TRUE;
    small.shaderFloat16 = small.shaderInt8 = VK_TRUE;
    core.shaderInt16 = core.shaderInt64 = VK_TRUE;
  }
};

// Halves of numbers from 0 to 15/16: f16vec3 lies at multiples of 8 bytes.
std::array<uint16_t, 64> palette() {
  std::array<uint16_t, 64> halves{};
  for (uint32_t i = 0; i < 16; i++)
    for (uint32_t c = 0; c < 3; c++) {
      uint32_t sixteenths = c == 0 ? i : c == 1 ? i * 5 % 16 : 15 - i, exponent = 11;  // 2^-4
      if (sixteenths == 0) continue;
      for (; sixteenths >= 2u << (exponent - 11); exponent++) {}
      const uint32_t fraction = (sixteenths << 10 >> (exponent - 11)) & 0x3ff;
      halves[4 * i + c] = static_cast<uint16_t>(exponent << 10 | fraction);
    }
  return halves;
}

struct Counts {
  uint32_t inside = 0, turns = 0;
};

Counts expected() {
  Counts counts;
  for (int64_t row = 0; row < kHeight; row++)
    for (int64_t column = 0; column < kWidth; column++) {
      const int64_t cx = kPlace.left + column * kPlace.pixel, cy = kPlace.top + row * kPlace.pixel;
      uint32_t n = 0;
      for (int64_t x = 0, y = 0; n < kLimit; n++) {
        const int64_t xx = x * x >> 28, yy = y * y >> 28;
        if (xx + yy > int64_t{4} << 28) break;
        y = (x * y >> 27) + cy;
        x = xx - yy + cx;
      }
      counts.turns += n;
      counts.inside += n == kLimit;
    }
  return counts;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s OUTPUT.ppm\n", arguments[0]);
    return 2;
  }
  const Features features;
  const Context context({}, features.core, VK_API_VERSION_1_2, &features.small);
  constexpr VkDescriptorType kBuffer = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  constexpr VkShaderStageFlags kCompute = VK_SHADER_STAGE_COMPUTE_BIT;
  constexpr VkBufferUsageFlags kStorage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
  const std::array<uint16_t, 64> colors = palette();
  const Counts none;
  const Buffer pixels = context.make_buffer(VkDeviceSize{4} * kWidth * kHeight, kStorage),
               shades = context.make_buffer(colors.data(), sizeof colors, kStorage),
               counts = context.make_buffer(&none, sizeof none, kStorage);
  {
    headless::Resources resources(context, {kBuffer, kBuffer, kBuffer}, kCompute, sizeof(Place), 1);
    const VkCommandBuffer commands = context.begin();
    const VkDescriptorSet set = resources.make_set({pixels, shades, counts});
    vkCmdPushConstants(commands, resources.layout(), kCompute, 0, sizeof kPlace, &kPlace);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                      resources.make_compute(zoom_comp, sizeof zoom_comp));
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, resources.layout(), 0, 1, &set, 0,
                            nullptr);
    vkCmdDispatch(commands, kWidth / 8, kHeight / 8, 1);
    headless::full_barrier(commands);
    context.submit_and_wait(commands);
  }
  const Counts right = expected();
  const auto* found = static_cast<const Counts*>(counts.mapped);
  if (std::memcmp(found, &right, sizeof right) != 0) {
    std::fprintf(stderr, "zoom: %u inside after %u turns, expected %u after %u\n", found->inside,
                 found->turns, right.inside, right.turns);
    return 1;
  }
  std::printf("%u inside after %u turns\n", found->inside, found->turns);
  headless::write_ppm(arguments[1], kWidth, kHeight, static_cast<const uint8_t*>(pixels.mapped));
  for (const Buffer& buffer : {pixels, shades, counts}) context.destroy(buffer);
}
