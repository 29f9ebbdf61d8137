#include <gtest/gtest.h>

#include "arch/device_clock.h"
#include "emulator/emulator.h"
#include "scenes/parts.h"
#include "scenes/scenes.h"

// The number of threads affects neither memory nor pictures nor counters.
namespace cutaway::emulator::threads_test {
namespace {

struct Outcome {
  uint64_t hash = 0, ticks = 0;
  Statistics totals;
  std::vector<arch::Picture> pictures;
  std::vector<uint64_t> queries;
  bool faulted = false;
  std::string fault;
};

Outcome play(const scenes::Scene& scene, uint32_t threads) {
  Outcome out;
  Options options;
  options.threads = threads;
  options.all_threads_help = true;
  options.on_frame = [&](FrameEnd& end) { out.pictures.push_back(std::move(end.picture)); };
  options.on_query = [&](uint64_t, arch::Address, uint64_t value) { out.queries.push_back(value); };
  const auto gpu = make_emulator(std::move(options));
  scenes::play(scene, *gpu);
  out.hash = gpu->hash();
  out.ticks = dynamic_cast<const arch::DeviceClock&>(*gpu).ticks();
  out.totals = gpu->totals();
  arch::Fault fault;
  out.faulted = gpu->fault(fault);
  out.fault = fault.text;
  return out;
}

// Triangles with enough vertex work to distribute: each vertex gives its number of loop iterations. endless:
// the vertex with an endless loop, or none. draws: equally many of the 900 vertices are drawn by each.
scenes::Scene long_vertex_programs(uint32_t endless = ~0u, uint32_t draws = 1) {
  scenes::Builder b(endless == ~0u ? "long vertex programs" : "endless vertex program");
  b.clear(0, 0, 0, 1);
  b.program(arch::Stage::kVertex,
            "MOV r0, c0.xxxx\nMOV r1, i0\n"
            "LOOP\nFGE r2.x, r0.x, i1.x\nBRK r2.x\nADD r0.x, r0.x, i1.y\nMAD r1.x, r1.y, c0.z, r1.x\n"
            "MAD r1.y, r1.x, -c0.z, r1.y\nNEXT\nENDLOOP\n"
            "MOV o0, r1\nMOV r3, i0\nMAD r3.z, r0.x, c0.z, r3.z\nMOV r3.w, c0.y\nMOV o1, r3\nEND\n");
  b.program(arch::Stage::kFragment, "MOV o0, i0\nEND\n");
  b.interpolants({1});
  b.constants(arch::Stage::kVertex, 0, {0, 1, 0.03125f, 0});
  std::vector<float> values;
  for (uint32_t i = 0; i < 900; i++)
    for (const float value :
         {static_cast<float>(i * 37 % 64) / 32 - 1, static_cast<float>(i * 11 % 64) / 32 - 1, 0.5f, 1.0f,
          static_cast<float>(i % 23), i == endless ? 0.0f : 1.0f})
      values.push_back(value);
  b.vertices(values, {4, 2});
  b.registers.query.statistics = 1;
  for (uint32_t i = 0; i < draws; i++) b.draw(900 / draws, 1, 900 / draws * i);
  b.end_frame();
  return b.take();
}

// A program that reads a pixel of its own target, in the first of eight regions, through a buffer that begins
// `offset` bytes from the target's start. It counts for a long time in that region, and writes the larger of
// the count and the value read: drawn in order, all regions show the count.
scenes::Scene reads_its_target(std::string name, int64_t offset) {
  constexpr uint32_t kWidth = 512, kHeight = 64, kRoom = 4096;
  scenes::Builder b(std::move(name), kWidth, kHeight);
  b.allocate(kRoom, kRoom);
  const arch::Surface target = b.surface(arch::Format::R32_SFLOAT, kWidth, kHeight);
  b.target(target);
  const arch::Address pixel =
      arch::element_address(target, arch::level_layout(target, 0), kHeight - 1, kHeight - 1, 0, 0);
  const arch::Address from = target.address + static_cast<uint64_t>(offset);
  const arch::Surface buffer = scenes::raw_buffer(from, static_cast<uint32_t>(pixel + 4 - from));
  b.program(arch::Stage::kVertex, std::string(scenes::kPassColor));
  b.program(arch::Stage::kFragment,
            "MOV r0, c0.xxxx\nFGE r1.x, i0.x, c0.w\n"
            "LOOP\nBRK r1.x\nFGE r2.x, r0.x, c0.z\nBRK r2.x\nADD r0.x, r0.x, c0.y\nNEXT\nENDLOOP\n"
            "LDB r3.x, c1.x, t0\nMAX r0.x, r0.x, r3.x\nMOV o0, r0.xxxx\nEND\n");
  b.constants(
      arch::Stage::kFragment, 0,
      {0, 1, 4000, 2.0f * kHeight / kWidth - 1, scenes::bits(static_cast<uint32_t>(pixel - from)), 0, 0, 0});
  b.textures({&buffer, 1}, {});
  b.interpolants({1});
  b.vertices({-1, -1, 0, 1, -1, 0, 0, 1, 3, -1, 0, 1, 3, 0, 0, 1, -1, 3, 0, 1, -1, 0, 0, 1}, {4, 4});
  b.draw(3);
  b.flush();
  b.submit(false);
  return b.take();
}

TEST(Threads, AnyNumberGivesTheSame) {
  std::vector<scenes::Scene> scenes = scenes::all_scenes();
  scenes.push_back(long_vertex_programs());
  scenes.push_back(long_vertex_programs(700));
  scenes.push_back(long_vertex_programs(40));
  scenes.push_back(reads_its_target("reads its target from before it on", -4096));
  scenes.push_back(reads_its_target("reads a part of its target", 4096));
  for (const scenes::Scene& scene : scenes) {
    const Outcome one = play(scene, 1);
    EXPECT_EQ(one.faulted, scene.name == "endless vertex program");
    for (const uint32_t threads : {2u, 3u, 8u}) {
      SCOPED_TRACE(::testing::Message() << scene.name << ", " << threads << " threads");
      const Outcome many = play(scene, threads);
      EXPECT_EQ(many.hash, one.hash);
      EXPECT_EQ(many.ticks, one.ticks);
      EXPECT_EQ(many.faulted, one.faulted);
      EXPECT_EQ(many.fault, one.fault);
      EXPECT_EQ(many.queries, one.queries);
      ASSERT_EQ(many.pictures.size(), one.pictures.size());
      for (size_t i = 0; i < one.pictures.size(); i++) EXPECT_EQ(many.pictures[i].rgba, one.pictures[i].rgba);
      std::vector<uint64_t> counters[2];
      many.totals.for_each([&](const char*, const char*, uint64_t value) { counters[0].push_back(value); });
      one.totals.for_each([&](const char*, const char*, uint64_t value) { counters[1].push_back(value); });
      EXPECT_EQ(counters[0], counters[1]);
    }
  }
}

TEST(Threads, StepsOfVerticesCountOnce) {
  for (const uint32_t threads : {1u, 4u}) {
    const uint64_t one = play(long_vertex_programs(), threads).ticks;
    const uint64_t many = play(long_vertex_programs(~0u, 5), threads).ticks;
    EXPECT_NEAR(static_cast<double>(many), static_cast<double>(one), 0.02 * static_cast<double>(one));
  }
}

}  // namespace
}  // namespace cutaway::emulator::threads_test
