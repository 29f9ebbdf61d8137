// Configurations differ in time, never in results: random legal ones against the emulator.
#include <cstdlib>
#include <random>

#include "gpu_run.h"

namespace cutaway {
namespace {

class Dice {
 public:
  explicit Dice(uint64_t seed) : random_(seed) {}
  unsigned between(unsigned low, unsigned high) {
    return low + static_cast<unsigned>(random_() % (high - low + 1));
  }
  // Small values are where queues stall.
  unsigned skewed(unsigned low, unsigned high) {
    return between(0, 1) ? between(low, std::min(high, low + 3)) : between(low, high);
  }
  unsigned of(std::initializer_list<unsigned> values) {
    return values.begin()[between(0, static_cast<unsigned>(values.size()) - 1)];
  }

 private:
  std::mt19937_64 random_;
};

machine::Config random_config(uint64_t seed) {
  Dice d(seed);
  machine::Config c;
  c.name = "random " + std::to_string(seed);
  auto& topology = c.shaders.front().topology;
  topology.units = d.between(1, 8);
  for (unsigned* sharers : {&topology.units_per_texture, &topology.units_per_cluster})
    for (*sharers = d.skewed(1, 8); topology.units % *sharers;) --*sharers;
  c.gpu.core_mhz = d.between(100, 700);
  topology.mhz = d.between(0, 1) ? c.gpu.core_mhz : d.between(100, 1500);
  c.gpu.memory_mhz = d.between(0, 1) ? c.gpu.core_mhz : d.between(100, 1100);

  auto& w = c.wires;
  for (unsigned* queue : {&w.primitive_assembly_queue, &w.clipper_queue, &w.triangle_setup_queue,
                          &w.fragment_generation_queue, &w.z_queue, &w.memory_queue})
    *queue = d.skewed(1, 40);
  w.hierarchical_z_queue = d.skewed(2, 16);
  for (unsigned* latency : {&w.primitive_assembly_latency, &w.clipper_latency, &w.triangle_setup_latency,
                            &w.fragment_generation_latency, &w.hierarchical_z_latency, &w.z_latency,
                            &w.color_latency, &w.memory_latency})
    *latency = d.skewed(1, 20);

  c.command_processor.words_per_cycle = d.between(1, 16);
  c.command_processor.prefetch = d.skewed(1, 16);
  c.command_processor.state_versions = d.skewed(1, 16);
  c.constant_loader.commands = d.skewed(1, 32);
  c.constant_loader.sectors = d.skewed(1, 32);
  c.copy_engine.commands = d.skewed(1, 8);
  c.copy_engine.chunks = d.skewed(2, 64);
  c.dac.sectors = d.skewed(1, 64);

  c.streamer.queue = d.skewed(1, 96);
  c.streamer.post_cache = d.skewed(1, 32);
  c.streamer.slots = std::max(8u, c.streamer.post_cache + d.skewed(1, 100));
  c.streamer.index_sectors = d.skewed(2, 8);
  c.streamer.attributes_per_cycle = d.between(1, 16);
  c.streamer.attribute_queue = d.skewed(1, 64);
  c.streamer.cache_lines = 4 * d.skewed(1, 16);

  c.fragment_generation.units = d.between(0, 1) ? 1 : d.between(2, 6);
  c.fragment_generation.tile = d.of({8, 16, 32, 128});
  for (unsigned shifts = d.between(0, 6); shifts; shifts--)
    c.fragment_generation.map.push_back(d.between(0, c.fragment_generation.units - 1));
  if (d.between(0, 1)) c.fragment_generation.order = boxes::ScanOrderKind::kTileRows;
  c.fragment_generation.scan_rows = d.between(1, 4);
  c.fragment_generation.tiles_per_cycle = d.between(1, 4);
  c.fragment_generation.tests_per_cycle = d.between(1, 16);
  c.hierarchical_z.enabled = d.between(0, 3) != 0;
  c.hierarchical_z.tiles_per_cycle = d.between(1, 4);
  c.hierarchical_z.size = d.of({64, 128, 4096});
  c.hierarchical_z.bits = d.between(4, 16);
  c.z_stencil.queue = d.skewed(1, 64);
  c.z_stencil.late_queue = d.skewed(1, 64);
  c.color_write.queue = d.skewed(1, 64);
  const auto cache = [&](auto& spec) {
    spec.cache_ways = d.of({2, 4, 8});
    spec.cache_lines = spec.cache_ways * d.skewed(2, 16);
    spec.line_bytes = d.of({64, 128, 256, 512});
    spec.write_backs = d.skewed(8, 32);
  };
  cache(c.z_stencil), cache(c.color_write);
  c.interpolator.base_latency = d.between(1, 10);
  c.interpolator.max_latency = d.between(1, 20);
  c.interpolator.depth = d.skewed(2, 64);
  c.work_distributor.quads_per_cycle = d.between(1, 8);
  c.work_distributor.gather_cycles = d.between(0, 1) ? 0 : d.skewed(1, 40);
  c.work_distributor.vertices_first = d.between(0, 1);
  c.reorder_buffer.entries = d.skewed(4, 512);
  c.reorder_buffer.quads_per_cycle = d.between(1, 8);

  c.rop.units = d.between(1, 4);
  c.rop.tile = d.of({8, 8, 16, 32, 128});
  for (unsigned shifts = d.between(0, 6); shifts; shifts--)
    c.rop.map.push_back(d.between(0, c.rop.units - 1));

  auto& s = c.shaders.front().unit;
  s.group_lanes = d.of({4, 8, 16, 32, 64});
  s.threads = s.group_lanes * d.skewed(1, std::min(100u, 400 / s.group_lanes));
  s.input_threads = s.group_lanes * d.between(1, 4);
  s.simd_lanes = s.group_lanes >> d.between(0, 2);
  s.issue = d.between(0, 1) ? boxes::IssueMode::kScalar : boxes::IssueMode::kVector;
  s.scheduler = boxes::kThreadSchedulingNames[d.between(0, 2)].value;
  s.registers_per_thread = d.skewed(1, 8);
  s.register_granularity = d.between(1, 4);
  s.simd_latency = d.between(1, 12);
  s.scalar_latency = d.between(1, 20);
  s.flow_latency = d.between(1, 8);
  s.pipeline_stages = d.between(0, 8);

  auto& t = c.texture;
  t.queue = d.skewed(1, 32);
  t.sample_queue = d.skewed(1, 64);
  t.samples_per_cycle = d.between(1, 4);
  t.filter_latency = d.between(1, 10);
  t.cache_ways = d.of({4, 8});
  t.cache_lines = t.cache_ways * d.skewed(1, 16);
  t.line_bytes = d.of({64, 128, 256, 512});

  auto& m = c.memory;
  m.channels = d.between(1, 8);
  m.interleave = d.of({64, 128, 256, 512, 4096});
  m.bytes_per_cycle = d.of({4, 16, 64});
  m.latency = d.skewed(1, 200);
  m.read_to_write = d.between(0, 10);
  m.write_to_read = d.between(0, 10);
  m.queue = d.skewed(1, 32);
  if (d.between(0, 1)) m.scheduler = boxes::MemoryScheduler::kOldest;

  auto& l2 = c.texture_cache;
  l2.slices = d.between(0, 1) ? 0 : d.skewed(1, 16);
  l2.interleave = d.of({64, 128, 192, 256, 4096});
  l2.cache_ways = d.of({1, 4, 8});
  l2.cache_lines = l2.cache_ways * d.skewed(4, 32);
  l2.line_bytes = d.of({64, 128, 256, 512});
  l2.latency = d.skewed(1, 40);
  l2.queue = d.skewed(1, 16);
  l2.pending = d.skewed(1, 64);
  return c;
}

// CUTAWAY_RANDOM_CONFIGS: how many to try.
TEST(RandomConfig, MemoryEqualsTheEmulators) {
  const char* asked = std::getenv("CUTAWAY_RANDOM_CONFIGS");
  const uint64_t configs = asked ? std::strtoull(asked, nullptr, 10) : 48;
  std::vector<scenes::Scene> tried;
  std::vector<uint64_t> expected;
  for (scenes::Scene& scene : scenes::all_scenes()) {
    expected.push_back(on_emulator(scene));
    tried.push_back(std::move(scene));
  }
  for (uint64_t seed = 1; seed <= configs; seed++) {
    machine::Config config = random_config(seed);
    FieldTable fields;
    config.list(fields);
    fields.validate();
    // Three scenes each, all of them in turn.
    for (uint64_t i = 0; i < 3; i++) {
      const size_t scene = (3 * seed + i) % tried.size();
      SCOPED_TRACE(config.name + ", " + tried[scene].name);
      try {
        EXPECT_EQ(on_machine(tried[scene], config).memory, expected[scene]);
      } catch (const std::exception& error) { ADD_FAILURE() << error.what(); }
    }
  }
}

}  // namespace
}  // namespace cutaway
