#include <filesystem>
#include <map>

#include "app/commands.h"
#include "app/terminal.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "compiler/compiler.h"
#include "machine/config.h"
#include "report/page/report_page.h"
#include "report/progress.h"

namespace cutaway::app {

namespace {

// The declarations of the parameters of all presets.
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

}  // namespace

int write_report(const CommandArguments& arguments) {
  const InterruptGuard guard;
  const std::filesystem::path path = arguments.out.empty() ? "report.html" : arguments.out;
  WholeFile file(path);
  report::Progress progress(arguments.quiet);
  const std::string text = report::report_page(
      report::page_template(), {arguments.runs.begin(), arguments.runs.end()},
      [](std::span<const uint32_t> spirv) {
        end_if_interrupted();
        return compiler::source_lines(spirv);
      },
      [&](size_t run) {
        end_if_interrupted();
        progress.update(static_cast<double>(run) / static_cast<double>(arguments.runs.size()),
                        fmt::format("reading run {} of {}", run + 1, arguments.runs.size()));
      },
      report::kMostJson, declarations());
  progress.clear();
  file.append(text);
  file.commit();
  note_result(path);
  tell("{}: {}, {:.1f} MB\n", path, counted(arguments.runs.size(), "run"),
       static_cast<double>(text.size()) / 1e6);
  return kOk;
}

}  // namespace cutaway::app
