// Every preset and every example of a machine draws what the emulator draws.
#include <filesystem>

#include "gpu_run.h"
#include "records.h"

namespace cutaway {
namespace {

std::vector<std::string> chips() {
  std::vector<std::string> names;
  for (const machine::PresetInfo& preset : machine::presets()) names.push_back(preset.name);
  for (const auto& entry : std::filesystem::directory_iterator(CUTAWAY_EXAMPLE_MACHINES))
    names.push_back(entry.path());
  std::sort(names.begin(), names.end());
  return names;
}

// A scene as the emulator draws it, as far as the chip has what it asks for.
void draw_or_say_what_lacks(const scenes::Scene& scene, const machine::Config& config) {
  if (runs(scene, config.abilities())) {
    expect_memory_of_emulator(scene, config);
    return;
  }
  machine::Machine gpu(config, arch::Memory());
  scenes::play(scene, gpu);
  arch::Fault fault;
  EXPECT_TRUE(gpu.fault(fault)) << scene.name;
  EXPECT_NE(fault.text.find(config.name + " has no "), std::string::npos) << fault.text;
}

class Chips : public testing::TestWithParam<std::string> {};

TEST_P(Chips, DrawWhatTheEmulatorDrawsOrSayWhatTheyLack) {
  machine::Config config;
  machine::load_config(config, GetParam());
  for (const scenes::Scene& scene : records::record_scenes()) draw_or_say_what_lacks(scene, config);
}

// Optional scenes have compute or geometry programs, or programs that store.
TEST_P(Chips, RunOptionalScenesOrSayWhatTheyLack) {
  machine::Config config;
  machine::load_config(config, GetParam());
  for (const scenes::Scene& scene : scenes::optional_scenes()) draw_or_say_what_lacks(scene, config);
}

std::string name_of(const testing::TestParamInfo<std::string>& chip) {
  std::string name = std::filesystem::path(chip.param).stem();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Chips, testing::ValuesIn(chips()), name_of);

}  // namespace
}  // namespace cutaway
