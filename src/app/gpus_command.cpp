#include <algorithm>
#include <optional>

#include "app/commands.h"
#include "app/machine_diagram.h"
#include "app/ports_page.h"
#include "app/reference.h"
#include "app/terminal.h"
#include "app/text.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "machine/config.h"

namespace cutaway::app {
namespace {

void list_presets() {
  for (const machine::PresetInfo& preset : machine::presets())
    tell("{:<12} {}\n", preset.name, preset.description);
  tell("\n`cutaway gpus NAME` shows the block diagram and the parameters of one.\n");
}

// Prints a list that is too long for its column below its parameter.
void list_names(const Field& field) {
  const std::string value = field.value();
  if (short_value(value) == value) return;
  constexpr size_t kWidest = 120;
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

// By unit: value, range, meaning, source.
void list_parameters(machine::Config& config) {
  FieldTable table;
  config.list(table);

  size_t path = 0, value = 0, range = 0;
  for (const auto& field : table.fields()) {
    path = std::max(path, field->path.size());
    value = std::max(value, short_value(field->value()).size() + 1 + std::string_view(field->unit).size());
    range = std::max(range, field->range().size());
  }
  std::string unit;
  for (const auto& field : table.fields()) {
    const std::string owner = field->path.substr(0, field->path.find('.'));
    if (!unit.empty() && owner != unit) tell("\n");
    unit = owner;
    const machine::Statement& statement = config.statements.at(field->path);
    tell("{:<{}}  {:<{}}  {:<{}}  {} [{}]{}\n", field->path, path,
         fmt::format("{} {}", short_value(field->value()), field->unit), value, field->range(), range,
         field->meaning, statement.source,
         statement.preset.empty() ? "" : fmt::format(" (preset: {})", short_value(statement.preset)));
    list_names(*field);
  }
  tell(
      "\nSources: ATT-n, NV4-n, G80-n, DX-n and OUT-... are facts of documents, which docs/sources.md names; "
      "\"fitted to\" a fact is ours, chosen so that the machine gives what was measured; "
      "\"choice\" is ours, where they say nothing; a file and line, or --set, is yours. \"base NAME\" is "
      "what that "
      "preset has for its own chip, \"like CLASS\" what is taken from another class of shader units.\n");
}

// Prints what the machine leaves out of its chip, and the work that costs nothing in its units.
void list_left_out(const machine::Config& config) {
  if (!config.not_modelled.empty()) tell("\nNot modelled:\n");
  for (const machine::NotModelled& left_out : config.not_modelled)
    tell("- {}{}\n", left_out.text, left_out.fact.empty() ? "" : fmt::format(" [{}]", left_out.fact));
  tell("\nWhat costs neither time nor room in these units:\n");
  for (const FreeWork& unit : free_work(config)) {
    tell("- {}\n", unit.unit);
    for (const std::string& work : unit.work) tell("  - {}.\n", work);
  }
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
  std::optional<WholeFile> svg;
  if (!arguments.svg.empty()) {
    svg.emplace(arguments.svg);
    svg->append(report::diagram_svg(diagram));
  }
  if (svg) svg->commit(), note_result(svg->path());
  tell_lines(report::diagram_text(diagram) + "\n");
  list_parameters(config);
  list_left_out(config);
  return kOk;
}

}  // namespace cutaway::app
