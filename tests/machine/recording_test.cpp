// What a machine notes while it runs: it changes nothing, and all that is counted is shared out exactly.
#include <map>

#include "base/error.h"
#include "gpu_run.h"
#include "records.h"
#include "replay/frame_recording.h"

namespace cutaway {
namespace {

struct Recorded {
  FrameRecord record;
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
  result.statistics = gpu.statistics_hash();
  result.cycles = gpu.cycles();
  for (const Counter& counter : gpu.simulator().counters().counters())
    result.counters.push_back(*counter.value);
  return result;
}

std::vector<uint64_t> sums(const std::vector<Amount>& amounts, size_t columns) {
  std::vector<uint64_t> sums(columns);
  for (const Amount& amount : amounts) sums[amount.counter] += amount.value;
  return sums;
}

using Key = std::tuple<uint32_t, uint32_t, uint64_t>;
std::vector<Key> sorted(const std::vector<Amount>& amounts) {
  std::vector<Key> keys;
  for (const Amount& a : amounts) keys.emplace_back(a.row, a.counter, a.value);
  std::sort(keys.begin(), keys.end());
  return keys;
}

void expect_tiles_sum(const scenes::Scene& scene, const FrameRecord& record) {
  std::map<std::string, uint64_t> units;
  for (const Amount& a : record.own) units[record.counters[a.counter].name] += a.value;
  TileRecord sum;
  for (const TileRecord& t : record.tiles) {
    sum.generated += t.generated, sum.killed_hz += t.killed_hz, sum.killed_shader += t.killed_shader;
    sum.killed_z += t.killed_z, sum.killed_stencil += t.killed_stencil, sum.written += t.written;
    EXPECT_EQ(t.last_write == 0, t.written == 0) << scene.name;
  }
  uint64_t generated = 0, written = 0;
  for (const Amount& a : record.own) {
    const CounterColumn& c = record.counters[a.counter];
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
    for (const WorkRecord& work : recorded.record.work) {
      marginal += work.marginal_cycles;
      EXPECT_LE(work.began, work.end);
      EXPECT_LE(work.end, recorded.cycles);
    }
    EXPECT_EQ(marginal, recorded.cycles) << scene.name;
    // What tiles count sums to what units count, to the last fragment.
    expect_tiles_sum(scene, recorded.record);
    // Every 16 cycles somebody holds the machine up, but for the cycle in which a submission ends.
    uint64_t submissions = 0;
    for (const WorkRecord& work : recorded.record.work) submissions += work.kind == "rest";
    for (const auto* holdups : {&recorded.record.work_holdups, &recorded.record.interval_holdups}) {
      uint64_t probes = 0, nobody = 0;
      for (const Holdup& holdup : *holdups) {
        probes += holdup.probes;
        if (holdup.unit == recorded.record.units.size()) nobody += holdup.probes;
      }
      EXPECT_LE(nobody, submissions) << scene.name;
      EXPECT_EQ(probes, recorded.cycles / 16) << scene.name;
    }
  }
}

TEST_P(Recording, DoesNotDependOnTheOrderOfBoxesOrOnWhatIsSkipped) {
  const scenes::Scene scene = records::record_scenes().front();
  const FrameRecord first = record(scene, config()).record;
  for (const engine::SchedulerOptions& scheduler :
       {engine::SchedulerOptions{.seed = 5}, engine::SchedulerOptions{.skip_idle = false}}) {
    const FrameRecord other = record(scene, config(), scheduler).record;
    EXPECT_EQ(sorted(other.own), sorted(first.own));
    EXPECT_EQ(sorted(other.meanwhile), sorted(first.meanwhile));
    EXPECT_EQ(sorted(other.intervals), sorted(first.intervals));
    ASSERT_EQ(other.wire_intervals.size(), first.wire_intervals.size());
    for (size_t i = 0; i < first.wire_intervals.size(); i++)
      EXPECT_EQ(other.wire_intervals[i].filling, first.wire_intervals[i].filling);
    ASSERT_EQ(other.work_holdups.size(), first.work_holdups.size());
    for (size_t i = 0; i < first.work_holdups.size(); i++) {
      EXPECT_EQ(other.work_holdups[i].unit, first.work_holdups[i].unit);
      EXPECT_EQ(other.work_holdups[i].probes, first.work_holdups[i].probes);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Recording,
                         ::testing::Values("attila", "clusters", "rasters", "shader-clock", "three-slices",
                                           "slow-memory-clock"));

}  // namespace
}  // namespace cutaway
