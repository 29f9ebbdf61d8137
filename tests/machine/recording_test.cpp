// Tests a machine's records: they change nothing, and attribute all counts exactly.
#include <map>

#include "base/error.h"
#include "gpu_run.h"
#include "records.h"
#include "replay/frame_recording.h"
#include "scenes/bound_scenes.h"

namespace cutaway {
namespace {

struct Recorded {
  run_record::FrameRecord record;
  std::vector<uint64_t> counters;  // by column
  uint64_t statistics = 0, cycles = 0;
};

Recorded record(const scenes::Scene& scene, const machine::Config& config,
                const engine::SchedulerOptions& scheduler = {}) {
  machine::MachineOptions options;
  options.scheduler = scheduler;
  options.record_interval = 500;
  options.query_values = reported_queries(scene);
  machine::Machine gpu(config, arch::Memory(), options);
  scenes::play(scene, gpu);
  Recorded result{.record = replay::take_recording(gpu, 0)};
  result.cycles = gpu.cycles();
  for (const Counter& counter : gpu.simulator().counters().counters())
    result.counters.push_back(*counter.value);
  gpu.wait();  // for the last picture
  result.statistics = gpu.statistics_hash();
  return result;
}

bool is_of(const run_record::InstructionRecord& record, arch::Stage stage) {
  return record.stage == static_cast<uint8_t>(stage);
}

std::vector<uint64_t> sums(const std::vector<run_record::Amount>& amounts, size_t columns) {
  std::vector<uint64_t> sums(columns);
  for (const run_record::Amount& amount : amounts) sums[amount.counter] += amount.value;
  return sums;
}

using Key = std::tuple<uint32_t, uint32_t, uint64_t>;
std::vector<Key> sorted(const std::vector<run_record::Amount>& amounts) {
  std::vector<Key> keys;
  for (const run_record::Amount& a : amounts) keys.emplace_back(a.row, a.counter, a.value);
  std::sort(keys.begin(), keys.end());
  return keys;
}

void expect_tiles_sum(const scenes::Scene& scene, const run_record::FrameRecord& record) {
  std::map<std::string, uint64_t> units;
  for (const run_record::Amount& a : record.own) units[record.counters[a.counter].name] += a.value;
  run_record::TileRecord sum;
  for (const run_record::TileRecord& t : record.tiles) {
    sum.generated += t.generated, sum.killed_hz += t.killed_hz, sum.killed_shader += t.killed_shader;
    sum.killed_z += t.killed_z, sum.killed_stencil += t.killed_stencil, sum.written += t.written;
    EXPECT_EQ(t.last_write == 0, t.written == 0) << scene.name;
  }
  uint64_t generated = 0, written = 0;
  for (const run_record::Amount& a : record.own) {
    const run_record::CounterColumn& c = record.counters[a.counter];
    if (c.name != "fragments") continue;
    if (c.path.starts_with("gpu.fragment_generation")) generated += a.value;
    if (c.path.starts_with("gpu.color_write")) written += a.value;
  }
  EXPECT_EQ(sum.generated, generated) << scene.name;
  EXPECT_EQ(sum.written, written) << scene.name;
  EXPECT_EQ(sum.killed_hz, units["fragments_rejected"]) << scene.name;
  EXPECT_EQ(sum.killed_shader, units["fragments_killed"]) << scene.name;
  EXPECT_EQ(sum.killed_z + sum.killed_stencil, units["fragments_failed"] + units["late_failed"])
      << scene.name;
}

// Counts by instruction sum to those of shader units, and account for groups in every cycle.
void expect_instructions_sum(const scenes::Scene& scene, const run_record::FrameRecord& record) {
  std::map<uint32_t, uint64_t> units, instructions;  // issued, by work
  uint64_t vertex_units = 0, vertex = 0, inside = 0, time = 0, port = 0, tiles = 0;
  for (const run_record::Amount& a : record.own) {
    const std::string& name = record.counters[a.counter].name;
    if (name == "instructions") units[a.row] += a.value;
    if (name == "vertex_instructions") vertex_units += a.value;
    if (name == "resident_groups") inside += a.value;
  }
  for (const run_record::InstructionRecord& i : record.instructions) {
    instructions[i.work] += i.issued;
    vertex += is_of(i, arch::Stage::kVertex) ? i.issued : 0;
    port += is_of(i, arch::Stage::kFragment) ? i.issue_cycles : 0;
    EXPECT_TRUE(i.issue_cycles >= i.issued || !i.issue_cycles);  // none of a free END
    time += i.issue_cycles + i.waited_flow + i.waited_result + i.waited_issue + i.waited_send +
            i.waited_texture + i.waited_drain + i.waited_output;
  }
  for (const run_record::TileRecord& t : record.tiles) tiles += t.shader_cycles;
  EXPECT_EQ(instructions, units) << scene.name;
  EXPECT_EQ(vertex, vertex_units) << scene.name;
  EXPECT_EQ(time, inside) << scene.name;
  EXPECT_EQ(tiles, port) << scene.name;
}

// A line that a cache was asked for for the first time was not there: but for what the work before it left.
void expect_footprints_fit(const scenes::Scene& scene, const machine::Config& config,
                           const run_record::FrameRecord& record) {
  std::map<uint32_t, uint64_t> hits, misses;
  for (const run_record::Amount& a : record.own) {
    const run_record::CounterColumn& c = record.counters[a.counter];
    if (!c.path.starts_with("gpu.texture") || c.path.starts_with("gpu.texture_cache")) continue;
    if (c.name == "cache_hits") hits[a.row] += a.value;
    if (c.name == "cache_misses") misses[a.row] += a.value;
  }
  uint64_t sum = 0, most = 0;
  for (uint32_t i = 0; i < record.work.size(); i++) {
    const run_record::WorkRecord& work = record.work[i];
    EXPECT_LE(work.texture_cache_footprint, work.texture_footprint) << scene.name;
    EXPECT_LE(work.texture_footprint, work.texture_first_touches * config.texture.line_bytes) << scene.name;
    EXPECT_EQ(work.texture_first_touches > 0, hits[i] + misses[i] > 0) << scene.name;
    EXPECT_LE(work.texture_first_touches, hits[i] + misses[i]) << scene.name;
    sum += work.texture_footprint, most = std::max(most, work.texture_footprint);
  }
  EXPECT_LE(record.texture_footprint, sum) << scene.name;
  EXPECT_GE(record.texture_footprint, most) << scene.name;
}

// Shapes with one of everything, several of everything, and clocks of their own.
class Recording : public ::testing::TestWithParam<const char*> {
 protected:
  machine::Config config() const {
    for (const records::Shape& shape : records::shapes())
      if (shape.name == std::string(GetParam())) return records::config_of(shape);
    throw InternalError("no such shape");
  }
};

TEST_P(Recording, ChangesNothingAndSumsToWhatWasCounted) {
  for (const scenes::Scene& scene : records::record_scenes()) {
    const Outcome plain = on_machine(scene, config());
    const Recorded recorded = record(scene, config());
    EXPECT_EQ(recorded.statistics, plain.statistics) << scene.name;
    const size_t columns = recorded.counters.size();
    EXPECT_EQ(sums(recorded.record.own, columns), recorded.counters) << scene.name;
    EXPECT_EQ(sums(recorded.record.meanwhile, columns), recorded.counters) << scene.name;
    EXPECT_EQ(sums(recorded.record.intervals, columns), recorded.counters) << scene.name;
    uint64_t marginal = 0;
    for (const run_record::WorkRecord& work : recorded.record.work) {
      marginal += work.marginal_cycles;
      EXPECT_LE(work.began, work.end);
      EXPECT_LE(work.end, recorded.cycles);
    }
    EXPECT_EQ(marginal, recorded.cycles) << scene.name;
    // Counts by tile sum to those of units, to the last fragment.
    expect_tiles_sum(scene, recorded.record);
    expect_instructions_sum(scene, recorded.record);
    expect_footprints_fit(scene, config(), recorded.record);
    // Every 17 cycles somebody holds the machine up, but for the cycle in which a submission ends.
    uint64_t submissions = 0;
    for (const run_record::WorkRecord& work : recorded.record.work) submissions += work.kind == "rest";
    for (const auto* holdups : {&recorded.record.work_holdups, &recorded.record.interval_holdups}) {
      uint64_t probes = 0, nobody = 0;
      for (const run_record::Holdup& holdup : *holdups) {
        probes += holdup.probes;
        if (holdup.unit == recorded.record.units.size()) nobody += holdup.probes;
      }
      EXPECT_LE(nobody, submissions) << scene.name;
      EXPECT_EQ(probes, recorded.cycles / 17) << scene.name;
    }
  }
}

TEST_P(Recording, IsIndependentOfBoxOrderAndSkipping) {
  const scenes::Scene scene = records::record_scenes().front();
  const run_record::FrameRecord first = record(scene, config()).record;
  for (const engine::SchedulerOptions& scheduler :
       {engine::SchedulerOptions{.seed = 5}, engine::SchedulerOptions{.skip_idle = false}}) {
    const run_record::FrameRecord other = record(scene, config(), scheduler).record;
    EXPECT_EQ(sorted(other.own), sorted(first.own));
    EXPECT_EQ(sorted(other.meanwhile), sorted(first.meanwhile));
    EXPECT_EQ(sorted(other.intervals), sorted(first.intervals));
    ASSERT_EQ(other.wire_intervals.size(), first.wire_intervals.size());
    for (size_t i = 0; i < first.wire_intervals.size(); i++)
      EXPECT_EQ(other.wire_intervals[i].filling, first.wire_intervals[i].filling);
    ASSERT_EQ(other.work_holdups.size(), first.work_holdups.size());
    for (size_t i = 0; i < first.work_holdups.size(); i++) {
      EXPECT_EQ(other.work_holdups[i].unit, first.work_holdups[i].unit);
      EXPECT_EQ(other.work_holdups[i].kind, first.work_holdups[i].kind);
      EXPECT_EQ(other.work_holdups[i].probes, first.work_holdups[i].probes);
    }
    ASSERT_EQ(other.instructions.size(), first.instructions.size());
    for (size_t i = 0; i < first.instructions.size(); i++) {
      EXPECT_EQ(other.instructions[i].work, first.instructions[i].work);
      EXPECT_EQ(other.instructions[i].instruction, first.instructions[i].instruction);
      EXPECT_EQ(other.instructions[i].issued, first.instructions[i].issued);
      EXPECT_EQ(other.instructions[i].waited_issue, first.instructions[i].waited_issue);
      EXPECT_EQ(other.instructions[i].waited_output, first.instructions[i].waited_output);
    }
  }
}

machine::Config attila() {
  machine::Config config;
  machine::load_config(config, "attila");
  return config;
}

// Scenes whose instructions, lanes and lines are known by construction (tests/scenes/bound_scenes.h).
TEST(RecordingOfKnownScenes, CountsEachInstructionOfEachGroup) {
  machine::Config config = attila();
  config.shaders.front().unit.free_end = false;  // END issues as the others do
  uint32_t rows = 0;
  for (const run_record::InstructionRecord& i :
       record(scenes::bound_by_shading(), config).record.instructions) {
    if (!is_of(i, arch::Stage::kFragment)) continue;
    rows++;
    EXPECT_EQ(i.issued, 16'384u) << i.instruction;
    EXPECT_EQ(i.lanes, 65'536u) << i.instruction;
    EXPECT_EQ(i.issue_cycles, 16'384u) << i.instruction;
  }
  EXPECT_EQ(rows, 403u);
  rows = 0;
  for (const run_record::InstructionRecord& i :
       record(scenes::bound_by_vertices(), config).record.instructions) {
    rows++;
    EXPECT_TRUE(is_of(i, arch::Stage::kVertex));
    EXPECT_EQ(i.issued, 5'001u) << i.instruction;
    EXPECT_EQ(i.lanes, 20'001u) << i.instruction;
  }
  EXPECT_EQ(rows, 203u);
}

// 256x256 texels of 4 bytes, all of which are read: a line for each tile of 8x8.
TEST(RecordingOfKnownScenes, TheFootprintIsTheTexture) {
  const run_record::FrameRecord frame = record(scenes::bound_by_large_texture(), attila()).record;
  uint64_t draws = 0;
  for (const run_record::WorkRecord& work : frame.work) {
    if (!work.texture_footprint) continue;
    draws++;
    EXPECT_EQ(work.texture_footprint, 256u * 256 * 4);
    EXPECT_GE(work.texture_first_touches, 1024u);
    EXPECT_LE(work.texture_first_touches, 2048u);
  }
  EXPECT_EQ(draws, 1u);
  EXPECT_EQ(frame.texture_footprint, 256u * 256 * 4);
}

INSTANTIATE_TEST_SUITE_P(Shapes, Recording,
                         ::testing::Values("attila", "clusters", "rasters", "shader-clock", "three-slices",
                                           "slow-memory-clock"));

}  // namespace
}  // namespace cutaway
