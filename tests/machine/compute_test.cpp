// Compute programs, and programs that store: on every machine what the emulator leaves in memory.
#include <filesystem>

#include "emulator/emulator.h"
#include "gpu_run.h"

namespace cutaway {
namespace {

machine::Config with(std::initializer_list<std::pair<const char*, const char*>> sets) {
  machine::Config config;
  set(config, "shader.stages", "vertex,fragment,compute");
  set(config, "shader.stores", "vertex,fragment,compute");
  set(config, "shader.threads", "1024");
  set(config, "storage_cache.slices", "2");
  set(config, "storage_cache.atomics_per_cycle", "4");
  for (const auto& [path, value] : sets) set(config, path, value);
  machine::check_rules(config);
  return config;
}

void expect_equal(const scenes::Scene& scene, const machine::Config& config, const std::string& what) {
  auto emulator = emulator::make_emulator();
  scenes::play(scene, *emulator);
  machine::Machine gpu(config, arch::Memory(), {.query_values = reported_queries(scene)});
  scenes::play(scene, gpu);
  gpu.wait();
  arch::Fault fault;
  ASSERT_FALSE(gpu.fault(fault)) << scene.name << ", " << what << ": " << fault.text;
  arch::Difference difference;
  if (arch::first_difference(emulator->memory(0), gpu.memory(0), difference))
    ADD_FAILURE() << scene.name << ", " << what << ": first difference at " << std::hex << difference.address
                  << ", results at " << uint64_t{scene.results} << ", color at "
                  << uint64_t{scene.color.address};
}

TEST(Compute, MemoryEqualsTheEmulators) {
  for (const scenes::Scene& scene : scenes::compute_scenes()) {
    expect_equal(scene, with({}), "plain");
    expect_equal(scene,
                 with({{"shader.group_lanes", "32"},
                       {"shader.simd_lanes", "8"},
                       {"shader.units", "4"},
                       {"shader.issue", "scalar"},
                       {"storage_cache.slices", "3"},
                       {"storage_cache.line_bytes", "64"},
                       {"storage_cache.interleave", "64"}}),
                 "groups of 32");
    expect_equal(scene,
                 with({{"storage_cache.slices", "1"},
                       {"storage_cache.cache_lines", "4"},
                       {"storage_cache.cache_ways", "1"},
                       {"storage_cache.pending", "1"},
                       {"storage_cache.queue", "1"},
                       {"shader.workgroups", "1"},
                       {"shader.ways", "4"},
                       {"compute_distributor.dispatches", "1"}}),
                 "small");
  }
}

// Checks the scenes' results in memory.
TEST(Compute, ScenesDoWhatTheySay) {
  const auto words = [](const scenes::Scene& scene, uint32_t first, uint32_t count) {
    machine::Machine gpu(with({}), arch::Memory(), {.query_values = reported_queries(scene)});
    scenes::play(scene, gpu);
    std::vector<uint32_t> found;
    for (uint32_t i = 0; i < count; i++)
      found.push_back(gpu.memory(0).read_as<uint32_t>(scene.results + 4 * (first + i)));
    return found;
  };
  const auto sum = [](const std::vector<uint32_t>& of, size_t from) {
    uint32_t total = 0;
    for (size_t i = from; i < of.size(); i++) total += of[i];
    return total;
  };
  const std::vector<uint32_t> reduced = words(scenes::reduction(), 0, 9);
  EXPECT_GT(reduced[0], 900'000u);  // 2048 numbers of 500 on average
  EXPECT_EQ(reduced[0], sum(reduced, 1));
  const std::vector<uint32_t> counted = words(scenes::histogram(), 0, 16);
  EXPECT_EQ(sum(counted, 0), 4096u);
  for (const uint32_t count : counted) EXPECT_NEAR(count, 256, 64);
  // In 24 workgroups of 32 threads, thread t of workgroup w stores 7 w + t.
  EXPECT_EQ(words(scenes::last_workgroup(), 0, 2), (std::vector<uint32_t>{24, 32 * 7 * 276 + 24 * 496}));
  // 12 bytes from one to the next, of four words: 3 t + 1 is that of two threads; the second and third have
  // got 5.
  EXPECT_EQ(words(scenes::scattered_stores(), 0, 7), (std::vector<uint32_t>{0, 6, 7, 3, 9, 10, 6}));
  // Thread 38 is lane 2 of a quad of three: in its turns of a loop three vote, then two, then it alone.
  const std::vector<uint32_t> quads = words(scenes::quads_and_parts(), 0, 128 + 4 * 39);
  EXPECT_EQ(quads[(320 + 38) / 4] >> 16 & 0xff, 7u + 6 + 4);
  EXPECT_EQ(quads[(320 + 36) / 4] & 0xff, 7u);
  EXPECT_EQ(quads[10 / 2], 0x3c663c00u);       // 1, 1.1
  EXPECT_EQ(quads[128 + 4 * 37], 0b110u);      // 36 is a multiple of 3
  EXPECT_EQ(quads[128 + 4 * 37 + 1], 0b110u);  // and takes the other branch
  EXPECT_EQ(quads[128 + 4 * 37 + 2], 0u);      // of a lane that is not there
  EXPECT_EQ(quads[128 + 4 * 34 + 2], 35u);     // of lane 3 of its quad
  EXPECT_EQ(quads[128 + 4 * 36 + 1], 0b001u);  // alone
  const std::vector<uint32_t> fragments = words(scenes::fragment_counters(), 0, 4);
  EXPECT_GT(fragments[0], 300u);
  EXPECT_GT(fragments[2], fragments[0]);  // late: those behind, too
  EXPECT_LT(fragments[1], fragments[0]);
  EXPECT_LT(fragments[3], fragments[2]);
  const std::vector<uint32_t> marks = words(scenes::fragment_counters(), 16, fragments[2] + 1);
  EXPECT_EQ(sum(marks, 0), fragments[0] + fragments[2]) << "each number once, of both draws";
}

// No figure depends on the order of boxes, or on what is skipped.
TEST(Compute, IsDeterministic) {
  for (const scenes::Scene& scene : scenes::compute_scenes()) {
    const Outcome plain = on_machine(scene, with({})),
                  shuffled = on_machine(scene, with({}), {.scheduler = {.seed = 7, .skip_idle = false}});
    EXPECT_EQ(plain.statistics, shuffled.statistics) << scene.name;
    EXPECT_EQ(plain.cycles, shuffled.cycles) << scene.name;
    printf("%s: %llu cycles\n", scene.name.c_str(), static_cast<unsigned long long>(plain.cycles));
  }
}

}  // namespace
}  // namespace cutaway
