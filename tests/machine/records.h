#pragma once

#include <string>
#include <vector>

#include "gpu_run.h"
#include "record_files.h"

// Holds counts and times of machines of several shapes to text files: a figure for each
// counter, account and clock, of a scene's first frame and of the same frame once more.
namespace cutaway::records {

struct Shape {
  const char* name;
  std::vector<const char*> sets;    // "unit.name=value", over the preset's defaults
  std::vector<const char*> scenes;  // by the names of all_record_scenes(); empty: record_scenes()
  const char* file = nullptr;       // of tests/machine/machines, in place of the preset
};
const std::vector<Shape>& shapes();
machine::Config config_of(const Shape& shape);

// Small scenes that together reach every unit.
std::vector<scenes::Scene> record_scenes();
// And those that only chips with compute programs or stores run, which shapes name.
std::vector<scenes::Scene> all_record_scenes();
std::vector<std::string> scenes_of(const Shape& shape);

Figures measure(const scenes::Scene& scene, const machine::Config& config);

// "gpu.shader1.texture" and "gpu.shader0.texture" are one: numbers of units and ports become '#'.
std::string kind_of(const std::string& name);

}  // namespace cutaway::records
