#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <system_error>

#include "app/commands.h"
#include "app/machine_diagram.h"
#include "app/output_file.h"
#include "app/reference.h"
#include "app/text.h"
#include "base/error.h"
#include "base/text.h"
#include "machine/config.h"

namespace cutaway::app {
namespace {

void list_presets() {
  for (const machine::PresetInfo& preset : machine::presets())
    fmt::print("{:<12} {}\n", preset.name, preset.description);
  fmt::print("\n`cutaway gpus NAME` shows the block diagram and the parameters of one.\n");
}

// Prints a list that is too long for its column below its parameter.
void list_names(const Field& field) {
  const std::string value = field.value();
  if (short_value(value) == value) return;
  constexpr size_t kWidest = 120;
  std::string line;
  for (const std::string_view name : field_detail::list_parts(value)) {
    if (line.size() + name.size() > kWidest) {
      fmt::print("   {}\n", line);
      line.clear();
    }
    line += fmt::format(" {}", name);
  }
  fmt::print("   {}\n", line);
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
    if (!unit.empty() && owner != unit) fmt::print("\n");
    unit = owner;
    const machine::Statement& statement = config.statements.at(field->path);
    fmt::print("{:<{}}  {:<{}}  {:<{}}  {} [{}]{}\n", field->path, path,
               fmt::format("{} {}", short_value(field->value()), field->unit), value, field->range(), range,
               field->meaning, statement.source,
               statement.preset.empty() ? "" : fmt::format(" (preset: {})", short_value(statement.preset)));
    list_names(*field);
  }
  fmt::print(
      "\nSources: ATT-n, NV4-n, G80-n, DX-n and OUT-... are facts of documents, which docs/sources.md names; "
      "\"choice\" is ours, where they say nothing; a file and line, or --set, is yours. \"base NAME\" is "
      "what that "
      "preset has for its own chip, \"like CLASS\" what is taken from another class of shader units.\n");
}

}  // namespace

int gpus(const CommandArguments& arguments) {
  if (arguments.reference) {
    if (!arguments.preset.empty() || !arguments.machine.sets.empty() || !arguments.svg.empty())
      user_error("--reference covers all presets: give it alone");
    fmt::print("{}", reference_page());
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
  std::optional<capture::OutputFile> svg;
  if (!arguments.svg.empty()) {
    open_output(arguments.svg, "SVG", svg);
    const std::string picture = report::diagram_svg(diagram);
    svg->append(std::as_bytes(std::span(picture)));
  }
  fmt::print("{}\n", report::diagram_text(diagram));
  list_parameters(config);
  fmt::print("\nWhat costs no time yet:\n");
  for (const char* text : machine::untimed()) fmt::print("- {}\n", text);
  // Detects a full standard output.
  if (std::fflush(stdout) != 0) throw std::system_error(errno, std::generic_category());
  if (svg) svg->commit();
  return kOk;
}

}  // namespace cutaway::app
