#include "app/machine_diagram.h"

#include "base/text.h"
#include "machine/machine.h"
#include "messages/messages.h"
#include "report/machine_parts.h"

namespace cutaway::app {

report::Diagram diagram_of(const engine::Simulator& simulator) {
  report::MachineParts parts;
  for (const auto& box : simulator.boxes()) parts.units.push_back(box->path());
  for (const engine::WireInfo& wire : simulator.wires())
    parts.wires.push_back({wire.from, wire.to, std::string(wire.message), wire.spec.latency,
                           wire.spec.bandwidth, wire.spec.slots});
  return report::diagram_of(parts);
}

report::Diagram machine_diagram(const machine::Config& config) {
  machine::Machine machine(config, arch::Memory());
  report::Diagram diagram = diagram_of(machine.simulator());
  diagram.title = one_line(config.name);
  return diagram;
}

}  // namespace cutaway::app
