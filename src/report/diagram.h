#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace cutaway::report {

// A machine's block diagram: its kinds of units and the kinds of wires between them. Both the text and the
// picture are made from it.
struct Diagram {
  struct Unit {
    std::string name;     // "z_stencil"
    unsigned count = 1;   // units of this kind
    bool memory = false;  // memory: buses lead to it
    bool obeys = false;   // receives flushes and invalidates
    bool operator==(const Unit&) const = default;
  };
  enum class Role {
    kData,
    kBus,      // to or from a unit of memory
    kControl,  // flushes, invalidates, and their answers
  };
  struct Wire {
    size_t from = 0, to = 0;  // indices of units
    std::string name;         // name of the sending port: "quads"
    Role role = Role::kData;
    unsigned latency = 1;    // cycles of the receiver
    unsigned bandwidth = 1;  // messages per cycle of the sender
    unsigned slots = 1;      // messages in flight or waiting
    unsigned count = 1;      // wires of this kind
    bool operator==(const Wire&) const = default;
  };
  std::string title;
  std::vector<Unit> units;  // the first is where work enters
  std::vector<Wire> wires;  // in the order in which they were connected
};

// One kind of unit with the wires from it and to it.
std::string diagram_text(const Diagram& diagram, const std::string& unit);
// At most 100 columns if names are short; lines end in
// .
std::string diagram_text(const Diagram& diagram);
// A complete SVG file.
std::string diagram_svg(const Diagram& diagram);

}  // namespace cutaway::report
