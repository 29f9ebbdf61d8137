#include "report/summary.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json_text.h"
#include "base/version.h"

namespace cutaway::report {
namespace {

using Json = nlohmann::ordered_json;

std::string short_path(const std::string& path) { return path.starts_with("gpu.") ? path.substr(4) : path; }

Json number_or_text(const std::string& value) {
  Json parsed = Json::parse(value, nullptr, false);
  return parsed.is_discarded() ? Json(value) : parsed;
}

Json unit_json(const run_record::UnitFigures& unit) {
  Json starved_by = Json::object(), blocked_by = Json::object();
  for (const run_record::UnitFigures::Wait& wait : unit.waits) {
    Json& cycles = (wait.starved ? starved_by : blocked_by)[wait.neighbour];
    cycles = (cycles.is_null() ? 0 : cycles.get<uint64_t>()) + wait.cycles;
  }
  return {{"cycles", unit.cycles},
          {"busy", unit.busy},
          {"starved", unit.starved},
          {"blocked", unit.blocked},
          {"idle", unit.idle},
          {"starved_by", std::move(starved_by)},
          {"blocked_by", std::move(blocked_by)}};
}

// Every unit that counts hits and misses. The streamer's post-transform cache is a cache of vertices.
Json caches_json(const run_record::FrameFigures& frame) {
  Json caches = Json::object();
  for (const run_record::CounterFigure& counter : frame.counters) {
    const std::string path = short_path(counter.path);
    if (counter.role == CounterRole::kCacheHits) caches[path]["hits"] = counter.value;
    if (counter.role == CounterRole::kCacheMisses) caches[path]["misses"] = counter.value;
  }
  caches["post_transform"] = {{"hits", sum_of(frame, CounterRole::kVerticesReused)},
                              {"misses", sum_of(frame, CounterRole::kVerticesShaded)}};
  return caches;
}

// Keyed by the sender's port, which has only this wire.
Json wires_json(const run_record::FrameFigures& frame) {
  Json wires = Json::object();
  for (const run_record::WireFigures& wire : frame.wires)
    wires[wire.from] = {{"to", wire.to},       {"message", wire.message},
                        {"slots", wire.slots}, {"messages", wire.messages},
                        {"mean", wire.mean()}, {"peak", wire.peak}};
  return wires;
}

void add_draws(const DrawTotals& totals, Json& to) {
  const auto& fragments = totals.fragments;
  to["draws"] = totals.draws;
  to["vertices"] = totals.vertices;
  to["triangles"] = totals.triangles;
  to["fragments"] = {{"generated", fragments.generated},           {"killed_hz", fragments.killed_hz},
                     {"killed_early_z", fragments.killed_early_z}, {"killed_shader", fragments.killed_shader},
                     {"killed_late_z", fragments.killed_late_z},   {"written", fragments.written}};
  to["instructions"] = totals.instructions;
}

Json frame_json(const run_record::FrameFigures& frame) {
  const FrameTotals totals = totals_of(frame);
  Json units = Json::object(), memory = Json::object(), counters = Json::object();
  for (const run_record::UnitFigures& unit : frame.units) units[unit.path] = unit_json(unit);
  for (const run_record::ClientFigures& client : frame.clients)
    memory[client.name] = {{"read", client.read_bytes}, {"write", client.write_bytes}};
  for (const run_record::CounterFigure& counter : frame.counters)
    counters[counter.path + "." + counter.name] = counter.value;
  const run_record::FramePhases& phases = frame.phases;
  Json json = {{"frame", frame.frame},
               {"cycles", frame.cycles},
               {"milliseconds", frame.simulated_seconds() * 1e3},
               {"phases",
                {{"draws", phases.draws},
                 {"copies", phases.copies},
                 {"caches", phases.caches},
                 {"display", phases.display},
                 {"commands", phases.commands}}},
               {"scan_out", {{"beside", phases.beside_scan_out}, {"after", frame.scan_out_cycles}}}};
  add_draws(totals.program, json);
  json["driver"] = {{"cycles", totals.driver_cycles}};
  add_draws(totals.driver, json["driver"]);
  json["caches"] = caches_json(frame);
  json["memory"] = std::move(memory);
  json["units"] = std::move(units);
  json["wires"] = wires_json(frame);
  json["counters"] = std::move(counters);
  json["memory_hash"] = fmt::format("{:016x}", frame.memory_hash);
  json["statistics_hash"] = fmt::format("{:016x}", frame.statistics_hash);
  return json;
}

// Units count all draws, and additionally those of the driver.
DrawTotals draw_totals(const run_record::FrameFigures& frame, bool of_driver) {
  using enum CounterRole;
  const auto sum = [&](CounterRole role) {
    const uint64_t driver = sum_of(frame, role, CountOf::kDriver);
    return of_driver ? driver : sum_of(frame, role) - driver;
  };
  return {.draws = sum(kDraws),
          .vertices = sum(kVerticesShaded),
          .triangles = sum(kPrimitives),
          .fragments = {.generated = sum(kFragmentsGenerated),
                        .killed_hz = sum(kFragmentsKilledHz),
                        .killed_early_z = sum(kFragmentsKilledEarlyZ),
                        .killed_shader = sum(kFragmentsKilledShader),
                        .killed_late_z = sum(kFragmentsKilledLateZ),
                        .written = sum(kFragmentsWritten)},
          .instructions = sum(kInstructions)};
}

// Per simulating process: parallel workers do not add up to a faster one.
Json host_json(const RunInfo& run, const HostTotals& host) {
  const double skipped = host.possible_ticks ? 1 - static_cast<double>(host.executed_ticks) /
                                                       static_cast<double>(host.possible_ticks)
                                             : 0;
  return {{"seconds", run.seconds},
          {"jobs", run.jobs},
          {"simulating_seconds", host.seconds},
          {"cycles_per_second", host.cycles_per_second()},
          {"executed_ticks", host.executed_ticks},
          {"possible_ticks", host.possible_ticks},
          {"skipped_share", skipped},
          {"peak_memory_bytes", host.peak_memory_bytes}};
}

// The lines of an object's members, without its braces.
std::string members(const Json& object) {
  const std::string text = json_text(object, 1);
  return text.substr(2, text.size() - 4);  // "{\n" and "\n}"
}

}  // namespace

uint64_t sum_of(const run_record::FrameFigures& frame, CounterRole role, CountOf of) {
  uint64_t sum = 0;
  bool found = false;
  for (const run_record::CounterFigure& figure : frame.counters) {
    if (figure.role != role || figure.of != of) continue;
    sum += figure.value;
    found = true;
  }
  CUTAWAY_CHECK(found, "no counter has the role \"{}\"{}", name_of(role),
                of == CountOf::kDriver ? " for the driver's own draws" : "");
  return sum;
}

FrameTotals totals_of(const run_record::FrameFigures& frame) {
  FrameTotals totals{.program = draw_totals(frame, false), .driver = draw_totals(frame, true)};
  totals.driver_cycles = sum_of(frame, CounterRole::kDrawCycles, CountOf::kDriver);
  for (const run_record::ClientFigures& client : frame.clients)
    totals.bytes_read += client.read_bytes, totals.bytes_written += client.write_bytes;
  return totals;
}

std::string_view verdict_of(const RunInfo& run) {
  return run.differences.empty() ? "equal" : run.undecided ? "undecided" : "different";
}

void HostTotals::add(const run_record::FrameFigures& frame) {
  frames++;
  seconds += frame.seconds, cycles += frame.cycles;
  executed_ticks += frame.executed_ticks, possible_ticks += frame.possible_ticks;
  peak_memory_bytes = std::max(peak_memory_bytes, frame.peak_memory_bytes);
}

SummaryWriter::SummaryWriter(const RunInfo& run, Write write) : write_(std::move(write)) {
  Json parameters = Json::object();
  for (const auto& [path, value] : run.parameters) parameters[path] = number_or_text(value);
  const Json head = {{"gpu", run.gpu},         {"base", run.base},
                     {"version", version()},   {"program", run.program},
                     {"capture", run.capture}, {"parameters", std::move(parameters)},
                     {"warmup", run.warmup}};
  write_("{\n" + members(head) + ",\n \"frames\": [");
}

void SummaryWriter::add(const run_record::FrameFigures& frame) {
  constexpr std::string_view kIndent = "\n  ";
  std::string text(host_.frames ? "," : "");
  text += kIndent;
  for (const char c : json_text(frame_json(frame), 1))
    if (c == '\n') text += kIndent;
    else text += c;
  write_(text);
  host_.add(frame);
}

void SummaryWriter::finish(const RunInfo& run) {
  const Json tail = {{"verify", run.verified ? Json(verdict_of(run)) : Json()},
                     {"differences", run.differences},
                     {"host", host_json(run, host_)}};
  write_("\n ],\n" + members(tail) + "\n}\n");
}

}  // namespace cutaway::report
