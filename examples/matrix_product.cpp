// A product of two matrices of 128 x 128 by fragment programs: blocks of two by two in texels of four floats,
// 16 products of blocks in a pass, four passes.
//
//   matrix_product OUTPUT.ppm

#include <cmath>
#include <cstdint>

#include "matrix_product.frag.h"
#include "stream_passes.h"

namespace {

constexpr uint32_t kSide = 128, kBlocks = kSide / 2, kBlocksOfRun = 16;

// As texels: blocks of two by two.
std::vector<float> blocks_of(const std::vector<float>& matrix) {
  std::vector<float> blocks(matrix.size());
  for (uint32_t y = 0; y < kSide; y++)
    for (uint32_t x = 0; x < kSide; x++)
      blocks[4 * (y / 2 * kBlocks + x / 2) + y % 2 * 2 + x % 2] = matrix[y * kSide + x];
  return blocks;
}

std::vector<float> matrix_of(const std::vector<float>& blocks) {
  std::vector<float> matrix(blocks.size());
  for (uint32_t y = 0; y < kSide; y++)
    for (uint32_t x = 0; x < kSide; x++)
      matrix[y * kSide + x] = blocks[4 * (y / 2 * kBlocks + x / 2) + y % 2 * 2 + x % 2];
  return matrix;
}

// Numbers between -1 and 1 that depend on the seed.
std::vector<float> make_matrix(uint32_t seed) {
  std::vector<float> matrix(size_t{kSide} * kSide);
  uint32_t state = seed;
  for (float& value : matrix) {
    state = state * 1664525 + 1013904223;
    value = static_cast<float>(static_cast<int32_t>(state >> 8) - (1 << 23)) / (1 << 23);
  }
  return matrix;
}

bool is_product(const std::vector<float>& c, const std::vector<float>& a, const std::vector<float>& b) {
  for (uint32_t y = 0; y < kSide; y++)
    for (uint32_t x = 0; x < kSide; x++) {
      double sum = 0;
      for (uint32_t k = 0; k < kSide; k++) sum += double{a[y * kSide + k]} * b[k * kSide + x];
      if (!(std::fabs(sum - c[y * kSide + x]) < 1e-4)) return false;
    }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: matrix_product OUTPUT.ppm\n"), 2;
  const headless::Context context;
  struct Run {
    float texel[2], first;
  };
  headless::StreamPasses passes(context, sizeof(Run), kBlocks / kBlocksOfRun);
  const VkPipeline kernel = passes.make_kernel(matrix_product_frag, sizeof matrix_product_frag, 4);
  const auto stream = [&] { return passes.make_stream(kBlocks, kBlocks, 4); };
  const headless::Stream left = stream(), right = stream(), sums[2] = {stream(), stream()};
  const std::vector<float> a = make_matrix(1), b = make_matrix(2);

  const VkCommandBuffer commands = context.begin();
  const headless::Buffer buffers[] = {
      passes.upload(commands, left, blocks_of(a)), passes.upload(commands, right, blocks_of(b)),
      passes.upload(commands, sums[0], std::vector<float>(size_t{kSide} * kSide))};
  uint32_t run = 0;
  for (; run * kBlocksOfRun < kBlocks; run++) {
    const float texel = 1.0f / kBlocks;
    const Run constants{{texel, texel}, (static_cast<float>(run * kBlocksOfRun) + 0.5f) * texel};
    passes.run(commands, kernel, sums[(run + 1) % 2], {left, right, sums[run % 2]}, &constants);
  }
  const std::vector<float> product = matrix_of(passes.submit_and_read(commands, sums[run % 2]));
  for (const headless::Buffer& buffer : buffers) context.destroy(buffer);
  if (!is_product(product, a, b)) return std::fprintf(stderr, "matrix_product: wrong product\n"), 1;
  headless::write_gray(argv[1], kSide, kSide, product.data(), 1, -16, 16);
}
