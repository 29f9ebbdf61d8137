// Every parameter is heard: changed alone, it changes what some scene counts or how long it takes.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <map>

#include "records.h"

namespace cutaway {
namespace {

// Those that bound what is accepted and move nothing that is.
const std::map<std::string, const char*> kExempt = {
    {"command_processor.instruction_memory", "longer programs are refused; shorter ones take no longer"},
    {"shader.stages", "each stage needs one class: another machine (records: vertex-units)"},
};

// "same-direction, oldest" without the one that it is.
std::vector<std::string> other_names(const std::string& range, const std::string& value) {
  std::vector<std::string> names;
  for (size_t from = 0; from < range.size();) {
    const size_t end = std::min(range.find(", ", from), range.size());
    if (range.substr(from, end - from) != value) names.push_back(range.substr(from, end - from));
    from = end + 2;
  }
  return names;
}

// Values to try, the ones that bite first: the least, half of what it is, twice that; of nothing a few. Of
// names all the others.
std::vector<std::string> values_to_try(const Field& field) {
  if (field.range() == "true or false") return {field.value() == "true" ? "false" : "true"};
  if (field.is_list()) return {"0"};
  const std::string range = field.range(), value = field.value();
  if (!std::isdigit(range[0])) return other_names(range, value);
  double least = 0, now = 0;
  std::from_chars(range.data(), range.data() + range.size(), least);
  std::from_chars(value.data(), value.data() + value.size(), now);
  std::vector<std::string> values;
  for (const double other : {least, std::floor(now / 2), now == 0 ? 8 : now * 2})
    if (other != now) values.push_back(fmt::format("{}", other));
  return values;
}

// False: not a legal machine.
bool change(machine::Config& config, const std::string& parameter, const std::string& value) {
  try {
    set(config, parameter, value);
    machine::check_rules(config);
    return true;
  } catch (const UserError&) { return false; }
}

using Scenes = std::map<std::string, scenes::Scene>;

// Where a unit's parameters are heard first.
const std::map<std::string, std::vector<std::string>> kScenes = {
    {"gpu", {"many-triangles", "anisotropic-textures"}},
    {"wires", {"many-triangles"}},
    {"command_processor", {"many-small-draws"}},
    {"constant_loader", {"many-small-draws", "indexed-mesh"}},
    {"copy_engine", {"copies-of-aspects"}},
    {"streamer", {"indexed-mesh", "instances"}},
    {"fragment_generation", {"many-triangles"}},
    {"hierarchical_z", {"hidden-layers"}},
    {"z_stencil", {"discards", "hidden-layers"}},
    {"interpolator", {"indexed-mesh"}},
    {"work_distributor", {"vertices-alone", "many-triangles"}},
    {"shader", {"vertices-alone", "indexed-mesh", "scratch_memory"}},
    {"texture", {"anisotropic-textures"}},
    {"texture_cache", {"anisotropic-textures"}},
    {"reorder_buffer", {"many-triangles"}},
    {"rop", {"many-triangles"}},
    {"color_write", {"several-targets"}},
    {"memory", {"many-triangles"}},
    {"dac", {"many-triangles"}},
};

bool heard(const machine::Config& base, const scenes::Scene& scene, const std::string& parameter) {
  machine::Config config = base;
  FieldTable fields;
  config.list(fields);
  const uint64_t plain = on_machine(scene, base).statistics;
  for (const std::string& value : values_to_try(fields.find("test", parameter))) {
    machine::Config changed = base;
    if (change(changed, parameter, value) && on_machine(scene, changed).statistics != plain) return true;
  }
  return false;
}

machine::Config shape(std::string_view name) {
  const auto found = std::find_if(records::shapes().begin(), records::shapes().end(),
                                  [&](const auto& shape) { return shape.name == name; });
  return records::config_of(*found);
}

// On the preset, on a machine of small queues and caches, of textures on two levels, before a slow memory, or
// on one of several rasterisers, or of clusters that own tiles.
TEST(Parameters, AreAllHeard) {
  Scenes scenes;
  for (scenes::Scene& scene : records::record_scenes()) {
    std::string name = scene.name;
    scenes.emplace(std::move(name), std::move(scene));
  }
  machine::Config preset, slow = shape("odd");
  slow.memory.bytes_per_cycle = 2;
  slow.texture_cache = {.slices = 2, .cache_lines = 16, .cache_ways = 4, .queue = 2, .pending = 2};
  const machine::Config machines[] = {preset, slow, shape("rasters"), shape("tile-rows"), shape("tile-map")};

  FieldTable fields;
  preset.list(fields);
  for (const auto& field : fields.fields()) {
    bool moves = false;
    for (const machine::Config& config : machines)
      for (const std::string& scene : kScenes.at(field->path.substr(0, field->path.find('.'))))
        moves = moves || heard(config, scenes.at(scene), field->path);
    EXPECT_EQ(moves, !kExempt.contains(field->path)) << field->path;
  }
}

}  // namespace
}  // namespace cutaway
