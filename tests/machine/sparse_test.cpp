// Sparse ranges: the machine finds what is bound where the emulator does, and zeros elsewhere.
#include <functional>
#include <gmock/gmock.h>

#include "base/counter.h"
#include "emulator/emulator.h"
#include "gpu_run.h"
#include "scenes/clear_scenes.h"
#include "scenes/parts.h"

namespace cutaway::sparse_test {
namespace {

using scenes::Builder;
using ::testing::HasSubstr;

constexpr uint64_t kPage = arch::kPageBytes;
constexpr uint32_t kWidth = 256, kHeight = 64;  // 2 x 8 pages
constexpr uint64_t kPages = 16;

// Draws many small triangles, over all of a target.
void draw_scattered(Builder& b, const arch::Surface& target, uint32_t triangles) {
  b.target(target);
  b.registers.raster.width = kWidth, b.registers.raster.height = kHeight;
  b.registers.raster.viewport[0] = {{kWidth / 2, kHeight / 2, 1}, {kWidth / 2, kHeight / 2, 0}};
  b.registers.raster.scissor[0] = {0, 0, kWidth, kHeight};
  scenes::color_programs(b);
  b.vertices(scenes::scattered_triangles(triangles), {4, 4});
  b.draw(3 * triangles);
}

// Draws a texture over a target.
void draw_texture(Builder& b, const arch::Surface& target, const arch::Surface& texture) {
  b.target(target);
  scenes::textured_programs(b);
  const arch::Sampler linear =
      scenes::sampler(arch::Filter::kLinear, arch::MipMode::kBase, arch::Wrap::kClampToEdge);
  b.textures({&texture, 1}, {&linear, 1});
  b.vertices({-1, -1, 0, 1, 0, 0, 3, -1, 0, 1, 2, 0, -1, 3, 0, 1, 0, 2}, {4, 2});
  b.draw(3);
}

// A target with memory at every other page; its pages move between submissions; one submission samples it.
// `binds` makes the first binds of the surface, from a memory of kPages + 1 pages.
scenes::Scene moving_pages(
    const std::function<void(Builder&, arch::Address surface, arch::Address memory)>& binds) {
  Builder b("sparse", kWidth, kHeight);
  const arch::Surface sparse = b.sparse_surface(arch::Format::R8G8B8A8_UNORM, kWidth, kHeight);
  const arch::Surface shown = b.color_target();
  const arch::Address memory = b.allocate(kPages * kPage, 1 << 16);
  b.allocate(kPage);
  binds(b, sparse.address, memory);
  scenes::clear_color(b, sparse, {0.5f, 0.25f, 0, 1});  // without tags, which go by addresses
  draw_scattered(b, sparse, 200);
  b.flush();
  b.submit(false);
  draw_texture(b, shown, sparse);
  b.flush();
  b.submit(false);
  // The same memory in another order.
  for (uint64_t page = 0; page < kPages; page += 2) {
    b.bind(sparse.address + page * kPage, 2 * kPage, {});
    b.bind(sparse.address + page * kPage, kPage, memory + (kPages - 2 - page) * kPage);
  }
  draw_scattered(b, sparse, 50);
  b.flush();
  draw_texture(b, shown, sparse);
  b.flush();
  b.submit(false);
  b.bind(sparse.address, kPages * kPage, {});
  draw_scattered(b, sparse, 20);
  b.target(shown);
  b.end_frame();
  return b.take();
}

scenes::Scene every_other_page() {
  return moving_pages([](Builder& b, arch::Address surface, arch::Address memory) {
    for (uint64_t page = 1; page < kPages; page += 2)
      b.bind(surface + page * kPage, kPage, memory + page / 2 * kPage);
  });
}

machine::Config machine_of(const char* preset,
                           std::initializer_list<std::pair<const char*, const char*>> values) {
  machine::Config config;
  machine::load_config(config, preset);
  for (const auto& [name, value] : values) set(config, name, value);
  return config;
}

TEST(Sparse, TheMachineFindsWhatIsBound) {
  const scenes::Scene scene = every_other_page();
  for (const char* preset : {"d3d11", "g80", "attila"})
    for (const char* pages : {"none", "4KB"})
      expect_memory_of_emulator(scene, machine_of(preset, {{"translation.pages", pages}}));
}

// Also pages without memory: their frames lie behind it. No channel of video memory is written.
TEST(Sparse, AllMemoryMayLieBehindTheBus) {
  const scenes::Scene scene = every_other_page();
  for (const char* pages : {"none", "4KB"}) {
    const machine::Config config = machine_of(
        "attila", {{"bus.bytes_per_cycle", "16"}, {"bus.memory", "all"}, {"translation.pages", pages}});
    expect_memory_of_emulator(scene, config);
    machine::Machine gpu(config, arch::Memory());
    scenes::play(scene, gpu);
    gpu.simulator().settle();
    for (const Counter& counter : gpu.simulator().counters().counters()) {
      const std::string name = counter.full_name();
      if (name.starts_with("gpu.memory_controller.") && name.ends_with(".write_bytes")) {
        EXPECT_EQ(*counter.value, 0u) << name << ' ' << pages;
      }
    }
  }
}

// The tags of the memory hold what the pages that are bound to it read, and what the host writes there.
TEST(Sparse, ClearsOfTheMemoryAreSeen) {
  Builder b("cleared", kWidth, kHeight);
  const arch::Surface sparse = b.sparse_surface(arch::Format::R8G8B8A8_UNORM, kWidth, kHeight);
  const arch::Surface shown = b.color_target();
  arch::Surface plain = shown;
  plain.address = b.allocate(kPages * kPage, 1 << 16);
  scenes::clear_color(b, plain, {0.5f, 0.25f, 0, 1});
  b.flush();
  b.submit(false);
  for (uint64_t page = 1; page < kPages; page += 2)
    b.bind(sparse.address + page * kPage, kPage, plain.address + (page / 2) * kPage);
  b.overwrite(sparse.address + kPage + 64, {1, 2, 3});
  draw_texture(b, shown, sparse);
  b.flush();
  scenes::clear_color(b, plain, {0.5f, 0.25f, 1, 1});
  b.flush();
  draw_texture(b, shown, sparse);
  b.flush();
  b.submit(false);
  // The range itself has no tags, though all of it has memory: they would be at other addresses.
  for (uint64_t page = 0; page < kPages; page++)
    b.bind(sparse.address + page * kPage, kPage, plain.address + (kPages - 1 - page) * kPage);
  scenes::clear_color(b, sparse, {1, 0.25f, 1, 1});
  b.flush();
  draw_texture(b, shown, plain);
  b.end_frame();
  const scenes::Scene scene = b.take();
  for (const char* pages : {"none", "4KB"}) {
    const machine::Config config = machine_of("attila", {{"translation.pages", pages}});
    expect_memory_of_emulator(scene, config);
    machine::Machine gpu(config, arch::Memory());
    scenes::play(scene, gpu);
    EXPECT_EQ(counted(gpu, "memory_controller.tags.blocks_cleared"), 2 * kPages * kPage / 256) << pages;
  }
}

TEST(Sparse, LargePagesTakeWhatIsBoundAsAWhole) {
  Builder b("large", kWidth, kHeight);
  const arch::Surface sparse = b.sparse_surface(arch::Format::R8G8B8A8_UNORM, kWidth, 2 * kHeight);
  const arch::Surface shown = b.color_target();
  const arch::Address memory = b.allocate(kPages * kPage, 1 << 16);
  b.allocate(1 << 16);
  b.bind(sparse.address + kPages * kPage, kPages * kPage, memory);
  draw_scattered(b, sparse, 100);
  b.flush();
  draw_texture(b, shown, sparse);
  b.end_frame();
  expect_memory_of_emulator(b.take(), machine_of("d3d11", {{"translation.pages", "64KB"}}));
}

std::string fault_of(const scenes::Scene& scene, arch::Gpu& gpu) {
  scenes::play(scene, gpu);
  gpu.wait();
  arch::Fault fault;
  return gpu.fault(fault) ? fault.text : "";
}
std::string fault_of(const scenes::Scene& scene, const machine::Config& config) {
  machine::Machine gpu(config, arch::Memory());
  return fault_of(scene, gpu);
}

TEST(Sparse, LargePagesInPiecesAreRefused) {
  EXPECT_THAT(fault_of(every_other_page(), machine_of("d3d11", {{"translation.pages", "64KB"}})),
              HasSubstr("set translation.pages to 4KB"));
}

// In the same words on both.
TEST(Sparse, BadBindsAreFaults) {
  const auto text = [&](std::optional<uint64_t> page) {
    const scenes::Scene scene = moving_pages([&](Builder& b, arch::Address surface, arch::Address memory) {
      b.bind(surface, kPage, memory);
      b.bind(page ? surface + kPage : memory, kPage,
             page ? std::optional(memory + *page * kPage) : std::nullopt);
    });
    const std::string found = fault_of(scene, machine_of("d3d11", {}));
    EXPECT_EQ(found, fault_of(scene, *emulator::make_emulator({})));
    return found;
  };
  EXPECT_EQ(text(1), "");
  EXPECT_THAT(text(1 << 20), HasSubstr("not mapped"));
  EXPECT_THAT(text({}), HasSubstr("memory of its own"));
}

}  // namespace
}  // namespace cutaway::sparse_test
