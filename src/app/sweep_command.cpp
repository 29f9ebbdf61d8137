#include "app/commands.h"
#include "app/sampled_sweep.h"
#include "app/terminal.h"
#include "base/error.h"
#include "base/installed.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "report/page/report_page.h"
#include "sweep/export.h"
#include "sweep/page_data.h"
#include "sweep/sweep.h"
#include "sweep/sweep_file.h"
#include "sweep/worker.h"

namespace cutaway::app {
namespace {

namespace fs = std::filesystem;

void print_left_out(const sweep::Plan& plan) {
  for (const auto& skipped : plan.skipped) tell("left out: {}: {}\n", skipped.point, skipped.reason);
}

void print_plan(const sweep::Plan& plan, bool sampled) {
  for (size_t i = 0; i < plan.points.size(); i++)
    tell("{:>6}  {}  {}\n", i + 1, plan.points[i].hash, plan.points[i].text());
  print_left_out(plan);
  tell("{}", counted(plan.points.size(), "point"));
  if (!plan.skipped.empty()) tell(", {} left out", plan.skipped.size());
  if (plan.duplicates) tell(", {} that would be the same", plan.duplicates);
  tell("{}\n", sampled ? "; of a sample, most machines simulate a part of these frames, and some more" : "");
}

std::string interactive_page(const sweep::Page& page, const fs::path& folder) {
  sweep::PageSweep sweep{.path = folder / "sweep.sqlite",
                         .name = page.file.path.stem().string(),
                         .plots = page.plots,
                         .notes = {}};
  const sweep::SweepOutcome& outcome = page.outcome;
  if (outcome.finished < outcome.points)
    sweep.notes.push_back(
        fmt::format("{} of {} finished.", outcome.finished, counted(outcome.points, "point")));
  for (const auto& failure : outcome.failures)
    sweep.notes.push_back(fmt::format("Failed: {}: {}", failure.point, failure.reason));
  for (const auto& left_out : page.plan.skipped)
    sweep.notes.push_back(fmt::format("Left out, it breaks a rule: {}: {}", left_out.point, left_out.reason));
  return report::report_page(report::page_template(), {.sweeps = {sweep::page_data(sweep)}});
}

// Writes table, plots and page of the finished points. A plot that cannot be drawn loses no result.
void write_report(const sweep::SweepFile& file, const sweep::Plan& plan, const sweep::SweepOutcome& outcome,
                  const sweep::Store& store, const std::string& results, const fs::path& folder,
                  sweep::PlotFrames plotted) {
  export_table(store, folder / "sweep.csv");
  sweep::Page page{file, plan, outcome, store, results, {}};
  try {
    for (const sweep::Plot& plot : file.plots) {
      std::string svg;
      if (draw_plot(store, plot, plotted, folder, svg)) page.plots.push_back(std::move(svg));
    }
  } catch (const UserError& error) { tell_error("cutaway: {}\n", std::string_view(error.what())); }
  // Without the page of reports a plain one has the same table.
  const bool built = !installed_file("report_page.html").empty();
  write_whole(folder / "report.html", built ? interactive_page(page, folder) : page_html(page));
}

void print_outcome(const sweep::Plan& plan, const sweep::SweepOutcome& outcome, const sweep::Store& store,
                   const std::string& results, const fs::path& folder) {
  note_result(folder);
  print_left_out(plan);
  for (const auto& failure : outcome.failures) tell("failed: {}: {}\n", failure.point, failure.reason);
  tell("{}: {} finished", counted(outcome.points, "point"), outcome.finished);
  if (outcome.before) tell(", {} of them before", outcome.before);
  if (!outcome.failures.empty()) tell("; {} failed", outcome.failures.size());
  if (!plan.skipped.empty()) tell("; {} left out, which break a rule", plan.skipped.size());
  tell("\n");
  if (const uint64_t others = store.set_aside())
    tell("not of this sweep, and kept: {} of other points or builds of cutaway\n", counted(others, "result"));
  tell("results: {}\ndatabase: {}\ntable: {}\npage: {}\n", results, folder / "sweep.sqlite",
       folder / "sweep.csv", folder / "report.html");
}

}  // namespace

int sweep(const CommandArguments& arguments) {
  const InterruptGuard guard;
  sweep::SweepFile file = sweep::read_sweep_file(arguments.file);
  std::vector<CaptureSample> samples = begin_samples(arguments, file);
  const sweep::Plan first = sweep::make_plan(file);  // samples add points later
  check_plots(file, first);
  if (arguments.sweep.dry_run) {
    print_plan(first, !samples.empty());
    return kOk;
  }
  const fs::path out = arguments.out.empty() ? fs::path("out") / file.path.stem() : fs::path(arguments.out);
  if (!arguments.sweep.table.empty()) {
    export_table(sweep::Store(out / "sweep.sqlite", database::Access::kWrite), arguments.sweep.table);
    return kOk;
  }
  const sweep::SweepFolder folder(out);
  sweep::Store store(folder.database());
  const auto [plan, outcome] = run_samples(arguments, file, samples, store, sweep::Queue(folder.queue()));
  const std::string results = store.results_hash();
  // Pilots of a sample have more frames than the others.
  write_report(file, plan, outcome, store, results, folder.path(),
               samples.empty() ? sweep::PlotFrames::kAll : sweep::PlotFrames::kShared);
  print_outcome(plan, outcome, store, results, folder.path());
  if (!samples.empty() && outcome.failures.empty()) {
    tell_lines(report_samples(plan, file, samples, store, folder.path()));
    tell("samples: {}\n", folder.path() / "sample.json");
  }
  return outcome.failures.empty() ? kOk : kFailed;
}

int sweep_points(const CommandArguments& arguments) {
  sweep::run_points(arguments.sweep.queue, arguments.sweep.points, arguments.sweep.engine);
  return kOk;
}

}  // namespace cutaway::app
