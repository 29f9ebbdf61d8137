// The log of fragments: all that boxes count is in it, and what it says of pixels is true.
#include <algorithm>
#include <map>

#include "base/error.h"
#include "gpu_run.h"
#include "records.h"
#include "replay/frame_recording.h"
#include "scenes/parts.h"

namespace cutaway {
namespace {

using Kind = run_record::FragmentEvent::Kind;

struct Logged {
  run_record::FrameRecord record;
  std::vector<run_record::FragmentEvent> events;
  std::vector<arch::Picture> pictures;
  uint64_t statistics = 0, cycles = 0;
};

Logged log_of(const scenes::Scene& scene, const machine::Config& config, uint64_t limit = 1'000'000,
              const engine::SchedulerOptions& scheduler = {}) {
  Logged result;
  machine::MachineOptions options;
  options.scheduler = scheduler;
  options.record_interval = 500;
  options.log_fragments = limit;
  options.query_values = reported_queries(scene);
  options.on_picture = [&](arch::Picture&& picture, arch::PictureRows, arch::ContextId) {
    result.pictures.push_back(std::move(picture));
  };
  machine::Machine gpu(config, arch::Memory(), options);
  scenes::play(scene, gpu);
  result.record = replay::take_recording(gpu, 0);
  for (const run_record::FragmentPart& part : result.record.fragments->parts)
    run_record::unpack_fragments(part, result.events);
  gpu.wait();  // for the picture
  result.statistics = gpu.statistics_hash();
  result.cycles = gpu.cycles();
  return result;
}

machine::Config shape(const std::string& name) {
  for (const records::Shape& shape : records::shapes())
    if (shape.name == name) return records::config_of(shape);
  throw InternalError("no such shape");
}

// By what the log says of a tile of a pass, the counts that boxes made of it.
run_record::TileRecord& tile_of(
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, run_record::TileRecord>& tiles,
    const run_record::FrameRecord& record, const run_record::FragmentEvent& event) {
  const uint32_t pass = record.work[event.work].pass, x = event.x / 8u, y = event.y / 8u;
  run_record::TileRecord& tile = tiles[{pass, x, y}];
  tile.pass = pass, tile.x = x, tile.y = y;
  return tile;
}

void expect_tiles(const std::string& scene, const Logged& log) {
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, run_record::TileRecord> tiles;
  for (const run_record::FragmentEvent& event : log.events) {
    run_record::TileRecord& tile = tile_of(tiles, log.record, event);
    const uint32_t count = event.fragments();
    switch (event.kind) {
      case Kind::kKilledHz:
        tile.killed_hz += count;
        break;
      case Kind::kKilledZ:
      case Kind::kKilledLateZ:
        tile.killed_z += count;
        break;
      case Kind::kKilledStencil:
      case Kind::kKilledLateStencil:
        tile.killed_stencil += count;
        break;
      case Kind::kKilledShader:
        tile.killed_shader += count;
        break;
      case Kind::kWritten:
      case Kind::kUnseen:
        tile.written += count;
        tile.last_write = event.cycle;
        break;
      case Kind::kUncovered:
      case Kind::kPassed:
        break;
    }
  }
  for (const run_record::TileRecord& counted : log.record.tiles) {
    const run_record::TileRecord& t = tiles[{counted.pass, counted.x, counted.y}];
    const std::string where =
        fmt::format("{}: pass {}, tile {}, {}", scene, counted.pass, counted.x, counted.y);
    EXPECT_EQ(t.killed_hz, counted.killed_hz) << where;
    EXPECT_EQ(t.killed_z, counted.killed_z) << where;
    EXPECT_EQ(t.killed_stencil, counted.killed_stencil) << where;
    EXPECT_EQ(t.killed_shader, counted.killed_shader) << where;
    EXPECT_EQ(t.written, counted.written) << where;
    EXPECT_EQ(t.last_write, counted.last_write) << where;
  }
  EXPECT_LE(tiles.size(), log.record.tiles.size()) << scene;
}

uint64_t counted(const run_record::FrameRecord& record, std::string_view unit, std::string_view name) {
  uint64_t sum = 0;
  for (const run_record::Amount& a : record.own) {
    const run_record::CounterColumn& c = record.counters[a.counter];
    if (c.path.starts_with(unit) && c.name == name) sum += a.value;
  }
  return sum;
}

void expect_counters(const std::string& scene, const Logged& log) {
  std::map<Kind, uint64_t> sums;
  for (const run_record::FragmentEvent& event : log.events) sums[event.kind] += event.fragments();
  const run_record::FrameRecord& r = log.record;
  EXPECT_EQ(sums[Kind::kKilledHz], counted(r, "gpu.hierarchical_z", "fragments_rejected")) << scene;
  EXPECT_EQ(sums[Kind::kKilledZ] + sums[Kind::kKilledStencil],
            counted(r, "gpu.z_stencil", "fragments_failed"))
      << scene;
  EXPECT_EQ(sums[Kind::kKilledLateZ] + sums[Kind::kKilledLateStencil],
            counted(r, "gpu.z_stencil", "late_failed"))
      << scene;
  EXPECT_EQ(sums[Kind::kKilledShader], counted(r, "gpu.", "fragments_killed")) << scene;
  EXPECT_EQ(sums[Kind::kWritten] + sums[Kind::kUnseen], counted(r, "gpu.color_write", "fragments")) << scene;
}

// With one sample per pixel, each generated fragment ends once: writes to several targets are one end.
void expect_every_fragment_ends(const std::string& scene, const Logged& log) {
  for (const run_record::StateRecord& state : log.record.states)
    if (state.samples > 1) return;
  std::map<uint32_t, uint32_t> first_target;
  for (const run_record::FragmentEvent& e : log.events)
    if (e.kind == Kind::kWritten || e.kind == Kind::kUnseen)
      first_target[e.work] = std::min<uint32_t>(first_target.try_emplace(e.work, 8).first->second, e.target);
  uint64_t ends = 0;
  for (const run_record::FragmentEvent& e : log.events) {
    const bool again =
        (e.kind == Kind::kWritten || e.kind == Kind::kUnseen) && e.target != first_target[e.work];
    if (!again) ends += e.fragments();
  }
  EXPECT_EQ(ends, counted(log.record, "gpu.fragment_generation", "fragments")) << scene;
}

void expect_parts(const std::string& scene, const Logged& log) {
  const run_record::FragmentRecord& fragments = *log.record.fragments;
  uint64_t events = 0;
  for (const run_record::FragmentPart& part : fragments.parts) events += part.events;
  EXPECT_EQ(events, fragments.events) << scene;
  EXPECT_EQ(fragments.end, 0u) << scene;
  for (size_t i = 0; i < log.events.size(); i++) {
    const run_record::FragmentEvent& e = log.events[i];
    ASSERT_LT(e.work, log.record.work.size()) << scene;
    const run_record::WorkRecord& work = log.record.work[e.work];
    ASSERT_TRUE(e.cycle > work.began && e.cycle <= work.end) << scene << ": " << e.cycle;
    if (i) { ASSERT_LE(log.events[i - 1].cycle, e.cycle) << scene; }
  }
}

class FragmentLog : public ::testing::TestWithParam<const char*> {};

TEST_P(FragmentLog, HoldsAllCountedEventsAndChangesNothing) {
  for (const scenes::Scene& scene : records::record_scenes()) {
    const Outcome plain = on_machine(scene, shape(GetParam()));
    const Logged log = log_of(scene, shape(GetParam()));
    EXPECT_EQ(log.statistics, plain.statistics) << scene.name;
    expect_parts(scene.name, log);
    expect_tiles(scene.name, log);
    expect_counters(scene.name, log);
    expect_every_fragment_ends(scene.name, log);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, FragmentLog,
                         ::testing::Values("attila", "clusters", "rasters", "shader-clock", "three-slices"));

scenes::Scene scene_named(std::string_view name) {
  for (scenes::Scene& scene : scenes::all_scenes())
    if (scene.name == name) return std::move(scene);
  throw InternalError("no such scene");
}

TEST(FragmentLogOf, IsIndependentOfBoxOrderAndSkipping) {
  for (const scenes::Scene& scene : {scenes::many_triangles(120, 96), scene_named("discards")})
    for (const char* name : {"attila", "clusters", "rasters"}) {
      const Logged first = log_of(scene, shape(name));
      for (const engine::SchedulerOptions& scheduler :
           {engine::SchedulerOptions{.seed = 5}, engine::SchedulerOptions{.skip_idle = false}})
        EXPECT_EQ(log_of(scene, shape(name), 1'000'000, scheduler).events, first.events) << scene.name;
    }
}

// The picture that the log gives at the end is what the display shows.
TEST(FragmentLogOf, AFrameThatClearsGivesItsPicture) {
  for (const char* name : {"many-triangles", "depth-and-stencil", "blending", "lines-and-points", "discards",
                           "instances", "clipped"}) {
    const scenes::Scene scene = scene_named(name);
    const Logged log = log_of(scene, {});
    ASSERT_EQ(log.pictures.size(), 1u) << name;
    const arch::Picture& shown = log.pictures[0];
    std::map<uint32_t, uint32_t> target_of;  // by pass
    for (const run_record::TargetRecord& t : log.record.fragments->targets)
      if (t.address == uint64_t{scene.color.address} && t.target >= 0) {
        EXPECT_TRUE(t.color && t.width == shown.width && t.height == shown.height) << name;
        target_of[t.pass] = static_cast<uint32_t>(t.target);
      }
    std::vector<uint32_t> picture(size_t{shown.width} * shown.height);
    for (const run_record::FragmentEvent& e : log.events) {
      const auto target = target_of.find(log.record.work[e.work].pass);
      if (e.kind != Kind::kWritten || target == target_of.end() || target->second != e.target) continue;
      for (uint32_t lane = 0; lane < 4; lane++)
        if (e.lanes >> lane & 1)
          picture[(e.y + lane / 2) * shown.width + e.x + lane % 2] = e.color[lane] | 0xff000000;
    }
    EXPECT_EQ(std::memcmp(picture.data(), shown.rgba.data(), shown.rgba.size()), 0) << name;
  }
}

TEST(FragmentLogOf, AFrameEndsWhereItIsFull) {
  const scenes::Scene scene = scene_named("blending");
  const Logged whole = log_of(scene, {}), cut = log_of(scene, {}, 200);
  ASSERT_GT(whole.events.size(), 200u);
  const uint64_t end = cut.record.fragments->end;
  EXPECT_EQ(end, whole.events[200].cycle);
  const auto first_lost = std::find_if(whole.events.begin(), whole.events.end(),
                                       [&](const run_record::FragmentEvent& e) { return e.cycle >= end; });
  EXPECT_EQ(cut.events, std::vector(whole.events.begin(), first_lost));
  EXPECT_EQ(cut.statistics, whole.statistics);
}

// A frame in which one pixel meets every end, in this order.
scenes::Scene every_end() {
  using arch::Stage;
  scenes::Builder b("every-end");
  b.depth(b.surface(arch::Format::D24_UNORM_S8_UINT, 64, 64));
  b.clear(0, 0, 0.2f, 1);
  const auto pane = [&](float z, const std::vector<float>& color) {
    // Earlier drawing has left its Z cache, or is idle there.
    b.commands.packet(arch::Opcode::kWaitIdle);
    b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
    b.constants(Stage::kFragment, 0, color);
    b.vertices({-1, -1, z, 1, 1, -1, z, 1, -1, 1, z, 1, 1, 1, z, 1}, {4});
    b.draw(4);
  };
  b.program(Stage::kVertex, "MOV o0, i0\nEND\n");
  b.program(Stage::kFragment, "MOV o0, c0\nEND\n");
  depth_test(b);
  auto& depth = b.registers.depth;
  depth.hierarchical_z = 1;
  pane(0.625f, {0, 0, 1, 1});  // the first one opens every entry of hierarchical Z
  pane(0.5f, {1, 0, 0, 1});
  pane(0.75f, {0, 1, 0, 1});  // hidden
  depth.hierarchical_z = 0;
  pane(0.75f, {0, 1, 0, 1});
  depth.mode = static_cast<uint32_t>(arch::DepthMode::kLate);
  pane(0.75f, {0, 1, 0, 1});
  depth.stencil_test = 1;
  depth.front = depth.back = {0, 0, 0, 2, 1, 255, 255};  // equal to 1, where there is 0
  pane(0.25f, {0, 1, 0, 1});
  depth.mode = static_cast<uint32_t>(arch::DepthMode::kEarly);
  pane(0.25f, {0, 1, 0, 1});
  depth.stencil_test = 0;
  depth.mode = static_cast<uint32_t>(arch::DepthMode::kEarlyTestLateWrite);
  b.program(Stage::kFragment, "KIL c0.y\nMOV o0, c0\nEND\n", arch::kShaderKills);
  pane(0.25f, {0, 1, 0, 1});
  b.program(Stage::kFragment, "MOV o0, c0\nMOV o8.y, c0.z\nEND\n", arch::kShaderWritesSampleMask);
  pane(0.25f, {0, 1, 0, 1});  // no sample
  b.program(Stage::kFragment, "MOV o0, c0\nEND\n");
  b.registers.color.target[0].write_mask = 0;
  pane(0.375f, {0, 1, 0, 1});
  auto& target = b.registers.color.target[0];
  target.write_mask = 15, target.blend = 1;
  target.color_source = target.alpha_source = static_cast<uint32_t>(arch::BlendFactor::kOne);
  target.color_destination = target.alpha_destination = static_cast<uint32_t>(arch::BlendFactor::kOne);
  target.color_op = target.alpha_op = static_cast<uint32_t>(arch::BlendOp::kAdd);
  pane(0.25f, {0, 0.6f, 0, 1});
  b.end_frame();
  return b.take();
}

TEST(FragmentLogOf, APixelTellsEveryEnd) {
  machine::Config config;
  set(config, "z_stencil.cache_lines", "4");  // of 64 tiles: what has left is known to hierarchical Z
  const Logged log = log_of(every_end(), config);
  const auto history = [&](uint32_t x, uint32_t y) {
    std::vector<std::pair<Kind, uint32_t>> found;  // with the color
    for (const run_record::FragmentEvent& e : log.events)
      if (e.touches(x, y))
        found.emplace_back(e.kind, e.kind == Kind::kWritten ? e.color[(y - e.y) * 2 + x - e.x] : 0);
    return found;
  };
  const std::vector<std::pair<Kind, uint32_t>> expected = {
      {Kind::kWritten, 0xff330000},  {Kind::kWritten, 0xffff0000}, {Kind::kWritten, 0xff0000ff},
      {Kind::kKilledHz, 0},          {Kind::kKilledZ, 0},          {Kind::kKilledLateZ, 0},
      {Kind::kKilledLateStencil, 0}, {Kind::kKilledStencil, 0},    {Kind::kKilledShader, 0},
      {Kind::kUncovered, 0},         {Kind::kPassed, 0},           {Kind::kWritten, 0xff0099ff}};
  for (const auto& [x, y] : {std::pair(0, 0), {3, 5}, {13, 10}})
    EXPECT_EQ(history(static_cast<uint32_t>(x), static_cast<uint32_t>(y)), expected) << x << ", " << y;
  for (const auto& [x, y] : {std::pair(64, 0), {0, 64}})
    EXPECT_TRUE(history(static_cast<uint32_t>(x), static_cast<uint32_t>(y)).empty());
}

// Colors are those of sample 0; the other samples are told of without.
TEST(FragmentLogOf, SeveralSamplesHasTheColorsOfOne) {
  bool found = false;
  for (const scenes::Scene& scene : scenes::all_scenes()) {
    const Logged log = log_of(scene, {});
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> samples;  // of targets, by pass
    for (const run_record::TargetRecord& t : log.record.fragments->targets)
      samples[{t.pass, static_cast<uint32_t>(t.target)}] = t.color ? t.samples : 0;
    for (const run_record::FragmentEvent& e : log.events) {
      if (e.kind != Kind::kWritten && e.kind != Kind::kUnseen) continue;
      const uint32_t count = samples[{log.record.work[e.work].pass, e.target}];
      EXPECT_EQ(e.kind == Kind::kWritten, count > 0 && e.sample == 0) << scene.name;
      EXPECT_LT(e.sample, std::max(1u, count)) << scene.name;
      found |= e.sample > 0;
    }
  }
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace cutaway
