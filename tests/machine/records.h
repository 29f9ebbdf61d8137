#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gpu_run.h"

// Compares counts and times of machines of several shapes with text files: one line per counter, account and
// clock, for a scene's first frame and for the same frame repeated.
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

// By name, of the first and the second frame. What is 0 in both is left out.
using Figures = std::map<std::string, std::array<uint64_t, 2>>;
Figures measure(const scenes::Scene& scene, const machine::Config& config);

std::string path_of(const std::string& shape, const std::string& scene);
std::string text_of(const Figures& figures);
Figures read(const std::string& path);

// "gpu.shader1.texture" and "gpu.shader0.texture" are one: numbers of units and ports become '#'.
std::string kind_of(const std::string& name);

}  // namespace cutaway::records
