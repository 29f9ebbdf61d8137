// Sorts 4,096 floats by fragment programs: the 78 steps of Batcher's bitonic sort, a pass each.
//
//   bitonic_sort OUTPUT.ppm

#include <algorithm>
#include <cstdint>

#include "bitonic_sort.frag.h"
#include "stream_passes.h"

namespace {

constexpr uint32_t kWidth = 64, kHeight = 64, kKeys = kWidth * kHeight, kSteps = 12 * 13 / 2;

struct Run {
  float texel[2], width, per_width, stride, per_stride, per_block;
};

std::vector<float> make_keys() {
  std::vector<float> keys(kKeys);
  uint32_t state = 1;
  for (float& key : keys) {
    state = state * 1664525 + 1013904223;
    key = static_cast<float>(state >> 8);
  }
  return keys;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: bitonic_sort OUTPUT.ppm\n"), 2;
  const headless::Context context;
  headless::StreamPasses passes(context, sizeof(Run), kSteps);
  const VkPipeline kernel = passes.make_kernel(bitonic_sort_frag, sizeof bitonic_sort_frag, 1);
  const headless::Stream streams[] = {passes.make_stream(kWidth, kHeight, 1),
                                      passes.make_stream(kWidth, kHeight, 1)};
  std::vector<float> keys = make_keys();

  const VkCommandBuffer commands = context.begin();
  const headless::Buffer buffer = passes.upload(commands, streams[0], keys);
  uint32_t step = 0;
  for (uint32_t block = 2; block <= kKeys; block *= 2)
    for (uint32_t stride = block / 2; stride; stride /= 2, step++) {
      const Run constants{{1.0f / kWidth, 1.0f / kHeight},
                          kWidth,
                          1.0f / kWidth,
                          static_cast<float>(stride),
                          1.0f / static_cast<float>(stride),
                          1.0f / static_cast<float>(block)};
      passes.run(commands, kernel, streams[(step + 1) % 2], {streams[step % 2]}, &constants);
    }
  const std::vector<float> sorted = passes.submit_and_read(commands, streams[step % 2]);
  context.destroy(buffer);
  std::sort(keys.begin(), keys.end());
  if (sorted != keys) return std::fprintf(stderr, "bitonic_sort: the keys are not sorted\n"), 1;
  headless::write_gray(argv[1], kWidth, kHeight, sorted.data(), 1, 0, 1 << 24);
}
