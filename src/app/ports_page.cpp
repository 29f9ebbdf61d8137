#include "app/ports_page.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <memory>
#include <set>

#include "app/parameter_formula.h"
#include "base/error.h"
#include "machine/machine.h"
#include "report/machine_parts.h"

namespace cutaway::app {
namespace {

// ---- The machines ----

using Sets = std::vector<std::string>;

// ATTILA with everything that a chip may have: such machines have every kind of unit.
const Sets kEverything = {"stream_out.units=1",           "tessellation.memory_slots=64",
                          "interpolator.pulls=1",         "texture_cache.slices=2",
                          "storage_cache.slices=2",       "shader.stores=vertex,fragment,compute",
                          "shader.group_lanes=32",        "shader.vertex_lanes=16",
                          "shader.input_threads=128",     "shader.threads=128",
                          "shader.l1_lines=64",           "shader.units_per_cluster=2",
                          "shader.units_per_texture=2",   "fragment_generation.order=recursive",
                          "color_write.compression=true", "memory.dram=banked",
                          "bus.bytes_per_cycle=4",        "host.cpu=1",
                          "color_write.prefetches=1",     "z_stencil.prefetches=1"};
constexpr const char* kAllStages =
    "shader.stages=vertex,fragment,compute,geometry,tess-control,tess-evaluation";

// Machines that have, together, every wire: those of the largest one first, then what stands in for units
// that a chip lacks.
std::vector<machine::Config> port_machines() {
  std::vector<machine::Config> machines;
  const auto add = [&](Sets sets, const Sets& more) {
    sets.insert(sets.end(), more.begin(), more.end());
    machine::load_config(machines.emplace_back(), "attila", sets);
  };
  add(kEverything, {kAllStages});
  add(kEverything, {kAllStages, "translation.pages=4KB"});
  add({}, {});
  add({"command_processor.contexts=2"}, {});
  add({"command_processor.contexts=2", "translation.pages=4KB"}, {});
  for (const char* geometry : {"", ",geometry"})
    for (const char* patches : {"", ",tess-control,tess-evaluation"})
      for (const char* feedback : {"0", "1"})
        add(kEverything, {fmt::format("shader.stages=vertex,fragment,compute{}{}", geometry, patches),
                          fmt::format("stream_out.units={}", feedback)});
  return machines;
}

// "gpu.shader0.quads_out[1]" is port quads_out of shader.
struct PortName {
  std::string unit, port;
  auto operator<=>(const PortName&) const = default;
  std::string text() const { return fmt::format("`{}.{}`", unit, port); }
};

std::string unit_name(const std::string& path) {
  return report::kind_of_unit(path).substr(std::string_view("gpu.").size());
}
PortName port_name(const std::string& full_name) {
  const auto [unit, port] = report::unit_and_port(full_name);
  return {unit_name(unit), port.substr(0, port.find('['))};
}

// Latency, bandwidth and slots of every kind of wire.
constexpr size_t kWireColumns = 3;
using Ends = std::pair<PortName, PortName>;
using WireNumbers = std::map<Ends, std::array<long, kWireColumns>>;

WireNumbers wires_of(const engine::Simulator& simulator) {
  WireNumbers wires;
  for (const engine::WireInfo& wire : simulator.wires())
    wires[{port_name(wire.from), port_name(wire.to)}] = {wire.spec.latency, wire.spec.bandwidth,
                                                         wire.spec.slots};
  return wires;
}

// ---- Formulas ----

// A machine and others that differ from it in parameters.
class Variants {
 public:
  explicit Variants(const machine::Config& config) : config_(config) {
    FieldTable table;
    config_.list(table);
    for (const auto& field : table.fields()) {
      const ValueRange range = field->values();
      if (range.kind != ValueRange::Kind::kWhole) continue;
      TriedParameter& parameter = parameters_.emplace_back();
      parameter.name = field->path;
      parameter.value = std::stol(field->value());
      for (const long other : {parameter.value * 2, parameter.value / 2, parameter.value / 4, 1l})
        if (other != parameter.value && static_cast<double>(other) >= range.least &&
            static_cast<double>(other) <= range.greatest)
          parameter.others.push_back(other);
    }
  }

  const std::vector<TriedParameter>& parameters() const { return parameters_; }
  // Drops the parameters that move no wire: they need no more trials.
  void keep_moving() {
    const WireNumbers& base = *wires({});
    std::vector<TriedParameter> moving;
    for (size_t i = 0; i < parameters_.size(); i++) {
      const WireNumbers* first = nullptr;
      for (size_t n = 0; n < parameters_[i].others.size() && !first; n++)
        first = wires({{i, parameters_[i].others[n]}});
      const bool moves = first && std::any_of(base.begin(), base.end(), [&](const auto& wire) {
                           const auto found = first->find(wire.first);
                           return found != first->end() && found->second != wire.second;
                         });
      if (moves) moving.push_back(parameters_[i]);
    }
    parameters_ = moving;
    tried_.clear();
  }
  void keep(const std::set<std::string>& names) {
    std::erase_if(parameters_,
                  [&](const TriedParameter& parameter) { return !names.contains(parameter.name); });
  }
  // Null: no such machine.
  const WireNumbers* wires(const ParameterChanges& changes) {
    auto tried = tried_.find(changes);
    if (tried == tried_.end()) tried = tried_.emplace(changes, make(changes)).first;
    return tried->second.get();
  }
  std::string formula(const Ends& ends, size_t column) {
    return formula_of(parameters_, [&](const ParameterChanges& changes) -> std::optional<long> {
      const WireNumbers* found = wires(changes);
      const auto wire = found ? found->find(ends) : WireNumbers::const_iterator();
      if (!found || wire == found->end()) return {};
      return wire->second[column];
    });
  }

 private:
  std::unique_ptr<WireNumbers> make(const ParameterChanges& changes) const {
    machine::Config config = config_;
    FieldTable table;
    config.list(table);
    try {
      for (const auto& [i, value] : changes) table.set("", parameters_[i].name, fmt::format("{}", value));
      machine::check_rules(config);
    } catch (const UserError&) { return nullptr; }
    machine::Machine machine(config, arch::Memory());
    return std::make_unique<WireNumbers>(wires_of(machine.simulator()));
  }

  machine::Config config_;
  std::vector<TriedParameter> parameters_;
  std::map<ParameterChanges, std::unique_ptr<WireNumbers>> tried_;
};

// ---- Tables ----

struct PortRow {
  std::string port, carries;
  std::array<std::string, kWireColumns> numbers;
  std::vector<std::string> others;  // the ports at the other end
};

struct UnitTables {
  std::string unit;
  std::vector<PortRow> rows;
  std::vector<std::string> work;  // that costs nothing
};

void add_once(std::vector<std::string>& list, const std::string& text) {
  if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);
}

class Tables {
 public:
  void add(const machine::Config& config) {
    machine::Machine machine(config, arch::Memory());
    Variants variants(config);
    // The other machines have no wire that follows from a parameter of its own.
    constexpr size_t kTriedWhole = 2;
    if (machines_++ < kTriedWhole) {
      variants.keep_moving();
      for (const TriedParameter& parameter : variants.parameters()) moving_.insert(parameter.name);
    } else {
      variants.keep(moving_);
    }
    for (const auto& box : machine.simulator().boxes()) {
      UnitTables& unit = table_of(unit_name(box->path()));
      for (const std::string_view work : box->costs_nothing()) add_once(unit.work, std::string(work));
      for (const engine::Port* port : box->ports())
        if (port->wire()) add_port(variants, unit, *port);
    }
  }
  const std::vector<UnitTables>& tables() const { return tables_; }

 private:
  UnitTables& table_of(const std::string& unit) {
    const auto found = std::find_if(tables_.begin(), tables_.end(),
                                    [&](const UnitTables& table) { return table.unit == unit; });
    return found == tables_.end() ? tables_.emplace_back(UnitTables{unit, {}, {}}) : *found;
  }
  void add_port(Variants& variants, UnitTables& unit, const engine::Port& port) {
    const PortName own = port_name(port.full_name()), other = port_name(port.peer()->full_name());
    if (!known_.insert({own, other}).second) return;
    const Ends ends = port.is_input() ? Ends{other, own} : Ends{own, other};
    PortRow row{own.port, port.carries(), {}, {other.text()}};
    for (size_t column = 0; column < kWireColumns; column++)
      row.numbers[column] = variants.formula(ends, column);
    const auto alike = std::find_if(unit.rows.begin(), unit.rows.end(), [&](const PortRow& known) {
      return known.port == row.port && known.numbers == row.numbers;
    });
    if (alike != unit.rows.end()) {
      add_once(alike->others, other.text());
      return;
    }
    // Behind the other rows of the port.
    const auto last = std::find_if(unit.rows.rbegin(), unit.rows.rend(),
                                   [&](const PortRow& known) { return known.port == row.port; });
    unit.rows.insert(last.base() == unit.rows.begin() ? unit.rows.end() : last.base(), row);
  }

  std::vector<UnitTables> tables_;
  std::set<Ends> known_;
  std::set<std::string> moving_;  // parameters
  size_t machines_ = 0;
};

std::string text_of(const UnitTables& table) {
  std::string text = fmt::format("<!-- ports of {} -->\n", table.unit);
  text += "| port | carries | other end | latency | bandwidth | slots |\n|---|---|---|---|---|---|\n";
  for (const PortRow& row : table.rows)
    text += fmt::format("| `{}` | {} | {} | {} |\n", row.port, row.carries, fmt::join(row.others, ", "),
                        fmt::join(row.numbers, " | "));
  text += fmt::format("<!-- end -->\n\n<!-- costs nothing in {} -->\n", table.unit);
  text += "**Costs nothing.**\n\n";
  for (const std::string& work : table.work) text += fmt::format("- {}.\n", work);
  return text + "<!-- end -->\n";
}

}  // namespace

std::vector<FreeWork> free_work(const machine::Config& config) {
  machine::Machine machine(config, arch::Memory());
  std::vector<FreeWork> all;
  for (const auto& box : machine.simulator().boxes()) {
    const std::string unit = unit_name(box->path());
    if (box->costs_nothing().empty()) continue;
    auto found =
        std::find_if(all.begin(), all.end(), [&](const FreeWork& known) { return known.unit == unit; });
    if (found == all.end()) found = all.insert(all.end(), {unit, {}});
    for (const std::string_view work : box->costs_nothing()) add_once(found->work, std::string(work));
  }
  return all;
}

std::string ports_page() {
  Tables tables;
  for (const machine::Config& config : port_machines()) tables.add(config);
  std::vector<std::string> units;
  for (const UnitTables& table : tables.tables()) units.push_back(text_of(table));
  return fmt::format("{}", fmt::join(units, "\n"));
}

}  // namespace cutaway::app
