#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "probe/figures.h"
#include "probe/outcome.h"

// Published figures beside what was measured on the presets.
namespace cutaway::probe {

// A figure that was measured. `ours` is missing where time does not tell it.
struct Held {
  const Figure* figure = nullptr;
  std::optional<double> ours;
  double off() const;  // of a range: 0 inside, and from its nearer end
  bool near() const;   // within kNear
};

// The figures that names ask for, whole or by their beginning ("R2", "E1.3"), of one preset or of all; no
// names: all. UserError: names that begin none, a preset without figures.
std::vector<const Figure*> select_figures(const std::vector<std::string>& names, const std::string& gpu);

// The cases and rates to draw for them: those that they are compared with, too.
std::vector<std::string> drawn_for(const std::vector<const Figure*>& figures);

// Times in cycles of the core clock, by preset.
std::vector<Held> held(const std::vector<const Figure*>& figures, const std::map<std::string, Times>& times);

// For people; for programs; the page, which shows a figure of that name; the figure.
std::string fidelity_table(const std::vector<Held>& rows);
std::string fidelity_json(const std::vector<Held>& rows);
std::string fidelity_page(const std::vector<Held>& rows, const std::string& picture);
std::string fidelity_svg(const std::vector<Held>& rows);

}  // namespace cutaway::probe
