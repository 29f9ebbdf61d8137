#include "app/reference.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <list>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "app/text.h"
#include "machine/config.h"
#include "machine/machine.h"
#include "report/machine_parts.h"

namespace cutaway::app {
namespace {

constexpr const char* kHead =
    R"(# Parameters and counters

`cutaway gpus --reference` prints this page from the declarations in the sources. Nothing here is written by hand; the test `reference_page` compares the page. `cutaway gpus NAME` shows the parameters of one machine with the source of each value, and its wires. [pipeline.md](pipeline.md) describes the work of the units and what takes time.

)";

constexpr const char* kParameters =
    R"(## Parameters

A parameter is set by `--set UNIT.NAME=VALUE`, or by `NAME = VALUE` below `[UNIT]` in the file of a machine ([command.md](command.md)). The last columns are the presets.

)";

constexpr const char* kShaders =
    R"(These are the parameters of a class of shader units, whatever its name: a table with `stages` makes a class. A preset has a column for each of its classes.

)";

constexpr const char* kCounters =
    R"(## Counters

Counters are listed by kind of unit: `gpu.streamer.indices` stands for `gpu.streamer0.indices` and those of all other streamers. They are in `summary.json` (`counters`), in `run.sqlite` by draw and over time ([run-database.md](run-database.md)), and on the page of reports. A counter named `driver_...` counts a part of the counter without this prefix. Units that only some presets have name these presets.

Every unit also accounts for each cycle of its clock, as exactly one of:

| account | unit | the cycles in which |
| --- | --- | --- |
| `busy` | cycles | something in it moved or was worked on |
| `starved.PORT` | cycles | it had nothing to work on, and waited for a message at this input |
| `blocked.PORT` | cycles | it waited for room behind this output, or for a place of this storage |
| `idle` | cycles | it had nothing to do |

`[n]` is the number of a port or client, if there are several.
)";

// Escapes the column separator in a cell.
std::string cell(std::string text) {
  for (size_t at = 0; (at = text.find('|', at)) != text.npos; at += 2) text.insert(at, "\\");
  return text;
}

std::string code(std::string_view text) { return text.empty() ? "" : fmt::format("`{}`", text); }

// ---- Parameters ----

struct Column {
  std::string head;
  std::map<std::string, std::string> values;  // by name of the parameter
};

struct Row {
  std::string name, unit, range, meaning;
};

// The parameters of one unit, or of a class of shader units.
struct UnitTable {
  std::string unit;
  std::vector<Row> rows;
  std::vector<Column> columns;
};

void add_preset(machine::Config& config, std::vector<UnitTable>& tables) {
  FieldTable fields;
  config.list(fields);
  for (const std::string& unit : fields.units()) {
    const bool is_class = std::any_of(config.shaders.begin(), config.shaders.end(),
                                      [&](const auto& shader) { return shader.name == unit; });
    const std::string title = is_class ? "shader" : unit;
    auto table = std::find_if(tables.begin(), tables.end(), [&](const auto& t) { return t.unit == title; });
    if (table == tables.end()) table = tables.insert(table, {title, {}, {}});
    Column& column = table->columns.emplace_back();
    column.head = config.name + (unit == title ? "" : fmt::format(": {}", unit));
    const bool is_new = table->rows.empty();
    for (const auto& field : fields.fields()) {
      if (field->path != fmt::format("{}.{}", unit, field->name)) continue;
      column.values[field->name] = field->value();
      if (is_new) table->rows.push_back({field->name, field->unit, field->range(), field->meaning});
    }
  }
}

std::string text_of(const UnitTable& table) {
  std::string text = fmt::format("### `{}`\n\n{}| parameter | unit | range | meaning |", table.unit,
                                 table.unit == "shader" ? kShaders : "");
  for (const Column& column : table.columns) text += fmt::format(" {} |", column.head);
  text += "\n| --- | --- | --- | --- |";
  for (size_t i = 0; i < table.columns.size(); i++) text += " ---: |";
  text += "\n";
  for (const Row& row : table.rows) {
    text += fmt::format("| {} | {} | {} | {} |", code(row.name), row.unit, row.range, cell(row.meaning));
    for (const Column& column : table.columns)
      text += fmt::format(" {} |", short_value(column.values.at(row.name)));
    text += "\n";
  }
  return text + "\n";
}

// ---- Counters ----

struct CounterRow {
  std::string name, unit, meaning;
};

// All units of one kind, on all presets.
struct Kind {
  std::vector<std::string> presets;
  std::set<std::string> parts;       // parts with their own counters, such as memory clients: "texture"
  std::vector<CounterRow> counters;  // in declaration order, since a meaning may refer to the previous one
  std::set<std::string> accounts;    // "starved.draws_in"
};

// "vertices_out[2]" becomes "vertices_out[n]".
std::string without_number(const std::string& name) {
  const size_t bracket = name.find('[');
  return bracket == name.npos ? name : name.substr(0, bracket) + "[n]";
}

struct Place {
  std::string kind, part;
};

// Splits "gpu.memory_controller.texture0" into the kind of the unit, and "texture".
Place place_of(const std::string& counter_path, const std::set<std::string>& classes) {
  const std::string path = report::kind_of_unit(counter_path);
  const size_t first = path.find('.') + 1, dot = std::min(path.find('.', first), path.size());
  const std::string kind = path.substr(first, dot - first);
  return {classes.contains(kind) ? "shader" : kind, dot == path.size() ? "" : path.substr(dot + 1)};
}

// Orders counters of each unit and part by declaration in their struct, which is the order of addresses.
std::vector<const Counter*> as_declared(const CounterTable& table) {
  std::vector<const Counter*> counters;
  for (const Counter& counter : table.counters()) counters.push_back(&counter);
  std::stable_sort(counters.begin(), counters.end(), [](const Counter* a, const Counter* b) {
    return a->path != b->path ? a->path < b->path : std::less<>()(a->value, b->value);
  });
  return counters;
}

void add_counters(const machine::Config& config, std::map<std::string, Kind>& kinds) {
  std::set<std::string> classes;
  for (const auto& shader : config.shaders) classes.insert(shader.name);
  machine::Machine machine(config, arch::Memory());
  for (const Counter* counter : as_declared(machine.simulator().counters())) {
    const Place place = place_of(counter->path, classes);
    Kind& kind = kinds[place.kind];
    if (kind.presets.empty() || kind.presets.back() != config.name) kind.presets.push_back(config.name);
    const bool channel = place.part == "channel";
    const char* part = place.part.empty() ? "" : channel ? "CHANNEL." : "CLIENT.";
    const std::string name = part + without_number(counter->name);
    if (!place.part.empty() && !channel) kind.parts.insert(place.part);
    if (name == "busy" || name == "idle") continue;
    const bool waits = name.starts_with("starved.") || name.starts_with("blocked.");
    const bool known = std::any_of(kind.counters.begin(), kind.counters.end(),
                                   [&](const CounterRow& row) { return row.name == name; });
    if (waits) kind.accounts.insert(name);
    else if (!known) kind.counters.push_back({name, counter->unit, counter->meaning});
  }
}

std::string waits_text(const Kind& kind, std::string_view how) {
  std::vector<std::string> ports;
  for (const std::string& account : kind.accounts)
    if (account.starts_with(how)) ports.push_back(code(account.substr(how.size() + 1)));
  return ports.empty() ? "" : fmt::format("{} by {}", how, fmt::join(ports, ", "));
}

std::string text_of(const std::string& name, const Kind& kind, size_t presets) {
  std::string text = fmt::format("\n### `gpu.{}`\n\n", name);
  if (name == "shader") text += "Units of all classes: `gpu.CLASS0` and so on.\n\n";
  if (kind.presets.size() != presets) text += fmt::format("Only in {}.\n\n", fmt::join(kind.presets, ", "));
  if (!kind.parts.empty())
    text += fmt::format("CLIENT is one of `{}`, with its number; CHANNEL is `channel` with its number.\n\n",
                        fmt::join(kind.parts, "`, `"));
  if (!kind.counters.empty()) text += "| counter | unit | counts |\n| --- | --- | --- |\n";
  for (const CounterRow& row : kind.counters)
    text += fmt::format("| {} | {} | {} |\n", code(row.name), row.unit, cell(row.meaning));
  if (!kind.counters.empty()) text += "\n";
  std::string starved = waits_text(kind, "starved");
  const std::string blocked = waits_text(kind, "blocked");
  if (!starved.empty()) starved[0] = 'S';
  return text + fmt::format("{}{}{}.\n", starved, starved.empty() ? "B" : "; b",
                            blocked.empty() ? "locked by nothing" : blocked.substr(1));
}

// Adds the counters and waits of a kind of unit on another machine.
void add_to(Kind& kind, Kind& more) {
  kind.accounts.merge(more.accounts);
  for (CounterRow& row : more.counters)
    if (std::none_of(kind.counters.begin(), kind.counters.end(),
                     [&](const CounterRow& known) { return known.name == row.name; }))
      kind.counters.push_back(std::move(row));
}

// Adds a unit that no preset has, and what other units count and wait for because of it. set: makes the
// preset have it.
void add_unit(const std::string& unit, const std::string& set, const char* machines,
              std::map<std::string, Kind>& kinds, const char* preset = "attila") {
  machine::Config config;
  machine::load_config(config, preset, {set});
  std::map<std::string, Kind> with_it;
  add_counters(config, with_it);
  for (auto& [name, kind] : with_it)
    if (const auto known = kinds.find(name); known != kinds.end()) add_to(known->second, kind);
  with_it[unit].presets = {machines};
  kinds.merge(with_it);
}

}  // namespace

std::string reference_page() {
  const std::vector<machine::PresetInfo> presets = machine::presets();
  std::vector<UnitTable> tables;
  std::map<std::string, Kind> kinds;
  for (const machine::PresetInfo& preset : presets) {
    machine::Config config;
    machine::load_config(config, preset.name);
    add_preset(config, tables);
    add_counters(config, kinds);
  }
  add_unit("address_translation", "translation.pages=4KB",
           "machines whose `translation.pages` is not \"none\"", kinds);
  add_unit("bus", "bus.bytes_per_cycle=4", "machines whose `bus.bytes_per_cycle` is not 0", kinds);
  add_unit("host", "host.cpu=1", "machines whose `host.cpu` is not 0", kinds);
  add_unit("command_processor", "command_processor.contexts=2", "", kinds);
  add_unit("command_processor", "command_processor.compute_queue=true", "", kinds, "g80");
  std::string text = kHead;
  text += kParameters;
  for (const UnitTable& table : tables) text += text_of(table);
  text += kCounters;
  for (const auto& [name, kind] : kinds) text += text_of(name, kind, presets.size());
  return text;
}

}  // namespace cutaway::app
