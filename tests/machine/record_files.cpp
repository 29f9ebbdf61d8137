#include "record_files.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

#include "records.h"

namespace cutaway::records {
namespace {

using Pair = std::array<uint64_t, 2>;

// "gpu.clipper0" of "gpu.clipper0.starved.memory_in": of what accounts for a box's cycles. Empty for others.
std::string_view box_of(std::string_view name) {
  for (const std::string_view part : {".busy", ".idle"})
    if (name.ends_with(part)) return name.substr(0, name.size() - part.size());
  for (const std::string_view part : {".starved.", ".blocked."})
    if (const size_t at = name.find(part); at != name.npos) return name.substr(0, at);
  return {};
}

Pair cycles_of(const Figures& figures, std::string_view box) {
  for (const std::string_view clock : {"memory", "vertex_shader", "shader"})
    if (box.starts_with(fmt::format("gpu.{}", clock)))
      if (const auto found = figures.find(fmt::format("cycles.{}", clock)); found != figures.end())
        return found->second;
  const auto core = figures.find("cycles.core");
  return core == figures.end() ? Pair{} : core->second;
}

// The idle cycles of each box: those in which it neither works nor waits.
Figures idle_cycles(const Figures& figures) {
  Figures used, idle;
  for (const auto& [name, value] : figures)
    if (const std::string_view box = box_of(name); !box.empty()) {
      Pair& sum = used[std::string(box)];
      if (name.ends_with(".idle")) continue;
      for (size_t frame = 0; frame < 2; frame++) sum[frame] += value[frame];
    }
  for (const auto& [box, sum] : used) {
    const Pair cycles = cycles_of(figures, box);
    idle[box + ".idle"] = {cycles[0] - sum[0], cycles[1] - sum[1]};
  }
  return idle;
}

Pair value_of(const Figures& figures, const std::string& name) {
  const auto found = figures.find(name);
  return found == figures.end() ? Pair{} : found->second;
}

const std::vector<std::string>& shapes_with(const std::string& scene) {
  static const auto all = [] {
    std::map<std::string, std::vector<std::string>> by_scene;
    for (const Shape& shape : shapes())
      for (const std::string& name : scenes_of(shape)) by_scene[name].push_back(shape.name);
    return by_scene;
  }();
  return all.at(scene);
}

Figures lines_of(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return figures_of(text.str());
}

Figures base_of(const std::string& shape, const std::string& scene) {
  const std::string& first = shapes_with(scene).front();
  return shape == first ? Figures{} : read(first, scene);
}

void write_file(const std::string& shape, const std::string& scene, const Figures& figures) {
  const std::filesystem::path path = path_of(shape, scene);
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << text_of_file(shape, scene, figures);
}

}  // namespace

Figures whole_record(const Figures& lines, const Figures& base) {
  Figures whole = lines;
  whole.insert(base.begin(), base.end());
  for (const auto& [name, value] : idle_cycles(whole))
    if (!lines.contains(name)) whole[name] = value;
  std::erase_if(whole, [](const auto& entry) { return entry.second == Pair{}; });
  return whole;
}

Figures differences(const Figures& whole, const Figures& base) {
  Figures lines;
  const auto put_where_wrong = [&](const Figures& guess, bool idle) {
    for (const Figures* figures : {&whole, &guess})
      for (const auto& [name, value] : *figures)
        if (name.ends_with(".idle") == idle && value_of(guess, name) != value_of(whole, name))
          lines[name] = value_of(whole, name);
  };
  put_where_wrong(base, false);
  put_where_wrong(whole_record(lines, base), true);
  return lines;
}

std::string text_of(const Figures& figures) {
  std::string text;
  for (const auto& [name, value] : figures) text += fmt::format("{} {} {}\n", name, value[0], value[1]);
  return text;
}

Figures figures_of(const std::string& text) {
  Figures figures;
  std::istringstream lines(text);
  std::string name;
  for (Pair value{}; lines >> name >> value[0] >> value[1];) figures[name] = value;
  return figures;
}

std::string path_of(const std::string& shape, const std::string& scene) {
  return fmt::format("{}/{}/{}.txt", CUTAWAY_RECORDS, shape, scene);
}

Figures read(const std::string& shape, const std::string& scene) {
  const std::string path = path_of(shape, scene);
  if (!std::filesystem::exists(path)) return {};
  return whole_record(lines_of(path), base_of(shape, scene));
}

std::string text_of_file(const std::string& shape, const std::string& scene, const Figures& figures) {
  return text_of(differences(figures, base_of(shape, scene)));
}

void write(const std::string& shape, const std::string& scene, const Figures& figures) {
  const std::vector<std::string>& all = shapes_with(scene);
  std::vector<std::pair<std::string, Figures>> others;
  if (shape == all.front())
    for (auto other = all.begin() + 1; other != all.end(); ++other)
      if (std::filesystem::exists(path_of(*other, scene))) others.emplace_back(*other, read(*other, scene));
  write_file(shape, scene, figures);
  for (const auto& [other, record] : others) write_file(other, scene, record);
}

}  // namespace cutaway::records
