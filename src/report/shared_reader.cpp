#include <cstdlib>

#include "report/run_reader.h"

namespace cutaway::report {
namespace {

using database::Database;
using database::Statement;
using run_record::SharedFigures;

std::vector<SharedFigures::Program> programs_in(Database& database) {
  std::vector<SharedFigures::Program> programs;
  Statement rows = database.prepare(
      "SELECT name, capture, waited_cycles, computed_cycles, alone_cycles, submissions, waits, "
      "interrupt_cycles, shown, latency_cycles, lost_frame, lost_cycle, lost_why, window, "
      "window_cycles FROM context ORDER BY context");
  while (rows.step()) {
    SharedFigures::Program& program = programs.emplace_back();
    program.name = rows.text(0), program.capture = rows.text(1), program.waited = rows.number(2);
    if (!rows.null(3))
      program.host = {.computed = rows.number(3),
                      .alone = rows.number(4),
                      .submissions = rows.number(5),
                      .waits = rows.number(6),
                      .interrupts = rows.number(7),
                      .shown = rows.number(8),
                      .latency = rows.number(9)};
    program.window = rows.text(13), program.waited_for_window = rows.number(14);
    if (!rows.null(10)) program.lost = {rows.number(10), rows.number(11), rows.text(12)};
  }
  return programs;
}

void read_frames(Database& database, std::vector<SharedFigures::Program>& programs) {
  Statement rows = database.prepare(
      "SELECT context, program_frame, began, ended, alone_cycles, left_out, shown_in FROM context_frame "
      "ORDER BY context, began, program_frame");
  while (rows.step()) {
    if (rows.number(0) >= programs.size()) continue;
    SharedFigures::Frame& frame = programs[rows.number(0)].frames.emplace_back();
    frame.number = rows.number(1), frame.begin = rows.number(2), frame.end = rows.number(3);
    frame.alone = rows.number(4), frame.left_out = rows.number(5) != 0;
    if (!rows.null(6)) frame.shown_in = rows.number(6);
  }
}

void read_phases(Database& database, SharedFigures& run) {
  Statement rows = database.prepare("SELECT phase, cycles, alone_cycles FROM context_phase");
  while (rows.step()) {
    const std::string phase = rows.text(0);
    uint64_t run_record::FramePhases::*const member = phase == "draw"      ? &run_record::FramePhases::draws
                                                      : phase == "copy"    ? &run_record::FramePhases::copies
                                                      : phase == "cache"   ? &run_record::FramePhases::caches
                                                      : phase == "display" ? &run_record::FramePhases::display
                                                      : phase == "command"
                                                          ? &run_record::FramePhases::commands
                                                          : nullptr;
    if (member) run.together.*member = rows.number(1), run.alone.*member = rows.number(2);
  }
}

}  // namespace

bool RunReader::is_shared() {
  if (shared_) return shared_->has_value();
  return database_.prepare("SELECT 1 FROM context LIMIT 1").step();
}

const std::optional<SharedFigures>& RunReader::shared() {
  if (!shared_) shared_.emplace(read_shared());
  return *shared_;
}

std::optional<SharedFigures> RunReader::read_shared() {
  SharedFigures run;
  run.programs = programs_in(database_);
  if (run.programs.empty()) return std::nullopt;
  read_frames(database_, run.programs);
  read_phases(database_, run);
  run.gpu = fact("gpu");
  run.schedule = parameter("command_processor.schedule").value_or("");
  run.core_mhz = std::strtod(parameter("gpu.core_mhz").value_or("1").c_str(), nullptr);
  run.slice_us = std::strtod(parameter("command_processor.slice_us").value_or("0").c_str(), nullptr);
  for (const Frame& frame : frames()) run.cycles += frame.cycles;
  Statement switches = database_.prepare(
      "SELECT sum(whole), sum(flush_cycles), sum(invalidate_cycles), sum(bind_cycles) FROM context_switch");
  if (switches.step())
    run.switches = {switches.number(0), switches.number(1), switches.number(2), switches.number(3)};
  Statement turns = database_.prepare(
      "SELECT coalesce(sum(how = 'suspended'), 0), sum(drain_cycles), sum(restored_bytes) FROM turn");
  if (turns.step()) run.preemptions = {turns.number(0), turns.number(1), turns.number(2)};
  return run;
}

}  // namespace cutaway::report
