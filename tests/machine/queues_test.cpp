// A graphics queue and a compute queue side by side leave the memory and the pictures that they leave one
// after the other; whatever the order of boxes, with idle cycles skipped or not.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

#include "emulator/emulator.h"
#include "gpu_run.h"
#include "machine/observer.h"
#include "report/perfetto.h"
#include "scenes/parts.h"

namespace cutaway::queues_test {
namespace {

using arch::Opcode;
using arch::QueueKind;
using scenes::bits;

struct Beside {
  uint64_t memory = 0, statistics = 0;
  engine::Cycle cycles = 0;
  boxes::QueueCounters queues;
};

machine::Config chip(const char* preset, bool compute_queue) {
  machine::Config config;
  load_config(config, preset);
  set(config, "command_processor.compute_queue", compute_queue ? "true" : "false");
  machine::check_rules(config);
  return config;
}

Beside run(const machine::Config& config, machine::MachineOptions options = {}) {
  const scenes::Scene scene = scenes::two_queues();
  options.runs_ahead = true;
  options.query_values = reported_queries(scene);
  machine::Machine gpu(config, arch::Memory(), options);
  play(scene, gpu);
  gpu.wait();
  arch::Fault fault;
  EXPECT_FALSE(gpu.fault(fault)) << fault.text;
  return {gpu.memory(0).hash(), gpu.statistics_hash(), gpu.cycles(), gpu.queues()};
}

TEST(Queues, SideBySideLeaveTheSameMemory) {
  for (const char* preset : {"g80", "d3d11"}) {
    const Beside alone = run(chip(preset, false)), beside = run(chip(preset, true));
    EXPECT_EQ(alone.memory, on_emulator(scenes::two_queues())) << preset;
    EXPECT_EQ(beside.memory, alone.memory) << preset;
    EXPECT_LT(beside.cycles, alone.cycles) << preset;
    EXPECT_EQ(beside.queues.compute_submissions, 4u);
    EXPECT_GT(beside.queues.side_by_side_cycles, 1000u) << preset;
    EXPECT_GT(beside.queues.follow_cycles, 0u) << preset;
  }
}

TEST(Queues, DependOnNoOrderOfBoxes) {
  for (const char* preset : {"g80", "d3d11"}) {
    const machine::Config config = chip(preset, true);
    const Beside first = run(config);
    for (const uint64_t seed : {1u, 2u, 3u})
      EXPECT_EQ(run(config, {.scheduler = {.seed = seed}}).statistics, first.statistics) << preset << seed;
    EXPECT_EQ(run(config, {.scheduler = {.skip_idle = false}}).statistics, first.statistics) << preset;
  }
}

// A timeline has the work of each queue: pieces of one lie beside pieces of the other.
TEST(Queues, AreToldApartInTimelines) {
  const scenes::Scene scene = scenes::two_queues();
  machine::Machine gpu(chip("d3d11", true), arch::Memory(),
                       {.query_values = reported_queries(scene), .list_works = true, .runs_ahead = true});
  machine::Observer observer(gpu, {.units = false});
  play(scene, gpu);
  gpu.wait();
  const run_record::Timeline timeline = observer.take(1);
  std::map<std::string, size_t> computed, drawn;
  size_t beside = 0;
  for (const auto& work : timeline.works) {
    EXPECT_LT(work.begin, work.end) << work.kind;
    (work.compute_queue ? computed : drawn)[work.kind]++;
    EXPECT_EQ(work.compute_queue, std::set({1u, 4u, 7u, 8u}).contains(work.submission));
    for (const auto& other : timeline.works)
      beside +=
          work.kind == "draw" && other.kind == "dispatch" && work.begin < other.end && other.begin < work.end;
  }
  EXPECT_EQ(computed["dispatch"], 3u);
  EXPECT_EQ(computed["copy"], 2u) << "a clear and a fill";
  EXPECT_EQ(computed["draw"], 0u);
  EXPECT_GT(drawn["draw"], 8u);
  EXPECT_GT(beside, 0u);

  std::string file;
  report::write_perfetto(timeline, [&](std::span<const std::byte> part) {
    file.append(reinterpret_cast<const char*>(part.data()), part.size());
  });
  for (const char* track : {"work of the graphics queue", "work of the compute queue"})
    EXPECT_NE(file.find(track), std::string::npos) << track;
}

TEST(Queues, OverlapWithWatchedMemoryToo) {
  for (const unsigned submissions : {1u, 2u, 8u})
    for (const char* watched : {"0", "8", "128"}) {
      machine::Config config = chip("d3d11", true);
      config.command_processor.submissions = submissions;
      set(config, "command_processor.watched_memory", watched);
      EXPECT_EQ(run(config).memory, on_emulator(scenes::two_queues())) << submissions << " " << watched;
    }
}

// ---- Between the queues ----

constexpr uint32_t kSize = 64, kBytes = 4 * kSize * kSize;

void submit_to(scenes::Builder& b, QueueKind queue, uint64_t after = 0) {
  b.queue = queue, b.after = after;
  b.submit_called();
  b.queue = QueueKind::kGraphics, b.after = 0;
}

// A dispatch of a program that stores to buffer 0 and loads from buffer 1.
void dispatch(scenes::Builder& b, std::string_view program, const std::vector<float>& constants,
              const arch::Surface& to, const arch::Surface& from, uint32_t groups) {
  b.registers.compute = {{64, 1, 1}, 64};
  b.constants(arch::Stage::kCompute, 0, constants);
  b.program(arch::Stage::kCompute, program, arch::kShaderWritesMemory);
  b.textures(std::array{to, from}, {}, arch::Stage::kCompute);
  b.send_state();
  b.commands.packet(Opcode::kDispatch, arch::DispatchPacket{{groups, 1, 1}, {}});
}

// Writes the words of `from` plus a number.
void add(scenes::Builder& b, arch::Address to, arch::Address from, uint32_t number) {
  dispatch(b,
           "IMUL r0.x, i33.x, c0.x\nIADD r0.x, r0.x, i32.w\nSHL r2.x, r0.x, c0.y\nLDB r1.x, r2.x, t1\n"
           "IADD r1.x, r1.x, c0.z\nSTB _.x, r2.x, r1.x, t0\nEND\n",
           {bits(64), bits(2), bits(number), 0}, scenes::raw_buffer(to, kBytes),
           scenes::raw_buffer(from, kBytes), kSize);
}

void strip(scenes::Builder& b, const arch::Surface& target) {
  b.target(target);
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
  b.vertices({-1, -1, 0, 1, 0, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0, 1, 0, 1, 1, 1, 0, 1, 1, 1}, {4, 2});
  b.draw(4);
}

// The compute queue reads a texture, then overwrites it, for which no INVALIDATE is needed. That of the
// graphics queue, which follows, is: texture caches hold the old texture.
TEST(Queues, InvalidateWhatTheOtherQueueHasRead) {
  for (const bool fills : {false, true})
    for (const char* watched : {"0", "128"}) {
      scenes::Builder b("read before");
      b.stores = true, b.ahead = 255;
      const arch::Surface target = b.surface(arch::Format::R8G8B8A8_UNORM, kSize, kSize),
                          texture = b.surface(arch::Format::R8G8B8A8_UNORM, kSize, kSize);
      const arch::Address zeros = b.allocate(kBytes), other = b.allocate(kBytes);
      add(b, other, texture.address, 1);
      b.commands.packet(Opcode::kFlush, uint32_t{arch::kCacheStorage});
      b.commands.packet(Opcode::kWaitIdle);
      if (fills)
        b.commands.packet(Opcode::kFillBuffer,
                          arch::FillBufferPacket{texture.address, uint64_t{kBytes}, 0x12345678});
      else add(b, texture.address, zeros, 0x12345678);
      submit_to(b, QueueKind::kCompute);
      scenes::textured_programs(b);
      b.textures(std::array{texture}, std::array{scenes::sampler(arch::Filter::kNearest)});
      strip(b, target);
      submit_to(b, QueueKind::kGraphics, 1);
      b.end_frame();
      machine::Config config = chip("d3d11", true);
      set(config, "command_processor.watched_memory", watched);
      SCOPED_TRACE(fmt::format("fills {}, {} ranges", fills, watched));
      expect_memory_of_emulator(b.take(), config);
    }
}

// The graphics queue reads bytes behind those that a fill of the compute queue writes, in the same line,
// while the fill is under way. The line must not stay in a cache.
TEST(Queues, ReadLinesBesideACopyOfTheOtherQueue) {
  for (const char* copies : {"0", "16"}) {
    constexpr uint32_t kFilled = (64 << 10) - 32;
    scenes::Builder b("line of a copy");
    b.stores = true, b.ahead = 255;
    const arch::Address memory = b.allocate(kFilled + 256), sums = b.allocate(kBytes), read = b.allocate(256);
    const auto reads = [&](uint32_t times, uint32_t at, arch::Address to, const arch::Surface& from,
                           uint32_t groups) {
      dispatch(b,
               "MOV r3.x, c0.w\nMOV r1.x, c0.w\nLOOP\nIADD r3.x, r3.x, c1.x\nLDB r5.x, c0.y, t1\n"
               "IADD r1.x, r1.x, r5.x\nIGE r4.x, r3.x, c0.z\nBRK r4.x\nNEXT\nENDLOOP\nSHL r2.x, i32.w, c0.x\n"
               "STB _.x, r2.x, r1.x, t0\nEND\n",
               {bits(2), bits(at), bits(times), 0, bits(1), 0, 0, 0}, scenes::raw_buffer(to, 256), from,
               groups);
    };
    reads(1200, 0, sums, scenes::raw_buffer(memory + kFilled, 32), 64);
    submit_to(b, QueueKind::kGraphics);
    reads(150, 0, read, scenes::raw_buffer(sums + 1024, 64), 1);  // waits a little
    b.flush();
    b.commands.packet(Opcode::kFillBuffer, arch::FillBufferPacket{memory, uint64_t{kFilled}, 0x55555555});
    b.flush();
    reads(1, kFilled - 4, read, scenes::raw_buffer(memory, kFilled), 16);
    submit_to(b, QueueKind::kCompute);
    b.end_frame();
    machine::Config config = chip("d3d11", true);
    set(config, "command_processor.watched_copies", copies);
    SCOPED_TRACE(fmt::format("{} copies are watched", copies));
    expect_memory_of_emulator(b.take(), config);
  }
}

// A submission that follows one of the other queue waits for it also where that queue has stopped at the
// fault of a later one, which it had begun meanwhile.
TEST(Queues, FollowWorkBeforeAFault) {
  scenes::Builder b("fault");
  b.stores = true, b.ahead = 255;
  const arch::Surface target = b.surface(arch::Format::R8G8B8A8_UNORM, kSize, kSize);
  const arch::Address value = b.allocate(256);
  b.target(target);
  b.clear(0, 0, 0, 1);
  submit_to(b, QueueKind::kGraphics);
  scenes::textured_programs(b);
  b.constants(arch::Stage::kFragment, 0, {bits(7), bits(1), bits(200), 0});
  b.program(arch::Stage::kFragment,
            "MOV r3.x, c0.w\nLOOP\nIADD r3.x, r3.x, c0.y\nIGE r4.x, r3.x, c0.z\nBRK r4.x\nNEXT\nENDLOOP\n"
            "MOV r2.x, c0.w\nMOV r1.x, c0.x\nSTB _.x, r2.x, r1.x, t0\nMOV o0, i0\nEND\n",
            arch::kShaderWritesMemory);
  b.textures(std::array{scenes::raw_buffer(value, 64)}, {});
  strip(b, target);
  submit_to(b, QueueKind::kGraphics);
  b.commands.packet(Opcode::kWaitValue, arch::WaitValuePacket{value, uint64_t{7}});
  submit_to(b, QueueKind::kCompute, 2);
  b.commands.packet(Opcode::kFillBuffer, arch::FillBufferPacket{uint64_t{3}, uint64_t{64}, 0});
  b.submit(false);
  const scenes::Scene scene = b.take();
  const auto emulator = emulator::make_emulator();
  play(scene, *emulator);
  arch::Fault expected, fault;
  ASSERT_TRUE(emulator->fault(expected));
  machine::Config config = chip("d3d11", true);
  config.command_processor.submissions = 8;
  set(config, "command_processor.watched_memory", "128");
  machine::Machine gpu(config, arch::Memory(), {.runs_ahead = true});
  play(scene, gpu);
  gpu.wait();
  ASSERT_TRUE(gpu.fault(fault));
  EXPECT_EQ(fault.submission, expected.submission);
  EXPECT_EQ(fault.text, expected.text);
}

// A copy of the compute queue beside draws: the fault names its submission.
TEST(Queues, PageFaultsNameTheirSubmission) {
  scenes::Builder b("page fault");
  b.ahead = 255;
  b.clear(0, 0, 0, 1);
  submit_to(b, QueueKind::kGraphics);
  b.commands.packet(Opcode::kFillBuffer, arch::FillBufferPacket{uint64_t{1} << 33, uint64_t{64}, 1});
  submit_to(b, QueueKind::kCompute);
  b.end_frame();
  machine::Config config = chip("d3d11", true);
  set(config, "translation.pages", "4KB");
  machine::Machine gpu(config, arch::Memory(), {.runs_ahead = true});
  play(b.take(), gpu);
  gpu.wait();
  arch::Fault fault;
  ASSERT_TRUE(gpu.fault(fault));
  EXPECT_EQ(fault.submission, 2u) << fault.text;
}

}  // namespace
}  // namespace cutaway::queues_test
