#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "probe/figures.h"
#include "probe/outcome.h"

// Compares published figures with measurements on the presets.
namespace cutaway::probe {

// A measured figure. `ours` is missing if it cannot be derived from times.
struct Held {
  const Figure* figure = nullptr;
  std::optional<double> ours;
  double off() const;  // against a range: 0 inside, otherwise from its nearer end
  bool near() const;   // within kNear
};

// The figures that names select, in full or by prefix ("R2", "E1.3"), of one preset or of all; no names: all.
// UserError: a name without matches, or a preset without figures.
std::vector<const Figure*> select_figures(const std::vector<std::string>& names, const std::string& gpu);

// The cases and rates to draw for them, including those that they are compared with.
std::vector<std::string> drawn_for(const std::vector<const Figure*>& figures);

// Times in cycles of the core clock, and bytes that memory read, by preset.
std::vector<Held> held(const std::vector<const Figure*>& figures, const std::map<std::string, Times>& times,
                       const std::map<std::string, Times>& bytes_read = {});

// For people; for programs; the page; the figure that the page shows under that name.
std::string fidelity_table(const std::vector<Held>& rows);
std::string fidelity_json(const std::vector<Held>& rows);
std::string fidelity_page(const std::vector<Held>& rows, const std::string& picture);
std::string fidelity_svg(const std::vector<Held>& rows);

}  // namespace cutaway::probe
