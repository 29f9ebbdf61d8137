// Configurations differ in time, never in results: random legal ones against the emulator.
#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>

#include "base/testing/temporary_folder.h"
#include "gpu_run.h"
#include "random_machine.h"
#include "scenes/timing_scenes.h"

namespace cutaway {
namespace {

uint64_t number_from(const char* variable, uint64_t otherwise) {
  const char* asked = std::getenv(variable);
  return asked ? std::strtoull(asked, nullptr, 10) : otherwise;
}

// The error of a scene's frame on a machine. Empty: its memory equals the emulator's, and, if `twice` is set,
// figures do not depend on the order of boxes or on skipping. The watchdog finds a machine that hangs, or it
// exceeds the longest legitimate run.
std::string wrong(const scenes::Scene& scene, const machine::Config& config, uint64_t expected, bool twice) {
  if (!runs(scene, config.abilities())) return "";
  constexpr engine::Cycle kMostCycles = 1 << 27, kMostUnskipped = 50'000;
  machine::MachineOptions options;
  options.on_progress = [](engine::Cycle now) {
    if (now > kMostCycles) throw std::runtime_error(fmt::format("not done after {} cycles", now));
  };
  try {
    const Outcome plain = on_machine(scene, config, options);
    if (plain.memory != expected) return "memory is not the emulator's";
    options.scheduler = {.seed = 7, .skip_idle = plain.cycles > kMostUnskipped};
    if (twice && on_machine(scene, config, options).statistics != plain.statistics)
      return "figures depend on the order of boxes, or on what is skipped";
    return "";
  } catch (const std::exception& error) { return error.what(); }
}

// Reduces a failing machine to the necessary "--set" options: other parameters are reset to those of test
// machines, as far as rules allow.
std::string reduced(const scenes::Scene& scene, machine::Config config, uint64_t expected, bool twice) {
  machine::Config plain;
  for (const machine::ShaderClass& shader : config.shaders)
    if (shader.name != plain.shaders.front().name) plain.shaders.emplace_back().name = shader.name;
  FieldTable fields, plain_fields;
  config.list(fields), plain.list(plain_fields);
  const auto fails_with = [&](const std::string& path, const std::string& value) {
    try {
      fields.set("reduced", path, value);
      machine::check_rules(config);
      return !wrong(scene, config, expected, twice).empty();
    } catch (const UserError&) { return false; }
  };
  std::map<std::string, std::string> left;
  for (size_t before = ~size_t{0}; left.size() != before;) {  // one that stays may have held another
    before = left.size();
    left.clear();
    for (const auto& field : fields.fields()) {
      const std::string value = field->value(), otherwise = plain_fields.get(field->path);
      if (value == otherwise || fails_with(field->path, otherwise)) continue;
      fields.set("reduced", field->path, value);
      left[field->path] = value;
    }
  }
  std::string options;
  for (const auto& [path, value] : left) options += fmt::format(" --set {}={}", path, value);
  return options;
}

// True if a comma-separated list contains the word.
bool has_word(const std::string& list, const std::string& word) {
  return ("," + list + ",").find("," + word + ",") != std::string::npos;
}

// Every parameter takes part: its least value and a large one, each of its names, lists and sets of any
// length.
TEST(RandomConfig, DrawsAllOfEveryParameter) {
  std::map<std::string, std::set<std::string>> drawn;
  std::set<size_t> classes;
  machine::Config plain;
  FieldTable declared;
  plain.list(declared);
  for (uint64_t seed = 1; seed <= 1000; seed++) {
    machine::Config config = random_machine::draw(seed).config;
    classes.insert(config.shaders.size());
    FieldTable fields;
    config.list(fields);
    for (const auto& field : fields.fields()) drawn[field->path].insert(field->value());
  }
  EXPECT_EQ(classes, (std::set<size_t>{1, 2, 3}));
  for (const auto& field : declared.fields()) {
    if (!random_machine::is_drawn(*field)) continue;
    const ValueRange range = random_machine::drawn_from(*field);
    std::set<std::string> missing(range.names.begin(), range.names.end());
    if (range.kind == ValueRange::Kind::kWhole) missing = {fmt::format("{}", range.least)};
    double greatest = 0;
    for (const std::string& value : drawn.at(field->path)) {
      missing.erase(value);
      if (range.kind == ValueRange::Kind::kSet)
        std::erase_if(missing, [&](const std::string& name) { return has_word(value, name); });
      greatest = std::max(greatest, std::strtod(value.c_str(), nullptr));
    }
    EXPECT_TRUE(missing.empty()) << field->path << " is never " << *missing.begin();
    const bool whole = range.kind == ValueRange::Kind::kWhole,
               choice = range.kind == ValueRange::Kind::kChoice;
    EXPECT_TRUE(!whole || greatest > range.greatest / 2) << field->path << " is at most " << greatest;
    EXPECT_TRUE(whole || choice || drawn.at(field->path).size() > 10) << field->path;
  }
}

TEST(RandomConfig, AFileMakesTheSameMachine) {
  for (uint64_t seed = 1; seed <= 20; seed++) {
    machine::Config config = random_machine::draw(seed).config, loaded;
    const std::string path = temporary_folder() / "random_machine.toml";
    std::ofstream(path) << random_machine::toml_of(config);
    machine::load_config(loaded, path);
    FieldTable fields, loaded_fields;
    config.list(fields), loaded.list(loaded_fields);
    EXPECT_EQ(loaded_fields.text(), fields.text());
    std::remove(path.c_str());
  }
}

// Some parameters differ from the preset, and others with another seed.
TEST(RandomConfig, AroundAPresetMostOfItStays) {
  machine::Config g80;
  machine::load_config(g80, "g80");
  FieldTable preset;
  g80.list(preset);
  std::set<std::string> changed;
  for (uint64_t seed = 1; seed <= 50; seed++) {
    machine::Config config = random_machine::draw_around("g80", seed).config;
    FieldTable fields;
    config.list(fields);
    size_t others = 0;
    for (const auto& field : fields.fields())
      if (field->value() != preset.get(field->path)) changed.insert(field->path), others++;
    EXPECT_GT(others, 0u) << seed;
    EXPECT_LT(others, preset.fields().size() / 3) << seed;
  }
  EXPECT_GT(changed.size(), preset.fields().size() * 3 / 4);
}

// A kind of scenes that only some chips run.
struct OptionalScenes {
  const char* what;
  std::vector<scenes::Scene> scenes;
  unsigned machines = 0;
};

// CUTAWAY_RANDOM_CONFIGS: how many to try; CUTAWAY_RANDOM_FIRST: from which on; CUTAWAY_RANDOM_AROUND: a
// preset that all of them are near. Each part takes every sixth, so that shards of this program share them.
constexpr uint64_t kParts = 6;
class RandomConfigs : public ::testing::TestWithParam<uint64_t> {
 protected:
  // Runs one scene on a machine; false: it fails, and what fails has been told.
  static bool passes(const scenes::Scene& scene, const machine::Config& config, bool twice) {
    const uint64_t expected = on_emulator(scene);
    const std::string what = wrong(scene, config, expected, twice);
    if (what.empty()) return true;
    fmt::print("{}, {}: {}; reducing the machine\n", config.name, scene.name, what), std::fflush(stdout);
    ADD_FAILURE() << config.name << ", " << scene.name << ": " << what
                  << "\nThis much of it fails:" << reduced(scene, config, expected, twice)
                  << "\nAll of it, a file for --gpu:\n"
                  << random_machine::toml_of(config);
    return false;
  }

  // Three scenes each, all of them in turn.
  void run_scenes(uint64_t seed, const machine::Config& config) {
    for (uint64_t i = 0; i < 3; i++)
      if (!passes(scenes_[(3 * seed + i) % scenes_.size()], config, i == 0)) return;
  }

  // One scene of each kind that the machine supports.
  void run_optional_scenes(uint64_t seed, const machine::Config& config) {
    for (OptionalScenes& some : optional_) {
      const auto supported = [&](uint64_t i) {
        return runs(some.scenes[(seed + i) % some.scenes.size()], config.abilities());
      };
      uint64_t i = 0;
      while (i < some.scenes.size() && !supported(i)) i++;
      if (i == some.scenes.size()) continue;
      some.machines++;
      passes(some.scenes[(seed + i) % some.scenes.size()], config, true);
    }
  }

  std::vector<scenes::Scene> scenes_ = [] {
    std::vector<scenes::Scene> all = scenes::all_scenes();
    for (scenes::Scene& scene : scenes::timing_scenes()) all.push_back(std::move(scene));
    return all;
  }();
  std::array<OptionalScenes, 6> optional_ = {
      OptionalScenes{"compute or store", scenes::compute_scenes()},
      OptionalScenes{"run geometry programs", scenes::geometry_scenes()},
      OptionalScenes{"divide patches", scenes::tessellation_scenes()},
      OptionalScenes{"capture vertices", scenes::feedback_scenes()},
      OptionalScenes{"pull interpolants", scenes::pull_scenes()},
      OptionalScenes{"compute with doubles", scenes::double_scenes()}};
};

TEST_P(RandomConfigs, MemoryEqualsTheEmulators) {
  const uint64_t first = number_from("CUTAWAY_RANDOM_FIRST", 1);
  const uint64_t configs = number_from("CUTAWAY_RANDOM_CONFIGS", 30);
  const char* around = std::getenv("CUTAWAY_RANDOM_AROUND");
  unsigned redrawn = 0, machines = 0;
  for (uint64_t seed = first + GetParam(); seed < first + configs; seed += kParts, machines++) {
    const random_machine::Drawn drawn =
        around ? random_machine::draw_around(around, seed) : random_machine::draw(seed);
    redrawn += drawn.redrawn;
    run_scenes(seed, drawn.config);
    run_optional_scenes(seed, drawn.config);
  }
  for (const OptionalScenes& some : optional_)
    fmt::print("{} of {} machines {}\n", some.machines, machines, some.what);
  fmt::print("{:.1f} parameters of each drawn again\n",
             static_cast<double>(redrawn) / static_cast<double>(std::max(machines, 1u)));
}
INSTANTIATE_TEST_SUITE_P(, RandomConfigs, ::testing::Range(uint64_t{0}, kParts));

}  // namespace
}  // namespace cutaway
