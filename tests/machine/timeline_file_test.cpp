// The file of a timeline, read back.
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <span>
#include <string>

#include "observer_bench.h"
#include "report/perfetto.h"
#include "report/perfetto.pb.h"

namespace cutaway::timeline_file_test {
namespace {

using namespace observer_bench;

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

}  // namespace
}  // namespace cutaway::timeline_file_test
