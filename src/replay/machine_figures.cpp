#include "replay/machine_figures.h"

namespace cutaway::replay {
namespace {

run_record::UnitFigures unit_figures(const engine::Box& box) {
  const engine::Account account = box.account();
  run_record::UnitFigures unit{.path = box.path(),
                               .cycles = account.cycles,
                               .busy = account.busy,
                               .starved = account.starved,
                               .blocked = account.blocked,
                               .idle = account.idle};
  for (const engine::Account::Wait& wait : account.waits)
    unit.waits.push_back({wait.starved, wait.port, wait.neighbour, wait.cycles});
  return unit;
}

// The table also lists the accounts of the boxes, which UnitFigures contains.
bool is_account(const Counter& counter) {
  const std::string& name = counter.name;
  return name == "busy" || name == "idle" || name.starts_with("starved.") || name.starts_with("blocked.");
}

}  // namespace

run_record::FrameFigures figures_of(machine::Machine& machine, double core_mhz) {
  run_record::FrameFigures figures;
  figures.cycles = machine.cycles();
  figures.core_mhz = core_mhz;
  figures.statistics_hash = machine.statistics_hash();  // also updates the accounts
  const engine::Simulator& simulator = machine.simulator();
  for (const auto& box : simulator.boxes()) figures.units.push_back(unit_figures(*box));
  for (const Counter& counter : simulator.counters().counters())
    if (!is_account(counter))
      figures.counters.push_back({counter.path, counter.name, *counter.value, counter.role, counter.of});
  figures.phases = machine.phases();
  for (const machine::ClientTraffic& client : machine.traffic())
    figures.clients.push_back({client.name, client.read_bytes, client.write_bytes});
  const std::vector<engine::WireFilling> fillings = simulator.fillings();
  const std::vector<engine::WireInfo> wires = simulator.wires();
  for (size_t i = 0; i < wires.size(); i++)
    figures.wires.push_back({wires[i].from, wires[i].to, wires[i].message, wires[i].spec.slots,
                             fillings[i].messages, fillings[i].slot_cycles, fillings[i].cycles,
                             fillings[i].peak});
  figures.executed_ticks = simulator.executed_ticks();
  figures.possible_ticks = simulator.possible_ticks();
  return figures;
}

}  // namespace cutaway::replay
