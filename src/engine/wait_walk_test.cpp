#include "engine/wait_walk.h"

#include <gtest/gtest.h>
#include <map>

#include "engine/simulator.h"
#include "engine/testing/mock.h"

namespace cutaway::engine {
namespace {

using testing::Source;

// Works `cycles` on each message, then passes it on. Without a message it reports a wait, or idleness.
class Stage final : public Box {
 public:
  Stage(std::string path, int cycles, bool says_idle = false)
      : Box(std::move(path)), cycles_(cycles), says_idle_(says_idle) {}
  In<int> in;
  Out<int> out;

  Cycle tick(Cycle now) override {
    if (!left_) {
      if (!in.peek(now)) return says_idle_ ? idle(now) : starved(now, in);
      in.drop(now);
      left_ = cycles_;
    }
    if (left_ > 1) return --left_, busy(now);
    if (!out.ready(now)) return blocked(now, out);
    out.send(now, 1);
    left_ = 0;
    return busy(now);
  }
  void list_ports(PortList& list) override { list("in", in), list("out", out); }
  std::string why_busy() const override { return left_ ? "a message" : ""; }
  const Port* short_of() const override { return says_short ? &in : nullptr; }
  bool has_backlog() const override { return says_backlog; }
  bool says_short = false, says_backlog = false;
  // Work is "long" in the first half of a message, then "short".
  std::vector<std::string_view> kinds_of_work() const override { return {"long", "short"}; }
  uint32_t kind_of_work() const override { return 2 * left_ > cycles_ ? 0 : 1; }

 private:
  int cycles_, left_ = 0;
  bool says_idle_;
};

// The number of cycles, out of 1000, in which each box was found.
std::map<std::string, int> found_by(const WaitWalk& walk, Simulator& sim, Domain& core) {
  std::map<std::string, int> count;
  for (int i = 0; i < 1000; i++) {
    sim.run(core, 1);
    const uint32_t box = walk.find();
    count[box == WaitWalk::kNobody ? "nobody" : sim.boxes()[box]->path()]++;
  }
  return count;
}

// source → first → second → end; finds the box that holds up the end.
struct Line {
  Simulator sim;
  Domain& core = sim.add_domain("core", 1);
  Source<int>& source;
  Stage &first, &second;
  testing::Sink<int>& end = sim.add<testing::Sink<int>>(core, "end");
  const Box* start = &end;
  WaitWalk* walk = nullptr;

  Line(Cycle source_interval, int first_cycles, int second_cycles, bool says_idle, Cycle latency = 1)
      : source(sim.add<Source<int>>(core, "source", std::vector<int>(1000), source_interval)),
        first(sim.add<Stage>(core, "first", first_cycles, says_idle)),
        second(sim.add<Stage>(core, "second", second_cycles, says_idle)) {
    sim.connect(source.out, first.in, {.latency = 1, .slots = 2});
    sim.connect(first.out, second.in, {.latency = static_cast<unsigned>(latency), .slots = 40});
    sim.connect(second.out, end.in, {.latency = 1, .slots = 2});
    sim.elaborate();
    walk = &sim.walk_waits([this] { return start; }, [](std::string_view) { return true; });
  }
  std::map<std::string, int> found() {
    sim.run(core, 100);
    return found_by(*walk, sim, core);
  }
};

TEST(WaitWalk, EndsAtTheSlowestStageHoweverOthersIdle) {
  for (const bool says_idle : {false, true}) {
    EXPECT_GT(Line(1, 50, 2, says_idle).found()["first"], 900) << says_idle;
    EXPECT_GT(Line(1, 2, 50, says_idle).found()["second"], 900) << says_idle;
    EXPECT_GT(Line(50, 2, 2, says_idle).found()["source"], 850) << says_idle;
  }
}

TEST(WaitWalk, NamesTheSenderOfAMessageThatIsOnItsWay) {
  // One message at a time is in flight for 30 of 31 cycles.
  for (const bool says_idle : {false, true})
    EXPECT_GT(Line(31, 1, 1, says_idle, 30).found()["first"], 850) << says_idle;
}

TEST(WaitWalk, GoesDownToTheFullBox) {
  Line line(1, 1, 1, false);
  line.start = &line.source;
  line.end.interval = 50;
  EXPECT_GT(line.found()["end"], 900);
}

// The walk continues past an active box that reports a shortage of input.
TEST(WaitWalk, GoesOnFromABoxThatIsShortOfInput) {
  for (const bool is_short : {false, true}) {
    Line line(40, 30, 1, false);
    line.first.says_short = is_short;
    auto found = line.found();
    if (is_short) EXPECT_GT(found["source"], 900);
    else EXPECT_GT(found["first"], 700);
  }
}

// Nothing waits in a line that takes messages as they come. The walk goes on to the box that has a backlog.
TEST(WaitWalk, EndsAtABoxWithABacklog) {
  for (const bool backlog : {false, true}) {
    Line line(4, 1, 3, false);
    line.first.says_backlog = backlog;
    auto found = line.found();
    if (backlog) EXPECT_GT(found["first"] + found["source"], 900);
    else EXPECT_GT(found["second"], 700);
  }
}

// Gives a message to a distributor, which gives it to the second of two units, and waits for the answer.
struct Shared final : Box {
  explicit Shared(std::string path) : Box(std::move(path)), answers_in(2) {}
  Out<int> groups_out;
  std::vector<In<int>> answers_in;

  Cycle tick(Cycle now) override {
    if (answers_in[1].peek(now)) {
      answers_in[1].drop(now);
      asked_ = false;
      return busy(now);
    }
    if (asked_) return starved(now, answers_in[0]);
    if (!groups_out.ready(now)) return blocked(now, groups_out);
    groups_out.send(now, 1);
    asked_ = true;
    return busy(now);
  }
  void list_ports(PortList& list) override { list("groups_out", groups_out), list("answers_in", answers_in); }
  std::string why_busy() const override { return asked_ ? "a group" : ""; }

 private:
  bool asked_ = false;
};

struct ToTheSecond final : Box {
  explicit ToTheSecond(std::string path) : Box(std::move(path)), out(2) {}
  In<int> in;
  std::vector<Out<int>> out;

  Cycle tick(Cycle now) override {
    if (!in.peek(now)) return idle(now);
    if (!out[1].ready(now)) return blocked(now, out[1]);
    out[1].send(now, in.take(now));
    return busy(now);
  }
  void list_ports(PortList& list) override { list("in", in), list("out", out); }
  std::string why_busy() const override { return ""; }
};

// The box waits at the first of its inputs, whose sender is idle: the walk from there leads back to the box.
TEST(WaitWalk, FindsTheUnitThatHasWhatIsWaitedFor) {
  Simulator sim;
  Domain& core = sim.add_domain("core", 1);
  auto& owner = sim.add<Shared>(core, "owner");
  auto& distributor = sim.add<ToTheSecond>(core, "distributor");
  Stage* units[] = {&sim.add<Stage>(core, "unit0", 50, true), &sim.add<Stage>(core, "unit1", 50, true)};
  sim.connect(owner.groups_out, distributor.in, {1, 1, 2});
  for (int i = 0; i < 2; i++) {
    sim.connect(distributor.out[i], units[i]->in, {1, 1, 2});
    sim.connect(units[i]->out, owner.answers_in[i], {1, 1, 2});
  }
  sim.elaborate();
  const WaitWalk& walk = sim.walk_waits([&] { return &owner; }, [](std::string_view) { return true; });
  auto found = found_by(walk, sim, core);
  EXPECT_GT(found["unit1"], 900);
  EXPECT_EQ(found["unit0"], 0);
}

// Two paths go through the box: it passes messages on at once on the first, and needs 50 cycles for each of
// the second.
class TwoPaths final : public Box {
 public:
  explicit TwoPaths(std::string path) : Box(std::move(path)) {}
  In<int> quick_in, slow_in;
  Out<int> quick_out;

  Cycle tick(Cycle now) override {
    if (quick_in.peek(now) && quick_out.ready(now)) quick_out.send(now, quick_in.take(now));
    if (left_ == 0 && slow_in.peek(now)) slow_in.drop(now), left_ = 50;
    if (left_ > 0) left_--;
    return busy(now);
  }
  void list_ports(PortList& list) override {
    list("quick_in", quick_in), list("slow_in", slow_in), list("quick_out", quick_out);
  }
  std::string why_busy() const override { return ""; }
  const Port* source_of(const Port&) const override { return tells_source ? &quick_in : nullptr; }
  bool tells_source = true;

 private:
  int left_ = 0;
};

// The end waits for the stage before both boxes; the other path of these is backed up.
TEST(WaitWalk, PassesBoxesThatAreBusyOnAnotherPath) {
  Simulator sim;
  Domain& core = sim.add_domain("core", 1);
  auto& source = sim.add<Source<int>>(core, "source", std::vector<int>(1000), 1);
  auto& slowest = sim.add<Stage>(core, "slowest", 20, true);
  TwoPaths* boxes[] = {&sim.add<TwoPaths>(core, "first"), &sim.add<TwoPaths>(core, "second")};
  Source<int>* others[] = {&sim.add<Source<int>>(core, "other0", std::vector<int>(1000), 1),
                           &sim.add<Source<int>>(core, "other1", std::vector<int>(1000), 1)};
  auto& end = sim.add<testing::Sink<int>>(core, "end");
  sim.connect(source.out, slowest.in, {1, 1, 2});
  sim.connect(slowest.out, boxes[0]->quick_in, {1, 1, 2});
  sim.connect(boxes[0]->quick_out, boxes[1]->quick_in, {1, 1, 2});
  sim.connect(boxes[1]->quick_out, end.in, {1, 1, 2});
  for (int i = 0; i < 2; i++) sim.connect(others[i]->out, boxes[i]->slow_in, {1, 1, 2});
  sim.elaborate();
  const WaitWalk& walk = sim.walk_waits([&] { return &end; }, [](std::string_view) { return true; });
  sim.run(core, 100);
  auto found = found_by(walk, sim, core);
  EXPECT_GT(found["slowest"], 800);
  EXPECT_LT(found["first"] + found["second"], 200);
}

// The first sender to the box waits for ever, and nothing waits before it; the work is behind the other one.
TEST(WaitWalk, TurnsBackFromASenderThatLeadsNowhere) {
  Simulator sim;
  Domain& core = sim.add_domain("core", 1);
  auto& nothing = sim.add<Source<int>>(core, "nothing", std::vector<int>(), 1);
  auto& dead = sim.add<Stage>(core, "dead", 1);
  auto& source = sim.add<Source<int>>(core, "source", std::vector<int>(1000), 1);
  auto& slowest = sim.add<Stage>(core, "slowest", 50);
  auto& quick = sim.add<TwoPaths>(core, "quick");
  quick.tells_source = false;
  auto& end = sim.add<testing::Sink<int>>(core, "end");
  sim.connect(nothing.out, dead.in, {1, 1, 2});
  sim.connect(dead.out, quick.quick_in, {1, 1, 2});
  sim.connect(source.out, slowest.in, {1, 1, 2});
  sim.connect(slowest.out, quick.slow_in, {1, 1, 2});
  sim.connect(quick.quick_out, end.in, {1, 1, 2});
  sim.elaborate();
  const WaitWalk& walk = sim.walk_waits([&] { return &end; }, [](std::string_view) { return true; });
  sim.run(core, 100);
  EXPECT_GT(found_by(walk, sim, core)["slowest"], 950);
}

// A box that always has other work is not the slowest while the box behind it is full.
TEST(WaitWalk, GoesDownFromABusyBoxThatIsBackedUp) {
  Simulator sim;
  Domain& core = sim.add_domain("core", 1);
  auto& source = sim.add<Source<int>>(core, "source", std::vector<int>(1000), 1);
  auto& other = sim.add<Source<int>>(core, "other", std::vector<int>(1000), 1);
  auto& feeder = sim.add<TwoPaths>(core, "feeder");
  auto& slowest = sim.add<Stage>(core, "slowest", 50);
  auto& end = sim.add<testing::Sink<int>>(core, "end");
  sim.connect(source.out, feeder.quick_in, {1, 1, 2});
  sim.connect(other.out, feeder.slow_in, {1, 1, 2});
  sim.connect(feeder.quick_out, slowest.in, {1, 1, 2});
  sim.connect(slowest.out, end.in, {1, 1, 2});
  sim.elaborate();
  const WaitWalk& walk = sim.walk_waits([&] { return &feeder; }, [](std::string_view) { return true; });
  sim.run(core, 200);
  EXPECT_GT(found_by(walk, sim, core)["slowest"], 950);
}

// Passes on what either sender gives, and holds nothing.
class Joint final : public Box {
 public:
  explicit Joint(std::string path) : Box(std::move(path)) {}
  In<int> first_in, second_in;
  Out<int> out;

  Cycle tick(Cycle now) override {
    for (In<int>* in : {&first_in, &second_in})
      if (in->peek(now) && out.ready(now)) return out.send(now, in->take(now)), busy(now);
    return idle(now);
  }
  void list_ports(PortList& list) override {
    list("first_in", first_in), list("second_in", second_in), list("out", out);
  }
  std::string why_busy() const override { return ""; }
};

// The end waits at an idle box, whose first sender has nothing to do; the second works.
TEST(WaitWalk, GoesUpToTheSenderThatActs) {
  Simulator sim;
  Domain& core = sim.add_domain("core", 1);
  auto& nothing = sim.add<Source<int>>(core, "nothing", std::vector<int>(), 1);
  auto& source = sim.add<Source<int>>(core, "source", std::vector<int>(1000), 52);
  auto& worker = sim.add<Stage>(core, "worker", 50, true);
  auto& joint = sim.add<Joint>(core, "joint");
  auto& last = sim.add<Stage>(core, "last", 1);
  auto& end = sim.add<testing::Sink<int>>(core, "end");
  sim.connect(nothing.out, joint.first_in, {1, 1, 2});
  sim.connect(source.out, worker.in, {1, 1, 2});
  sim.connect(worker.out, joint.second_in, {1, 1, 2});
  sim.connect(joint.out, last.in, {1, 1, 2});
  sim.connect(last.out, end.in, {1, 1, 2});
  sim.elaborate();
  const WaitWalk& walk = sim.walk_waits([&] { return &last; }, [](std::string_view) { return true; });
  sim.run(core, 100);
  auto found = found_by(walk, sim, core);
  EXPECT_GT(found["worker"], 850);
  EXPECT_LT(found["nothing"], 50);
}

// Asks, waits for the answer, and asks again.
class Asker final : public Box {
 public:
  explicit Asker(std::string path) : Box(std::move(path)) {}
  Out<int> out;
  In<int> answers;

  Cycle tick(Cycle now) override {
    if (answers.peek(now)) answers.drop(now), waits_ = false;
    else if (waits_) return starved(now, answers);
    out.send(now, 1);
    waits_ = true;
    return busy(now);
  }
  void list_ports(PortList& list) override { list("out", out), list("answers", answers); }
  std::string why_busy() const override { return ""; }

 private:
  bool waits_ = false;
};

// Answers at once, and is busy with others' requests all the time.
class Server final : public Box {
 public:
  explicit Server(std::string path) : Box(std::move(path)) {}
  In<int> in;
  Out<int> out;
  bool tells_source = true;

  Cycle tick(Cycle now) override {
    if (in.peek(now)) in.drop(now), out.send(now, 1);
    return busy(now);
  }
  void list_ports(PortList& list) override { list("in", in), list("out", out); }
  std::string why_busy() const override { return ""; }
  const Port* source_of(const Port&) const override { return tells_source ? &in : nullptr; }
};

// A request does not reach its server for a long time, which works for others meanwhile.
TEST(WaitWalk, GoesPastAServerThatHasNoRequest) {
  for (const bool tells : {true, false}) {
    Simulator sim;
    Domain& core = sim.add_domain("core", 1);
    auto& asker = sim.add<Asker>(core, "asker");
    auto& holder = sim.add<Stage>(core, "holder", 50, true);
    auto& server = sim.add<Server>(core, "server");
    server.tells_source = tells;
    sim.connect(asker.out, holder.in, {1, 1, 2});
    sim.connect(holder.out, server.in, {1, 1, 2});
    sim.connect(server.out, asker.answers, {1, 1, 2});
    sim.elaborate();
    const WaitWalk& walk = sim.walk_waits([&] { return &asker; }, [](std::string_view) { return false; });
    auto found = found_by(walk, sim, core);
    EXPECT_GT(found[tells ? "holder" : "server"], 900) << tells;
  }
}

TEST(WaitWalk, FindsNobodyWithoutWorkInFlight) {
  Line line(1, 1, 1, false);
  line.start = nullptr;
  EXPECT_EQ(line.found()["nobody"], 1000);
}

TEST(WaitWalk, ASamplerCountsWhomItFinds) {
  Line line(1, 50, 2, true);
  Sampler& sampler = line.sim.sample(line.core, {.interval = 1700, .walk = line.walk});
  line.sim.run(line.core, 1700);
  ASSERT_EQ(sampler.rows(), 1u);
  uint64_t all = 0, first = 0;
  for (const auto& culprit : sampler.culprits(0)) {
    all += culprit.probes;
    if (line.sim.boxes()[culprit.box]->path() == "first") first += culprit.probes;
  }
  EXPECT_EQ(all, 100u);
  EXPECT_GT(first, 90u);
}

TEST(WaitWalk, ASamplerCountsEachKindOfWorkOfABox) {
  Line line(1, 50, 2, true);
  Sampler& sampler = line.sim.sample(line.core, {.interval = 1700, .walk = line.walk});
  line.sim.run(line.core, 1700);
  std::map<uint32_t, uint64_t> by_kind;
  for (const auto& culprit : sampler.culprits(0))
    if (line.sim.boxes()[culprit.box]->path() == "first") by_kind[culprit.kind] += culprit.probes;
  // The interval between probes is prime to a message's 50 cycles, so that both halves are met alike.
  EXPECT_NEAR(static_cast<double>(by_kind[0]), 48, 6);
  EXPECT_NEAR(static_cast<double>(by_kind[1]), 48, 6);
}

}  // namespace
}  // namespace cutaway::engine
