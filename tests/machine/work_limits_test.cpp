#include "emulator/emulator.h"
#include "gpu_run.h"
#include "scenes/endless_scenes.h"

// Tests a submission's work limits: emulator and machine count alike.
namespace cutaway::work_limits_test {
namespace {

using Limit = uint64_t command_stream::WorkLimits::*;

// Limits that the machine counts.
constexpr std::pair<const char*, Limit> kLimits[] = {
    {"words", &command_stream::WorkLimits::words},
    {"loaded words", &command_stream::WorkLimits::loaded_words},
    {"draws", &command_stream::WorkLimits::draws},
    {"vertices", &command_stream::WorkLimits::vertices},
    {"copied bytes", &command_stream::WorkLimits::copied_bytes},
    {"pixels", &command_stream::WorkLimits::pixels},
};

// The text without the packet, or unit, that it begins with.
std::string fault_of(const arch::Gpu& gpu) {
  arch::Fault fault;
  if (!gpu.fault(fault)) return "";
  return fault.text.substr(fault.text.find(": ") + 2);
}

std::string on_emulator(const scenes::Scene& scene, const command_stream::WorkLimits& limits) {
  const auto gpu = emulator::make_emulator({.work = limits});
  scenes::play(scene, *gpu);
  return fault_of(*gpu);
}

std::string on_machine(const scenes::Scene& scene, const command_stream::WorkLimits& limits,
                       const std::vector<messages::QueryValue>& queries, unsigned front_ends = 1) {
  machine::Config config;
  config.geometry = {.units = front_ends, .batch = 2};
  machine::Machine gpu(config, arch::Memory(), {.query_values = queries, .work = limits});
  scenes::play(scene, gpu);
  return fault_of(gpu);
}

// The least that the emulator takes.
uint64_t used(const scenes::Scene& scene, Limit limit) {
  uint64_t low = 0, high = uint64_t{1} << 22;
  while (low < high) {
    const uint64_t middle = (low + high) / 2;
    command_stream::WorkLimits limits;
    limits.*limit = middle;
    if (on_emulator(scene, limits).empty()) high = middle;
    else low = middle + 1;
  }
  return low;
}

void counts_alike(const scenes::Scene& scene) {
  const std::vector<messages::QueryValue> queries = reported_queries(scene);
  command_stream::WorkLimits least;
  for (const auto& [name, limit] : kLimits) least.*limit = used(scene, limit);
  EXPECT_EQ(on_machine(scene, least, queries), "");
  EXPECT_EQ(on_machine(scene, least, queries, 3), "");
  for (const auto& [name, limit] : kLimits) {
    if (least.*limit == 0) continue;
    command_stream::WorkLimits less;
    less.*limit = least.*limit - 1;
    const std::string fault = on_machine(scene, less, queries);
    EXPECT_NE(fault, "") << name << " of " << scene.name;
    EXPECT_EQ(fault, on_emulator(scene, less)) << name << " of " << scene.name;
    EXPECT_EQ(on_machine(scene, less, queries, 3), fault) << name << " of " << scene.name;
  }
}

TEST(WorkLimits, AreReachedByTheSameSubmissions) {
  counts_alike(scenes::textured_triangle());
  counts_alike(scenes::copies());
  counts_alike(scenes::queries());  // calls, indirect draws
  counts_alike(scenes::lines_and_points());
}

TEST(WorkLimits, EndWorkWithoutEnd) {
  for (const scenes::Scene& scene : scenes::endless_scenes()) {
    const std::string fault = on_emulator(scene, {});
    EXPECT_NE(fault.find("does not end"), fault.npos) << scene.name << ": " << fault;
    const bool clocked = scene.name.find("workgroups") == fault.npos;
    EXPECT_EQ(clocked ? on_machine(scene, {}, {}) : fault, fault) << scene.name;
  }
}

}  // namespace
}  // namespace cutaway::work_limits_test
