// Programs that share a machine, each in a context of its own, leave the memory and the pictures that they
// leave alone; whatever the order of boxes, with idle cycles skipped or not.
#include <algorithm>
#include <deque>
#include <span>

#include "emulator/emulator.h"
#include "gpu_run.h"
#include "scenes/fault_scenes.h"
#include "scenes/timing_scenes.h"

namespace cutaway::contexts_test {
namespace {

// Plays a scene in a context, event by event.
class Player {
 public:
  Player(const scenes::Scene& scene, arch::ContextId context) : scene_(scene), context_(context) {}

  bool done() const { return next_ == scene_.events.size(); }
  // Up to the next submission, which is handed over.
  void go_on(machine::Machine& gpu) {
    using Kind = scenes::Event::Kind;
    for (bool submitted = false; !done() && !submitted;) {
      const scenes::Event& event = scene_.events[next_++];
      if (event.kind == Kind::kMap) gpu.map(context_, event.address, event.bytes);
      if (event.kind == Kind::kPlace)
        gpu.place(context_, event.address, event.bytes, arch::Placement::kSystem);
      if (event.kind == Kind::kWrite) gpu.write(context_, event.address, event.data);
      if (event.kind != Kind::kSubmit) continue;
      arch::Submission submission = event.submission;
      submission.context = context_;
      gpu.submit(submission);
      submitted = true;
    }
  }

 private:
  const scenes::Scene& scene_;
  arch::ContextId context_;
  size_t next_ = 0;
};

struct Together {
  std::vector<uint64_t> memory;  // hashes, by context
  uint64_t statistics = 0;
  machine::ContextSwitchCounters switches;
  std::vector<uint64_t> waited;
  uint64_t preemptions = 0;
  run_record::TurnsRecord turns;      // with MachineOptions::list_works
  std::vector<messages::Work> works;  // the same
};

Together run(const std::vector<scenes::Scene>& programs, machine::Config config,
             machine::MachineOptions options = {}) {
  config.command_processor.contexts = std::max(2u, static_cast<unsigned>(programs.size()));
  machine::check_rules(config);
  options.runs_ahead = true;
  machine::Machine gpu(config, arch::Memory(), options);
  std::deque<Player> players;
  for (arch::ContextId context = 0; context < programs.size(); context++) {
    gpu.add_context(context, arch::Memory(), reported_queries(programs[context]));
    players.emplace_back(programs[context], context);
  }
  const auto may_go_on = [&](arch::ContextId context) {
    return !players[context].done() && gpu.accepts(context);
  };
  const auto any = [&] {
    for (arch::ContextId context = 0; context < players.size(); context++)
      if (may_go_on(context)) return true;
    return false;
  };
  do {
    for (arch::ContextId context = 0; context < players.size(); context++)
      if (may_go_on(context)) players[context].go_on(gpu);
    gpu.run_until(any);
  } while (any());
  gpu.wait();
  arch::Fault fault;
  EXPECT_FALSE(gpu.fault(fault)) << fault.text;
  Together together{.memory = {},
                    .statistics = gpu.statistics_hash(),
                    .switches = gpu.switches(),
                    .waited = {},
                    .preemptions = gpu.preemptions().preemptions,
                    .turns = {},
                    .works = {}};
  if (options.list_works) together.turns = gpu.works().turns().record(), together.works = gpu.works().works();
  for (arch::ContextId context = 0; context < programs.size(); context++) {
    together.memory.push_back(gpu.memory(context).hash());
    together.waited.push_back(gpu.waited(context));
  }
  return together;
}

scenes::Scene named(std::string_view name) {
  for (const auto& all : {scenes::all_scenes(), scenes::timing_scenes(), scenes::optional_scenes()})
    for (const scenes::Scene& scene : all)
      if (scene.name == name) return scene;
  ADD_FAILURE() << name << ": no such scene";
  return {};
}

// Scenes of many submissions, depth bounds, tags, copies and textures.
std::vector<scenes::Scene> programs() {
  return {named("many-small-draws"), named("submissions-ahead"), named("depth-over-submissions")};
}

void expect_each_alone(const std::vector<scenes::Scene>& scenes, const Together& together) {
  for (size_t i = 0; i < scenes.size(); i++)
    EXPECT_EQ(together.memory[i], on_emulator(scenes[i])) << scenes[i].name << " in context " << i;
}

TEST(Contexts, LeaveTheMemoryThatTheyLeaveAlone) {
  for (const char* schedule : {"first-come", "priority", "slices"}) {
    machine::Config config;
    set(config, "command_processor.schedule", schedule);
    set(config, "command_processor.slice_us", "1");
    const Together together = run(programs(), config);
    expect_each_alone(programs(), together);
    EXPECT_GT(together.switches.switches, 2u) << schedule;
    EXPECT_GT(together.switches.bind_cycles, 0u);
  }
}

// Slices so short that a context loses the GPU behind nearly every draw.
TEST(Contexts, MayLoseTheGpuWithinASubmission) {
  for (const char* schedule : {"priority", "slices"}) {
    machine::Config config;
    set(config, "command_processor.schedule", schedule);
    set(config, "command_processor.slice_us", "0");
    set(config, "command_processor.preempts", "true");
    const Together together = run(programs(), config);
    expect_each_alone(programs(), together);
    // By priority the last program has ended before another begins.
    EXPECT_EQ(together.preemptions > 0, std::string_view(schedule) == "slices");
    for (const uint64_t seed : {1u, 2u})
      EXPECT_EQ(run(programs(), config, {.scheduler = {.seed = seed}}).statistics, together.statistics)
          << seed;
  }
}

// Turns and switches follow one another, their costs sum to the machine's counters, and each piece of work
// lies in a turn of its context.
TEST(Contexts, HaveTurnsThatHoldAllTheirWork) {
  for (const char* preempts : {"false", "true"}) {
    machine::Config config;
    set(config, "command_processor.slice_us", "0");
    set(config, "command_processor.preempts", preempts);
    machine::MachineOptions options;
    options.list_works = true;
    const Together together = run(programs(), config, options);
    EXPECT_EQ(run(programs(), config).statistics, together.statistics);
    std::vector<std::pair<uint64_t, uint64_t>> spans;
    uint64_t suspended = 0, flush = 0, invalidate = 0, bind = 0;
    for (const run_record::TurnRecord& turn : together.turns.turns) {
      spans.emplace_back(turn.began, turn.end);
      EXPECT_NE(turn.how, run_record::TurnRecord::End::kStopped);
      suspended += turn.how == run_record::TurnRecord::End::kSuspended;
    }
    for (const run_record::SwitchRecord& one : together.turns.switches) {
      spans.emplace_back(one.began, one.end);
      EXPECT_NE(one.from, one.to);
      EXPECT_LE(one.flush_cycles + one.invalidate_cycles + one.bind_cycles, one.end - one.began);
      EXPECT_TRUE(one.whole);
      flush += one.flush_cycles, invalidate += one.invalidate_cycles, bind += one.bind_cycles;
    }
    std::sort(spans.begin(), spans.end());
    for (size_t i = 1; i < spans.size(); i++) EXPECT_LE(spans[i - 1].second, spans[i].first);
    EXPECT_EQ(suspended, together.preemptions);
    EXPECT_EQ(together.turns.switches.size(), together.switches.switches);
    EXPECT_EQ(flush, together.switches.flush_cycles);
    EXPECT_EQ(invalidate, together.switches.invalidate_cycles);
    EXPECT_EQ(bind, together.switches.bind_cycles);
    for (const messages::Work& work : together.works) {
      const auto holds = [&](const run_record::TurnRecord& turn) {
        return turn.context == work.context && turn.submission == work.origin.submission &&
               turn.began <= work.began &&
               (work.kind == messages::Work::Kind::kPresent || work.end <= turn.end);
      };
      EXPECT_TRUE(std::any_of(together.turns.turns.begin(), together.turns.turns.end(), holds))
          << name_of(work.kind) << " of submission " << work.origin.submission;
    }
  }
}

TEST(Contexts, ThatLoseTheGpuKeepWhatTheySetLoadedAndCounted) {
  uint64_t preemptions = 0;
  for (const char* scene :
       {"queries", "statistics", "cleared-depth", "copies", "anisotropic-textures", "halves",
        "feedback-triangles", "geometry-many-draws", "fragment-counters", "histogram", "scattered-stores",
        "calls", "depth-buffers-in-turn", "patches-of-shapes"}) {
    const std::vector<scenes::Scene> twice(2, named(scene));
    machine::Config config;
    machine::load_config(config, "d3d11");
    set(config, "command_processor.slice_us", "0");
    set(config, "command_processor.preempts", "true");
    set(config, "translation.pages", "4KB");
    const Together together = run(twice, config);
    expect_each_alone(twice, together);
    preemptions += together.preemptions;
  }
  EXPECT_GT(preemptions, 100u);
}

TEST(Contexts, OfTheSameSceneDoNotMeet) {
  for (const char* schedule : {"first-come", "priority"})
    for (const char* scene : {"depth-over-submissions", "depth-written-between", "submissions-ahead",
                              "cleared-depth", "copies", "queries"}) {
      const std::vector<scenes::Scene> twice(2, named(scene));
      machine::Config config;
      set(config, "command_processor.schedule", schedule);
      expect_each_alone(twice, run(twice, config));
    }
}

// The same with depths that the host writes between the submissions, so that what was hidden is seen.
scenes::Scene with_depths_written_by_the_host() {
  scenes::Scene scene = named("depth-over-submissions");
  const std::vector<float> depths(arch::surface_bytes(scene.depth) / sizeof(float), 0.8f);
  scenes::Event write;
  write.kind = scenes::Event::Kind::kWrite;
  write.address = scene.depth.address;
  const auto bytes = std::as_bytes(std::span(depths));
  write.data.assign(bytes.begin(), bytes.end());
  const auto last = std::find_if(scene.events.rbegin(), scene.events.rend(), [](const scenes::Event& event) {
    return event.kind == scenes::Event::Kind::kSubmit;
  });
  scene.events.insert(last.base() - 1, write);
  return scene;
}

TEST(Contexts, SeeWhatTheirHostWrites) {
  const std::vector<scenes::Scene> twice(2, with_depths_written_by_the_host());
  ASSERT_NE(on_emulator(twice[0]), on_emulator(named("depth-over-submissions")));
  machine::Config config;
  set(config, "command_processor.schedule", "priority");
  expect_each_alone(twice, run(twice, config));
}

TEST(Contexts, DependOnNoOrderOfBoxes) {
  machine::Config config;
  set(config, "command_processor.slice_us", "1");
  const Together plain = run(programs(), config);
  for (const uint64_t seed : {1u, 2u})
    EXPECT_EQ(run(programs(), config, {.scheduler = {.seed = seed}}).statistics, plain.statistics) << seed;
  EXPECT_EQ(run(programs(), config, {.scheduler = {.skip_idle = false}}).statistics, plain.statistics);
}

TEST(Contexts, HavePagesOfTheirOwn) {
  machine::Config config;
  set(config, "translation.pages", "4KB");
  set(config, "command_processor.slice_us", "1");
  expect_each_alone(programs(), run(programs(), config));
}

TEST(Contexts, WaitForTheirDoorbells) {
  machine::Config config;
  set(config, "bus.bytes_per_cycle", "8");
  set(config, "bus.latency", "200");
  set(config, "command_processor.slice_us", "1");
  expect_each_alone(programs(), run(programs(), config));
}

TEST(Contexts, OfHighPriorityWaitLess) {
  const std::vector<scenes::Scene> scenes(2, named("many-small-draws"));
  machine::Config config;
  set(config, "command_processor.schedule", "priority");
  const Together together = run(scenes, config);
  EXPECT_LT(together.waited[1], together.waited[0]);
}

TEST(Contexts, OneProgramRunsOnAMachineOfSeveral) {
  machine::Config config;
  set(config, "command_processor.contexts", "4");
  const scenes::Scene scene = named("submissions-ahead");
  EXPECT_EQ(on_machine(scene, config).memory, on_emulator(scene));
}

TEST(Contexts, AreOneOnAMachineOfOne) {
  scenes::Scene scene = named("queries");
  for (scenes::Event& event : scene.events) event.submission.context = 200;
  machine::Machine gpu({}, arch::Memory(), {.query_values = reported_queries(named("queries"))});
  scenes::play(scene, gpu);
  arch::Fault fault;
  EXPECT_FALSE(gpu.fault(fault)) << fault.text;
  EXPECT_EQ(gpu.memory(0).hash(), on_emulator(named("queries")));
}

TEST(Contexts, OnesThatAreNotThereStopTheMachine) {
  machine::Config config;
  config.command_processor.contexts = 2;
  const auto fault_of = [&](const auto& act) {
    machine::Machine gpu(config, arch::Memory());
    act(gpu);
    arch::Fault fault;
    return gpu.fault(fault) ? fault.text : "";
  };
  EXPECT_EQ(fault_of([](auto& gpu) { gpu.map(1, 0, arch::kPageBytes); }), "");
  EXPECT_NE(fault_of([](auto& gpu) { gpu.map(2, 0, arch::kPageBytes); }), "");
  EXPECT_NE(fault_of([](auto& gpu) { gpu.submit({.id = 1, .context = 200}); }), "");
  EXPECT_NE(fault_of([](auto& gpu) { gpu.map(0, arch::kContextBytes, arch::kPageBytes); }), "");
  EXPECT_NE(fault_of([](auto& gpu) { gpu.write(0, arch::context_base(1), std::vector<std::byte>(64)); }), "");
}

machine::Config of_two() {
  machine::Config config;
  config.command_processor.contexts = 2;
  return config;
}

TEST(Contexts, ASubmissionThatPresentsNothingStaysTheOneAtFault) {
  machine::Machine gpu(of_two(), arch::Memory(), {.runs_ahead = true});
  const scenes::Scene scene = scenes::without_packet(scenes::animation(1), arch::Opcode::kPresent, 0);
  gpu.add_context(1, arch::Memory(), {});
  Player(scene, 1).go_on(gpu);
  gpu.run_until([] { return false; });
  arch::Fault fault;
  ASSERT_TRUE(gpu.fault(fault));
  EXPECT_EQ(gpu.stopped_context(), arch::ContextId{1});
  EXPECT_EQ(gpu.ended(1), 0u);
}

TEST(Contexts, BeginNothingWhileTheDisplayFinishesItsPicture) {
  unsigned pictures = 0;
  machine::MachineOptions options{.runs_ahead = true};
  options.on_picture = [&](arch::Picture&&, arch::PictureRows, arch::ContextId) { pictures++; };
  machine::Machine gpu(of_two(), arch::Memory(), options);
  const scenes::Scene scene = scenes::animation(2);
  gpu.add_context(0, arch::Memory(), {});
  Player player(scene, 0);
  player.go_on(gpu);
  gpu.run_until([&] { return gpu.ended(0) == 1; });
  ASSERT_TRUE(gpu.scans_out());
  player.go_on(gpu);
  gpu.end_scan_out(1'000'000);
  EXPECT_FALSE(gpu.scans_out());
  EXPECT_EQ(pictures, 1u);
  EXPECT_FALSE(gpu.executed());
  EXPECT_EQ(gpu.ended(0), 1u);
}

TEST(Contexts, AreRefusedBesideWhatTheyDoNotFit) {
  machine::Config config;
  set(config, "command_processor.contexts", "2");
  set(config, "command_processor.submissions", "2");
  EXPECT_THROW(machine::check_rules(config), UserError);
  set(config, "command_processor.submissions", "1");
  machine::check_rules(config);
  set(config, "host.cpu", "1");
  machine::check_rules(config);
}

}  // namespace
}  // namespace cutaway::contexts_test
