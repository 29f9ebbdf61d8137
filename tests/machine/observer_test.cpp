// Tests the observer: it changes nothing, its data sum to the accounts and follow the wires' laws, and
// survive writing to a timeline's file.
#include "machine/observer.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <map>
#include <set>

#include "base/error.h"
#include "gpu_run.h"
#include "records.h"
#include "report/life.h"
#include "report/perfetto.h"
#include "report/perfetto.pb.h"

namespace cutaway {
namespace {

struct Observed {
  run_record::Timeline timeline;
  uint64_t statistics = 0, cycles = 0;
  std::map<std::string, uint64_t> counted;  // in the second of three intervals, by full name
  std::vector<uint64_t> sent;               // messages, by wire
  std::map<uint32_t, uint64_t> filling;     // of wires, summed over looks every 64 cycles of that interval
};

constexpr uint64_t kInterval = 300;
constexpr run_record::Timeline::Draw kFirstDraw{.submission = 1, .draw = 1, .number = 1};

Observed observe(const scenes::Scene& scene, const machine::Config& config, machine::ObserverOptions window,
                 const engine::SchedulerOptions& scheduler = {}) {
  machine::MachineOptions options;
  options.scheduler = scheduler;
  options.list_works = true;
  options.query_values = reported_queries(scene);
  machine::Machine gpu(config, arch::Memory(), options);
  engine::Simulator& simulator = gpu.simulator();
  engine::Sampler& sampler =
      simulator.sample(*simulator.domains().front(), {.interval = kInterval, .wires = true});
  Observed result;
  {
    machine::Observer observer(gpu, std::move(window));
    scenes::play(scene, gpu);
    gpu.wait();  // for the last picture
    result.timeline = observer.take(1);
  }
  result.statistics = gpu.statistics_hash();
  result.cycles = gpu.cycles();
  if (sampler.rows() > 1)
    for (const auto& entry : sampler.entries(1))
      result.counted[simulator.counters().counters()[entry.counter].full_name()] = entry.value;
  if (sampler.rows() > 1)
    for (const auto& entry : sampler.wires(1))
      if (entry.filling) result.filling[entry.wire] = entry.filling;
  for (const engine::Port* port : simulator.wire_senders()) result.sent.push_back(port->wire()->sent());
  return result;
}

machine::Config shape(const char* name) {
  for (const records::Shape& shape : records::shapes())
    if (shape.name == std::string(name)) return records::config_of(shape);
  throw InternalError("no such shape");
}

// The preset as it is, and one whose units of four kinds have clocks of their own.
const char* const kShapes[] = {"attila", "clocks"};

// Scenes that between them use every kind of message that can be followed.
std::vector<scenes::Scene> some_scenes() {
  std::vector<scenes::Scene> some;
  for (scenes::Scene& scene : records::record_scenes())
    if (scene.name == "many-triangles" || scene.name == "anisotropic-textures" || scene.name == "instances" ||
        scene.name == "discards" || scene.name == "multisampled-4")
      some.push_back(std::move(scene));
  return some;
}

// Edges of a clock in [begin, end).
uint64_t edges(uint64_t begin, uint64_t end, uint64_t period) {
  return (end + period - 1) / period - (begin + period - 1) / period;
}

TEST(Observer, ChangesNothing) {
  for (const char* name : kShapes)
    for (const scenes::Scene& scene : some_scenes()) {
      const Outcome plain = on_machine(scene, shape(name));
      const Observed observed = observe(scene, shape(name), {});
      EXPECT_EQ(observed.statistics, plain.statistics) << name << ", " << scene.name;
      EXPECT_EQ(observed.cycles, plain.cycles);
      EXPECT_EQ(observed.timeline.cycles(), plain.cycles);
    }
}

TEST(Observer, SlicesCoverTheWindowAndSumToTheAccounts) {
  for (const char* name : kShapes) {
    const scenes::Scene scene = some_scenes().front();
    const Observed observed = observe(scene, shape(name), {.first = kInterval + 1, .last = 2 * kInterval});
    const run_record::Timeline& timeline = observed.timeline;
    ASSERT_EQ(timeline.cycles(), kInterval);
    uint64_t busy_of_all = 0;
    for (size_t u = 0; u < timeline.units.size(); u++) {
      const run_record::Timeline::Unit& unit = timeline.units[u];
      std::vector<uint64_t> sums(unit.reasons.size());
      uint64_t at = timeline.begin;
      for (const run_record::Timeline::Slice& slice : timeline.slices[u]) {
        EXPECT_EQ(slice.begin, at) << unit.path;
        EXPECT_GT(slice.end, slice.begin) << unit.path;
        sums[slice.reason] += edges(slice.begin, slice.end, unit.period);
        at = slice.end;
      }
      EXPECT_EQ(at, timeline.end) << unit.path;
      const bool is_core = unit.clock == "core";
      for (uint32_t r = 0; r < sums.size(); r++) {
        // "starved by gpu.x (port)" is "starved.port" in the table.
        std::string column = unit.reasons[r].text;
        if (r > run_record::Timeline::kBusy) {
          const size_t bracket = column.find('(');
          column = column.substr(0, column.find(' ')) + "." +
                   column.substr(bracket + 1, column.size() - bracket - 2);
        }
        const auto found = observed.counted.find(unit.path + "." + column);
        const uint64_t counted = found == observed.counted.end() ? 0 : found->second;
        // Another clock's edges between two of the core's may belong to the interval on either side.
        const uint64_t off = is_core ? 0 : timeline.core_period / unit.period + 1;
        EXPECT_LE(sums[r], counted + off) << unit.path << " " << column;
        EXPECT_GE(sums[r] + off, counted) << unit.path << " " << column;
        if (r == run_record::Timeline::kBusy) busy_of_all += sums[r];
      }
    }
    EXPECT_GT(busy_of_all, kInterval);
  }
}

TEST(Observer, MessagesFollowTheLawsOfTheirWires) {
  for (const char* name : kShapes)
    for (const scenes::Scene& scene : some_scenes()) {
      const Observed observed = observe(scene, shape(name), {});
      const run_record::Timeline& timeline = observed.timeline;
      std::vector<uint64_t> count(timeline.wires.size()), last_taken(timeline.wires.size());
      std::vector<std::multiset<uint64_t>> held(timeline.wires.size());
      for (const run_record::Timeline::Message& message : timeline.messages) {
        const run_record::Timeline::Wire& wire = timeline.wires[message.wire];
        const uint64_t period = timeline.units[wire.receiver].period;
        count[message.wire]++;
        ASSERT_NE(message.sent, run_record::Timeline::kNever);
        // The latency-th edge of the receiver after the send; messages that are wider than the wire later.
        const uint64_t arrival = (message.sent / period + wire.latency) * period;
        if (wire.message == "ShadedVertices" || wire.message == "VertexMessage") {
          EXPECT_GE(message.arrives, arrival) << wire.from;
        } else {
          EXPECT_EQ(message.arrives, arrival) << wire.from << " sent at " << message.sent;
        }
        ASSERT_NE(message.taken, run_record::Timeline::kNever) << wire.from;  // all is drained
        EXPECT_GE(message.taken, message.arrives) << wire.from;
        EXPECT_GE(message.taken, last_taken[message.wire]) << wire.from;  // in order
        last_taken[message.wire] = message.taken;
        auto& slots = held[message.wire];
        while (!slots.empty() && *slots.begin() <= message.sent) slots.erase(slots.begin());
        slots.insert(message.taken);
        EXPECT_LE(slots.size(), wire.slots) << wire.from;
      }
      EXPECT_EQ(count, observed.sent) << scene.name;
    }
}

TEST(Observer, MessagesStayInTheirWiresUntilTheyAreTaken) {
  for (const char* name : kShapes)
    for (const scenes::Scene& scene : some_scenes()) {
      const Observed observed = observe(scene, shape(name), {});
      std::map<uint32_t, uint64_t> filling;
      for (uint64_t look = 64; look <= 2 * kInterval; look += 64) {
        const uint64_t time = look * observed.timeline.core_period;
        if (look <= kInterval) continue;
        for (const run_record::Timeline::Message& message : observed.timeline.messages)
          if (message.sent <= time && time < message.taken) filling[message.wire]++;
      }
      EXPECT_EQ(filling, observed.filling) << name << ", " << scene.name;
      EXPECT_FALSE(filling.empty());
    }
}

// Things that enter shader units leave them, once.
TEST(Observer, ThingsAreKnownAgain) {
  std::vector<scenes::Scene> all = some_scenes();
  all.push_back(scenes::animation(3));  // payloads are used again, for the same indices of other draws
  for (const scenes::Scene& scene : all) {
    const run_record::Timeline timeline = observe(scene, shape("attila"), {}).timeline;
    std::map<std::string, std::multiset<uint32_t>> passed;  // things, by message
    for (const run_record::Timeline::Message& message : timeline.messages)
      for (uint32_t i = 0; i < message.things; i++) {
        const run_record::Timeline::Wire& wire = timeline.wires[message.wire];
        const bool in = timeline.units[wire.receiver].path.starts_with("gpu.shader");
        const bool out = timeline.units[wire.sender].path.starts_with("gpu.shader");
        if (in || out) passed[wire.message].insert(timeline.carried[message.first_thing + i]);
      }
    EXPECT_EQ(passed["VertexGroup"], passed["ShadedVertices"]) << scene.name;
    EXPECT_EQ(passed["FragmentGroup"], passed["ShadedQuad"]) << scene.name;
    EXPECT_FALSE(passed["VertexGroup"].empty());
    EXPECT_FALSE(passed["FragmentGroup"].empty());
  }
}

// A request passes the translation of its address; the walker's own do not.
TEST(Observer, TranslatedRequestsAreKnownAgain) {
  for (const scenes::Scene& scene : some_scenes()) {
    const run_record::Timeline timeline = observe(scene, shape("small-pages"), {}).timeline;
    std::map<std::string, std::multiset<uint32_t>> passed;  // things, by the kind of wire
    for (const run_record::Timeline::Message& message : timeline.messages) {
      const run_record::Timeline::Wire& wire = timeline.wires[message.wire];
      const bool to = wire.message == "MemoryRequest";
      if (!to && wire.message != "MemoryReply") continue;
      const bool translated = wire.from.find("requests_out") != std::string::npos;
      const bool of_walker =
          wire.from.ends_with("translation.memory_out") || wire.to.ends_with("translation.memory_in");
      if (of_walker) continue;
      for (uint32_t i = 0; i < message.things; i++)
        passed[translated ? "translated"
               : to       ? "asked"
                          : "answered"]
            .insert(timeline.carried[message.first_thing + i]);
    }
    EXPECT_FALSE(passed["asked"].empty());
    EXPECT_EQ(passed["asked"], passed["translated"]) << scene.name;
    EXPECT_EQ(passed["asked"], passed["answered"]) << scene.name;
  }
}

TEST(Observer, IsIndependentOfBoxOrderAndSkipping) {
  const scenes::Scene scene = some_scenes().front();
  for (const char* name : kShapes) {
    const auto bytes = [&](const engine::SchedulerOptions& scheduler) {
      std::string file;
      report::write_perfetto(observe(scene, shape(name), {.first = 100, .last = 900}, scheduler).timeline,
                             [&](std::span<const std::byte> part) {
                               file.append(reinterpret_cast<const char*>(part.data()), part.size());
                             });
      return file;
    };
    const std::string first = bytes({});
    EXPECT_GT(first.size(), 10'000u);
    EXPECT_EQ(bytes({.seed = 5}), first);
    EXPECT_EQ(bytes({.skip_idle = false}), first);
  }
}

TEST(Observer, RefusesWindowsOutsideTheFrame) {
  const scenes::Scene scene = some_scenes().front();
  const auto refused = [&](const machine::ObserverOptions& window) -> std::string {
    try {
      observe(scene, shape(kShapes[0]), window);
    } catch (const UserError& error) { return error.what(); }
    return "";
  };
  EXPECT_THAT(refused({.first = 5, .last = 1'000'000'000}), ::testing::HasSubstr("frame 1 has"));
  EXPECT_THAT(refused({.first = 900'000'000}), ::testing::HasSubstr("frame 1 has"));
  EXPECT_THAT(refused({.most_cycles = 10}), ::testing::HasSubstr("10 cycles"));
}

TEST(Observer, CutsADrawToTheWindow) {
  const scenes::Scene scene = some_scenes().front();
  const auto window = [&](uint64_t first, uint64_t last) {
    return observe(scene, shape(kShapes[0]), {.first = first, .last = last, .draw = kFirstDraw}).timeline;
  };
  const run_record::Timeline whole = window(1, machine::ObserverOptions::kToTheEnd);
  const uint64_t period = whole.core_period, begin = whole.begin / period;
  ASSERT_GT(whole.end / period, begin + 100);
  const run_record::Timeline part = window(begin + 20, begin + 60);
  EXPECT_EQ(part.begin / period, begin + 20);
  EXPECT_EQ(part.end / period, begin + 61);
  const run_record::Timeline rest = window(begin + 20, machine::ObserverOptions::kToTheEnd);
  EXPECT_EQ(rest.begin, part.begin);
  EXPECT_EQ(rest.end, whole.end);
  EXPECT_EQ(window(1, begin + 60).begin, whole.begin);
}

// ---- The file ----

// Slices of a trace by the name of the unit's track: begin, end, name; and of all tracks how deep they nest.
TEST(Perfetto, ReadBackItHoldsTheSlices) {
  const Observed observed = observe(some_scenes().front(), shape(kShapes[0]), {.first = 200, .last = 700});
  const run_record::Timeline& timeline = observed.timeline;
  perfetto::Trace trace;
  std::string file;
  report::write_perfetto(timeline, [&](std::span<const std::byte> part) {
    file.append(reinterpret_cast<const char*>(part.data()), part.size());
  });
  ASSERT_TRUE(trace.ParseFromString(file));

  std::map<uint64_t, std::string> tracks, names;
  std::map<uint64_t, uint64_t> open;  // by track: begin of its slice
  std::map<uint64_t, uint64_t> ended;
  std::map<uint64_t, std::map<std::string, uint64_t>> sums;  // track, name: ns
  std::map<uint64_t, std::string> name_of_open;
  std::map<uint64_t, uint64_t> flows;  // slices with the flow
  for (const auto& packet : trace.packet()) {
    for (const auto& name : packet.interned_data().event_names()) names[name.iid()] = name.name();
    if (packet.has_track_descriptor())
      tracks[packet.track_descriptor().uuid()] = packet.track_descriptor().name();
    if (!packet.has_track_event()) continue;
    const auto& event = packet.track_event();
    const uint64_t track = event.track_uuid();
    ASSERT_TRUE(tracks.contains(track));
    EXPECT_GE(packet.timestamp(), 200 * report::kPerfettoCycle);
    EXPECT_LE(packet.timestamp(), 701 * report::kPerfettoCycle);
    if (event.type() == perfetto::TrackEvent::TYPE_SLICE_BEGIN) {
      EXPECT_FALSE(open.contains(track)) << tracks[track];  // no two at a time
      EXPECT_GE(packet.timestamp(), ended[track]) << tracks[track];
      open[track] = packet.timestamp();
      ASSERT_TRUE(names.contains(event.name_iid()));
      name_of_open[track] = names[event.name_iid()];
      for (const uint64_t flow : event.flow_ids()) flows[flow]++;
    } else if (event.type() == perfetto::TrackEvent::TYPE_SLICE_END) {
      ASSERT_TRUE(open.contains(track));
      sums[track][name_of_open[track]] += packet.timestamp() - open[track];
      ended[track] = packet.timestamp();
      open.erase(track);
    }
  }
  EXPECT_TRUE(open.empty());
  for (const auto& [track, path] : tracks) {
    const auto unit = std::find_if(timeline.units.begin(), timeline.units.end(),
                                   [&](const run_record::Timeline::Unit& u) { return u.path == path; });
    if (unit == timeline.units.end() || unit->clock != "core") continue;
    std::map<std::string, uint64_t> expected;
    for (const auto& slice : timeline.slices[static_cast<size_t>(unit - timeline.units.begin())])
      if (slice.reason != run_record::Timeline::kIdle)
        expected[unit->reasons[slice.reason].text] +=
            (slice.end - slice.begin) / timeline.core_period * report::kPerfettoCycle;
    EXPECT_EQ(sums[track], expected) << path;
  }
  EXPECT_GT(flows.size(), 10u);
  size_t passed_on = 0;
  for (const auto& [flow, slices] : flows) passed_on += slices > 1;
  EXPECT_GT(passed_on, flows.size() / 2);
}

// ---- One life ----

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
}  // namespace cutaway
