#include "machine/config.h"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <toml++/toml.h>

#include "base/installed.h"
#include "base/text.h"
#include "machine/machine.h"
#include "machine/not_modelled.h"

namespace cutaway::machine {
namespace {

namespace fs = std::filesystem;

fs::path preset_folder() { return installed_folder("presets", "attila.toml"); }

// Of a shader class's table, beside its parameters.
constexpr std::string_view kLike = "like";

// The tables of a file as they stand in it.
std::vector<std::pair<std::string, const toml::table*>> tables_in_order(const toml::table& file) {
  std::vector<std::pair<std::string, const toml::table*>> tables;
  for (const auto& [key, node] : file)
    if (const toml::table* table = node.as_table()) tables.emplace_back(key.str(), table);
  std::sort(tables.begin(), tables.end(), [](const auto& a, const auto& b) {
    return a.second->source().begin.line < b.second->source().begin.line;
  });
  return tables;
}

bool is_path(std::string_view name) { return name.find('/') != name.npos || name.ends_with(".toml"); }

toml::table parse(const std::string& path) {
  try {
    return toml::parse_file(path);
  } catch (const toml::parse_error& error) {
    const auto at = error.source().begin;
    user_error("{}:{}:{}: {}", path, at.line, at.column, error.description());
  }
}

std::string text_of(const toml::node& node) {
  if (const auto* value = node.as_string()) return value->get();
  if (const auto* value = node.as_boolean()) return value->get() ? "true" : "false";
  if (const auto* value = node.as_integer()) return fmt::format("{}", value->get());
  if (const auto* value = node.as_floating_point()) return fmt::format("{}", value->get());
  return "";
}

// As parameters that are lists are written: with commas between. "" where it is no list of
// whole numbers or of names.
std::string text_of_list(const toml::node& node) {
  std::string text;
  if (!node.is_array()) return "";
  for (const toml::node& element : *node.as_array()) {
    const bool alike = element.type() == node.as_array()->front().type();
    const std::string part = element.is_integer() || element.is_string() ? text_of(element) : "";
    if (part.empty() || !alike) return "";
    text += (text.empty() ? "" : ",") + part;
  }
  return text;
}

std::string where(const std::string& path, const toml::node& node) {
  return fmt::format("{}:{}", path, node.source().begin.line);
}

bool is_preset(const fs::path& path) {
  std::error_code error;
  return fs::equivalent(path.parent_path(), preset_folder(), error);
}

bool is_of_preset(const Field& field) { return is_preset(field.where.substr(0, field.where.rfind(':'))); }

// Where a value stands: in a preset by its name.
std::string place_of(const Field& field) {
  const std::string place =
      is_of_preset(field) ? "preset " + fs::path(field.where).stem().string() : field.where;
  return field.source.starts_with(kLike) ? fmt::format("{}, {}", field.source, place) : place;
}

// What is known of a parameter now that all is stated.
void tell(const Config& config, const Field& field, Statement& statement) {
  // What a preset says of its chip it does not say of a machine that is built on it.
  const bool of_base = config.name != config.base && is_of_preset(field);
  statement.source = of_base ? "base " + config.base : field.source;
  statement.where = place_of(field);
  statement.differs = statement.preset != field.value();
  if (!statement.differs) statement.preset.clear();
}

// The value of `{value = 3, source = "ATT-2"}`.
const toml::node& stated_value(const std::string& at, const std::string& parameter, const toml::table& table,
                               std::string& source) {
  for (const auto& [key, node] : table)
    if (key != "value" && key != "source")
      user_error("{}: {} has no '{}'; expected {{value = ..., source = \"...\"}}", at, parameter,
                 one_line(key.str()));
  source = one_line(table["source"].value_or(std::string()));
  if (!table.contains("value") || source.empty())
    user_error("{}: {} has no {}; expected {{value = ..., source = \"...\"}}", at, parameter,
               table.contains("value") ? "source" : "value");
  return *table.get("value");
}

// Of a parameter that is a number, or true or false: such are no texts.
bool is_bare(const Field& field) {
  const ValueRange values = field.values();
  using enum ValueRange::Kind;
  return values.kind == kWhole || values.kind == kReal ||
         (values.kind == kChoice && values.names[0] == "false");
}

void apply_unit(FieldTable& fields, const std::string& path, std::string_view unit,
                const toml::table& table) {
  for (const auto& [key, node] : table) {
    if (key == kLike) continue;
    const std::string at = where(path, node), parameter = fmt::format("{}.{}", unit, one_line(key.str()));
    std::string source;
    const toml::node& value = node.as_table() ? stated_value(at, parameter, *node.as_table(), source) : node;
    const Field& field = fields.find(at, parameter);
    if (const auto* quoted = value.as_string(); quoted && is_bare(field))
      user_error("{}: {} = \"{}\": expected {} without quotation marks", at, parameter,
                 one_line(quoted->get()), field.range());
    const bool list = field.is_list() && !value.is_string();
    const std::string text = list ? text_of_list(value) : text_of(value);
    if (text.empty())
      user_error(
          "{}: {} must be {}", at, parameter,
          list ? "a list of whole numbers, a list of names, or a name" : "a number, true, false or a name");
    if (source.empty() && is_preset(path))
      user_error("{}: {} has no source; a preset states {{value = {}, source = \"...\"}}", at, parameter,
                 list ? fmt::format("[{}]", text) : one_line(text));
    fields.set(at, parameter, one_line(text), source);
  }
}

// What a class of shader units does not state it takes from one that stands before it.
void take_from(const Config& config, FieldTable& fields, const std::string& path, const std::string& name,
               const toml::node& like) {
  const std::string other = one_line(like.value<std::string>().value_or(""));
  bool found = false;
  const bool is_class = std::any_of(config.shaders.begin(), config.shaders.end(),
                                    [&](const ShaderClass& shader) { return shader.name == other; });
  for (const auto& field : fields.fields()) {
    const size_t dot = field->path.find('.');
    if (!is_class || field->path.substr(0, dot) != other || other == name) continue;
    found = true;
    if (!field->source.empty())
      fields.set(where(path, like), name + field->path.substr(dot), field->value(),
                 fmt::format("{} {}", kLike, other));
  }
  if (found) return;
  std::vector<std::string> classes;
  for (const ShaderClass& shader : config.shaders)
    if (shader.name != name) classes.push_back(shader.name);
  user_error("{}: like = {}: expected a shader class of the base, or one that stands above {}; there are: {}",
             where(path, like), other, name,
             classes.empty() ? "none" : fmt::format("{}", fmt::join(classes, ", ")));
}

// A table that states `stages` is a class of shader units.
void make_class(Config& config, FieldTable& fields, const std::string& path, std::string name,
                const toml::table& table) {
  constexpr size_t kMostClasses = 8;
  const std::string at = fmt::format("{}:{}", path, table.source().begin.line);
  const bool word =
      std::all_of(name.begin(), name.end(), [](char c) { return c == '_' || (c >= 'a' && c <= 'z'); });
  if (!word || name.empty() || box_names().contains(name))
    user_error("{}: '{}' cannot name a shader class; expected small letters and _, and no other unit's name",
               at, one_line(name));
  if (config.shaders.size() == kMostClasses) user_error("{}: more than {} shader classes", at, kMostClasses);
  ShaderClass& made = config.shaders.emplace_back();
  made.name = name;
  fields.add(name, made.topology);
  fields.add(name, made.unit);
  if (const toml::node* like = table.get(kLike)) take_from(config, fields, path, name, *like);
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

void load_file(Config& config, FieldTable& fields, const std::string& path, int depth) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status))
    user_error("{}: {}", path, status.type() == fs::file_type::not_found ? "no such file" : error.message());
  if (!fs::is_regular_file(status))
    user_error("{}: not a file{}: name a TOML file that describes a machine", path,
               fs::is_directory(status) ? " but a folder" : "");
  constexpr uint64_t kMostBytes = 1 << 20;
  if (fs::file_size(path, error) > kMostBytes)
    user_error("{}: more than {} bytes are no description of a machine", path, kMostBytes);
  if (depth > 8) user_error("{}: presets are based on one another in a circle", path);
  const toml::table table = parse(path);
  if (const toml::node* base = table.get("base")) {
    const auto name = base->value<std::string>();
    if (!name) user_error("{}: base must be the name of a preset", where(path, *base));
    const std::string shown = one_line(*name);
    const fs::path beside = fs::path(path).parent_path() / shown;
    load_file(config, fields,
              is_path(shown) ? beside.string() : preset_path(where(path, *base) + ": base", shown),
              depth + 1);
  }
  // From here on values are those of a file that is built on a preset.
  if (!is_preset(path)) note_preset(config, fields);
  config.name = fs::path(path).stem();
  if (is_preset(path)) config.base = config.name;
  for (const auto& [key, node] : table) {
    if (key == "base" || node.is_table()) continue;
    if (key == "description" && node.is_string()) continue;
    if (key == "not_modelled") {
      const std::vector<NotModelled> left_out = not_modelled_in(path, node);
      config.not_modelled.insert(config.not_modelled.end(), left_out.begin(), left_out.end());
      continue;
    }
    if (key == "description")
      user_error("{}: description must be a text in quotation marks", where(path, node));
    user_error("{}: '{}' is not a unit; expected [unit] and parameters below it", where(path, node),
               one_line(key.str()));
  }
  for (const auto& [name, unit] : tables_in_order(table)) {
    const auto& known = fields.units();
    if (std::find(known.begin(), known.end(), name) != known.end()) {
      if (const toml::node* like = unit->get(kLike))
        user_error("{}: {} is there already; like serves a new shader class", where(path, *like), name);
    } else if (unit->contains("stages")) {
      make_class(config, fields, path, name, *unit);
    } else if (const toml::node* like = unit->get(kLike)) {
      user_error("{}: {} states no stages; expected such as stages = [\"vertex\"]", where(path, *like),
                 one_line(name));
    } else {
      const std::string nearest = nearest_name(name, known);
      user_error(
          "{}: no unit '{}'{}; `cutaway gpus attila` lists them, and a new shader class states its stages",
          where(path, *unit), one_line(name),
          nearest.empty() ? "" : fmt::format(" (did you mean {}?)", nearest));
    }
    apply_unit(fields, path, name, *unit);
  }
}

}  // namespace

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
  table.add("dac", dac);
  table.add("formats", formats);
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

parts::FrontEnds Config::front_ends() const {
  unsigned tellers = 1 + stream_out.units;
  for (const arch::Stage stage : {arch::Stage::kTessControl, arch::Stage::kGeometry})
    tellers += class_of(stage) != nullptr;
  return {geometry.units, geometry.batch, tellers};
}

draw::Abilities Config::abilities() const {
  draw::Abilities able{
      .gpu = name,
      .atomics = storage_cache.slices && storage_cache.atomics_per_cycle,
      .feedback = stream_out.units != 0,
      .pull = interpolator.pulls != 0,
      .doubles = std::all_of(shaders.begin(), shaders.end(),
                             [](const ShaderClass& shader) { return shader.unit.double_passes != 0; }),
      .formats = formats};
  for (const auto& of : kStageNames) {
    const ShaderClass* shader = class_of(of.value);
    if (!shader) continue;
    able.stages.add(of.value);
    if (shader->topology.stores.has(of.value)) able.stores.add(of.value);
    if (of.value == arch::Stage::kFragment) able.halves = shader->unit.half_registers;
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
    const toml::table table = parse(entry.path());
    found.push_back({entry.path().stem(), table["description"].value_or(std::string()),
                     fs::weakly_canonical(entry.path())});
  }
  std::sort(found.begin(), found.end(),
            [](const PresetInfo& a, const PresetInfo& b) { return a.name < b.name; });
  return found;
}

void load_config(Config& config, std::string_view name_or_path, const std::vector<std::string>& sets) {
  load_config(config, name_or_path, sets, "--set", {});
}

void load_config(Config& config, std::string_view name_or_path, const std::vector<std::string>& sets,
                 std::string_view option, const std::vector<std::string>& more) {
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
  for (const std::string& set : sets) fields.set("--set", set);
  for (const std::string& set : more) fields.set(option, set);
  fields.validate();
  for (const auto& field : fields.fields()) tell(config, *field, config.statements[field->path]);
  check_rules(config);
}

}  // namespace cutaway::machine
