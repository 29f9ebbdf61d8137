// Programs that are timed wherever there is compute: a sum, a product of matrices, the same in one
// buffer, and a histogram by atomics and without. Computes the same on the CPU, and fails where the results
// differ; writes them as pixels.
//
//   compute_benchmarks reduction|matmul|matmul-in-place|histogram|histogram-without-atomics OUTPUT.ppm

#include <array>
#include <cstdint>
#include <cstring>

#include "add_bins.comp.h"
#include "bins.comp.h"
#include "matmul.comp.h"
#include "matmul_in_place.comp.h"
#include "own_bins.comp.h"
#include "reduction.comp.h"
#include "resources.h"

namespace {

using headless::Buffer;
using headless::Context;

constexpr uint32_t kSize = 128;  // of a matrix, along each side
constexpr uint32_t kNumbers = 1 << 17, kBins = 64, kOfGroup = 1024;

using Words = std::vector<uint32_t>;

struct Dispatch {
  const uint32_t* code;
  size_t bytes;
  std::array<uint32_t, 2> groups;
};

// The inputs, one or two dispatches, and the expected results.
struct Benchmark {
  Words first, second;
  std::vector<Dispatch> dispatches;
  size_t between = 1;  // words from the one to the other
  Words expected;
  Words result;  // what is there before; nothing: zeros
};

Words random_words(uint32_t count) {
  Words words;
  uint32_t random = 5;
  for (uint32_t i = 0; i < count; i++) words.push_back((random = random * 1664525 + 1013904223) >> 8);
  return words;
}

uint32_t bits(float value) {
  uint32_t word;
  std::memcpy(&word, &value, 4);
  return word;
}

Benchmark reduction() {
  Benchmark made{random_words(kNumbers), {0}, {}, kNumbers / kOfGroup, {0}};
  made.dispatches = {{reduction_comp, sizeof reduction_comp, {kNumbers / kOfGroup, 1}},
                     {reduction_comp, sizeof reduction_comp, {1, 1}}};
  for (const uint32_t number : made.first) made.expected[0] += number;
  return made;
}

// Uses small integers, whose sums are exact in any order.
Benchmark matmul() {
  Benchmark made;
  const Words numbers = random_words(2 * kSize * kSize);
  const auto number = [&](size_t at) { return static_cast<float>(numbers[at] % 16); };
  for (uint32_t i = 0; i < kSize * kSize; i++) {
    made.first.push_back(bits(number(i)));
    made.second.push_back(bits(number(kSize * kSize + i)));
  }
  made.dispatches = {{matmul_comp, sizeof matmul_comp, {kSize / 16, kSize / 16}}};
  for (uint32_t y = 0; y < kSize; y++)
    for (uint32_t x = 0; x < kSize; x++) {
      float sum = 0;
      for (uint32_t k = 0; k < kSize; k++) sum += number(y * kSize + k) * number(kSize * (kSize + k) + x);
      made.expected.push_back(bits(sum));
    }
  return made;
}

Benchmark matmul_in_place() {
  Benchmark made = matmul();
  for (Words* words : {&made.first, &made.second})
    made.result.insert(made.result.end(), words->begin(), words->end());
  made.expected.insert(made.expected.begin(), made.result.begin(), made.result.end());
  made.result.resize(made.expected.size());
  made.dispatches = {{matmul_in_place_comp, sizeof matmul_in_place_comp, {kSize / 16, kSize / 16}}};
  return made;
}

Benchmark histogram(bool atomics) {
  Benchmark made{{}, {0}, {}, kBins * kNumbers / kOfGroup, Words(kBins)};
  for (const uint32_t word : random_words(kNumbers)) {
    made.first.push_back((word & 63) * (word >> 6 & 63) >> 6);  // dark ones are more frequent
    made.expected[made.first.back()]++;
  }
  if (atomics) made.dispatches = {{bins_comp, sizeof bins_comp, {kNumbers / kOfGroup, 1}}};
  else
    made.dispatches = {{own_bins_comp, sizeof own_bins_comp, {kNumbers / kOfGroup, 1}},
                       {add_bins_comp, sizeof add_bins_comp, {1, 1}}};
  return made;
}

Benchmark named(const std::string& name) {
  if (name == "reduction") return reduction();
  if (name == "matmul") return matmul();
  if (name == "matmul-in-place") return matmul_in_place();
  if (name == "histogram") return histogram(true);
  if (name == "histogram-without-atomics") return histogram(false);
  std::fprintf(stderr, "compute_benchmarks: there is no %s\n", name.c_str());
  std::exit(2);
}

Buffer upload(const Context& context, const Words& words) {
  return context.make_buffer(words.data(), words.size() * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
}

Words run(const Context& context, const Benchmark& benchmark) {
  constexpr VkDescriptorType kBuffer = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  const Buffer first = upload(context, benchmark.first), second = upload(context, benchmark.second),
               between = upload(context, Words(benchmark.between)),
               result = upload(
                   context, benchmark.result.empty() ? Words(benchmark.expected.size()) : benchmark.result);
  headless::Resources resources(context, {kBuffer, kBuffer, kBuffer}, VK_SHADER_STAGE_COMPUTE_BIT, 4, 2);
  const VkCommandBuffer commands = context.begin();
  const VkPipelineLayout layout = resources.layout();
  vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &kSize);
  for (size_t i = 0; i < benchmark.dispatches.size(); i++) {
    const Dispatch& dispatch = benchmark.dispatches[i];
    const bool last = i + 1 == benchmark.dispatches.size();
    const VkDescriptorSet set =
        resources.make_set({i == 0 ? first : between, second, last ? result : between});
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                      resources.make_compute(dispatch.code, dispatch.bytes));
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
    vkCmdDispatch(commands, dispatch.groups[0], dispatch.groups[1], 1);
    headless::full_barrier(commands);
  }
  context.submit_and_wait(commands);
  const auto* words = static_cast<const uint32_t*>(result.mapped);
  const Words found(words, words + benchmark.expected.size());
  for (const Buffer& buffer : {first, second, between, result}) context.destroy(buffer);
  return found;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) {
    std::fprintf(stderr, "usage: %s NAME OUTPUT.ppm\n", arguments[0]);
    return 2;
  }
  const Benchmark benchmark = named(arguments[1]);
  const Context context;
  const Words found = run(context, benchmark);
  if (found != benchmark.expected) {
    std::fprintf(stderr, "compute_benchmarks: %s: the result is wrong\n", arguments[1]);
    return 1;
  }
  const auto pixels = static_cast<uint32_t>(found.size()), width = pixels < kSize ? pixels : kSize;
  headless::write_ppm(arguments[2], width, pixels / width, reinterpret_cast<const uint8_t*>(found.data()));
}
