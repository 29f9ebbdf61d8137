// Tests the observer: it changes nothing, and its data sum to the accounts and follow the wires' laws.
#include "machine/observer.h"

#include <gmock/gmock.h>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "observer_bench.h"
#include "report/perfetto.h"

namespace cutaway::observer_test {
namespace {

using namespace observer_bench;

constexpr run_record::Timeline::Draw kFirstDraw{.submission = 1, .draw = 1, .number = 1};

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

void expect_slices_of_accounts(const scenes::Scene& scene, const char* name) {
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
      EXPECT_LE(sums[r], counted + off) << scene.name << ": " << unit.path << " " << column;
      EXPECT_GE(sums[r] + off, counted) << scene.name << ": " << unit.path << " " << column;
      if (r == run_record::Timeline::kBusy) busy_of_all += sums[r];
    }
  }
  EXPECT_GT(busy_of_all, kInterval);
}

TEST(Observer, SlicesCoverTheWindowAndSumToTheAccounts) {
  for (const char* name : kShapes)
    for (const scenes::Scene& scene : some_scenes()) expect_slices_of_accounts(scene, name);
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

}  // namespace
}  // namespace cutaway::observer_test
