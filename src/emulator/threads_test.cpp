#include <gtest/gtest.h>

#include "emulator/emulator.h"
#include "emulator/worker_team.h"
#include "scenes/scenes.h"

// The number of threads changes neither memory nor pictures nor counters.
namespace cutaway::emulator {
namespace {

struct Outcome {
  uint64_t hash = 0;
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
  options.on_frame = [&](FrameEnd& end) { out.pictures.push_back(std::move(end.picture)); };
  options.on_query = [&](uint64_t, arch::Address, uint64_t value) { out.queries.push_back(value); };
  const auto gpu = make_emulator(std::move(options));
  scenes::play(scene, *gpu);
  out.hash = gpu->hash();
  out.totals = gpu->totals();
  arch::Fault fault;
  out.faulted = gpu->fault(fault);
  out.fault = fault.text;
  return out;
}

// Triangles whose vertices are worth sharing out: a loop of as many rounds as each vertex says. endless: the
// vertex whose loop does not end, or none.
scenes::Scene long_vertex_programs(uint32_t endless = ~0u) {
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
  b.draw(900);
  b.end_frame();
  return b.take();
}

TEST(Threads, AnyNumberGivesTheSame) {
  std::vector<scenes::Scene> scenes = scenes::all_scenes();
  scenes.push_back(long_vertex_programs());
  scenes.push_back(long_vertex_programs(700));
  scenes.push_back(long_vertex_programs(40));
  for (const scenes::Scene& scene : scenes) {
    const Outcome one = play(scene, 1);
    EXPECT_EQ(one.faulted, scene.name == "endless vertex program");
    for (const uint32_t threads : {2u, 3u, 8u}) {
      SCOPED_TRACE(testing::Message() << scene.name << ", " << threads << " threads");
      const Outcome many = play(scene, threads);
      EXPECT_EQ(many.hash, one.hash);
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

TEST(WorkerTeam, EveryWorkerTakesPartInEveryJob) {
  WorkerTeam team(4);
  std::atomic<uint32_t> calls[4] = {};
  for (uint32_t job = 1; job <= 2000; job++) {
    team.run([&](uint32_t worker) { calls[worker]++; });
    for (const auto& count : calls) ASSERT_EQ(count, job);
  }
}

TEST(WorkerTeam, OneWorkerIsTheCaller) {
  WorkerTeam team(1);
  const auto caller = std::this_thread::get_id();
  team.run([&](uint32_t worker) {
    EXPECT_EQ(worker, 0u);
    EXPECT_EQ(std::this_thread::get_id(), caller);
  });
}

}  // namespace
}  // namespace cutaway::emulator
