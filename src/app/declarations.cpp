#include "app/declarations.h"

#include <map>

#include "machine/config.h"

namespace cutaway::app {

std::vector<report::Declaration> declarations() {
  std::map<std::string, report::Declaration> by_path;
  for (const machine::PresetInfo& preset : machine::presets()) {
    machine::Config config;
    machine::load_config(config, preset.name);
    FieldTable table;
    config.list(table);
    for (const auto& field : table.fields())
      by_path.emplace(field->path,
                      report::Declaration{field->path, field->unit, field->range(), field->meaning});
  }
  std::vector<report::Declaration> result;
  for (auto& [path, declaration] : by_path) result.push_back(std::move(declaration));
  return result;
}

}  // namespace cutaway::app
