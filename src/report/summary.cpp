#include "report/summary.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace cutaway::report {
namespace {

using Json = nlohmann::ordered_json;

// "gpu.shader0" → "shader"
std::string kind_of(const std::string& path) {
  std::string kind = path.substr(path.rfind('.') + 1);
  while (!kind.empty() && kind.back() >= '0' && kind.back() <= '9') kind.pop_back();
  return kind;
}

std::string short_path(const std::string& path) { return path.starts_with("gpu.") ? path.substr(4) : path; }

Json number_or_text(const std::string& value) {
  Json parsed = Json::parse(value, nullptr, false);
  return parsed.is_discarded() ? Json(value) : parsed;
}

Json unit_json(const UnitFigures& unit) {
  Json starved_by = Json::object(), blocked_by = Json::object();
  for (const UnitFigures::Wait& wait : unit.waits) {
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

// Every unit that counts hits and misses; the post-transform cache of the streamer is a cache of vertices.
Json caches_json(const FrameFigures& frame) {
  Json caches = Json::object();
  for (const CounterFigure& counter : frame.counters) {
    const std::string path = short_path(counter.path);
    if (counter.name == "cache_hits") caches[path]["hits"] = counter.value;
    if (counter.name == "cache_misses") caches[path]["misses"] = counter.value;
  }
  caches["post_transform"] = {{"hits", sum_of(frame, "streamer", "post_cache_hits")},
                              {"misses", sum_of(frame, "streamer", "vertices_shaded")}};
  return caches;
}

Json frame_json(const FrameFigures& frame) {
  const FrameTotals totals = totals_of(frame);
  Json units = Json::object(), memory = Json::object(), counters = Json::object();
  for (const UnitFigures& unit : frame.units) units[unit.path] = unit_json(unit);
  for (const ClientFigures& client : frame.clients)
    memory[client.name] = {{"read", client.read_bytes}, {"write", client.write_bytes}};
  for (const CounterFigure& counter : frame.counters)
    counters[counter.path + "." + counter.name] = counter.value;
  const auto& fragments = totals.fragments;
  return {{"frame", frame.frame},
          {"cycles", frame.cycles},
          {"vertices", totals.vertices},
          {"triangles", totals.triangles},
          {"fragments",
           {{"generated", fragments.generated},
            {"killed_hz", fragments.killed_hz},
            {"killed_early_z", fragments.killed_early_z},
            {"killed_shader", fragments.killed_shader},
            {"killed_late_z", fragments.killed_late_z},
            {"written", fragments.written}}},
          {"instructions", totals.instructions},
          {"caches", caches_json(frame)},
          {"memory", std::move(memory)},
          {"units", std::move(units)},
          {"counters", std::move(counters)},
          {"memory_hash", fmt::format("{:016x}", frame.memory_hash)},
          {"statistics_hash", fmt::format("{:016x}", frame.statistics_hash)}};
}

// One simulating process at a time: workers side by side do not add up to a faster one.
Json host_json(const RunInfo& run, const std::vector<FrameFigures>& frames) {
  double seconds = 0;
  uint64_t cycles = 0, executed = 0, possible = 0, peak = 0;
  for (const FrameFigures& frame : frames) {
    seconds += frame.seconds, cycles += frame.cycles;
    executed += frame.executed_ticks, possible += frame.possible_ticks;
    peak = std::max(peak, frame.peak_memory_bytes);
  }
  return {{"seconds", run.seconds},
          {"jobs", run.jobs},
          {"simulating_seconds", seconds},
          {"cycles_per_second", seconds > 0 ? static_cast<double>(cycles) / seconds : 0},
          {"executed_ticks", executed},
          {"possible_ticks", possible},
          {"skipped_share", possible ? 1 - static_cast<double>(executed) / static_cast<double>(possible) : 0},
          {"peak_memory_bytes", peak}};
}

}  // namespace

uint64_t sum_of(const FrameFigures& frame, const std::string& kind, const std::string& counter) {
  uint64_t sum = 0;
  for (const CounterFigure& figure : frame.counters)
    if (figure.name == counter && kind_of(figure.path) == kind) sum += figure.value;
  return sum;
}

FrameTotals totals_of(const FrameFigures& frame) {
  FrameTotals totals;
  totals.vertices = sum_of(frame, "streamer", "vertices_shaded");
  totals.triangles = sum_of(frame, "primitive_assembly", "primitives");
  totals.fragments.generated = sum_of(frame, "fragment_generation", "fragments");
  totals.fragments.killed_hz = sum_of(frame, "hierarchical_z", "fragments_rejected");
  totals.fragments.killed_early_z = sum_of(frame, "z_stencil", "fragments_failed");
  totals.fragments.killed_shader = sum_of(frame, "shader", "fragments_killed");
  totals.fragments.killed_late_z = sum_of(frame, "z_stencil", "late_failed");
  totals.fragments.written = sum_of(frame, "color_write", "fragments");
  totals.instructions = sum_of(frame, "shader", "instructions");
  for (const ClientFigures& client : frame.clients)
    totals.bytes_read += client.read_bytes, totals.bytes_written += client.write_bytes;
  return totals;
}

std::string summary_json(const RunInfo& run, const std::vector<FrameFigures>& frames) {
  Json parameters = Json::object(), list = Json::array();
  for (const auto& [path, value] : run.parameters) parameters[path] = number_or_text(value);
  for (const FrameFigures& frame : frames) list.push_back(frame_json(frame));
  const Json summary = {
      {"gpu", run.gpu},
      {"version", CUTAWAY_VERSION},
      {"program", run.program},
      {"capture", run.capture},
      {"parameters", std::move(parameters)},
      {"warmup", run.warmup},
      {"verify", run.verified ? Json(run.differences.empty() ? "equal" : "different") : Json()},
      {"differences", run.differences},
      {"frames", std::move(list)},
      {"host", host_json(run, frames)}};
  return summary.dump(1) + "\n";
}

}  // namespace cutaway::report
