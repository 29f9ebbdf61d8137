#include "app/machine_diagram.h"

#include <cctype>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <regex>

#include "machine/machine.h"
#include "messages/messages.h"
#include "report/machine_parts.h"

namespace cutaway::app {
namespace {

using report::Diagram;

struct Chip {
  const char* preset;
  std::vector<std::string> sets = {};
};

const Chip kChips[] = {{"attila"},
                       {"attila", {"shader.units=5", "rop.units=3"}},
                       {"attila", {"shader.units=1", "rop.units=1"}},
                       {"attila", {"shader.units=16", "rop.units=8", "wires.color_latency=9"}},
                       {"attila", {"fragment_generation.units=3", "rop.units=4"}},
                       {"attila-split"},
                       {"geforce6800"},
                       {"g80"},
                       {"g84m"},
                       {"d3d11"}};

// The kind in the diagram of a unit: "gpu.z_stencil12" belongs to "z_stencil".
std::string kind_of(const std::string& path) {
  return std::regex_replace(path, std::regex("^gpu\\.|[0-9]+(?=\\.|$)"), "");
}

TEST(MachineParts, KnowsWiresByTheNamesOfTheirMessages) {
  EXPECT_EQ(report::kMemoryRequest, engine::message_name<messages::MemoryRequest>());
  EXPECT_EQ(report::kControl, engine::message_name<messages::Control>());
  EXPECT_EQ(report::kControlDone, engine::message_name<messages::ControlDone>());
}

class MachineDiagram : public testing::TestWithParam<Chip> {
 protected:
  void SetUp() override {
    machine::load_config(config_, GetParam().preset, GetParam().sets);
    diagram_ = machine_diagram(config_);
  }
  machine::Config config_;
  Diagram diagram_;
};

TEST_P(MachineDiagram, HasEveryBoxOnce) {
  machine::Machine machine(config_, arch::Memory());
  std::map<std::string, unsigned> boxes, units;
  for (const auto& box : machine.simulator().boxes()) boxes[kind_of(box->path())]++;
  for (const Diagram::Unit& unit : diagram_.units) {
    EXPECT_TRUE(units.emplace(unit.name, unit.count).second) << unit.name << " stands there twice";
  }
  EXPECT_EQ(units, boxes);
}

TEST_P(MachineDiagram, TellsEveryWire) {
  machine::Machine machine(config_, arch::Memory());
  // Keyed by kinds of units, port and spec.
  auto key = [](const std::string& from, const std::string& to, const std::string& port, auto&& spec) {
    return fmt::format("{}.{} > {}: {}/{}/{}", from, port, to, spec.latency, spec.bandwidth, spec.slots);
  };
  std::map<std::string, unsigned> wires, told;
  for (const engine::WireInfo& wire : machine.simulator().wires()) {
    const size_t dot = wire.from.rfind('.');
    const std::string port =
        std::regex_replace(wire.from.substr(dot + 1), std::regex("(_out)?(\\[[0-9]+\\])?$"), "",
                           std::regex_constants::format_first_only);
    wires[key(kind_of(wire.from.substr(0, dot)), kind_of(wire.to.substr(0, wire.to.rfind('.'))), port,
              wire.spec)]++;
  }
  for (const Diagram::Wire& wire : diagram_.wires)
    EXPECT_TRUE(
        told.emplace(key(diagram_.units[wire.from].name, diagram_.units[wire.to].name, wire.name, wire),
                     wire.count)
            .second);
  EXPECT_EQ(told, wires);
}

// The text and the picture both show every unit and every wire; the picture sums the buses and control wires
// of a unit or of the machine.
TEST_P(MachineDiagram, ShowsEveryUnitAndWire) {
  const std::string text = diagram_text(diagram_), svg = diagram_svg(diagram_);
  auto sum = [](const std::string& in, const std::regex& count) {
    unsigned total = 0;
    for (std::sregex_iterator found(in.begin(), in.end(), count), end; found != end; ++found)
      total += (*found)[1].matched ? unsigned(std::stoul((*found)[1])) : 1;
    return total;
  };
  machine::Machine machine(config_, arch::Memory());
  const size_t wires = machine.simulator().wires().size(), boxes = machine.simulator().boxes().size();
  EXPECT_EQ(sum(text, std::regex("\n  [-^!=].  ?\\w+ +(?:(\\d+) x )?\\w+ .*slots?")), wires);
  EXPECT_EQ(sum(text, std::regex("\n\n\\w+(?: x(\\d+))?(?=\n  )")), boxes);
  EXPECT_EQ(sum(svg, std::regex("[>:,] ?(?:(\\d+) × )?[a-z ]*\\d+/\\d+/\\d+(?=[<,])")), wires);
  EXPECT_EQ(sum(svg, std::regex("font-weight=\"bold\" text-anchor=\"middle\">[\\w ]+(?: ×(\\d+))?<")), boxes);
  size_t column = 0;
  for (const char c : text) {
    column = c == '\n' ? 0 : column + 1;
    ASSERT_LE(column, 100u) << text;
  }
}

TEST_P(MachineDiagram, MarksMemoryAndFlushedUnits) {
  std::string memory, obeying;
  for (const Diagram::Unit& unit : diagram_.units) {
    if (unit.memory) memory += unit.name + " ";
    if (unit.obeys) obeying += unit.name + " ";
  }
  EXPECT_EQ(memory, "memory_controller ");
  for (const Diagram::Wire& wire : diagram_.wires) {
    const Diagram::Unit &from = diagram_.units[wire.from], &to = diagram_.units[wire.to];
    const bool control = wire.name == "control", bus = from.memory || to.memory;
    EXPECT_EQ(wire.role, control ? Diagram::Role::kControl
                         : bus   ? Diagram::Role::kBus
                                 : Diagram::Role::kData);
    if (control) { EXPECT_NE(from.obeys, to.obeys) << from.name << ", " << to.name; }
  }
}

class Relay final : public engine::Box {
 public:
  Relay(std::string path, size_t inputs, size_t outputs) : Box(std::move(path)), in(inputs), out(outputs) {}
  engine::Cycle tick(engine::Cycle now) override { return idle(now); }
  void list_ports(engine::PortList& list) override { list("in", in), list("relayed_out", out); }
  std::string why_busy() const override { return ""; }
  std::vector<engine::In<int>> in;
  std::vector<engine::Out<int>> out;
};

TEST(DiagramOf, WiresOfOtherSpecsStandAlone) {
  engine::Simulator simulator;
  engine::Domain& clock = simulator.add_domain("clock", 1);
  Relay& first = simulator.add<Relay>(clock, "chip.first", 0, 4);
  for (unsigned i = 0; i < 4; i++) {
    Relay& next = simulator.add<Relay>(clock, fmt::format("chip.cluster{}.relay{}", i / 2, i % 2), 1, 0);
    simulator.connect(first.out[i], next.in[0], {.latency = 1 + i / 3, .bandwidth = 1, .slots = 4});
  }
  simulator.elaborate();
  const Diagram diagram = diagram_of(simulator);
  EXPECT_EQ(diagram.units,
            (std::vector<Diagram::Unit>{{.name = "first"}, {.name = "cluster.relay", .count = 4}}));
  EXPECT_EQ(
      diagram.wires,
      (std::vector<Diagram::Wire>{
          {.from = 0, .to = 1, .name = "relayed", .latency = 1, .bandwidth = 1, .slots = 4, .count = 3},
          {.from = 0, .to = 1, .name = "relayed", .latency = 2, .bandwidth = 1, .slots = 4, .count = 1}}));
}

INSTANTIATE_TEST_SUITE_P(Machines, MachineDiagram, testing::ValuesIn(kChips));

}  // namespace
}  // namespace cutaway::app
