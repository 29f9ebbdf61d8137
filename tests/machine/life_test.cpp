// The life of one thing, from unit to unit.
#include "report/life.h"

#include <cctype>
#include <gmock/gmock.h>
#include <string>
#include <vector>

#include "base/error.h"
#include "observer_bench.h"

namespace cutaway::life_test {
namespace {

using namespace observer_bench;

// A triangle over the middle of 64x64 pixels: the draw after the clear.
run_record::Timeline draw_of(const report::Subject& subject) {
  machine::ObserverOptions window;
  window.draw = run_record::Timeline::Draw{.submission = 1, .draw = 2, .number = 2};
  window.keep = [&](const run_record::Timeline::Thing& thing) { return subject.may_need(thing); };
  run_record::Timeline timeline = observe(scenes::animation(1), shape(kShapes[0]), window).timeline;
  timeline.draw = *window.draw;
  return timeline;
}

// From unit to unit: what leaves one comes to the next after the wire's latency, and stays until it is taken.
void expect_chain(const run_record::Timeline& timeline, const report::Life& life) {
  for (size_t i = 1; i < life.stops.size(); i++) {
    const report::Stop& stop = life.stops[i];
    const run_record::Timeline::Wire& wire = timeline.wires[stop.wire.value()];
    EXPECT_EQ(stop.sent, life.stops[i - 1].leaves.value());
    EXPECT_EQ(wire.sender, life.stops[i - 1].unit);
    EXPECT_EQ(wire.receiver, stop.unit);
    if (wire.message != "ShadedVertices" && wire.message != "VertexMessage") {
      EXPECT_EQ(stop.arrives, stop.sent + wire.latency * timeline.units[stop.unit].period) << wire.to;
    }
    EXPECT_GE(stop.taken, stop.arrives);
    if (stop.leaves) { EXPECT_GE(*stop.leaves, stop.taken); }
  }
}

std::vector<std::string> units_of(const run_record::Timeline& timeline, const report::Life& life) {
  std::vector<std::string> units;
  for (const report::Stop& stop : life.stops) {
    std::string path = timeline.units[stop.unit].path.substr(4);
    while (!path.empty() && std::isdigit(static_cast<unsigned char>(path.back()))) path.pop_back();
    units.push_back(path);
  }
  return units;
}

TEST(Life, OfAFragmentGoesThroughThePipeline) {
  const report::Subject subject{.fragment = report::Subject::Fragment{32, 32, {}}};
  const run_record::Timeline timeline = draw_of(subject);
  const report::Life life = report::life_of(timeline, subject);
  expect_chain(timeline, life);
  EXPECT_THAT(units_of(timeline, life),
              ::testing::ElementsAre("streamer", "work_distributor", "shader", "streamer",
                                     "primitive_assembly", "clipper", "triangle_setup", "fragment_generation",
                                     "hierarchical_z", "z_stencil", "interpolator", "work_distributor",
                                     "shader", "reorder_buffer", "z_stencil", "color_write"));
  // The vertex that completes the triangle is the one whose way is told: it is assembled at once.
  EXPECT_EQ(life.stops[4].taken, life.stops[4].leaves.value());
  // By hand, from ATTILA's wires (ATT-4): assembly to clipper 1 cycle, clipper to setup 6, setup to fragment
  // generation 10.
  const auto on_wire = [&](size_t stop) {
    return (life.stops[stop].arrives - life.stops[stop].sent) / timeline.core_period;
  };
  EXPECT_EQ(on_wire(5), 1u);
  EXPECT_EQ(on_wire(6), 6u);
  EXPECT_EQ(on_wire(7), 10u);
  const std::string text = report::life_text(timeline, life);
  EXPECT_THAT(text, ::testing::HasSubstr("fragment (32, 32) of primitive 0"));
  const std::string svg = report::life_svg(timeline, life);
  for (const std::string& unit : units_of(timeline, life))
    EXPECT_THAT(svg, ::testing::HasSubstr("gpu." + unit));
}

TEST(Life, OfAVertexAndOfARequest) {
  const report::Subject vertex{.vertex = 1};
  const run_record::Timeline shaded = draw_of(vertex);
  const report::Life life = report::life_of(shaded, vertex);
  expect_chain(shaded, life);
  EXPECT_THAT(units_of(shaded, life), ::testing::ElementsAre("streamer", "work_distributor", "shader",
                                                             "streamer", "primitive_assembly", "clipper",
                                                             "triangle_setup", "fragment_generation"));

  const report::Subject request{.request = 1};
  const run_record::Timeline fetched = draw_of(request);
  const report::Life read = report::life_of(fetched, request);
  expect_chain(fetched, read);
  ASSERT_EQ(read.stops.size(), 3u);
  EXPECT_EQ(fetched.units[read.stops[1].unit].path, "gpu.memory_controller");
  EXPECT_EQ(read.stops[0].unit, read.stops[2].unit);
}

TEST(Life, NamesMissingSubjects) {
  const auto refused = [&](const report::Subject& subject) -> std::string {
    const run_record::Timeline timeline = draw_of(subject);
    try {
      report::life_of(timeline, subject);
    } catch (const UserError& error) { return error.what(); }
    return "";
  };
  EXPECT_THAT(refused({.fragment = report::Subject::Fragment{0, 63, {}}}),
              ::testing::HasSubstr("does not cover it"));
  EXPECT_THAT(refused({.fragment = report::Subject::Fragment{32, 32, 7}}),
              ::testing::HasSubstr("those that do: 0"));
  EXPECT_THAT(refused({.vertex = 77}), ::testing::HasSubstr("between 0 and 2"));
  EXPECT_THAT(refused({.request = 99'999}), ::testing::HasSubstr("request 99999"));
}

}  // namespace
}  // namespace cutaway::life_test
