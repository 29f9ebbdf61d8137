#include <algorithm>
#include <optional>

#include "app/commands.h"
#include "app/machine_diagram.h"
#include "app/ports_page.h"
#include "app/reference.h"
#include "app/result_file.h"
#include "app/terminal.h"
#include "app/text.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "boxes/command_processor/state_storage.h"
#include "machine/config.h"
#include "report/machine_parts.h"

namespace cutaway::app {
namespace {

constexpr size_t kColumns = 100;

void list_presets() {
  for (const machine::PresetInfo& preset : machine::presets())
    tell("{:<12} {}\n", preset.name, preset.description);
  tell("\n`cutaway gpus NAME` shows the block diagram and the parameters of one.\n");
}

// Prints a list that is too long for its column below its parameter.
void list_names(const Field& field) {
  const std::string value = field.value();
  if (short_value(value) == value) return;
  constexpr size_t kWidest = kColumns - 4;
  std::string line;
  for (const std::string_view name : field_detail::list_parts(value)) {
    if (line.size() + name.size() > kWidest) {
      tell("   {}\n", line);
      line.clear();
    }
    line += fmt::format(" {}", name);
  }
  tell("   {}\n", line);
}

std::string owner_of(const Field& field) { return field.path.substr(0, field.path.find('.')); }

// By unit: value, and below it meaning, source, range. `owners`: of these only; empty: of all.
void list_parameters(machine::Config& config, const std::vector<std::string>& owners) {
  FieldTable table;
  config.list(table);
  size_t path = 0;
  for (const auto& field : table.fields()) path = std::max(path, field->path.size());
  std::string unit;
  for (const auto& field : table.fields()) {
    const std::string owner = owner_of(*field);
    if (!owners.empty() && std::find(owners.begin(), owners.end(), owner) == owners.end()) continue;
    if (!unit.empty() && owner != unit) tell("\n");
    unit = owner;
    const machine::Statement& statement = config.statements.at(field->path);
    const std::string_view counts = field->unit;
    tell("{:<{}}  {}{}{}\n", field->path, path, short_value(field->value()), counts.empty() ? "" : " ",
         counts);
    tell_lines(
        wrapped(fmt::format("    {} [{}]{}; {}", field->meaning, one_line(statement.source),
                            statement.preset.empty()
                                ? ""
                                : fmt::format(" (preset: {})", one_line(short_value(statement.preset))),
                            field->range()),
                kColumns) +
        "\n");
    list_names(*field);
  }
  tell_lines(
      "\n" +
      wrapped(
          "Sources: ATT-n, NV4-n, G80-n, DX-n and OUT-... are facts of documents, which docs/sources.md names; "
          "\"fitted to\" a fact is ours, chosen so that the machine gives what was measured; "
          "\"choice\" is ours, where they say nothing; a file and line, or --set, is yours. \"base NAME\" is "
          "what that "
          "preset has for its own chip, \"like CLASS\" what is taken from another class of shader units.",
          kColumns) +
      "\n");
}

// Prints how much state the units hold for draws under way.
void list_state_storage(const machine::Config& config) {
  const EnumSet<arch::Stage> of_chip = config.abilities().stages;
  unsigned stages = 0;
  for (uint32_t i = 0; i < arch::kStages; i++) stages += of_chip.has(static_cast<arch::Stage>(i));
  const uint64_t held = boxes::StateStorage(config.command_processor).bytes(stages) *
                        (config.command_processor.compute_queue ? 2 : 1);
  const auto bytes = [&](boxes::StateKind kind) { return boxes::StateBlocks::bytes(kind, stages); };
  tell_lines(
      "\n" +
      wrapped(fmt::format("State of draws under way: {} bytes in the units. {} shader stages have {} bytes "
                          "of registers, {} of constants and {} of descriptors.",
                          grouped(held), stages, grouped(bytes(boxes::StateKind::kRegisters)),
                          grouped(bytes(boxes::StateKind::kConstants)),
                          grouped(bytes(boxes::StateKind::kDescriptors))),
              kColumns) +
      "\n");
}

// Prints what the machine leaves out of its chip, and the work that costs nothing in its units.
void list_left_out(const machine::Config& config, const std::string& only) {
  if (only.empty() && !config.not_modelled.empty()) tell("\nNot modelled:\n");
  if (only.empty())
    for (const machine::NotModelled& left_out : config.not_modelled)
      tell_lines(wrapped("- " + one_line(left_out.text) +
                             (left_out.fact.empty() ? "" : fmt::format(" [{}]", one_line(left_out.fact))),
                         kColumns) +
                 "\n");
  tell("\nWhat costs neither time nor room in these units:\n");
  for (const FreeWork& unit : free_work(config)) {
    if (!only.empty() && unit.unit != only) continue;
    tell("- {}\n", unit.unit);
    for (const std::string& work : unit.work)
      tell_lines(wrapped(fmt::format("  - {}.", one_line(work)), kColumns) + "\n");
  }
}

// The groups of parameters of a kind of unit: its own, and those that it shares.
std::vector<std::string> owners_of(const std::string& unit) {
  if (unit == "memory_controller") return {"memory"};
  if (unit == "z_stencil" || unit == "color_write") return {unit, "rop"};
  return {unit};
}

// The kind of unit that a name means: its own, "gpu.streamer0", or that of a group of parameters.
std::string unit_of(const std::string& asked, const report::Diagram& diagram, machine::Config& config) {
  std::string name = asked.starts_with("gpu.") ? report::kind_of_unit(asked).substr(4) : asked;
  if (name == "memory") name = "memory_controller";
  std::vector<std::string> names;
  for (const report::Diagram::Unit& unit : diagram.units) names.push_back(unit.name);
  FieldTable table;
  config.list(table);
  for (const auto& field : table.fields()) names.push_back(owner_of(*field));
  if (std::find(names.begin(), names.end(), name) != names.end()) return name;
  const std::string nearest = nearest_name(name, names);
  user_error("{} has no unit '{}'{}; `cutaway gpus {}` shows them", config.name, asked,
             nearest.empty() ? "" : fmt::format(" (did you mean {}?)", nearest), config.name);
}

}  // namespace

int gpus(const CommandArguments& arguments) {
  const InterruptGuard guard;  // the picture is removed
  if (arguments.reference || arguments.ports) {
    const bool alone = arguments.preset.empty() && arguments.machine.sets.empty() && arguments.svg.empty() &&
                       !(arguments.reference && arguments.ports);
    if (!alone)
      user_error("{} tells of no single machine: it stands alone",
                 arguments.reference ? "--reference" : "--ports");
    tell_lines(arguments.reference ? reference_page() : ports_page());
    return kOk;
  }
  if (arguments.preset.empty()) {
    if (!arguments.svg.empty()) user_error("--svg needs a preset or a TOML file; see `cutaway gpus --help`");
    list_presets();
    return kOk;
  }
  machine::Config config;
  machine::load_config(config, arguments.preset, arguments.machine.sets);
  report::Diagram diagram = machine_diagram(config);
  for (const std::string& set : arguments.machine.sets) diagram.title += ", " + one_line(set);
  std::optional<ResultFile> svg;
  if (!arguments.svg.empty()) {
    svg.emplace(arguments.svg);
    svg->append(report::diagram_svg(diagram));
  }
  if (svg) svg->keep();
  const std::string unit = arguments.unit.empty() ? "" : unit_of(arguments.unit, diagram, config);
  if (unit.empty()) tell_lines(report::diagram_text(diagram) + "\n");
  else tell_lines(report::diagram_text(diagram, unit) + "\n");
  list_parameters(config, unit.empty() ? std::vector<std::string>{} : owners_of(unit));
  if (unit.empty() || unit == "command_processor") list_state_storage(config);
  list_left_out(config, unit);
  return kOk;
}

}  // namespace cutaway::app
