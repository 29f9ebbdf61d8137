// Compares every scene's memory and the emulator's counters with exact records. The arithmetic in func/ is
// shared by emulator and machine: an error in it affects both, and only a record detects it. A change of a
// record is part of the change that caused it, with its reason; CUTAWAY_WRITE_RECORDS=1 rewrites the records.
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <map>

#include "base/hash.h"
#include "emulator/testing/outcome.h"

namespace cutaway::emulator {
namespace {

std::vector<scenes::Scene> recorded_scenes() {
  std::vector<scenes::Scene> all = scenes::all_scenes();
  for (scenes::Scene& scene : scenes::optional_scenes()) all.push_back(std::move(scene));
  return all;
}

// One line per figure: "scene: name value". Zeros are left out.
std::map<std::string, std::string> measure() {
  std::map<std::string, std::string> figures;
  for (const scenes::Scene& scene : recorded_scenes()) {
    const Outcome outcome(scene);
    const auto put = [&](const char* name, std::string value) {
      EXPECT_TRUE(figures.emplace(scene.name + ": " + name, std::move(value)).second) << scene.name;
    };
    for (size_t i = 0; i < outcome.pictures.size(); i++) {
      const std::vector<uint8_t>& rgba = outcome.pictures[i].rgba;
      put(fmt::format("picture {}", i + 1).c_str(),
          fmt::format("{:016x}", hash_bytes(rgba.data(), rgba.size())));
    }
    // Timestamps count the emulator's steps.
    if (scene.name != "statistics") put("memory", fmt::format("{:016x}", outcome.gpu->memory(0).hash()));
    outcome.statistics().for_each([&](const char* name, const char*, uint64_t value) {
      if (value) put(name, std::to_string(value));
    });
  }
  return figures;
}

TEST(SceneRecords, AreWhatTheEmulatorDoes) {
  const auto measured = measure();
  if (std::getenv("CUTAWAY_WRITE_RECORDS")) {
    std::ofstream file(CUTAWAY_SCENE_RECORDS);
    for (const auto& [name, value] : measured) file << name << ' ' << value << '\n';
  }
  std::ifstream file(CUTAWAY_SCENE_RECORDS);
  ASSERT_TRUE(file) << CUTAWAY_SCENE_RECORDS << ": CUTAWAY_WRITE_RECORDS=1 writes it";
  std::map<std::string, std::string> recorded;
  for (std::string line; std::getline(file, line);) {
    const size_t space = line.rfind(' ');
    recorded[line.substr(0, space)] = line.substr(space + 1);
  }
  unsigned told = 0;
  for (const auto& [name, value] : measured)
    if (recorded[name] != value && told++ < 12)
      ADD_FAILURE() << name << ": " << value << " instead of " << recorded[name];
  for (const auto& [name, value] : recorded)
    if (!measured.contains(name) && told++ < 12) ADD_FAILURE() << name << ": 0 instead of " << value;
}

}  // namespace
}  // namespace cutaway::emulator
