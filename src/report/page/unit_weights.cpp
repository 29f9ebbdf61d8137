#include "report/page/unit_weights.h"

#include <map>

#include "report/bottleneck.h"

namespace cutaway::report {

using nlohmann::json;

namespace {

// Accounts of a unit: "busy", "idle", "starved.PORT", "blocked.PORT".
struct Account {
  std::string kind, port;
};
Account account_of(const std::string& name) {
  const size_t dot = name.find('.');
  return {name.substr(0, dot), dot == std::string::npos ? "" : name.substr(dot + 1)};
}

void add_account(run_record::UnitFigures& unit, const Account& account, uint64_t cycles,
                 const std::map<std::string, std::string>& neighbours) {
  if (account.kind == "busy") unit.busy += cycles;
  else if (account.kind == "idle") unit.idle += cycles;
  else if (account.kind == "starved") unit.starved += cycles;
  else if (account.kind == "blocked") unit.blocked += cycles;
  else return;
  unit.cycles += cycles;
  if (account.port.empty()) return;
  // A wait for a place of a storage has no wire: the port's name replaces the neighbour.
  const auto found = neighbours.find(unit.path + "." + account.port);
  unit.waits.push_back({.starved = account.kind == "starved",
                        .port = account.port,
                        .neighbour = found == neighbours.end() ? account.port : found->second,
                        .cycles = cycles});
}

}  // namespace

json unit_weights(const MachineParts& parts, const CountedColumns& counted, const json& counters) {
  run_record::FrameFigures figures;
  std::map<std::string, size_t> known;
  const json &numbers = counters["counter"], &values = counters["value"];
  std::map<std::string, std::string> neighbours;
  for (const MachineParts::Wire& wire : parts.wires) {
    neighbours[wire.to] = unit_and_port(wire.from).first;
    neighbours[wire.from] = unit_and_port(wire.to).first;
  }
  for (const std::string& unit : parts.units) {
    known[unit] = figures.units.size();
    figures.units.push_back({.path = unit});
  }
  for (size_t i = 0; i < numbers.size(); i++) {
    const size_t counter = numbers[i].get<size_t>();
    const auto found = known.find(counted.units[counter]);
    if (found == known.end()) continue;
    add_account(figures.units[found->second], account_of(counted.names[counter]), values[i].get<uint64_t>(),
                neighbours);
  }
  json table = json::array();
  for (const UnitWeight& unit : units_by_weight(figures)) {
    json waits = json::array();
    for (const UnitWeight::Wait& wait : unit.waits)
      if (wait.share >= 0.0005) waits.push_back({wait.neighbour, wait.starved, wait.share});
    table.push_back({unit.path, unit.busy, unit.starved, unit.blocked, unit.idle, unit.holds_up, waits});
  }
  return table;
}

}  // namespace cutaway::report
