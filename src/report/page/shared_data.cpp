#include "report/page/shared_data.h"

#include <fmt/format.h>

#include "report/explanation.h"
#include "report/page/columns.h"
#include "report/shared_report.h"

namespace cutaway::report {
namespace {

using nlohmann::json;
using run_record::SharedFigures;

json json_of(const SharedFigures::Program& program) {
  json frames = json::array();
  for (const SharedFigures::Frame& frame : program.frames) {
    frames.push_back({{"frame", frame.number},
                      {"began", frame.begin},
                      {"ended", frame.end},
                      {"alone", frame.alone},
                      {"left_out", frame.left_out},
                      {"shown_in", nullptr}});
    if (frame.shown_in) frames.back()["shown_in"] = *frame.shown_in;
  }
  json data = {{"name", program.name},     {"bound", bound_text(program)},
               {"waited", program.waited}, {"frames", std::move(frames)},
               {"shares", nullptr},        {"lost", nullptr}};
  if (const auto shares = program.shares())
    data["shares"] = {
        {"host", shares->host}, {"others", shares->others}, {"window", shares->window}, {"gpu", shares->gpu}};
  if (program.lost)
    data["lost"] = {
        {"frame", program.lost->frame}, {"cycle", program.lost->cycle}, {"why", program.lost->why}};
  return data;
}

// The causes that held the work of a program up in a part of the run; null: it had none.
json causes_of_program(RunReader& run, uint64_t frame, uint32_t context) {
  const RunReader::Scope scope{.frame = frame, .context = context};
  if (!has_work(run, scope)) return nullptr;
  uint64_t cycles = 0;
  for (const RunReader::Work& piece : run.work(frame))
    if (scope.has(piece)) cycles += piece.marginal_cycles;
  json causes = json::array();
  for (const Explanation::Cause& cause : causes_of(run, scope))
    causes.push_back({{"words", cause.words}, {"share", cause.share}});
  return {{"frame", frame}, {"cycles", cycles}, {"causes", std::move(causes)}};
}

}  // namespace

std::string program_name(const std::string& address) {
  return fmt::format(
      "printf('0x%x', {0}) || CASE WHEN context > 0 AND {0} <> 0 THEN ' of program ' || (context + 1) ELSE '' "
      "END",
      address);
}

json turns_data(database::Database& database, int64_t frame) {
  return read_columns(database, {{"context"}, {"submission"}, {"began"}, {"ended"}, {"how", Cell::kText}},
                      "FROM turn WHERE frame = ? ORDER BY turn", frame);
}

json switches_data(database::Database& database, int64_t frame) {
  return read_columns(database,
                      {{"from_context"},
                       {"to_context"},
                       {"began"},
                       {"ended"},
                       {"flush_cycles"},
                       {"invalidate_cycles"},
                       {"bind_cycles"}},
                      "FROM context_switch WHERE frame = ? ORDER BY switch", frame);
}

json shared_data(RunReader& run) {
  const auto& shared = run.shared();
  if (!shared) return nullptr;
  json programs = json::array();
  for (uint32_t context = 0; context < shared->programs.size(); context++) {
    json program = json_of(shared->programs[context]);
    program["parts"] = json::array();
    for (const RunReader::Frame& frame : run.frames())
      if (json part = causes_of_program(run, frame.frame, context); !part.is_null())
        program["parts"].push_back(std::move(part));
    programs.push_back(std::move(program));
  }
  return {{"programs", std::move(programs)},
          {"switches",
           {{"switches", shared->switches.switches},
            {"flush_cycles", shared->switches.flush_cycles},
            {"invalidate_cycles", shared->switches.invalidate_cycles},
            {"bind_cycles", shared->switches.bind_cycles}}},
          {"preemptions",
           {{"preemptions", shared->preemptions.preemptions},
            {"drain_cycles", shared->preemptions.drain_cycles},
            {"restored_bytes", shared->preemptions.restored_bytes}}}};
}

}  // namespace cutaway::report
