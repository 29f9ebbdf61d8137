// Tests verify on captures: silent if emulator and machine agree, and otherwise a diagnosis that names the
// place of a planted bug.
#include <cstring>
#include <filesystem>
#include <functional>
#include <gmock/gmock.h>
#include <unistd.h>

#include "base/error.h"
#include "capture/recording_gpu.h"
#include "emulator/emulator.h"
#include "replay/simulation.h"
#include "scenes/fault_scenes.h"
#include "scenes/parts.h"
#include "scenes/scenes.h"

namespace cutaway::replay {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class CaptureFile {
 public:
  explicit CaptureFile(const scenes::Scene& scene, uint64_t key_interval = 0)
      : path_(std::filesystem::temp_directory_path() / fmt::format("replay_test_{}.cutaway", getpid())) {
    auto gpu = emulator::make_emulator();
    capture::Writer writer(path_, {.key_interval = key_interval, .memory = capture::memory_of(*gpu)});
    capture::RecordingGpu recording(*gpu, writer);
    scenes::play(scene, recording);
    writer.close();
  }
  ~CaptureFile() { std::filesystem::remove(path_); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::vector<SimulatedFrame> simulate_all(const scenes::Scene& scene, SimulationOptions options = {},
                                         uint64_t first = 1, uint64_t key_interval = 0) {
  const CaptureFile file(scene, key_interval);
  const capture::Reader reader(file.path());
  std::vector<SimulatedFrame> frames;
  options.verify = true;
  options.on_frame = [&](SimulatedFrame&& frame) { frames.push_back(std::move(frame)); };
  simulate(reader, first, reader.info().last_frame(), options);
  return frames;
}

std::string difference(const scenes::Scene& scene, const machine::Faults& faults = {}) {
  SimulationOptions options;
  options.clock.faults = faults;
  return simulate_all(scene, options).front().difference;
}

TEST(Verify, IsSilentWhereBothAgree) {
  for (const scenes::Scene& scene :
       {scenes::glass_panes(), scenes::rendered_then_read(), scenes::texture_written_between_draws()})
    EXPECT_THAT(difference(scene), IsEmpty()) << scene.name;
}

TEST(Verify, NamesTheDrawWhoseWriteLostItsDirtyBit) {
  scenes::Builder b("two clears");
  b.clear(0.25f, 0.5f, 0.75f, 1);
  b.end_frame();
  EXPECT_THAT(
      difference(b.take(), {.drop_dirty_bit = 100}),
      AllOf(HasSubstr("frame 1: GPU memory differs"), HasSubstr("color target 0, 64x64 R8G8B8A8_UNORM"),
            ContainsRegex("pixel +\\([0-9]+, [0-9]+\\)"),
            ContainsRegex("first wrong draw +submission 1, draw 1 \\(DRAW\\)"),
            ContainsRegex("unit +color_write0: it wrote the sector last")));
}

// The pages of the target lie in other memory.
TEST(Verify, NamesTheWriterOfBoundPages) {
  scenes::Builder b("bound");
  const arch::Surface sparse = b.sparse_surface(arch::Format::R8G8B8A8_UNORM, 64, 64);
  const arch::Address memory = b.allocate(8 * arch::kPageBytes, 1 << 16);
  b.bind(sparse.address, 8 * arch::kPageBytes, memory);
  const arch::Surface shown = b.color_target();
  b.target(sparse);
  scenes::color_programs(b);
  b.vertices({-1, -1, 0, 1, 1, 1, 1, 1, 3, -1, 0, 1, 1, 1, 1, 1, -1, 3, 0, 1, 1, 1, 1, 1}, {4, 4});
  b.draw(3);
  b.flush();
  b.target(shown);
  b.end_frame();
  EXPECT_THAT(
      difference(b.take(), {.drop_dirty_bit = 100}),
      AllOf(HasSubstr("in 1 sector of 64"),
            ContainsRegex(fmt::format("differing address +{:#x}", memory >> 12)),
            ContainsRegex(fmt::format("bound at +{:#x}", sparse.address >> 12)),
            HasSubstr("color target 0, 64x64 R8G8B8A8_UNORM"), ContainsRegex("pixel +\\([0-9]+, [0-9]+\\)"),
            ContainsRegex("first wrong draw +submission 1, draw 1 \\(DRAW\\)"),
            ContainsRegex("unit +color_write0: it wrote the sector last, for that draw")));
}

TEST(Verify, NamesTheDrawThatSampledAStaleTexture) {
  EXPECT_THAT(
      difference(scenes::texture_written_between_draws(), {.skip_texture_invalidate = true}),
      AllOf(ContainsRegex("first wrong draw +submission 1, draw 2"), ContainsRegex("pixel +\\(0, 0\\)"),
            ContainsRegex("unit +color_write0: it wrote the sector last, for that draw")));
}

TEST(Verify, NamesTheDrawWhoseQuadsCameOutOfOrder) {
  EXPECT_THAT(difference(scenes::glass_panes(), {.release_in_completion_order = true}),
              AllOf(ContainsRegex("first wrong draw +submission 1, draw 2"), HasSubstr("color target 0"),
                    ContainsRegex("unit +color_write[01]: it wrote the sector last, for that draw")));
}

TEST(Verify, NamesTheDrawThatReadAroundARemovedFlush) {
  const scenes::Scene edited = scenes::without_packet(scenes::rendered_then_read(), arch::Opcode::kFlush, 0);
  EXPECT_THAT(difference(edited), AllOf(HasSubstr("frame 1: GPU memory differs"),
                                        ContainsRegex("first wrong draw +submission 1")));
}

TEST(Verify, NamesTheDrawWhoseLinesTheLastFlushLeft) {
  const scenes::Scene edited = scenes::without_packet(scenes::rendered_then_read(), arch::Opcode::kFlush, 2);
  EXPECT_THAT(difference(edited),
              AllOf(ContainsRegex("first wrong draw +submission 1, draw 3"), HasSubstr("is not in memory")));
}

// On a machine with every feature that optional_scenes() use.
SimulatedFrame computed(const scenes::Scene& scene, const machine::Faults& faults = {}) {
  SimulationOptions options;
  options.clock.faults = faults;
  machine::ShaderClass& shader = options.config.shaders.front();
  for (const arch::Stage stage : {arch::Stage::kVertex, arch::Stage::kFragment, arch::Stage::kCompute})
    shader.topology.stages.add(stage), shader.topology.stores.add(stage);
  for (const arch::Stage stage :
       {arch::Stage::kTessControl, arch::Stage::kTessEvaluation, arch::Stage::kGeometry})
    shader.topology.stages.add(stage), shader.topology.stores.add(stage);
  shader.unit.group_lanes = shader.unit.simd_lanes = 32;
  shader.unit.threads = 1024;
  shader.unit.double_passes = 2;
  options.config.stream_out.units = 1;
  options.config.interpolator.pulls = 2;
  options.config.storage_cache.slices = 2;
  options.config.storage_cache.atomics_per_cycle = 4;
  return simulate_all(scene, options).front();
}
std::string computed_difference(const scenes::Scene& scene) { return computed(scene).difference; }

TEST(Verify, CoversAllStagesAndStoresAndCaptures) {
  for (const scenes::Scene& scene : scenes::optional_scenes())
    EXPECT_THAT(computed_difference(scene), IsEmpty()) << scene.name;
}

TEST(Verify, NamesTheDispatchWithUnflushedStores) {
  scenes::Scene edited = scenes::reduction();
  const uint32_t flush[] = {arch::packet_header(arch::Opcode::kFlush, 1),
                            arch::kCacheColor | arch::kCacheDepth | arch::kCacheStorage};
  for (scenes::Event& event : edited.events)
    for (size_t at = 0; at + sizeof flush <= event.data.size(); at += 4)
      if (std::memcmp(&event.data[at], flush, sizeof flush) == 0)
        event.data[at + 4] = std::byte{arch::kCacheColor | arch::kCacheDepth};
  EXPECT_THAT(computed_difference(edited),
              AllOf(HasSubstr("frame 1: GPU memory differs"),
                    ContainsRegex("first wrong draw +submission 1, dispatch 1 \\(DISPATCH\\)"),
                    Not(HasSubstr("hangs on order"))));
}

TEST(Verify, SaysWhoseResultHangsOnTheOrderOfThreads) {
  const scenes::Scene edited = scenes::without_packet(scenes::last_workgroup(), arch::Opcode::kFlush, 0);
  EXPECT_THAT(computed_difference(edited),
              ContainsRegex("hangs on order +submission 1, dispatch 1 \\(DISPATCH\\)"));
}

TEST(Verify, IsUndecidedWhereAllThatDiffersHangsOnOrder) {
  const SimulatedFrame frame = computed(scenes::order_of_arrival());
  EXPECT_THAT(frame.difference, ContainsRegex("hangs on order +submission 1, dispatch 1 \\(DISPATCH\\)"));
  EXPECT_TRUE(frame.hangs_on_order);
}

TEST(Verify, IsSureWhereSomethingWasWrongBeforeThat) {
  const SimulatedFrame frame = computed(scenes::order_of_arrival(), {.drop_dirty_bit = 100});
  EXPECT_THAT(frame.difference, HasSubstr("but something was wrong before it"));
  EXPECT_FALSE(frame.hangs_on_order);
  SimulationOptions faulty;
  faulty.clock.faults.release_in_completion_order = true;
  const SimulatedFrame without = simulate_all(scenes::glass_panes(), faulty).front();
  EXPECT_THAT(without.difference, Not(IsEmpty()));
  EXPECT_FALSE(without.hangs_on_order);
}

TEST(Simulation, FiguresDoNotDependOnJobsSeedAndKeyFrames) {
  const scenes::Scene scene = scenes::animation(5);
  const std::vector<SimulatedFrame> plain = simulate_all(scene, {}, 2);
  ASSERT_EQ(plain.size(), 4u);
  for (uint64_t variant = 1; variant <= 3; variant++) {
    SimulationOptions options{.jobs = static_cast<unsigned>(variant)};
    options.clock.seed = variant;
    options.clock.skip_idle = variant % 2;
    const std::vector<SimulatedFrame> other = simulate_all(scene, options, 2, variant);
    ASSERT_EQ(other.size(), plain.size());
    for (size_t i = 0; i < plain.size(); i++) {
      EXPECT_EQ(other[i].figures.frame, plain[i].figures.frame);
      EXPECT_EQ(other[i].figures.cycles, plain[i].figures.cycles);
      EXPECT_EQ(other[i].figures.statistics_hash, plain[i].figures.statistics_hash);
      EXPECT_EQ(other[i].figures.memory_hash, plain[i].figures.memory_hash);
      EXPECT_EQ(other[i].picture->rgba, plain[i].picture->rgba);
    }
  }
}

TEST(Simulation, AccountsSumToTheCyclesOfTheirClock) {
  const SimulatedFrame frame = simulate_all(scenes::many_triangles(30)).front();
  ASSERT_FALSE(frame.figures.units.empty());
  for (const run_record::UnitFigures& unit : frame.figures.units) {
    EXPECT_EQ(unit.busy + unit.starved + unit.blocked + unit.idle, unit.cycles) << unit.path;
    uint64_t starved = 0, blocked = 0;
    for (const run_record::UnitFigures::Wait& wait : unit.waits)
      (wait.starved ? starved : blocked) += wait.cycles;
    EXPECT_EQ(starved, unit.starved) << unit.path;
    EXPECT_EQ(blocked, unit.blocked) << unit.path;
  }
}

TEST(Simulation, RefusesUnclockedPacketsBeforeRunning) {
  const std::tuple<scenes::Scene, const char*, const char*> kCases[] = {
      {scenes::transform_feedback(), "after draw 1 (LOAD_FEEDBACK)", "transform feedback"},
      {scenes::dispatches(), "dispatch 1 (DISPATCH)", "compute programs"},
      {scenes::storage_writes(), "after draw 1 (LOAD_PROGRAM)",
       "vertex programs that store to buffers or images"}};
  for (const auto& [scene, place, feature] : kCases) {
    SimulationOptions options;
    options.on_progress = [](uint64_t, uint64_t cycles, double) { FAIL() << "in cycle " << cycles; };
    try {
      simulate_all(scene, options);
      FAIL() << scene.name << ": no error";
    } catch (const UserError& error) {
      EXPECT_THAT(error.what(),
                  AllOf(HasSubstr("frame 1, submission 1"), HasSubstr(place), HasSubstr(feature)));
    }
  }
}

// The file is in order; the emulator, which comes to the first frame first, knows what is mapped.
TEST(Simulation, RefusesBadBindsOfAFile) {
  const auto error = [](const std::function<void(scenes::Builder&, arch::Address range)>& bind) {
    scenes::Builder b("bad bind");
    const arch::Address range = b.sparse_surface(arch::Format::R8G8B8A8_UNORM, 64, 64).address;
    b.clear(0, 0, 0, 1);
    b.end_frame();
    bind(b, range);
    b.clear(0, 0, 0, 1);
    b.end_frame();
    try {
      simulate_all(b.take(), {}, 2);
    } catch (const UserError& found) { return std::string(found.what()); }
    return std::string();
  };
  EXPECT_EQ(error([](auto&, auto) {}), "");
  EXPECT_THAT(error([](auto& b, auto range) { b.bind(range, arch::kPageBytes, arch::Address{1} << 39); }),
              HasSubstr("memory is bound that is not mapped"));
  EXPECT_THAT(error([](auto& b, auto range) { b.bind(range, arch::kPageBytes, range); }),
              HasSubstr("memory is bound that is a sparse range itself"));
}

uint64_t counted(const run_record::FrameFigures& frame, std::string_view counter) {
  uint64_t sum = 0;
  bool found = false;
  for (const run_record::CounterFigure& figure : frame.counters) {
    if (figure.name != counter) continue;
    sum += figure.value;
    found = true;
  }
  EXPECT_TRUE(found) << counter;
  return sum;
}

scenes::Scene without_invalidates(scenes::Scene scene) {
  for (;;) {
    scenes::Scene less = scenes::without_packet(scene, arch::Opcode::kInvalidate, 0);
    bool same = true;
    for (size_t i = 0; i < scene.events.size(); i++) same &= less.events[i].data == scene.events[i].data;
    if (same) return less;
    scene = std::move(less);
  }
}

// Frames whose packets do not touch the caches find the previous frames' lines in them.
TEST(Simulation, WarmUpFillsCachesAndIsNotCounted) {
  scenes::Builder b("same texture");
  const auto texture = b.surface(arch::Format::R8G8B8A8_UNORM, 32, 32);
  b.fill_level(texture, 0, std::vector<uint32_t>(32 * 32, 0xff336699));
  for (int frame = 0; frame < 3; frame++) {
    b.program(arch::Stage::kVertex, "MOV o0, i0\nEND\n");
    b.program(arch::Stage::kFragment, "TEX o0, c0, t0, s0, 2D\nEND\n");
    b.constants(arch::Stage::kFragment, 0, {0.3f, 0.3f, 0, 0});
    const std::vector samplers{scenes::sampler(arch::Filter::kLinear)};
    b.textures(std::span(&texture, 1), samplers);
    b.vertices({-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1}, {4});
    b.draw(3);
    b.end_frame();
  }
  const scenes::Scene scene = without_invalidates(b.take());
  const auto cold = simulate_all(scene, {}, 2);
  const auto warm = simulate_all(scene, {.warmup = 1}, 2);
  const auto warmer = simulate_all(scene, {.jobs = 3, .warmup = 2}, 3);
  ASSERT_EQ(warm.size(), 2u);
  for (size_t i = 0; i < warm.size(); i++) {
    EXPECT_EQ(warm[i].difference, "");
    EXPECT_EQ(warm[i].figures.memory_hash, cold[i].figures.memory_hash);
    EXPECT_EQ(counted(warm[i].figures, "fragment_quads"), counted(cold[i].figures, "fragment_quads"));
    EXPECT_LT(warm[i].figures.cycles, cold[i].figures.cycles);
    EXPECT_LT(counted(warm[i].figures, "cache_misses"), counted(cold[i].figures, "cache_misses"));
    for (const run_record::UnitFigures& unit : warm[i].figures.units)
      EXPECT_EQ(unit.busy + unit.starved + unit.blocked + unit.idle, unit.cycles) << unit.path;
  }
  ASSERT_EQ(warmer.size(), 1u);
  EXPECT_EQ(warmer[0].difference, "");
  EXPECT_LE(warmer[0].figures.cycles, warm[1].figures.cycles);
}

// The driver's streams begin with INVALIDATE: of earlier frames the units only keep their programs.
TEST(Simulation, WarmUpKeepsOnlyProgramsAfterInvalidate) {
  const scenes::Scene scene = scenes::animation(3);
  const auto cold = simulate_all(scene, {}, 3), warm = simulate_all(scene, {.warmup = 2}, 3);
  EXPECT_GT(counted(cold.front().figures, "programs_sent"), 0u);
  EXPECT_EQ(counted(warm.front().figures, "programs_sent"), 0u);
  EXPECT_LE(warm.front().figures.cycles, cold.front().figures.cycles);
  EXPECT_LE(cold.front().figures.cycles - warm.front().figures.cycles,
            counted(cold.front().figures, "state_bytes") / 16);
  EXPECT_EQ(warm.front().figures.memory_hash, cold.front().figures.memory_hash);
}

TEST(Simulation, WarmUpNeedsFramesBefore) {
  EXPECT_THROW(simulate_all(scenes::animation(3), {.warmup = 2}, 2), UserError);
}

TEST(Verify, WritesTheTimestampsThatTheEmulatorHad) {
  const std::vector<SimulatedFrame> frames = simulate_all(scenes::statistics());
  EXPECT_THAT(frames.front().difference, IsEmpty());
}

// In order the machine is right. Side by side the draw reads what is not written yet, which is the program's
// fault.
TEST(Verify, NamesQueuesThatNoSemaphoreOrders) {
  for (const bool beside : {false, true}) {
    SimulationOptions options;
    machine::load_config(options.config, "g80");
    options.config.command_processor.compute_queue = beside;
    const SimulatedFrame frame = simulate_all(scenes::racing_queues(), options).front();
    EXPECT_EQ(frame.hangs_on_order, beside);
    if (!beside) EXPECT_THAT(frame.difference, IsEmpty());
    else
      EXPECT_THAT(frame.difference, ContainsRegex("hangs on order +submissions 1 and 2 are of two queues"));
  }
}

}  // namespace
}  // namespace cutaway::replay
