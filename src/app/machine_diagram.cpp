#include "app/machine_diagram.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "machine/machine.h"
#include "parts/messages.h"

namespace cutaway::app {
namespace {

using report::Diagram;

// "gpu.shader12" and "gpu.shader0": "gpu.shader".
std::string without_numbers(std::string_view path) {
  std::string text;
  for (size_t i = 0; i <= path.size(); i++) {
    if (i == path.size() || path[i] == '.')
      while (!text.empty() && text.back() >= '0' && text.back() <= '9') text.pop_back();
    if (i < path.size()) text += path[i];
  }
  return text;
}

// "gpu.clipper.primitives_out": what stands before and after the last dot.
std::pair<std::string, std::string> box_and_port(const std::string& full_name) {
  const size_t dot = full_name.rfind('.');
  return {full_name.substr(0, dot), full_name.substr(dot + 1)};
}

// "quads_out[3]": "quads".
std::string wire_name(std::string port) {
  port = port.substr(0, port.find('['));
  return port.ends_with("_out") ? port.substr(0, port.size() - 4) : port;
}

template <class First, class Second>
bool carries(const engine::WireInfo& wire) {
  return wire.message == engine::message_name<First>() || wire.message == engine::message_name<Second>();
}

class Builder {
 public:
  explicit Builder(const engine::Simulator& simulator) {
    for (const auto& box : simulator.boxes()) add_unit(box->path());
    const auto wires = simulator.wires();
    // Memory is what takes requests and makes none.
    for (const engine::WireInfo& wire : wires)
      if (wire.message == engine::message_name<parts::MemoryRequest>()) unit(wire.to).memory = true;
    for (const engine::WireInfo& wire : wires)
      if (wire.message == engine::message_name<parts::MemoryRequest>()) unit(wire.from).memory = false;
    for (const engine::WireInfo& wire : wires)
      if (wire.message == engine::message_name<parts::Control>()) unit(wire.to).obeys = true;
    for (const engine::WireInfo& wire : wires) add_wire(wire);
  }
  Diagram take() { return std::move(diagram_); }

 private:
  void add_unit(const std::string& path) {
    const std::string kind = without_numbers(path);
    const auto [known, is_new] = kinds_.emplace(kind, diagram_.units.size());
    if (is_new) diagram_.units.push_back({.name = kind.substr(kind.find('.') + 1), .count = 0});
    diagram_.units[known->second].count++;
  }

  size_t number(const std::string& port) const {
    return kinds_.at(without_numbers(box_and_port(port).first));
  }
  Diagram::Unit& unit(const std::string& port) { return diagram_.units[number(port)]; }

  Diagram::Role role(const engine::WireInfo& info) {
    if (carries<parts::Control, parts::ControlDone>(info)) return Diagram::Role::kControl;
    const bool bus = unit(info.from).memory || unit(info.to).memory;
    return bus ? Diagram::Role::kBus : Diagram::Role::kData;
  }

  void add_wire(const engine::WireInfo& info) {
    const Diagram::Wire wire{.from = number(info.from),
                             .to = number(info.to),
                             .name = wire_name(box_and_port(info.from).second),
                             .role = role(info),
                             .latency = info.spec.latency,
                             .bandwidth = info.spec.bandwidth,
                             .slots = info.spec.slots};
    for (Diagram::Wire& known : diagram_.wires) {
      Diagram::Wire same = wire;
      same.count = known.count;
      if (same != known) continue;
      known.count++;
      return;
    }
    diagram_.wires.push_back(wire);
  }

  Diagram diagram_;
  std::map<std::string, size_t> kinds_;  // units by path without numbers
};

}  // namespace

report::Diagram diagram_of(const engine::Simulator& simulator) { return Builder(simulator).take(); }

report::Diagram machine_diagram(const machine::Config& config) {
  machine::Machine machine(config, arch::Memory());
  Diagram diagram = diagram_of(machine.simulator());
  diagram.title = config.name;
  return diagram;
}

}  // namespace cutaway::app
