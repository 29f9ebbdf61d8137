// Every parameter is heard: alone at its least and at its greatest value, and with each of its names, it
// changes what some scene counts or how long it takes. Beyond these values it is refused. heard.txt remembers
// where each was heard, so that others need not be tried; CUTAWAY_WRITE_RECORDS=1 writes it anew.
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <optional>
#include <set>

#include "records.h"

namespace cutaway {
namespace {

using Kind = ValueRange::Kind;

// Parameters that limit accepted input and have no effect on it; "PARAMETER" or "PARAMETER at its greatest".
const std::map<std::string, const char*> kExempt = {
    {"images.size", "no scene has images of 4096"},
    {"images.cube_size", "no scene has images of 4096"},
    {"images.volume_size", "no scene has volumes of 256"},
    {"programs.color_targets", "scenes beyond it are refused"},
    {"programs.varyings", "scenes beyond it are refused"},
    {"programs.vertex_textures", "scenes beyond it are refused"},
    {"programs.vertex_temporaries", "scenes beyond it are refused"},
    {"programs.fragment_temporaries", "scenes beyond it are refused"},
    {"programs.vertex_instructions", "scenes beyond it are refused"},
    {"programs.fragment_instructions", "scenes beyond it are refused"},
    {"programs.vertex_indexed_constants", "scenes beyond it are refused"},
    {"programs.fragment_indexed_constants", "scenes beyond it are refused"},
    {"command_processor.instruction_memory", "the programs of each scene fit into the least"},
    {"command_processor.schedule", "two programs hear it (Contexts)"},
    {"command_processor.slice_us", "two programs hear it (Contexts)"},
    {"command_processor.preempts", "two programs hear it (Contexts)"},
    {"z_stencil.cache_mshrs at its greatest", "each of the lines may be on its way"},
    {"color_write.cache_mshrs at its greatest", "each of the lines may be on its way"},
    {"streamer.cache_mshrs at its greatest", "each of the lines may be on its way"},
    {"texture.cache_mshrs at its greatest", "each of the lines may be on its way"},
};

// The cases in which a parameter must have an effect, in words. Excludes sets of stages: each stage needs one
// class, so changing a single set gives no machine (records: vertex-units).
std::vector<std::string> cases_of(const ValueRange& values) {
  if (values.kind == Kind::kSet) return {};
  if (values.kind == Kind::kChoice) return values.names;
  return {"least", "greatest"};
}

bool legal(machine::Config config, const std::string& parameter, const std::string& value) {
  try {
    set(config, parameter, value);
    machine::check_rules(config);
    return true;
  } catch (const UserError&) { return false; }
}

// The legal value of the machine that is nearest to the least or the greatest; or the name. Nothing: none is
// legal.
std::optional<std::string> value_for(const machine::Config& base, const Field& field,
                                     const std::string& name) {
  const ValueRange values = field.values();
  if (values.kind == Kind::kChoice) return legal(base, field.path, name) ? std::optional(name) : std::nullopt;
  const bool up = name == "least";
  const double step = up ? 1 : -1;
  for (double at = up ? values.least : values.greatest; at >= values.least && at <= values.greatest;
       at += step)
    if (std::string text = fmt::format("{}", at); text == field.value() || legal(base, field.path, text))
      return text;
  return {};
}

// Values to compare with the unchanged machine: the case's value, or if that is the current one, those of
// other cases.
std::vector<std::string> values_for(machine::Config base, const std::string& parameter,
                                    const std::string& name) {
  FieldTable fields;
  base.list(fields);
  const Field& field = fields.find("test", parameter);
  const auto value = value_for(base, field, name);
  if (!value) return {};
  if (*value != field.value()) return {*value};
  std::vector<std::string> others;
  for (const std::string& other : cases_of(field.values()))
    if (const auto differs = value_for(base, field, other); differs && differs != value)
      others.push_back(*differs);
  return others;
}

using Scenes = std::map<std::string, scenes::Scene>;

// Scenes in which a unit's parameters are tried first.
const std::map<std::string, std::vector<std::string>> kScenes = {
    {"gpu", {"many-triangles", "anisotropic-textures"}},
    {"wires", {"many-triangles"}},
    {"command_processor", {"many-small-draws", "submissions-ahead", "two-pictures"}},
    {"constant_loader", {"many-small-draws", "indexed-mesh"}},
    {"copy_engine", {"copies-of-aspects"}},
    {"geometry", {"indexed-mesh", "many-triangles"}},
    {"streamer", {"indexed-mesh", "instances", "vertices-alone", "many-triangles"}},
    {"tessellation",
     {"patches-of-squares", "patches-of-many-vertices", "patches-of-most", "patches-and-programs"}},
    {"geometry_shading", {"geometry-pass", "geometry-uneven", "geometry-many-draws", "geometry-invocations"}},
    {"stream_out", {"feedback-triangles", "feedback-points"}},
    {"triangle_setup", {"many-triangles"}},
    {"fragment_generation", {"many-triangles"}},
    {"hierarchical_z", {"hidden-layers", "cleared-depth", "depth-buffers-in-turn"}},
    {"z_stencil", {"discards", "hidden-layers", "many-triangles", "multisampled-8"}},
    {"interpolator", {"indexed-mesh", "pulled-interpolants"}},
    {"work_distributor", {"vertices-alone", "many-triangles"}},
    {"group_fifo", {"many-triangles"}},
    {"compute_distributor", {"uneven-workgroups", "reduction"}},
    {"shader",
     {"many-triangles", "vertices-alone", "indexed-mesh", "scratch_memory", "small-workgroups", "reduction",
      "histogram", "dispatches", "doubles"}},
    {"texture", {"anisotropic-textures", "scattered-texels"}},
    {"texture_cache", {"anisotropic-textures"}},
    {"storage_cache", {"last-workgroup", "fragment-counters", "scattered-stores"}},
    {"reorder_buffer", {"many-triangles", "discards"}},
    {"rop", {"many-triangles"}},
    {"color_write", {"several-targets", "cleared-samples"}},
    {"memory", {"many-triangles", "cleared-targets", "cleared-depth"}},
    {"host", {"host-steps"}},
    {"translation", {"many-triangles", "anisotropic-textures", "copies"}},
    {"bus", {"many-small-draws", "system-memory", "anisotropic-textures"}},
    {"dac", {"many-triangles", "two-pictures", "three-pictures"}},
};

// A machine with the hashes of what scenes count on it; of scenes that it does not run, none.
struct Heard {
  std::string name;
  machine::Config config;
  std::map<std::string, std::optional<uint64_t>> plain = {};

  bool differs(const scenes::Scene& scene, const std::string& parameter, const std::string& value) {
    const auto [found, first] = plain.try_emplace(scene.name);
    if (first && runs(scene, config.abilities())) found->second = on_machine(scene, config).statistics;
    if (!found->second) return false;
    machine::Config changed = config;
    set(changed, parameter, value);
    if (!runs(scene, changed.abilities())) return true;  // it is refused now
    return on_machine(scene, changed).statistics != found->second;
  }
};

// The preset, a machine of small queues and caches, of textures on two levels, before a slow memory; the
// shapes of the records, and what other presets there are.
std::vector<Heard> machines() {
  std::vector<Heard> all = {{.name = "attila"}, {.name = "slow"}};
  machine::Config& slow = all[1].config;
  for (const records::Shape& shape : records::shapes())
    if (shape.name == std::string("odd")) slow = records::config_of(shape);
  slow.memory.bytes_per_cycle = 2;
  slow.streamer.queue = 64;  // more than there are slots
  slow.hierarchical_z.clear_tiles = 2;
  slow.memory.tag_blocks = 8;
  slow.texture_cache = {.slices = 2, .cache_lines = 16, .cache_ways = 4, .queue = 2, .pending = 2};
  for (const records::Shape& shape : records::shapes())
    all.push_back({shape.name, records::config_of(shape)});
  // Stores that wait for memory.
  for (const records::Shape& shape : records::shapes())
    if (shape.name == std::string("compute-tight")) {
      machine::Config& stores = all.emplace_back(Heard{.name = "slow-stores"}).config;
      stores = records::config_of(shape);
      stores.memory.channels = 1, stores.memory.bytes_per_cycle = 2;
      stores.storage_cache.slices = 1, stores.storage_cache.pending = 64;
      stores.storage_cache.cache_ways = stores.storage_cache.cache_lines = 4;
    }
  for (const machine::PresetInfo& preset : machine::presets())
    if (preset.name != "attila")
      machine::load_config(all.emplace_back(Heard{.name = preset.name}).config, preset.name);
  return all;
}

// A case, as "memory.queue at least", and the machine and the scene with which it was heard.
using Places = std::map<std::string, std::pair<std::string, std::string>>;

Places remembered() {
  Places places;
  std::ifstream file(CUTAWAY_HEARD);
  for (std::string parameter, at, name, machine, scene; file >> parameter >> at >> name >> machine >> scene;)
    places[fmt::format("{} at {}", parameter, name)] = {machine, scene};
  return places;
}

void remember(const Places& places) {
  std::ofstream file(CUTAWAY_HEARD);
  for (const auto& [what, place] : places) file << what << ' ' << place.first << ' ' << place.second << '\n';
}

// On one of the machines, with one of the scenes that it can run; of the machines with a name, if there is
// one. Where it was is noted.
bool heard(std::vector<Heard>& machines, const std::vector<const scenes::Scene*>& scenes,
           const std::string& parameter, const std::string& name, Places& places,
           const std::string& machine_named = {}) {
  for (const scenes::Scene* scene : scenes)
    for (Heard& machine : machines) {
      if (!machine_named.empty() && machine.name != machine_named) continue;
      for (const std::string& value : values_for(machine.config, parameter, name)) {
        if (!machine.differs(*scene, parameter, value)) continue;
        places[fmt::format("{} at {}", parameter, name)] = {machine.name, scene->name};
        return true;
      }
    }
  return false;
}

// Tries the place where the effect was seen before.
bool heard_again(std::vector<Heard>& machines, const Scenes& scenes, const std::string& parameter,
                 const std::string& name, Places& places) {
  const auto place = places.find(fmt::format("{} at {}", parameter, name));
  if (place == places.end() || !scenes.contains(place->second.second)) return false;
  const std::string machine = place->second.first;
  return heard(machines, {&scenes.at(place->second.second)}, parameter, name, places, machine);
}

Scenes scenes_by_name() {
  Scenes scenes;
  for (scenes::Scene& scene : records::all_record_scenes()) {
    std::string name = scene.name;
    scenes.emplace(std::move(name), std::move(scene));
  }
  return scenes;
}

// In a few parts, of parameters that stand side by side, so that they run on several cores. Those of one
// process share scenes and machines.
constexpr size_t kParts = 6;
class EachParameter : public testing::TestWithParam<size_t> {};

TEST_P(EachParameter, IsHeard) {
  static const Scenes scenes = scenes_by_name();
  static std::vector<Heard> on = machines();
  static Places places = remembered();
  FieldTable fields;
  machine::Config declared;
  declared.list(fields);
  const auto& all = fields.fields();
  for (size_t i = all.size() * GetParam() / kParts; i < all.size() * (GetParam() + 1) / kParts; i++) {
    const auto& field = all[i];
    // Scenes that are good for the unit, then all others.
    std::vector<const scenes::Scene*> first, others;
    const auto known = kScenes.find(field->path.substr(0, field->path.find('.')));
    if (known != kScenes.end())
      for (const std::string& scene : known->second) first.push_back(&scenes.at(scene));
    for (const auto& [name, scene] : scenes) others.push_back(&scene);
    for (const std::string& name : cases_of(field->values())) {
      const std::string what = fmt::format("{} at {}", field->path, name);
      if (kExempt.contains(field->path) || kExempt.contains(what))
        EXPECT_FALSE(heard(on, first, field->path, name, places)) << what;
      else
        EXPECT_TRUE(heard_again(on, scenes, field->path, name, places) ||
                    heard(on, first, field->path, name, places) ||
                    heard(on, others, field->path, name, places))
            << what;
    }
  }
  if (std::getenv("CUTAWAY_WRITE_RECORDS")) remember(places);
}

INSTANTIATE_TEST_SUITE_P(Parts, EachParameter, testing::Range(size_t{0}, kParts));

// Values just outside of a parameter's range, and names that it does not have.
std::vector<std::string> illegal_values(const ValueRange& values) {
  switch (values.kind) {
    case Kind::kReal:
      return {fmt::format("{}", values.least > 0 ? values.least * 0.999 : -0.001),
              fmt::format("{}", values.greatest * 1.001)};
    case Kind::kWhole:
    case Kind::kList:
      return {fmt::format("{}", values.least - 1), fmt::format("{}", values.greatest + 1), ""};
    case Kind::kChoice:
    case Kind::kSet:
      return {values.names[0] + "x", ""};
  }
  return {};
}

TEST(Parameters, BeyondTheirRangeAreRefusedByPath) {
  machine::Config declared;
  FieldTable fields;
  declared.list(fields);
  for (const auto& field : fields.fields())
    for (const std::string& value : illegal_values(field->values())) {
      machine::Config config;
      const std::string begin =
          fmt::format("--set: {} = {}: expected {}", field->path, value, field->range());
      try {
        machine::load_config(config, "attila", {field->path + "=" + value});
        ADD_FAILURE() << field->path << " = " << value << " is accepted";
      } catch (const UserError& error) {
        EXPECT_EQ(std::string(error.what()).substr(0, begin.size()), begin);
      }
    }
}

}  // namespace
}  // namespace cutaway
