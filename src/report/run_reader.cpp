#include "report/run_reader.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <sstream>

#include "base/error.h"
#include "report/fragment_reader.h"
#include "report/machine_parts.h"
#include "report/run_file.h"

namespace cutaway::report {

using database::Statement;

RunReader::RunReader(const std::filesystem::path& path)
    : database_(files_of_run(path).database, database::Access::kRead) {
  check_run(database_);
}

std::string RunReader::fact(std::string_view name) {
  Statement rows = database_.prepare("SELECT value FROM meta WHERE name = ?");
  rows.bind(0, name);
  return rows.step() ? rows.text(0) : "";
}

std::optional<std::string> RunReader::parameter(std::string_view path) {
  Statement rows = database_.prepare("SELECT value FROM parameter WHERE path = ?");
  rows.bind(0, path);
  if (!rows.step()) return std::nullopt;
  return rows.text(0);
}

std::vector<std::string> RunReader::parameters(std::string_view table) {
  std::vector<std::string> paths;
  Statement rows = database_.prepare(
      "SELECT path FROM parameter WHERE substr(path, 1, length(?1) + 1) = ?1 || '.' ORDER BY path");
  rows.bind(0, table);
  while (rows.step()) paths.push_back(rows.text(0));
  return paths;
}

std::vector<RunReader::Frame> RunReader::frames() {
  std::vector<Frame> frames;
  Statement rows = database_.prepare(
      "SELECT frame, cycles, bytes_read, bytes_written, texture_footprint, draw_cycles, copy_cycles, "
      "cache_cycles, display_cycles, command_cycles, scan_out_beside, scan_out_after FROM frame ORDER BY "
      "frame");
  while (rows.step())
    frames.push_back({rows.number(0),
                      rows.number(1),
                      rows.number(2),
                      rows.number(3),
                      rows.number(4),
                      {.draws = rows.number(5),
                       .copies = rows.number(6),
                       .caches = rows.number(7),
                       .display = rows.number(8),
                       .commands = rows.number(9),
                       .beside_scan_out = rows.number(10)},
                      rows.number(11)});
  return frames;
}

const std::vector<RunReader::Work>& RunReader::work(uint64_t frame) {
  if (work_frame_ == frame) return work_;
  work_frame_.reset();
  work_.clear();
  Statement rows = database_.prepare(
      "SELECT work, pass, kind, packet, label, draw, of_driver, submission, vertices, instances, "
      "marginal_cycles, occupied_cycles, textures, began, ended, texture_footprint, texture_cache_footprint, "
      "texture_first_touches, program.name, work.context, context.name FROM work LEFT JOIN state USING (frame, "
      "state) LEFT JOIN context ON context.context = work.context LEFT JOIN program ON program.context = "
      "work.context AND address = CASE WHEN packet LIKE 'DISPATCH%' THEN compute_program WHEN fragment_program <> 0 THEN "
      "fragment_program ELSE vertex_program END "
      "WHERE frame = ? ORDER BY work");
  rows.bind(0, frame);
  while (rows.step()) {
    Work& w = work_.emplace_back();
    w.work = static_cast<uint32_t>(rows.number(0));
    w.pass = static_cast<uint32_t>(rows.number(1));
    w.kind = rows.text(2), w.packet = rows.text(3), w.label = rows.text(4);
    if (!rows.null(5)) w.draw = static_cast<uint32_t>(rows.number(5));
    w.of_driver = rows.number(6) != 0;
    w.submission = rows.number(7), w.vertices = rows.number(8), w.instances = rows.number(9);
    w.marginal_cycles = rows.number(10), w.occupied_cycles = rows.number(11);
    w.textures = rows.text(12);
    w.began = rows.number(13), w.ended = rows.number(14);
    w.texture_footprint = rows.number(15), w.texture_cache_footprint = rows.number(16);
    w.texture_first_touches = rows.number(17);
    w.program = rows.text(18);
    w.context = static_cast<uint32_t>(rows.number(19));
    if (!rows.null(20)) w.owner = fmt::format("{}: {}", uint64_t{w.context} + 1, rows.text(20));
  }
  // Each pass has work, and passes are numbered from 0 on.
  for (const Work& w : work_)
    if (w.pass >= work_.size())
      user_error("{}: frame {} is damaged: work in pass {}", path().string(), frame, w.pass);
  work_frame_ = frame;
  return work_;
}

namespace {

// The condition that work is of the scope's context, if it has one. ?1 is the frame.
std::string in_context(const RunReader::Scope& scope, const char* column = "work") {
  if (!scope.context || scope.first_interval) return "";
  return fmt::format(" AND {} IN (SELECT work FROM work WHERE frame = ?1 AND context = {}) ", column,
                     *scope.context);
}

}  // namespace

Statement RunReader::scoped(const std::string& sql, const Scope& scope) {
  Statement rows = database_.prepare(sql);
  const bool time = scope.first_interval.has_value();
  rows.bind(0, scope.frame).bind(1, (time ? scope.first_interval : scope.first_work).value_or(0));
  rows.bind(2, (time ? scope.last_interval : scope.last_work).value_or(~0u));
  return rows;
}

std::vector<RunReader::Holdup> RunReader::holdups(const Scope& scope) {
  std::vector<Holdup> holdups;
  Statement rows = scoped(scope.first_interval
                              ? "SELECT unit, stage, sum(probes) FROM interval_holdup WHERE frame = ? AND "
                                "interval BETWEEN ? AND ? GROUP BY unit, stage"
                              : "SELECT unit, stage, sum(probes) FROM work_holdup WHERE frame = ? AND work "
                                "BETWEEN ? AND ?" +
                                    in_context(scope) + " GROUP BY unit, stage",
                          scope);
  while (rows.step()) holdups.push_back({rows.text(0), rows.text(1), rows.number(2)});
  return holdups;
}

std::vector<RunReader::PassFragments> RunReader::pass_fragments(const Scope& scope) {
  std::vector<PassFragments> passes;
  Statement columns = database_.prepare(
      "SELECT count(*) FROM pragma_table_info('tile') WHERE name IN ('x', 'y', 'shaded', 'helpers')");
  if (!columns.step() || columns.number(0) < 4) return passes;  // the run did not count them
  Statement rows = scoped(
      "SELECT pass, first_work, last_work, sum(min(8, width - 8 * x) * min(8, height - 8 * y)), sum(shaded), "
      "sum(helpers) FROM tile JOIN pass USING (frame, pass) WHERE frame = ? AND first_work >= ? AND last_work "
      "<= ? AND shaded > 0" +
          in_context(scope, "first_work") + " GROUP BY pass",
      scope);
  while (rows.step()) {
    PassFragments& pass = passes.emplace_back();
    pass.pass = static_cast<uint32_t>(rows.number(0));
    pass.first_work = static_cast<uint32_t>(rows.number(1));
    pass.last_work = static_cast<uint32_t>(rows.number(2));
    pass.pixels = rows.number(3), pass.shaded = rows.number(4), pass.helpers = rows.number(5);
  }
  return passes;
}

std::map<uint32_t, uint64_t> RunReader::shaded_fragments(const Scope& scope) {
  std::map<uint32_t, uint64_t> fragments;
  Statement rows = scoped(
      "SELECT work, sum(own) FROM work_counter JOIN counter USING (counter) WHERE frame = ? AND work BETWEEN ? "
      "AND ? AND unit GLOB 'gpu.interpolator*' AND name = 'fragments'" +
          in_context(scope) + " GROUP BY work",
      scope);
  while (rows.step()) fragments[static_cast<uint32_t>(rows.number(0))] = rows.number(1);
  return fragments;
}

std::vector<RunReader::NamedBuffer> RunReader::named_buffers(const Scope& scope) {
  std::vector<NamedBuffer> buffers;
  if (scope.first_interval) return buffers;
  Statement rows = scoped(
      "SELECT value ->> 'name' AS name, value ->> 'use' AS use, replace(coalesce(value ->> 'stage', ''), ' ', "
      "'_') AS stage, count(DISTINCT work) FROM work JOIN state USING (frame, state), json_each(CASE WHEN "
      "json_valid(buffers) THEN buffers ELSE '[]' END) WHERE frame = ? AND work BETWEEN ? AND ? AND type = "
      "'object' AND name IS NOT NULL" +
          in_context(scope) + " GROUP BY name, use, stage ORDER BY 4 DESC, name",
      scope);
  while (rows.step()) buffers.push_back({rows.text(0), rows.text(1), rows.text(2), rows.number(3)});
  return buffers;
}

std::vector<RunReader::Counts> RunReader::counts(const Scope& scope) {
  std::vector<Counts> counts;
  Statement rows = scoped(
      scope.first_interval
          ? "SELECT unit, name, sum(value), sum(value) FROM interval_counter JOIN counter USING (counter) "
            "WHERE frame = ? AND interval BETWEEN ? AND ? GROUP BY counter"
          : "SELECT unit, name, sum(own), sum(meanwhile) FROM work_counter JOIN counter USING (counter) "
            "WHERE frame = ? AND work BETWEEN ? AND ?" +
                in_context(scope) + " GROUP BY counter",
      scope);
  while (rows.step()) counts.push_back({rows.text(0), rows.text(1), rows.number(2), rows.number(3)});
  return counts;
}

std::optional<run_record::FragmentRecord> RunReader::fragment_log(uint64_t frame) {
  return read_fragment_log(database_, frame);
}

void RunReader::fragment_events(const run_record::FragmentPart& part, uint64_t works,
                                std::vector<run_record::FragmentEvent>& events) const {
  read_fragment_part(database_, part, works, events);
}

std::vector<RunReader::Interval> RunReader::intervals(uint64_t frame) {
  std::vector<Interval> intervals;
  Statement rows =
      database_.prepare("SELECT interval, began, ended FROM interval WHERE frame = ? ORDER BY interval");
  rows.bind(0, frame);
  while (rows.step())
    intervals.push_back({static_cast<uint32_t>(rows.number(0)), rows.number(1), rows.number(2)});
  return intervals;
}

std::vector<RunReader::Instruction> RunReader::instructions(const Scope& scope) {
  std::vector<Instruction> instructions;
  Statement rows = scoped(
      "SELECT stage, CASE stage WHEN 'vertex' THEN vertex_program "
      "WHEN 'tessellation_control' THEN tessellation_control_program "
      "WHEN 'tessellation_evaluation' THEN tessellation_evaluation_program "
      "WHEN 'geometry' THEN geometry_program WHEN 'fragment' THEN fragment_program "
      "ELSE compute_program END AS program, instruction, "
      "sum(issued), sum(waited_flow), sum(waited_result), sum(waited_issue), sum(waited_send), "
      "sum(waited_texture), sum(waited_drain), sum(waited_output), work.context FROM instruction JOIN work "
      "USING (frame, work) JOIN state USING (frame, state) WHERE frame = ? AND work BETWEEN ? AND ?" +
          in_context(scope) + " GROUP BY stage, work.context, program, instruction",
      scope);
  while (rows.step()) {
    Instruction& i = instructions.emplace_back();
    i.stage = rows.text(0), i.program = rows.number(1);
    i.instruction = static_cast<uint32_t>(rows.number(2)), i.issued = rows.number(3);
    for (size_t w = 0; w < Instruction::kWaits; w++) i.waited[w] = rows.number(static_cast<int>(4 + w));
    i.context = static_cast<uint32_t>(rows.number(static_cast<int>(4 + Instruction::kWaits)));
  }
  return instructions;
}

std::optional<RunReader::Program> RunReader::program(uint64_t address, uint32_t context) {
  Statement rows = database_.prepare(
      "SELECT instructions, spirv, source_of, name FROM program WHERE address = ? AND context = ?");
  rows.bind(0, address).bind(1, context);
  if (!rows.step()) return std::nullopt;
  Program program;
  program.name = rows.text(3);
  std::istringstream lines(rows.text(0)), places(rows.text(2));
  for (std::string line; std::getline(lines, line);) {
    const size_t begin = line.find_first_not_of(" ");
    if (begin != std::string::npos) program.instructions.push_back(line.substr(begin));
  }
  for (int64_t place = 0; places >> place;) program.source_of.push_back(place);
  const auto bytes = rows.blob(1);
  program.spirv.resize(bytes.size() / sizeof(uint32_t));
  if (!program.spirv.empty())
    std::memcpy(program.spirv.data(), bytes.data(), program.spirv.size() * sizeof(uint32_t));
  return program;
}

std::vector<RunReader::Wire> RunReader::wires(uint64_t frame) {
  std::vector<Wire> wires;
  Statement rows = database_.prepare(
      "SELECT sender, receiver, slots, messages, filling, peak FROM frame_wire JOIN wire USING (wire) "
      "WHERE frame = ? ORDER BY wire");
  rows.bind(0, frame);
  while (rows.step())
    wires.push_back(
        {rows.text(0), rows.text(1), rows.number(2), rows.number(3), rows.real(4), rows.number(5)});
  return wires;
}

bool has_work(RunReader& run, const RunReader::Scope& scope) {
  const std::vector<RunReader::Work>& work = run.work(scope.frame);
  return std::any_of(work.begin(), work.end(), [&](const auto& piece) { return scope.has(piece); });
}

std::map<std::string, std::string> RunReader::neighbours() {
  std::map<std::string, std::string> neighbours;
  Statement rows = database_.prepare("SELECT sender, receiver FROM wire");
  while (rows.step()) {
    neighbours[rows.text(0)] = unit_and_port(rows.text(1)).first;
    neighbours[rows.text(1)] = unit_and_port(rows.text(0)).first;
  }
  return neighbours;
}

}  // namespace cutaway::report
