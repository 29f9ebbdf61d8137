#include <filesystem>
#include <map>
#include <memory>

#include "app/commands.h"
#include "app/declarations.h"
#include "app/draw_pictures.h"
#include "app/result_file.h"
#include "app/terminal.h"
#include "app/try_offers.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "compiler/compiler.h"
#include "report/page/report_page.h"
#include "report/progress.h"
#include "sweep/page_data.h"

namespace cutaway::app {

namespace {

std::string what_is_in(const report::PageContents& contents) {
  if (contents.sweeps.empty()) return counted(contents.runs.size(), "run");
  const std::string sweeps = counted(contents.sweeps.size(), "sweep");
  return contents.runs.empty() ? sweeps : counted(contents.runs.size(), "run") + ", " + sweeps;
}

report::KeepLegal legal_tries() {
  const auto offers = std::make_shared<std::map<std::filesystem::path, TryOffers>>();  // by run
  return [offers](report::RunReader& run, report::Explanation& explanation) {
    offers->try_emplace(run.path(), run).first->second.keep_legal(explanation);
  };
}

}  // namespace

int write_report(const CommandArguments& arguments) {
  const InterruptGuard guard;
  const std::filesystem::path path = arguments.out.empty() ? "report.html" : arguments.out;
  ResultFile file(path);
  const std::string page = report::page_template();
  report::Progress progress(arguments.quiet);
  report::PageContents contents{
      .disassemble =
          [](std::span<const uint32_t> spirv) {
            end_if_interrupted();
            return compiler::source_lines(spirv);
          },
      .pictures = draw_pictures(arguments.report.capture, size_t{1'000'000} * arguments.report.pictures),
      .keep_legal = legal_tries(),
      .declarations = declarations(),
      .on_run =
          [&](size_t run) {
            end_if_interrupted();
            progress.update(static_cast<double>(run) / static_cast<double>(arguments.runs.size()),
                            fmt::format("reading run {} of {}", run + 1, arguments.runs.size()));
          }};
  for (const std::string& run : arguments.runs)
    if (sweep::is_sweep(run)) contents.sweeps.push_back(sweep::page_data(sweep::sweep_in(run)));
    else contents.runs.emplace_back(run);
  const std::string text = report::report_page(page, contents);
  progress.clear();
  file.append(text);
  file.keep();
  tell("{}: {}, {:.1f} MB\n", path, what_is_in(contents), static_cast<double>(text.size()) / 1e6);
  return kOk;
}

}  // namespace cutaway::app
