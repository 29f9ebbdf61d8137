// Boxes declare what each port carries, and which work costs them nothing.
#include <algorithm>
#include <set>

#include "wires.h"

namespace cutaway {
namespace {

std::vector<machine::Config> machines() {
  std::vector<machine::Config> machines = machines_of_stages();
  for (const machine::PresetInfo& preset : machine::presets())
    machine::load_config(machines.emplace_back(), preset.name);
  return machines;
}

// The lines of all boxes of a machine.
std::set<std::string_view> costs_nothing(const machine::Config& config) {
  machine::Machine gpu(config, arch::Memory());
  std::set<std::string_view> all;
  for (const auto& box : gpu.simulator().boxes()) {
    const auto work = box->costs_nothing();
    all.insert(work.begin(), work.end());
  }
  return all;
}

bool any_begins(const std::set<std::string_view>& lines, std::string_view begin) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](std::string_view line) { return line.starts_with(begin); });
}

TEST(Ports, SayWhatTheyCarry) {
  for (const machine::Config& config : machines()) {
    machine::Machine gpu(config, arch::Memory());
    for (const auto& box : gpu.simulator().boxes())
      for (const engine::Port* port : box->ports()) {
        const bool storage = !port->wire();
        EXPECT_EQ(storage, std::string_view(port->carries()).empty())
            << config.name << ": " << port->full_name();
      }
  }
}

TEST(Boxes, SayWhatCostsNothingInLinesWithoutAFullStop) {
  for (const machine::Config& config : machines()) {
    machine::Machine gpu(config, arch::Memory());
    for (const auto& box : gpu.simulator().boxes()) {
      const auto work = box->costs_nothing();
      EXPECT_FALSE(work.empty()) << box->path();
      for (const std::string_view line : work) {
        EXPECT_FALSE(line.empty() || line.ends_with('.')) << box->path() << ": " << line;
        EXPECT_EQ(std::count(work.begin(), work.end(), line), 1) << box->path() << ": " << line;
      }
    }
  }
}

// A machine tells of what it leaves out, and of nothing that its parameters have.
TEST(Boxes, SayWhatCostsNothingWithTheirParameters) {
  machine::Config config;
  machine::load_config(config, "attila");
  auto lines = costs_nothing(config);
  EXPECT_TRUE(any_begins(lines, "Rows, banks and refresh"));
  EXPECT_FALSE(any_begins(lines, "The limit of four activations"));
  EXPECT_TRUE(any_begins(lines, "Doorbells, and host writes"));
  EXPECT_FALSE(any_begins(lines, "Room for the vertices that invocations inside the unit"));
  machine::load_config(config, "attila", {"memory.dram=banked", "bus.bytes_per_cycle=4"});
  lines = costs_nothing(config);
  EXPECT_FALSE(any_begins(lines, "Rows, banks and refresh"));
  EXPECT_TRUE(any_begins(lines, "The limit of four activations"));
  EXPECT_FALSE(any_begins(lines, "Doorbells, and host writes"));
  machine::load_config(config, "d3d11");
  EXPECT_TRUE(any_begins(costs_nothing(config), "Room for the vertices that invocations inside the unit"));
}

}  // namespace
}  // namespace cutaway
