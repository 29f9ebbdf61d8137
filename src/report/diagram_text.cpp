#include <algorithm>
#include <fmt/format.h>

#include "base/text.h"
#include "report/diagram.h"
#include "report/diagram_rows.h"

namespace cutaway::report {
namespace {

using Role = Diagram::Role;

class TextWriter {
 public:
  explicit TextWriter(const Diagram& diagram) : diagram_(diagram), rows_(rows_of(diagram)) {
    for (const Diagram::Unit& unit : diagram.units) unit_ = std::max(unit_, unit.name.size());
    for (const Diagram::Wire& wire : diagram.wires) name_ = std::max(name_, wire_name(wire).size());
  }

  std::string text() {
    out_ = diagram_.title + "\n";
    for (const auto& row : rows_.rows)
      for (const DiagramRows::Place& place : row) {
        write_unit(place.unit);
        for (const size_t helper : place.helpers) write_unit(helper);
      }
    for (size_t unit = 0; unit < diagram_.units.size(); unit++)
      if (diagram_.units[unit].memory) write_unit(unit);
    write_marks();
    return out_;
  }

  std::string text_of(const std::string& name) {
    out_ = diagram_.title + "\n";
    for (size_t unit = 0; unit < diagram_.units.size(); unit++) {
      if (diagram_.units[unit].name != name) continue;
      write_unit(unit);
      out_ += "  to it:\n";
      for (size_t i = 0; i < diagram_.wires.size(); i++)
        if (diagram_.wires[i].to == unit) write_wire(i, diagram_.wires[i].from);
    }
    write_marks();
    return out_;
  }

 private:
  void write_marks() {
    out_ +=
        "\n-> a wire, with its latency, messages a cycle, and slots for those under way or waiting"
        "\n^  a wire that leads back to a unit above"
        "\n!  a wire for flushes and invalidates, or their answers"
        "\n=  a bus to or from memory\n";
  }

  static std::string wire_name(const Diagram::Wire& wire) {
    return wire.count == 1 ? wire.name : fmt::format("{} x {}", wire.count, wire.name);
  }

  const char* mark(size_t wire) const {
    if (diagram_.wires[wire].role == Role::kBus) return "= ";
    if (diagram_.wires[wire].role == Role::kControl) return "! ";
    return rows_.back[wire] ? "^ " : "->";
  }

  void write_unit(size_t unit) {
    out_ += "\n" + diagram_.units[unit].name;
    if (diagram_.units[unit].count > 1) out_ += fmt::format(" x{}", diagram_.units[unit].count);
    out_ += "\n";
    for (const Role role : {Role::kData, Role::kBus, Role::kControl})
      for (size_t i = 0; i < diagram_.wires.size(); i++)
        if (diagram_.wires[i].from == unit && diagram_.wires[i].role == role)
          write_wire(i, diagram_.wires[i].to);
  }

  void write_wire(size_t i, size_t other) {
    const Diagram::Wire& wire = diagram_.wires[i];
    out_ += fmt::format("  {} {:<{}}  {:<{}}  {}, {} a cycle, {}\n", mark(i), diagram_.units[other].name,
                        unit_, wire_name(wire), name_, counted(wire.latency, "cycle"), wire.bandwidth,
                        counted(wire.slots, "slot"));
  }

  const Diagram& diagram_;
  const DiagramRows rows_;
  size_t unit_ = 0, name_ = 0;  // columns
  std::string out_;
};

}  // namespace

std::string diagram_text(const Diagram& diagram) { return TextWriter(diagram).text(); }

std::string diagram_text(const Diagram& diagram, const std::string& unit) {
  return TextWriter(diagram).text_of(unit);
}

}  // namespace cutaway::report
