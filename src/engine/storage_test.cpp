#include "engine/storage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/simulator.h"
#include "engine/testing/mock.h"

namespace cutaway::engine::storage_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Sink;
using ::testing::ThrowsMessage;

using Thing = std::shared_ptr<Place>;

// Sends one thing per cycle while a place is free.
class Maker final : public Box {
 public:
  Maker(std::string path, unsigned places, unsigned things)
      : Box(std::move(path)), storage(places), things_(things) {}
  Out<Thing> out;
  Storage storage;
  std::vector<Cycle> sent;

  Cycle tick(Cycle now) override {
    if (sent.size() == things_) return idle(now);
    if (!out.ready(now)) return blocked(now, out);
    if (!storage.ready(now)) return blocked(now, storage);
    out.send(now, std::make_shared<Place>(storage.take(now)));
    sent.push_back(now);
    return busy(now);
  }
  void list_ports(PortList& list) override { list("out", out), list("storage", storage); }
  std::string why_busy() const override { return sent.size() == things_ ? "" : "things to make"; }

 private:
  unsigned things_;
};

// Holds each thing for some cycles after its arrival; 0: forever.
class Holder final : public Box {
 public:
  Holder(std::string path, Cycle cycles) : Box(std::move(path)), cycles_(cycles) {}
  In<Thing> in;

  Cycle tick(Cycle now) override {
    bool progress = false;
    if (in.peek(now)) held_.emplace_back(now + cycles_, in.take(now)), progress = true;
    if (!cycles_) return progress ? busy(now) : idle(now);
    while (!held_.empty() && held_.front().first <= now) held_.erase(held_.begin()), progress = true;
    if (progress) return busy(now);
    return held_.empty() ? idle(now) : busy(now, held_.front().first);
  }
  void list_ports(PortList& list) override { list("in", in); }
  std::string why_busy() const override { return ""; }

 private:
  Cycle cycles_;
  std::vector<std::pair<Cycle, Thing>> held_;
};

struct Outcome {
  std::vector<Cycle> sent;
  Cycle waited = 0;
  uint64_t hash = 0;
};

Outcome make(unsigned places, Cycle held, const SchedulerOptions& options, uint64_t maker_period = 1,
             uint64_t holder_period = 1) {
  Simulator sim(options);
  Domain &making = sim.add_domain("making", maker_period),
         &holding = sim.add_domain("holding", holder_period);
  auto& maker = sim.add<Maker>(making, "maker", places, 12);
  auto& holder = sim.add<Holder>(holding, "holder", held);
  sim.connect(maker.out, holder.in, {.latency = 1, .bandwidth = 1, .slots = 16});
  sim.connect(maker.storage, holder.in);
  sim.elaborate();
  sim.run(making, 1000);
  Outcome result{maker.sent, maker.account().blocked_by("holder"), sim.counter_hash()};
  EXPECT_EQ(maker.storage.free(making.now()), places);
  return result;
}

// A thing is made in cycle t, held from t + 1, released in t + 1 + held: its place is free one cycle later.
TEST(Storage, ReturnedPlaceIsFreeInTheNextCycle) {
  for (const unsigned places : {1u, 2u, 5u})
    for (const Cycle held : {1u, 4u, 7u}) {
      const Outcome result = make(places, held, {});
      ASSERT_EQ(result.sent.size(), 12u);
      for (size_t i = 0; i < 12; i++) {
        const Cycle before = i ? result.sent[i - 1] + 1 : 1;
        const Cycle comes = i < places ? 1 : result.sent[i - places] + held + 2;
        EXPECT_EQ(result.sent[i], std::max(before, comes)) << places << ' ' << held << ' ' << i;
      }
      EXPECT_EQ(result.waited, result.sent.back() - 12) << "waits for places, and for nothing else";
    }
}

TEST(Storage, IsIndependentOfBoxOrderAndSkipping) {
  for (const auto& [maker, holder] :
       std::vector<std::pair<uint64_t, uint64_t>>{{1, 1}, {3, 2}, {2, 3}, {5, 1}})
    for (const unsigned places : {1u, 3u}) {
      const Outcome plain = make(places, 20, {}, maker, holder);
      EXPECT_GT(plain.waited, 0u);
      for (uint64_t seed = 1; seed <= 20; seed++)
        for (const bool skip : {true, false}) {
          const Outcome other = make(places, 20, {.seed = seed, .skip_idle = skip}, maker, holder);
          EXPECT_EQ(other.sent, plain.sent);
          EXPECT_EQ(other.hash, plain.hash);
        }
    }
}

// At coinciding edges of two clocks, a returned place is not free in the same instant.
TEST(Storage, APlaceCrossesClocksLikeASlot) {
  EXPECT_THAT(make(1, 1, {}, 1, 4).sent, ::testing::SizeIs(12));
  const std::vector<Cycle> slow = make(1, 1, {}, 4, 1).sent;
  for (size_t i = 1; i < slow.size(); i++) EXPECT_EQ(slow[i] - slow[i - 1], 1u);
  const std::vector<Cycle> fast = make(1, 1, {}, 1, 4).sent;
  // The thing arrives at the holder's next edge and is released at the following one, in cycles 4 and 8, 12
  // and 16.
  EXPECT_THAT(std::vector<Cycle>(fast.begin(), fast.begin() + 3), ElementsAre(1, 9, 17));
}

TEST(Storage, TakingWithoutAPlaceIsFound) {
  Simulator sim;
  Domain& core = sim.add_domain("core", 1);
  auto& maker = sim.add<Maker>(core, "gpu.maker", 1, 0);
  auto& sink = sim.add<Sink<Thing>>(core, "gpu.sink");
  sim.connect(maker.out, sink.in, {});
  sim.connect(maker.storage, sink.in);
  sim.elaborate();
  const Place first = maker.storage.take(1);
  EXPECT_TRUE(first);
  EXPECT_THAT([&] { (void)maker.storage.take(1); },
              ThrowsMessage<InternalError>(HasSubstr("gpu.maker.storage: no place is free in cycle 1")));
  EXPECT_THROW(Storage(0), InternalError);
}

TEST(Storage, MustBeConnected) {
  Simulator sim;
  Domain& core = sim.add_domain("core", 1);
  auto& maker = sim.add<Maker>(core, "gpu.maker", 1, 0);
  auto& sink = sim.add<Sink<Thing>>(core, "gpu.sink");
  sim.connect(maker.out, sink.in, {});
  EXPECT_THAT([&] { sim.elaborate(); }, ThrowsMessage<InternalError>(HasSubstr("gpu.maker.storage")));
}

TEST(Storage, PlacesMayOutliveIt) {
  Thing left;
  {
    Storage storage(1);
    left = std::make_shared<Place>(storage.take(1));
  }
  EXPECT_TRUE(*left);
}

// No place is ever returned: the report says which box waits for one.
TEST(Storage, NeverReturnedPlaceIsADeadlock) {
  Simulator sim({.watchdog_cycles = 1000});
  Domain& core = sim.add_domain("core", 1);
  auto& maker = sim.add<Maker>(core, "gpu.maker", 2, 3);
  auto& holder = sim.add<Holder>(core, "gpu.holder", 0);
  sim.connect(maker.out, holder.in, {.slots = 4});
  sim.connect(maker.storage, holder.in);
  sim.elaborate();
  EXPECT_THAT([&] { sim.run(core, 10'000); },
              ThrowsMessage<DeadlockError>(
                  HasSubstr("gpu.maker: things to make, blocked by gpu.holder at storage for ")));
}

// Works for a long time on something unrelated to the wait.
class Worker final : public Box {
 public:
  explicit Worker(std::string path) : Box(std::move(path)) {}
  Cycle tick(Cycle now) override { return busy(now); }
  void list_ports(PortList&) override {}
  std::string why_busy() const override { return "work"; }
};

// The named box holds nothing: another box, which still works, has the places.
TEST(Storage, WaitingForAPlaceWhileOthersWorkIsNoDeadlock) {
  Simulator sim({.watchdog_cycles = 1000});
  Domain& core = sim.add_domain("core", 1);
  auto& maker = sim.add<Maker>(core, "gpu.maker", 2, 3);
  auto& holder = sim.add<Holder>(core, "gpu.holder", 0);
  sim.add<Worker>(core, "gpu.worker");
  sim.connect(maker.out, holder.in, {.slots = 4});
  sim.connect(maker.storage, holder.in);
  sim.elaborate();
  sim.run(core, 10'000);
  EXPECT_EQ(maker.sent.size(), 2u);
}

}  // namespace
}  // namespace cutaway::engine::storage_test
