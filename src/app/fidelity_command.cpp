#include <filesystem>
#include <fmt/format.h>
#include <set>

#include "app/commands.h"
#include "app/probe_runs.h"
#include "app/terminal.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "probe/fidelity.h"
#include "probe/rates.h"

namespace cutaway::app {
namespace {

namespace fs = std::filesystem;
using probe::Figure;

constexpr const char* kFidelityFolder = "out/fidelity";
constexpr const char* kPicture = "images/fidelity.svg";  // place of the picture for pages of docs/

int list(const std::vector<const Figure*>& figures) {
  for (const Figure* each : figures) {
    const probe::Rate* rate = probe::find_rate(each->of);
    const std::string& what = rate ? rate->what : probe::find_case(each->of)->what;
    const std::string value = each->most > 0 ? fmt::format("{:.2f} to {:.2f}", each->value, each->most)
                                             : fmt::format("{:.2f}", each->value);
    tell("{:<12} {:<20} {:>16}  {:<22} {}\n", each->gpu, each->of, value, each->fact, what);
  }
  return kOk;
}

// The answer to the command without arguments, which would work for minutes.
int tell_measurements_and_claims() {
  constexpr double kSeconds = 3;  // of one core for each program, on average
  const auto figures = probe::select_figures({}, "");
  std::set<std::string> gpus;
  size_t programs = 0;
  for (const Figure* each : figures) gpus.insert(each->gpu);
  for (const std::string& gpu : gpus) programs += probe::drawn_for(probe::select_figures({}, gpu)).size();
  tell(
      "cutaway fidelity all measures {} on {} with {}: about {} on one core\n"
      "cutaway fidelity --gpu g80 measures those of one preset, cutaway fidelity R1 those whose names begin with R1\n"
      "cutaway fidelity list names them; cutaway fidelity --help tells the rest\n",
      counted(figures.size(), "figure"), counted(gpus.size(), "preset"), counted(programs, "program"),
      duration_text(kSeconds * static_cast<double>(programs)));
  return kOk;
}

}  // namespace

int fidelity(const CommandArguments& arguments) {
  const InterruptGuard guard;
  const FidelityArguments& asked = arguments.fidelity;
  if (asked.names == std::vector<std::string>{"list"}) return list(probe::select_figures({}, asked.gpu));
  if (arguments.bare) return tell_measurements_and_claims();
  const bool all = asked.names == std::vector<std::string>{"all"};
  const auto figures = probe::select_figures(all ? std::vector<std::string>{} : asked.names, asked.gpu);
  const fs::path out = arguments.out.empty() ? kFidelityFolder : arguments.out;
  std::map<std::string, std::vector<const Figure*>> by_gpu;
  for (const Figure* each : figures) by_gpu[each->gpu].push_back(each);
  std::map<std::string, probe::Times> times, bytes_read;
  bool whole = true;
  for (const auto& [gpu, of_gpu] : by_gpu) {
    CommandArguments on = arguments;
    on.machine.gpu = gpu;
    whole = simulate_drawn(probe::drawn_for(of_gpu), on, out, times[gpu], bytes_read[gpu]) && whole;
  }
  const std::vector<probe::Held> rows = probe::held(figures, times, bytes_read);
  write_whole(out / "fidelity.json", probe::fidelity_json(rows));
  fs::create_directories((out / kPicture).parent_path());
  write_whole(out / kPicture, probe::fidelity_svg(rows));
  write_whole(out / "fidelity.md", probe::fidelity_page(rows, kPicture));
  note_result(out);
  tell_lines(probe::fidelity_table(rows));
  tell("{}\n", out / "fidelity.md");
  return whole ? kOk : kFailed;
}

}  // namespace cutaway::app
