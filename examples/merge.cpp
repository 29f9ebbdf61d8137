// Variable pointers: rows of two sorted arrays are merged by pointers that lead into the one buffer or the
// other, and counted by pointers into the memory of the workgroup. Merges them on the CPU too, and fails
// where the results differ.
//
//   merge OUTPUT.ppm

#include <algorithm>
#include <array>
#include <cstring>

#include "merge.spvasm.h"
#include "resources.h"

namespace {

using headless::Buffer;
using headless::Context;

constexpr uint32_t kRows = 64, kEach = 48, kRun = kEach + 1, kWidth = 2 * kEach;
constexpr uint32_t kRed = 0xff000060, kBlue = 0xff600000;
using Runs = std::array<uint32_t, kRows * kRun>;
using Pixels = std::array<uint32_t, kRows * kWidth>;

// Rows that rise to at most 255, each followed by a number above them.
Runs sorted_runs(uint32_t seed) {
  Runs runs{};
  for (uint32_t row = 0; row < kRows; row++) {
    uint32_t* run = &runs[size_t{row} * kRun];
    for (uint32_t i = 0; i < kEach; i++) {
      seed = seed * 1664525 + 1013904223;
      run[i] = (seed >> 16) % (row * 3 + 64);
    }
    std::sort(run, run + kEach);
    run[kEach] = ~0u;
  }
  return runs;
}

Pixels expected(const Runs& first, const Runs& second, std::array<uint32_t, kRows>& counts) {
  Pixels pixels{};
  for (uint32_t row = 0; row < kRows; row++) {
    const uint32_t *p = &first[size_t{row} * kRun], *q = &second[size_t{row} * kRun];
    for (uint32_t i = 0; i < kWidth; i++) {
      const bool from_first = *p <= *q;
      counts[row] += from_first ? 1 : 1 << 16;
      const uint32_t value = from_first ? *p++ : *q++;
      pixels[size_t{row} * kWidth + i] = (from_first ? kRed : kBlue) | value << 8;
    }
  }
  return pixels;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s OUTPUT.ppm\n", arguments[0]);
    return 2;
  }
  VkPhysicalDeviceVariablePointersFeatures pointers{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VARIABLE_POINTERS_FEATURES, nullptr, VK_TRUE, VK_TRUE};
  const Context context({}, {}, VK_API_VERSION_1_1, &pointers);
  constexpr VkDescriptorType kBuffer = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  constexpr VkBufferUsageFlags kStorage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
  const Runs a = sorted_runs(1), b = sorted_runs(2);
  const Buffer first = context.make_buffer(a.data(), sizeof a, kStorage),
               second = context.make_buffer(b.data(), sizeof b, kStorage),
               pixels = context.make_buffer(sizeof(Pixels), kStorage),
               counts = context.make_buffer(kRows * sizeof(uint32_t), kStorage);
  {
    headless::Resources resources(context, {kBuffer, kBuffer, kBuffer, kBuffer}, VK_SHADER_STAGE_COMPUTE_BIT,
                                  0, 1);
    const VkCommandBuffer commands = context.begin();
    const VkDescriptorSet set = resources.make_set({first, second, pixels, counts});
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                      resources.make_compute(merge_spvasm, sizeof merge_spvasm));
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, resources.layout(), 0, 1, &set, 0,
                            nullptr);
    vkCmdDispatch(commands, kRows / 16, 1, 1);
    headless::full_barrier(commands);
    context.submit_and_wait(commands);
  }
  std::array<uint32_t, kRows> right_counts{};
  const Pixels right = expected(a, b, right_counts);
  if (std::memcmp(pixels.mapped, right.data(), sizeof right) != 0 ||
      std::memcmp(counts.mapped, right_counts.data(), sizeof right_counts) != 0) {
    std::fprintf(stderr, "merge: the rows or their counts are not what the CPU makes of them\n");
    return 1;
  }
  std::printf("%u of the first row are from the first buffer\n", right_counts[0] & 0xffff);
  headless::write_ppm(arguments[1], kWidth, kRows, static_cast<const uint8_t*>(pixels.mapped));
  for (const Buffer& buffer : {first, second, pixels, counts}) context.destroy(buffer);
}
