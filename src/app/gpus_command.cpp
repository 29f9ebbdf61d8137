#include <algorithm>

#include "app/commands.h"
#include "base/error.h"
#include "machine/config.h"

namespace cutaway::app {
namespace {

void list_presets() {
  for (const machine::PresetInfo& preset : machine::presets())
    fmt::print("{:<12} {}\n", preset.name, preset.description);
  fmt::print("\n`cutaway gpus NAME` lists the parameters of one.\n");
}

}  // namespace

int gpus(const CommandArguments& arguments) {
  if (arguments.preset.empty()) {
    list_presets();
    return kOk;
  }
  machine::Config config;
  machine::load_config(config, arguments.preset, arguments.machine.sets);
  FieldTable table;
  config.list(table);

  size_t path = 0, value = 0, range = 0;
  for (const auto& field : table.fields()) {
    path = std::max(path, field->path.size());
    value = std::max(value, field->value().size() + 1 + std::string_view(field->unit).size());
    range = std::max(range, field->range().size());
  }
  std::string unit;
  for (const auto& field : table.fields()) {
    const std::string owner = field->path.substr(0, field->path.find('.'));
    if (!unit.empty() && owner != unit) fmt::print("\n");
    unit = owner;
    const machine::Statement& statement = config.statements.at(field->path);
    fmt::print("{:<{}}  {:<{}}  {:<{}}  {} [{}]{}\n", field->path, path,
               fmt::format("{} {}", field->value(), field->unit), value, field->range(), range,
               field->meaning, statement.source,
               statement.preset.empty() ? "" : fmt::format(" (preset: {})", statement.preset));
  }
  fmt::print(
      "\nSources: ATT-n are facts of the paper of ATTILA; \"choice\" is ours, where the documents say "
      "nothing; "
      "a file and line, or --set, is yours.\n");
  fmt::print("\nWhat costs no time yet:\n");
  for (const char* text : machine::untimed()) fmt::print("- {}\n", text);
  return kOk;
}

}  // namespace cutaway::app
