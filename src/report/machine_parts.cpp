#include "report/machine_parts.h"

#include <map>

#include "base/error.h"

namespace cutaway::report {
namespace {

// "quads_out[3]" becomes "quads".
std::string wire_name(std::string port) {
  port = port.substr(0, port.find('['));
  return port.ends_with("_out") ? port.substr(0, port.size() - 4) : port;
}

class Builder {
 public:
  explicit Builder(const MachineParts& parts) {
    for (const std::string& path : parts.units) add_unit(path);
    // A unit that receives requests and sends none is memory.
    for (const MachineParts::Wire& wire : parts.wires)
      if (wire.message == kMemoryRequest) unit(wire.to).memory = true;
    for (const MachineParts::Wire& wire : parts.wires)
      if (wire.message == kMemoryRequest) unit(wire.from).memory = false;
    for (const MachineParts::Wire& wire : parts.wires)
      if (wire.message == kControl) unit(wire.to).obeys = true;
    for (const MachineParts::Wire& wire : parts.wires) add_wire(wire);
  }
  Diagram take() { return std::move(diagram_); }

 private:
  void add_unit(const std::string& path) {
    const std::string kind = kind_of_unit(path);
    const auto [known, is_new] = kinds_.emplace(kind, diagram_.units.size());
    if (is_new) diagram_.units.push_back({.name = kind.substr(kind.find('.') + 1), .count = 0});
    diagram_.units[known->second].count++;
  }

  size_t number(const std::string& port) const {
    const auto found = kinds_.find(kind_of_unit(unit_and_port(port).first));
    if (found == kinds_.end()) user_error("a wire ends at {}, which is a port of no unit", port);
    return found->second;
  }
  Diagram::Unit& unit(const std::string& port) { return diagram_.units[number(port)]; }

  Diagram::Role role(const MachineParts::Wire& wire) {
    if (wire.message == kControl || wire.message == kControlDone) return Diagram::Role::kControl;
    const bool bus = unit(wire.from).memory || unit(wire.to).memory;
    return bus ? Diagram::Role::kBus : Diagram::Role::kData;
  }

  void add_wire(const MachineParts::Wire& info) {
    const Diagram::Wire wire{.from = number(info.from),
                             .to = number(info.to),
                             .name = wire_name(unit_and_port(info.from).second),
                             .role = role(info),
                             .latency = info.latency,
                             .bandwidth = info.bandwidth,
                             .slots = info.slots};
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

std::string kind_of_unit(std::string_view path) {
  std::string text;
  for (size_t i = 0; i <= path.size(); i++) {
    if (i == path.size() || path[i] == '.')
      while (!text.empty() && text.back() >= '0' && text.back() <= '9') text.pop_back();
    if (i < path.size()) text += path[i];
  }
  return text;
}

std::pair<std::string, std::string> unit_and_port(const std::string& full_name) {
  const size_t dot = full_name.rfind('.');
  if (dot == std::string::npos) return {full_name, ""};
  return {full_name.substr(0, dot), full_name.substr(dot + 1)};
}

Diagram diagram_of(const MachineParts& parts) { return Builder(parts).take(); }

}  // namespace cutaway::report
