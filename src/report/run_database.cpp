#include "report/run_database.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/text.h"
#include "base/version.h"
#include "report/run_schema.h"
#include "report/shared_label.h"

namespace cutaway::report {

using database::Statement;

namespace {

// Adds names to JSON that describes surfaces.
std::string with_names(const Annotations& annotations, const std::string& text) {
  if (annotations.surfaces.empty()) return text;
  nlohmann::json json = nlohmann::json::parse(text);
  const std::function<void(nlohmann::json&)> visit = [&](nlohmann::json& value) {
    if (value.is_object() && value.contains("address")) {
      const auto found = annotations.surfaces.find(
          {std::stoull(value["address"].get<std::string>(), nullptr, 16), value["width"], value["height"]});
      if (found != annotations.surfaces.end() && !found->second.empty()) value["name"] = found->second;
    } else if (value.is_structured()) {
      for (nlohmann::json& inner : value) visit(inner);
    }
  };
  visit(json);
  return json_text(json);
}

// Adds names to JSON that describes buffers. Ranges of names overlap if memory had several uses in the course
// of the recording: no name is shown then.
std::string with_buffer_names(const Annotations& annotations, const std::string& text) {
  if (annotations.buffers.empty()) return text;
  nlohmann::json json = nlohmann::json::parse(text);
  for (nlohmann::json& buffer : json) {
    const uint64_t address = std::stoull(buffer["address"].get<std::string>(), nullptr, 16);
    const std::string* name = nullptr;
    bool several = false;
    for (const auto& [range, called] : annotations.buffers) {
      if (address < range.first || address >= range.second) continue;
      several |= name && *name != called;
      name = &called;
    }
    if (name && !several && !name->empty()) buffer["name"] = *name;
  }
  return json_text(json);
}

}  // namespace

RunDatabase::RunDatabase(const std::filesystem::path& path, Annotations annotations)
    : annotations_{std::move(annotations)}, database_(path, database::Access::kCreate) {
  // The file gets its final name when it is complete, so a crash of the computer need not preserve it.
  database_.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;");
  database_.execute(kRunTables);
}

void RunDatabase::add(const run_record::FrameFigures& figures, const run_record::FrameRecord& record) {
  database::Transaction transaction(database_);
  if (!columns_) add_columns(record);
  columns_ = true;
  const FrameTotals totals = totals_of(figures);
  const run_record::FramePhases& phases = figures.phases;
  database_.prepare("INSERT INTO frame VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .run(figures.frame, figures.cycles, phases.draws, phases.copies, phases.caches, phases.display,
           phases.commands, phases.beside_scan_out, figures.scan_out_cycles, totals.bytes_read,
           totals.bytes_written, record.texture_footprint,
           std::string_view(fmt::format("{:016x}", figures.memory_hash)),
           std::string_view(fmt::format("{:016x}", figures.statistics_hash)));
  add_states(figures.frame, record);
  add_work(figures.frame, record);
  add_passes(figures.frame, record);
  add_work_counters(figures.frame, record);
  add_wires(figures);
  add_tiles(figures.frame, record);
  add_instructions(figures.frame, record);
  add_holdups(figures.frame, record);
  add_intervals(figures.frame, record);
  if (record.fragments) add_fragments(figures.frame, *record.fragments);
  add_turns(figures.frame, record.turns);
  transaction.commit();
}

void RunDatabase::add_columns(const run_record::FrameRecord& record) {
  Statement counter = database_.prepare("INSERT INTO counter VALUES (?, ?, ?, ?, ?)");
  for (size_t i = 0; i < record.counters.size(); i++) {
    const run_record::CounterColumn& c = record.counters[i];
    counter.run(uint64_t{i}, std::string_view(c.path), std::string_view(c.name), std::string_view(c.unit),
                std::string_view(c.meaning));
  }
  Statement wire = database_.prepare("INSERT INTO wire VALUES (?, ?, ?, ?, ?, ?, ?)");
  for (size_t i = 0; i < record.wires.size(); i++) {
    const run_record::WireColumn& w = record.wires[i];
    wire.run(uint64_t{i}, std::string_view(w.from), std::string_view(w.to), std::string_view(w.message),
             w.latency, w.bandwidth, w.slots);
  }
}

void RunDatabase::add_states(uint64_t frame, const run_record::FrameRecord& record) {
  Statement insert =
      database_.prepare("INSERT INTO state VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (size_t i = 0; i < record.states.size(); i++) {
    const run_record::StateRecord& s = record.states[i];
    const Annotations& annotations = annotations_of(s.context);
    const auto& [vertex, control, evaluation, geometry, fragment, compute] = s.program;
    insert.run(frame, uint64_t{i}, s.width, s.height, s.samples, std::string_view(s.topology),
               std::string_view(with_names(annotations, s.targets)),
               std::string_view(with_names(annotations, s.textures)),
               std::string_view(with_buffer_names(annotations, s.buffers)), std::string_view(s.settings),
               vertex, control, evaluation, geometry, fragment, compute, s.context);
    for (const uint64_t program : s.program) add_program(s.context, program);
  }
}

// A program without annotation was recorded by an older driver: it has no text.
void RunDatabase::add_program(uint32_t context, uint64_t address) {
  const auto& programs = annotations_of(context).programs;
  const auto found = programs.find(address);
  if (found == programs.end()) return;
  const ProgramText& program = found->second;
  Statement insert = database_.prepare("INSERT OR IGNORE INTO program VALUES (?, ?, ?, ?, ?, ?)");
  insert.bind(0, address).bind(1, std::string_view(program.instructions));
  if (program.spirv.empty()) insert.bind_null(2).bind_null(3);
  else insert.bind(2, std::as_bytes(std::span(program.spirv))).bind(3, std::string_view(program.source_of));
  if (program.name.empty()) insert.bind_null(4);
  else insert.bind(4, std::string_view(program.name));
  insert.bind(5, context);
  insert.run();
}

std::string RunDatabase::label(const run_record::WorkRecord& work) const {
  const auto& labels = annotations_of(work.context).labels;
  const auto found = labels.find(work.marker);
  return found == labels.end() ? "" : found->second;
}

void RunDatabase::add_work(uint64_t frame, const run_record::FrameRecord& record) {
  Statement insert = database_.prepare(
      "INSERT INTO work VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (size_t i = 0; i < record.work.size(); i++) {
    const run_record::WorkRecord& w = record.work[i];
    const bool draw = w.state >= 0;
    const std::string text = label(w);
    insert.bind(0, frame).bind(1, uint64_t{i}).bind(2, std::string_view(w.kind));
    insert.bind(3, std::string_view(w.packet)).bind(4, w.submission);
    if (draw) insert.bind(5, w.draw);
    insert.bind(6, int{w.of_driver});
    if (!text.empty()) insert.bind(7, std::string_view(text));
    insert.bind(8, w.pass);
    if (draw) insert.bind(9, w.state).bind(10, w.vertices).bind(11, w.instances);
    insert.bind(12, w.began).bind(13, w.end).bind(14, w.marginal_cycles).bind(15, w.end - w.began);
    insert.bind(16, w.texture_footprint).bind(17, w.texture_cache_footprint);
    insert.bind(18, w.texture_first_touches).bind(19, int{w.compute_queue});
    insert.bind(20, w.context);
    insert.run();
  }
}

void RunDatabase::add_passes(uint64_t frame, const run_record::FrameRecord& record) {
  struct Pass {
    size_t first = 0, last = 0;
    uint64_t draws = 0, cycles = 0;
    SharedLabel label;
    const run_record::StateRecord* state = nullptr;
  };
  std::vector<Pass> passes;
  for (size_t i = 0; i < record.work.size(); i++) {
    const run_record::WorkRecord& w = record.work[i];
    if (w.pass == passes.size()) passes.push_back({.first = i});
    Pass& pass = passes.back();
    pass.last = i;
    pass.cycles += w.marginal_cycles;
    if (w.state < 0) continue;
    pass.draws++;
    pass.state = &record.states[static_cast<size_t>(w.state)];
    pass.label.add(label(w));
  }
  Statement insert = database_.prepare("INSERT INTO pass VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (size_t i = 0; i < passes.size(); i++) {
    const Pass& p = passes[i];
    insert.bind(0, frame).bind(1, uint64_t{i}).bind(2, uint64_t{p.first}).bind(3, uint64_t{p.last});
    insert.bind(4, p.draws).bind(6, p.cycles);
    if (!p.label.text().empty()) insert.bind(5, std::string_view(p.label.text()));
    if (p.state) insert.bind(7, p.state->width).bind(8, p.state->height);
    insert.run();
  }
}

void RunDatabase::add_work_counters(uint64_t frame, const run_record::FrameRecord& record) {
  struct Row {
    uint32_t work, counter;
    uint64_t own, meanwhile;
    bool operator<(const Row& other) const {
      return std::pair(work, counter) < std::pair(other.work, other.counter);
    }
  };
  std::vector<Row> rows;
  std::vector<uint64_t> totals(record.counters.size());
  for (const run_record::Amount& a : record.own) {
    rows.push_back({a.row, a.counter, a.value, 0});
    totals[a.counter] += a.value;
  }
  for (const run_record::Amount& a : record.meanwhile) rows.push_back({a.row, a.counter, 0, a.value});
  std::sort(rows.begin(), rows.end());
  Statement insert = database_.prepare("INSERT INTO work_counter VALUES (?, ?, ?, ?, ?)");
  for (size_t i = 0; i < rows.size();) {
    Row row = rows[i];
    for (i++; i < rows.size() && !(row < rows[i]); i++)
      row.own += rows[i].own, row.meanwhile += rows[i].meanwhile;
    insert.run(frame, row.work, row.counter, row.own, row.meanwhile);
  }
  Statement total = database_.prepare("INSERT INTO frame_counter VALUES (?, ?, ?)");
  for (size_t i = 0; i < totals.size(); i++)
    if (totals[i]) total.run(frame, uint64_t{i}, totals[i]);
}

void RunDatabase::add_wires(const run_record::FrameFigures& figures) {
  Statement insert = database_.prepare("INSERT INTO frame_wire VALUES (?, ?, ?, ?, ?)");
  for (size_t i = 0; i < figures.wires.size(); i++) {
    const run_record::WireFigures& w = figures.wires[i];
    if (w.messages || w.slot_cycles) insert.run(figures.frame, uint64_t{i}, w.messages, w.mean(), w.peak);
  }
}

void RunDatabase::add_tiles(uint64_t frame, const run_record::FrameRecord& record) {
  Statement insert = database_.prepare(
      "INSERT INTO tile VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, nullif(?, 0))");
  for (const run_record::TileRecord& t : record.tiles)
    insert.run(frame, t.pass, t.x, t.y, t.generated, t.killed_hz, t.killed_z, t.killed_stencil,
               t.killed_shader, t.shaded, t.helpers, t.shader_cycles, t.texture_requests, t.texture_misses,
               t.written, t.last_write);
}

void RunDatabase::add_instructions(uint64_t frame, const run_record::FrameRecord& record) {
  Statement insert =
      database_.prepare("INSERT INTO instruction VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (const run_record::InstructionRecord& i : record.instructions)
    insert.run(frame, i.work, std::string_view(run_record::kProgramStages.at(i.stage)), i.instruction,
               i.issued, i.lanes, i.issue_cycles, i.waited_flow, i.waited_result, i.waited_issue,
               i.waited_send, i.waited_texture, i.waited_drain, i.waited_output);
}

void RunDatabase::add_holdups(uint64_t frame, const run_record::FrameRecord& record) {
  const auto unit = [&](const run_record::Holdup& holdup) -> std::string_view {
    return holdup.unit < record.units.size() ? std::string_view(record.units[holdup.unit]) : "";
  };
  const auto kind = [&](const run_record::Holdup& holdup) -> std::string_view {
    return holdup.kind < record.kinds.size() ? std::string_view(record.kinds[holdup.kind]) : "";
  };
  for (const auto& [sql, holdups] :
       {std::pair("INSERT INTO work_holdup VALUES (?, ?, ?, ?, ?)", &record.work_holdups),
        std::pair("INSERT INTO interval_holdup VALUES (?, ?, ?, ?, ?)", &record.interval_holdups)}) {
    Statement insert = database_.prepare(sql);
    for (const run_record::Holdup& h : *holdups) insert.run(frame, h.row, unit(h), kind(h), h.probes);
  }
}

void RunDatabase::add_intervals(uint64_t frame, const run_record::FrameRecord& record) {
  Statement interval = database_.prepare("INSERT INTO interval VALUES (?, ?, ?, ?)");
  uint64_t began = 0;
  for (size_t i = 0; i < record.interval_end.size(); i++) {
    interval.run(frame, uint64_t{i}, began, record.interval_end[i]);
    began = record.interval_end[i];
  }
  Statement counter = database_.prepare("INSERT INTO interval_counter VALUES (?, ?, ?, ?)");
  for (const run_record::Amount& a : record.intervals) counter.run(frame, a.row, a.counter, a.value);
  Statement wire = database_.prepare("INSERT INTO interval_wire VALUES (?, ?, ?, ?, ?)");
  for (const run_record::WireAmount& a : record.wire_intervals)
    wire.run(frame, a.row, a.wire, a.messages, a.filling);
}

void RunDatabase::add_fragments(uint64_t frame, const run_record::FragmentRecord& log) {
  database_.prepare("INSERT INTO fragment_frame VALUES (?, ?, nullif(?, 0))").run(frame, log.events, log.end);
  Statement target = database_.prepare("INSERT INTO fragment_target VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (const run_record::TargetRecord& t : log.targets)
    target.run(frame, t.pass, t.target, t.surface, t.address, std::string_view(t.format), t.width, t.height,
               t.samples, int{t.color});
  Statement part = database_.prepare("INSERT INTO fragment_log VALUES (?, ?, ?, ?, ?, ?)");
  for (size_t i = 0; i < log.parts.size(); i++) {
    const run_record::FragmentPart& p = log.parts[i];
    part.run(frame, uint64_t{i}, p.first_cycle, p.last_cycle, p.events, std::as_bytes(std::span(p.data)));
  }
}

void RunDatabase::add_turns(uint64_t frame, const run_record::TurnsRecord& record) {
  Statement turn = database_.prepare("INSERT INTO turn VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (size_t i = 0; i < record.turns.size(); i++) {
    const run_record::TurnRecord& t = record.turns[i];
    turn.run(frame, uint64_t{i}, t.context, t.submission, t.began, t.end, std::string_view(name_of(t.how)),
             t.drain_cycles, t.restored_bytes);
  }
  Statement between = database_.prepare("INSERT INTO context_switch VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (size_t i = 0; i < record.switches.size(); i++) {
    const run_record::SwitchRecord& s = record.switches[i];
    between.run(frame, uint64_t{i}, s.from, s.to, s.began, s.end, s.flush_cycles, s.invalidate_cycles,
                s.bind_cycles, int{s.whole});
  }
}

void RunDatabase::add_programs(const run_record::SharedFigures& run) {
  database::Transaction transaction(database_);
  Statement context = database_.prepare(
      "INSERT INTO context VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  Statement frame = database_.prepare("INSERT INTO context_frame VALUES (?, ?, ?, ?, ?, ?, ?)");
  for (size_t i = 0; i < run.programs.size(); i++) {
    const run_record::SharedFigures::Program& p = run.programs[i];
    const std::string name = valid_utf8(p.name), capture = valid_utf8(p.capture);
    context.bind(0, uint64_t{i}).bind(1, std::string_view(name)).bind(2, std::string_view(capture));
    context.bind(3, p.waited);
    if (const auto shares = p.shares())
      context.bind(4, shares->host).bind(5, shares->others).bind(6, shares->window).bind(7, shares->gpu);
    if (const auto& host = p.host) {
      context.bind(8, host->computed).bind(9, host->alone).bind(10, host->submissions).bind(11, host->waits);
      context.bind(12, host->interrupts).bind(13, host->shown).bind(14, host->latency);
    }
    if (const auto& lost = p.lost)
      context.bind(15, lost->frame).bind(16, lost->cycle).bind(17, std::string_view(lost->why));
    const std::string window = valid_utf8(p.window);
    context.bind(18, std::string_view(window)).bind(19, p.waited_for_window);
    context.run();
    for (const run_record::SharedFigures::Frame& f : p.frames) {
      if (f.shown_in) frame.bind(6, *f.shown_in);
      frame.run(uint64_t{i}, f.number, f.begin, f.end, f.alone, int{f.left_out});
    }
  }
  Statement phase = database_.prepare("INSERT INTO context_phase VALUES (?, ?, ?)");
  const auto add_phase = [&](std::string_view name, uint64_t cycles, uint64_t alone) {
    phase.run(name, cycles, alone);
  };
  const run_record::FramePhases &together = run.together, &alone = run.alone;
  add_phase("draw", together.draws, alone.draws);
  add_phase("copy", together.copies, alone.copies);
  add_phase("cache", together.caches, alone.caches);
  add_phase("display", together.display, alone.display);
  add_phase("command", together.commands, alone.commands);
  if (const auto hosts = run.host_cycles()) add_phase("host", hosts->together, hosts->alone);
  transaction.commit();
}

void RunDatabase::finish(const RunInfo& run, const std::vector<ParameterText>& parameters,
                         uint64_t interval) {
  database::Transaction transaction(database_);
  Statement meta = database_.prepare("INSERT INTO meta VALUES (?, ?)");
  const auto add_fact = [&](std::string_view name, const std::string& value) {
    meta.run(name, std::string_view(value));
  };
  add_fact("schema", std::to_string(kRunSchema));
  add_fact("version", version());
  add_fact("program_hash", run.program_hash);
  add_fact("gpu", run.gpu);
  add_fact("base", run.base);
  add_fact("gpu_argument", run.gpu_argument);
  add_fact("sets", json_text(nlohmann::json(run.sets)));
  add_fact("capture",
           run.capture.empty() ? "" : std::filesystem::absolute(run.capture).lexically_normal().string());
  add_fact("program", run.program);
  add_fact("warmup", std::to_string(run.warmup));
  add_fact("verified", std::string(run.verified ? verdict_of(run) : "no"));
  add_fact("interval", std::to_string(interval));
  Statement parameter = database_.prepare("INSERT INTO parameter VALUES (?, ?, ?, ?)");
  for (const ParameterText& p : parameters)
    parameter.run(std::string_view(p.path), std::string_view(p.value), std::string_view(p.source),
                  int{p.differs});
  transaction.commit();
}

}  // namespace cutaway::report
