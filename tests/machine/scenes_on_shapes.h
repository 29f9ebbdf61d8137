#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "gpu_run.h"

// Scenes that not every chip runs, on machines of several shapes that do.
namespace cutaway {

using Sets = std::initializer_list<std::pair<const char*, const char*>>;

struct Shape {
  const char* name;
  machine::Config config;
};

// The machine `config` with parameters set: "unit.name", value.
inline machine::Config changed(machine::Config config, Sets sets) {
  for (const auto& [path, value] : sets) set(config, path, value);
  machine::check_rules(config);
  return config;
}

inline void expect_memory_of_emulator(const std::vector<scenes::Scene>& scenes,
                                      const std::vector<Shape>& shapes) {
  for (const scenes::Scene& scene : scenes)
    for (const Shape& shape : shapes) {
      SCOPED_TRACE(shape.name);
      ASSERT_TRUE(runs(scene, shape.config.abilities())) << scene.name;
      expect_memory_of_emulator(scene, shape.config);
    }
}

// No figure depends on the order of boxes, or on what is skipped.
inline void expect_deterministic(const std::vector<scenes::Scene>& scenes, const std::vector<Shape>& shapes) {
  for (const scenes::Scene& scene : scenes)
    for (const Shape& shape : shapes) {
      const Outcome plain = on_machine(scene, shape.config),
                    shuffled =
                        on_machine(scene, shape.config, {.scheduler = {.seed = 7, .skip_idle = false}});
      EXPECT_EQ(plain.statistics, shuffled.statistics) << scene.name << ", " << shape.name;
      EXPECT_EQ(plain.cycles, shuffled.cycles) << scene.name << ", " << shape.name;
    }
}

}  // namespace cutaway
