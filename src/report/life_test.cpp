#include "report/life.h"

#include <gmock/gmock.h>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "report/perfetto.h"
#include "report/perfetto.pb.h"

// Lives and timelines of messages that the tests write by hand.
namespace cutaway::report::life_test {
namespace {

using run_record::Timeline;
using Thing = Timeline::Thing;

struct ByHand {
  Timeline timeline;

  ByHand() {
    timeline.end = 1000;
    timeline.draw = {.submission = 1, .draw = 2, .number = 2};
  }
  uint32_t unit(const std::string& name) {
    timeline.units.push_back(
        {.path = "gpu." + name, .clock = "core", .reasons = {{"idle", ""}, {"busy", ""}}});
    timeline.slices.emplace_back();
    return static_cast<uint32_t>(timeline.units.size() - 1);
  }
  uint32_t wire(uint32_t sender, uint32_t receiver, const std::string& message) {
    const std::string to = timeline.units[receiver].path + ".in";
    timeline.wires.push_back({timeline.units[sender].path + ".out", to, message, sender, receiver, 1, 1, 8});
    return static_cast<uint32_t>(timeline.wires.size() - 1);
  }
  uint32_t thing(Thing thing) {
    thing.submission = 1, thing.draw = 2;
    timeline.things.push_back(thing);
    return static_cast<uint32_t>(timeline.things.size() - 1);
  }
  // In the order in which they are sent.
  void message(uint32_t wire, uint64_t sent, uint64_t taken, std::initializer_list<uint32_t> things = {}) {
    timeline.messages.push_back({sent, sent + 1, taken, wire, static_cast<uint32_t>(timeline.carried.size()),
                                 static_cast<uint32_t>(things.size())});
    timeline.carried.insert(timeline.carried.end(), things.begin(), things.end());
  }
};

// Two vertices, taken in 10 and 20, make a primitive, and that a quad. It is tested, shaded, and written with
// what it was tested for.
struct OneQuad : ByHand {
  uint32_t streamer = unit("streamer"), assembly = unit("assembly"), raster = unit("raster"),
           z = unit("z_stencil"), shader = unit("shader"), color = unit("color_write");

  OneQuad() {
    const uint32_t first = thing({.kind = Thing::Kind::kVertex, .index = 5}),
                   second = thing({.kind = Thing::Kind::kVertex, .index = 6}),
                   primitive = thing({.kind = Thing::Kind::kPrimitive}),
                   quad = thing({.kind = Thing::Kind::kQuad, .x = 8, .y = 8, .mask = 15});
    thing({.kind = Thing::Kind::kTile, .x = 8, .y = 8, .mask = ~0ull});
    const uint32_t vertices = wire(streamer, assembly, "VertexMessage");
    message(vertices, 5, 10, {first});
    message(vertices, 12, 20, {second});
    message(wire(assembly, raster, "PrimitiveMessage"), 20, 25, {primitive, first, second});
    message(wire(raster, z, "QuadMessage"), 26, 30, {quad});
    message(wire(z, shader, "QuadMessage"), 40, 50, {quad});
    message(wire(z, color, "ShadedQuad"), 60, 70, {quad});
  }
  Life life() const {
    return life_of(timeline, {.fragment = Subject::Fragment{.x = 8, .y = 9, .primitive = {}}});
  }
};

TEST(LifeByHand, BeginsWithTheVertexThatCameLast) {
  const Life life = OneQuad().life();
  ASSERT_GE(life.stops.size(), 2u);
  EXPECT_EQ(life.stops[1].sent, 12u);
  EXPECT_EQ(life.stops[1].taken, 20u);
}

TEST(LifeByHand, GoesOnWithTheNextMessage) {
  const OneQuad scene;
  const Life life = scene.life();
  ASSERT_EQ(life.stops.size(), 5u);
  EXPECT_EQ(life.stops[3].unit, scene.z);
  EXPECT_EQ(life.stops[3].leaves, 40u);
  EXPECT_EQ(life.stops[4].unit, scene.shader);
}

// Each message has a track of its own while another is on the wire; a track is used again.
TEST(PerfettoByHand, MessagesThatOverlapHaveTracksOfTheirOwn) {
  ByHand scene;
  const uint32_t from = scene.unit("a"), to = scene.unit("b"), wire = scene.wire(from, to, "Message");
  for (const auto& [sent, taken] : {std::pair(10, 20), {15, 30}, {20, 25}, {31, 40}})
    scene.message(wire, static_cast<uint64_t>(sent), static_cast<uint64_t>(taken));
  std::string file;
  write_perfetto(scene.timeline, [&](std::span<const std::byte> part) {
    file.append(reinterpret_cast<const char*>(part.data()), part.size());
  });
  perfetto::Trace trace;
  ASSERT_TRUE(trace.ParseFromString(file));
  std::vector<uint64_t> tracks;  // of slices, as they begin
  for (const auto& packet : trace.packet())
    if (packet.has_track_event() && packet.track_event().type() == perfetto::TrackEvent::TYPE_SLICE_BEGIN)
      tracks.push_back(packet.track_event().track_uuid());
  ASSERT_EQ(tracks.size(), 4u);
  EXPECT_NE(tracks[0], tracks[1]);
  EXPECT_EQ(tracks[0], tracks[2]);
  EXPECT_EQ(tracks[0], tracks[3]);
}

}  // namespace
}  // namespace cutaway::report::life_test
