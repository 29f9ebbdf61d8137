#include "machine/config.h"

#include <algorithm>
#include <filesystem>

#include "base/installed.h"
#include "base/text.h"
#include "machine/box_names.h"
#include "settings/table.h"

namespace cutaway::machine {
namespace {

namespace fs = std::filesystem;
using settings::Node;

fs::path preset_folder() { return installed_folder("presets", "attila.toml"); }

// Keys of a shader class's table, besides its parameters.
constexpr std::string_view kLike = "like";

constexpr std::string_view kFileHolds = "a description of a machine";  // in a preset or another file
constexpr uint64_t kMostBytes = 1 << 20;                               // of such a file

bool is_preset(const fs::path& path) {
  std::error_code error;
  return fs::equivalent(path.parent_path(), preset_folder(), error);
}

bool is_of_preset(const Field& field) { return is_preset(field.where.substr(0, field.where.rfind(':'))); }

// The place of a value: in a preset its name.
std::string place_of(const Field& field) {
  const std::string place =
      is_of_preset(field) ? "preset " + fs::path(field.where).stem().string() : field.where;
  return field.source.starts_with(kLike) ? fmt::format("{}, {}", field.source, place) : place;
}

// Notes the source of each parameter now that all is stated.
void tell(const Config& config, const Field& field, Statement& statement) {
  // A preset's statements on its chip do not hold for a machine that is built on it.
  const bool of_base = config.name != config.base && is_of_preset(field);
  statement.source = of_base ? "base " + config.base : field.source;
  statement.where = place_of(field);
  statement.differs = statement.preset != field.value();
  if (!statement.differs) statement.preset.clear();
}

// A parameter's value, and where it comes from: `3`, or `{value = 3, source = "ATT-2"}`.
const Node& stated_value(const Node& node, const std::string& parameter, std::string& source) {
  if (node.kind != Node::Kind::kTable) return node;
  const Node* value = nullptr;
  settings::read_table(node, parameter,
                       {settings::any(
                            "value", [&](const Node& stated) { value = &stated; }, "the value"),
                        settings::text("source", source, "a fact, or choice")});
  if (!value || source.empty())
    user_error("{}: {} has no {}; expected {{value = ..., source = \"...\"}}", node.at(), parameter,
               value ? "source" : "value");
  return *value;
}

// True if TOML must give this parameter without quotation marks: a number, true or false.
bool is_bare(const Field& field) {
  const ValueRange values = field.values();
  using enum ValueRange::Kind;
  return values.kind == kWhole || values.kind == kReal ||
         (values.kind == kChoice && values.names[0] == "false");
}

void apply_parameter(FieldTable& fields, const std::string& parameter, const Node& node) {
  const std::string at = node.at();
  std::string source;
  const Node& value = stated_value(node, parameter, source);
  const Field& field = fields.find(at, parameter);
  const bool quoted = value.kind == Node::Kind::kText;
  if (quoted && is_bare(field))
    user_error("{}: {} = \"{}\": expected {} without quotation marks", at, parameter, one_line(value.text),
               field.range());
  const bool list = field.is_list() && !quoted;
  const bool of_kind = list == (value.kind == Node::Kind::kList);
  const std::string text = of_kind ? settings::parameter_text(value) : "";
  if (text.empty())
    user_error(
        "{}: {} must be {}", at, parameter,
        list ? "a list of whole numbers, a list of names, or a name" : "a number, true, false or a name");
  if (source.empty() && is_preset(*node.file))
    user_error("{}: {} has no source; a preset states {{value = {}, source = \"...\"}}", at, parameter,
               list ? fmt::format("[{}]", text) : text);
  fields.set(at, parameter, text, source);
}

void apply_unit(FieldTable& fields, const std::string& unit, const Node& table) {
  for (const Node::Entry& entry : table.entries)
    if (entry.key != kLike) apply_parameter(fields, unit + "." + entry.key, entry.value);
}

// A class of shader units takes what it does not state from one that stands before it.
void take_from(const Config& config, FieldTable& fields, const std::string& name, const Node& like) {
  const std::string other = like.kind == Node::Kind::kText ? one_line(like.text) : "";
  bool found = false;
  const bool is_class = std::any_of(config.shaders.begin(), config.shaders.end(),
                                    [&](const ShaderClass& shader) { return shader.name == other; });
  for (const auto& field : fields.fields()) {
    const size_t dot = field->path.find('.');
    if (!is_class || field->path.substr(0, dot) != other || other == name) continue;
    found = true;
    if (!field->source.empty())
      fields.set(like.at(), name + field->path.substr(dot), field->value(),
                 fmt::format("{} {}", kLike, other));
  }
  if (found) return;
  std::vector<std::string> classes;
  for (const ShaderClass& shader : config.shaders)
    if (shader.name != name) classes.push_back(shader.name);
  user_error("{}: like = {}: expected a shader class of the base, or one that stands above {}; there are: {}",
             like.at(), other, name, classes.empty() ? "none" : fmt::format("{}", fmt::join(classes, ", ")));
}

// A table that states `stages` is a class of shader units.
void make_class(Config& config, FieldTable& fields, const std::string& name, const Node& table) {
  constexpr size_t kMostClasses = 8;
  const std::string at = table.at();
  const bool word =
      std::all_of(name.begin(), name.end(), [](char c) { return c == '_' || (c >= 'a' && c <= 'z'); });
  // A table of that name does not exist: the caller has looked.
  const bool of_box = std::ranges::find(kBoxesWithoutTable, name) != std::end(kBoxesWithoutTable);
  if (!word || name.empty() || of_box)
    user_error("{}: '{}' cannot name a shader class; expected small letters and _, and no other unit's name",
               at, name);
  if (config.shaders.size() == kMostClasses) user_error("{}: more than {} shader classes", at, kMostClasses);
  ShaderClass& made = config.shaders.emplace_back();
  made.name = name;
  fields.add(name, made.topology);
  fields.add(name, made.unit);
  if (const Node* like = table.find(kLike)) take_from(config, fields, name, *like);
}

// asked: where the name stands, "--gpu" or a file and line.
std::string preset_path(std::string_view asked, std::string_view name) {
  for (const PresetInfo& preset : presets())
    if (preset.name == name) return preset.path;
  std::vector<std::string> known;
  for (const PresetInfo& preset : presets()) known.push_back(preset.name);
  const std::string nearest = nearest_name(name, known);
  user_error("{} {}: no such preset{}; there are: {}; or give the path of a TOML file", asked, one_line(name),
             nearest.empty() ? "" : fmt::format(" (did you mean {}?)", nearest),
             known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", ")));
}

// Remembers what has been stated so far as what the preset says, unless that is known already.
void note_preset(Config& config, const FieldTable& fields) {
  if (!config.statements.empty()) return;
  for (const auto& field : fields.fields())
    if (!field->source.empty()) config.statements[field->path].preset = field->value();
}

void require_all(const Config& config, const FieldTable& fields, std::string_view name) {
  std::vector<std::string> missing;
  for (const auto& field : fields.fields())
    if (field->source.empty()) missing.push_back(field->path);
  if (missing.empty()) return;
  const std::string unit = missing[0].substr(0, missing[0].find('.'));
  const bool of_class = !config.base.empty() && std::any_of(config.shaders.begin(), config.shaders.end(),
                                                            [&](const auto& s) { return s.name == unit; });
  user_error("{}: {} {}not stated; state every parameter, or {}", one_line(name), missing[0],
             missing.size() == 1 ? "is " : fmt::format("and {} more are ", missing.size() - 1),
             of_class ? fmt::format("take the others of {} from another class: like = \"{}\"", unit,
                                    config.shaders.front().name)
                      : "begin the file with base = \"attila\"");
}

void load_unit(Config& config, FieldTable& fields, const std::string& name, const Node& unit) {
  const auto& known = fields.units();
  const Node* like = unit.find(kLike);
  if (std::find(known.begin(), known.end(), name) != known.end()) {
    if (like) user_error("{}: {} is there already; like serves a new shader class", like->at(), name);
  } else if (unit.find("stages")) {
    make_class(config, fields, name, unit);
  } else if (like) {
    user_error("{}: {} states no stages; expected such as stages = [\"vertex\"]", like->at(), name);
  } else {
    if (config.base.empty())
      user_error(
          "{}: no unit '{}': the file has no base, such as base = \"attila\"; without one it states every "
          "parameter, and each shader class its stages",
          unit.at(), name);
    const std::string nearest = nearest_name(name, known);
    user_error(
        "{}: no unit '{}'{}; `cutaway gpus attila` lists them, and a new shader class states its stages",
        unit.at(), name, nearest.empty() ? "" : fmt::format(" (did you mean {}?)", nearest));
  }
  apply_unit(fields, name, unit);
}

void load_file(Config& config, FieldTable& fields, const std::string& path, int depth);

// base: the name of a preset, or a path that begins at the folder of the file that names it.
void load_base(Config& config, FieldTable& fields, const Node& base, int depth) {
  if (base.kind != Node::Kind::kText) user_error("{}: base must be the name of a preset", base.at());
  const std::string shown = one_line(base.text);
  const fs::path beside = fs::path(*base.file).parent_path() / shown;
  load_file(config, fields, is_path(shown) ? beside.string() : preset_path(base.at() + ": base", shown),
            depth + 1);
}

// A table below [[not_modelled]].
void read_not_modelled(Config& config, const Node& node) {
  NotModelled found;
  settings::read_table(
      node, "not_modelled",
      {settings::text("fact", found.fact, "the fact that says so"),
       settings::required(settings::text("text", found.text, "what the chip does and the machine does not")),
       settings::texts("besides", found.besides, "parameters that the rest of the fact is the source of")});
  config.not_modelled.push_back(std::move(found));
}

void load_file(Config& config, FieldTable& fields, const std::string& path, int depth) {
  const Node file = settings::read_file(path, kFileHolds, kMostBytes);
  if (depth > 8) user_error("{}: presets are based on one another in a circle", path);
  std::string description;
  settings::read_table(
      file, path,
      {settings::any(
           "base", [&](const Node& base) { load_base(config, fields, base, depth); }, "what it is built on"),
       settings::paragraph("description", description, "one line"),
       settings::tables(
           "not_modelled", [&](const Node& node) { read_not_modelled(config, node); },
           "what the chip does and the machine does not")},
      [](const std::string& key, const Node& node) {
        if (node.kind != Node::Kind::kTable)
          user_error("{}: '{}' is not a unit; expected [unit] and parameters below it", node.at(), key);
      });
  // From here on values are those of a file that is built on a preset.
  if (!is_preset(path)) note_preset(config, fields);
  config.name = fs::path(path).stem();
  if (is_preset(path)) config.base = config.name;
  for (const Node::Entry* entry : settings::in_file_order(file))
    if (entry->value.kind == Node::Kind::kTable) load_unit(config, fields, entry->key, entry->value);
}

}  // namespace

bool is_path(std::string_view gpu) { return gpu.find('/') != gpu.npos || gpu.ends_with(".toml"); }

void Config::list(FieldTable& table) {
  table.add("gpu", gpu);
  table.add("wires", wires);
  table.add("command_processor", command_processor);
  table.add("constant_loader", constant_loader);
  table.add("copy_engine", copy_engine);
  table.add("geometry", geometry);
  table.add("streamer", streamer);
  table.add("tessellation", tessellation);
  table.add("geometry_shading", geometry_shading);
  table.add("stream_out", stream_out);
  table.add("triangle_setup", triangle_setup);
  table.add("fragment_generation", fragment_generation);
  table.add("hierarchical_z", hierarchical_z);
  table.add("z_stencil", z_stencil);
  table.add("interpolator", interpolator);
  table.add("work_distributor", work_distributor);
  table.add("group_fifo", group_fifo);
  table.add("compute_distributor", compute_distributor);
  for (ShaderClass& shader : shaders) {
    table.add(shader.name, shader.topology);
    table.add(shader.name, shader.unit);
  }
  table.add("texture", texture);
  table.add("texture_cache", texture_cache);
  table.add("storage_cache", storage_cache);
  table.add("reorder_buffer", reorder_buffer);
  table.add("rop", rop);
  table.add("color_write", color_write);
  table.add("memory", memory);
  table.add("translation", translation);
  table.add("bus", bus);
  table.add("host", host);
  table.add("dac", dac);
  table.add("formats", formats);
  table.add("images", images);
  table.add("programs", programs);
}

const ShaderClass& Config::runs(arch::Stage stage) const {
  const ShaderClass* shader = class_of(stage);
  CUTAWAY_CHECK(shader, "no shader class runs stage {}", static_cast<uint32_t>(stage));
  return *shader;
}

const ShaderClass* Config::class_of(arch::Stage stage) const {
  for (const ShaderClass& shader : shaders)
    if (shader.runs(stage)) return &shader;
  return nullptr;
}

structures::FrontEnds Config::front_ends() const {
  unsigned reporters = 1 + stream_out.units;
  for (const arch::Stage stage : {arch::Stage::kTessControl, arch::Stage::kGeometry})
    reporters += class_of(stage) != nullptr;
  return {geometry.units, geometry.batch, reporters};
}

command_stream::Abilities Config::abilities() const {
  command_stream::Abilities able{
      .gpu = name,
      .atomics = storage_cache.slices && storage_cache.atomics_per_cycle,
      .feedback = stream_out.units != 0,
      .pull = interpolator.pulls != 0,
      .doubles = std::all_of(shaders.begin(), shaders.end(),
                             [](const ShaderClass& shader) { return shader.unit.double_passes != 0; }),
      .formats = formats,
      .images = images,
      .programs = programs};
  for (const auto& of : kStageNames) {
    const ShaderClass* shader = class_of(of.value);
    if (!shader) continue;
    able.stages.add(of.value);
    if (shader->topology.stores.has(of.value)) able.stores.add(of.value);
    if (of.value != arch::Stage::kFragment) continue;
    able.halves = shader->unit.half_registers;
    able.fog = boxes::IssuePolicies::make(shader->unit.issue, shader->unit.ways)->blends_fog();
  }
  if (const ShaderClass* shader = class_of(arch::Stage::kCompute)) {
    const boxes::ShaderUnitSpec& unit = shader->unit;
    able.workgroup_invocations =
        std::min(unit.threads / unit.group_lanes * unit.group_lanes, arch::kWorkgroupInvocations);
    able.workgroup_bytes = std::min(unit.shared_bytes, arch::kWorkgroupBytes);
  }
  return able;
}

std::vector<PresetInfo> presets() {
  std::vector<PresetInfo> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(preset_folder(), error)) {
    if (entry.path().extension() != ".toml") continue;
    const Node file = settings::read_file(entry.path(), kFileHolds, kMostBytes);
    const Node* description = file.find("description");
    found.push_back(
        {entry.path().stem(), description ? description->text : "", fs::weakly_canonical(entry.path())});
  }
  std::sort(found.begin(), found.end(),
            [](const PresetInfo& a, const PresetInfo& b) { return a.name < b.name; });
  return found;
}

namespace {

template <class Change>
void load(Config& config, std::string_view name_or_path, Change&& change) {
  config.shaders.clear();
  config.base.clear();
  config.statements.clear();
  config.not_modelled.clear();
  FieldTable fields;
  config.list(fields);
  load_file(config, fields,
            is_path(name_or_path) ? std::string(name_or_path) : preset_path("--gpu", name_or_path), 0);
  if (config.name == config.base) note_preset(config, fields);
  require_all(config, fields, name_or_path);
  change(fields);
  fields.validate();
  for (const auto& field : fields.fields()) tell(config, *field, config.statements[field->path]);
  check_rules(config);
}

}  // namespace

void load_config(Config& config, std::string_view name_or_path, const std::vector<std::string>& sets) {
  load_config(config, name_or_path, sets, "--set", {});
}

void load_config(Config& config, std::string_view name_or_path, const std::vector<std::string>& sets,
                 std::string_view option, const std::vector<std::string>& more) {
  load(config, name_or_path, [&](FieldTable& fields) {
    for (const std::string& set : sets) fields.set("--set", set);
    for (const std::string& set : more) fields.set(option, set);
  });
}

void load_config_with(Config& config, std::string_view name_or_path, const std::vector<Setting>& settings) {
  load(config, name_or_path, [&](FieldTable& fields) {
    for (const Setting& setting : settings) fields.set(setting.where, setting.path, setting.value);
  });
}

}  // namespace cutaway::machine
