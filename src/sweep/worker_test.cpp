// Tests a worker and the store: from a point to its rows.
#include "sweep/worker.h"

#include <gmock/gmock.h>

#include "replay/frame_message.h"
#include "report/frame_causes.h"
#include "report/run_reader.h"
#include "sweep/plan.h"
#include "sweep/store.h"
#include "sweep/testing/sweep_files.h"

namespace cutaway::sweep {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

class WorkerTest : public ::testing::Test {
 protected:
  WorkerTest() {
    captured("c.cutaway", 2);
    queue_.make();
  }
  const Point& put(const std::string& more = "") {
    plan_ = make_plan(read_sweep_file(written("w.toml", "captures = [\"c.cutaway\"]\nframes = 2\n" + more)));
    queue_.put(plan_.points.at(0));
    return plan_.points[0];
  }
  Outcome run(const Point& point) {
    run_points(queue_.folder(), {point.hash}, "local");
    const auto outcome = queue_.outcome(point.hash);
    return outcome ? *outcome : Outcome{};
  }
  std::filesystem::path fresh_database(const char* name) const { return fresh_folder(name) / "sweep.sqlite"; }

  Queue queue_{fresh_folder("worker") / "queue"};
  Plan plan_;
};

TEST_F(WorkerTest, RunsAPointOnce) {
  const Point& point = put();
  const Outcome first = run(point);
  EXPECT_EQ(first.attempt.outcome, "finished");
  EXPECT_GT(replay::decode_frame(first.frame).figures.cycles, 0u);
  EXPECT_EQ(run(point).attempt.name, first.attempt.name);
  EXPECT_THAT(queue_.started(point.hash), SizeIs(1));
}

TEST_F(WorkerTest, PointsOfAFrameAreAsIfEachRanAlone) {
  const char* machines = "verify = true\n[[vary]]\nmemory.channels = [1, 4]\n";
  put(machines);
  std::vector<std::string> hashes;
  std::vector<uint64_t> alone;
  for (const Point& point : plan_.points) {
    queue_.put(point);
    hashes.push_back(point.hash);
    alone.push_back(replay::decode_frame(run(point).frame).figures.statistics_hash);
  }
  const Queue together(fresh_folder("together") / "queue");
  together.make();
  for (const Point& point : plan_.points) together.put(point);
  run_points(together.folder(), hashes, "local");
  for (size_t i = 0; i < hashes.size(); i++) {
    const auto outcome = together.outcome(hashes[i]);
    ASSERT_TRUE(outcome) << i;
    EXPECT_EQ(replay::decode_frame(outcome->frame).figures.statistics_hash, alone[i]) << i;
  }
  EXPECT_NE(alone[0], alone[1]);
}

// The emulator goes on from one frame to the next, and back to an earlier one.
TEST_F(WorkerTest, FramesThatFollowAreAsIfEachRanAlone) {
  captured("frames.cutaway", 5);
  plan_ = make_plan(read_sweep_file(
      written("f.toml", "captures = [\"frames.cutaway\"]\nframes = \"2..5\"\nwarmup = 1\nverify = true\n")));
  ASSERT_THAT(plan_.points, SizeIs(4));
  const auto hash_of = [](const Outcome& outcome) {
    return replay::decode_frame(outcome.frame).figures.statistics_hash;
  };
  std::vector<uint64_t> alone;
  for (const Point& point : plan_.points) {
    queue_.put(point);
    alone.push_back(hash_of(run(point)));
  }
  const Queue together(fresh_folder("frames") / "queue");
  for (const auto& [first, second] : {std::pair<size_t, size_t>{0, 1}, {1, 3}, {3, 2}}) {
    together.make();
    for (const size_t i : {first, second}) together.put(plan_.points[i]);
    run_points(together.folder(), {plan_.points[first].hash, plan_.points[second].hash}, "local");
    for (const size_t i : {first, second}) {
      const auto outcome = together.outcome(plan_.points[i].hash);
      ASSERT_TRUE(outcome) << i;
      EXPECT_EQ(hash_of(*outcome), alone[i]) << first << " then " << second;
      together.remove(plan_.points[i].hash);
    }
  }
}

TEST_F(WorkerTest, APointThatFailsLeavesTheOthersTheirOutcome) {
  put("[[vary]]\nmemory.channels = [1, 2]\n");
  Point wrong = plan_.points[0];
  wrong.hash = "0123456789abcdef";
  queue_.put(wrong);
  queue_.put(plan_.points[1]);
  run_points(queue_.folder(), {wrong.hash, plan_.points[1].hash}, "local");
  EXPECT_EQ(queue_.outcome(wrong.hash)->attempt.outcome, "failed");
  EXPECT_EQ(queue_.outcome(plan_.points[1].hash)->attempt.outcome, "finished");
}

TEST_F(WorkerTest, SaysWhyAPointCannotBeRun) {
  const Point& point = put();
  std::filesystem::last_write_time(temporary_folder() / "c.cutaway", {});
  const Outcome outcome = run(point);
  EXPECT_EQ(outcome.attempt.outcome, "failed");
  EXPECT_THAT(outcome.attempt.message, HasSubstr("has changed"));
}

TEST_F(WorkerTest, RefusesPointsOfAnotherProgram) {
  Point point = put();
  point.hash = "0123456789abcdef";  // as if planned by another program
  queue_.put(point);
  const Outcome outcome = run(point);
  EXPECT_EQ(outcome.attempt.outcome, "failed");
  EXPECT_THAT(outcome.attempt.message, HasSubstr("another build"));
}

TEST_F(WorkerTest, LeavesARecordWhereOneIsAskedFor) {
  Point point = put();
  const Outcome unkept = run(point);
  EXPECT_EQ(unkept.attempt.outcome, "finished");
  EXPECT_TRUE(unkept.causes.empty());
  EXPECT_FALSE(std::filesystem::exists(queue_.record(point.hash)));
  const std::string without = point.hash;
  point.record_interval = 100;
  point.hash = identity_hash(point);
  EXPECT_NE(point.hash, without);
  queue_.put(point);
  const Outcome outcome = run(point);
  const run_record::FrameFigures frame = replay::decode_frame(outcome.frame).figures;
  report::RunReader record(queue_.record(point.hash));
  ASSERT_THAT(record.frames(), SizeIs(1));
  EXPECT_EQ(record.frames()[0].cycles, frame.cycles);
  EXPECT_THAT(record.intervals(2), SizeIs((frame.cycles + 99) / 100));
  EXPECT_EQ(record.fact("gpu"), "attila");
  EXPECT_FALSE(outcome.causes.empty());
  EXPECT_EQ(outcome.causes, report::causes_of_frame(record, point.frame));
  size_t files = 0;
  for ([[maybe_unused]] const auto& entry :
       std::filesystem::directory_iterator(queue_.record(point.hash).parent_path()))
    files++;
  EXPECT_EQ(files, 1u) << "something is left beside it";
}

TEST_F(WorkerTest, AResultIsTakenInOnce) {
  const Point point = put("[[vary]]\nmemory.channels = [2]\n");
  const Outcome outcome = run(point);
  Store store(fresh_database("once"));
  store.write_plan(plan_);
  EXPECT_FALSE(store.finished().contains(point.hash));
  const std::string empty = store.results_hash();
  EXPECT_TRUE(store.add(point.hash, outcome));
  EXPECT_TRUE(store.finished().contains(point.hash));
  const std::string whole = store.results_hash();
  EXPECT_NE(whole, empty);
  EXPECT_FALSE(store.add(point.hash, outcome));
  EXPECT_EQ(store.results_hash(), whole);
  EXPECT_EQ(store.database().value("SELECT count(*) FROM attempt"), 1);
  const run_record::FrameFigures frame = replay::decode_frame(outcome.frame).figures;
  EXPECT_EQ(store.database().value("SELECT cycles FROM sweep WHERE \"memory.channels\" = 2"), frame.cycles);
  EXPECT_EQ(store.database().value("SELECT count(*) FROM result_counter"), frame.counters.size());
  EXPECT_EQ(store.database().value("SELECT count(*) FROM account"), frame.units.size());
  EXPECT_EQ(store.database().value("SELECT sum(read) FROM client"),
            store.database().value("SELECT bytes_read FROM result"));
  // Another finished attempt is distinguished.
  Outcome again = outcome;
  again.attempt.name = "another";
  EXPECT_FALSE(store.add(point.hash, again));
  EXPECT_EQ(store.database().value("SELECT count(*) FROM attempt WHERE outcome = 'repeated'"), 1);
}

TEST_F(WorkerTest, AnyValueThatDiffersChangesTheHash) {
  const Point point = put();
  const Outcome outcome = run(point);
  const auto hash = [&](auto change) {
    replay::SimulatedFrame frame = replay::decode_frame(outcome.frame);
    change(frame.figures);
    Store store(fresh_database("differs"));
    store.write_plan(plan_);
    store.add(point.hash, {outcome.attempt, encode_frame(frame)});
    return store.results_hash();
  };
  const std::string same = hash([](run_record::FrameFigures&) {});
  EXPECT_EQ(hash([](run_record::FrameFigures& frame) { frame.seconds = 1000; }),
            same);  // a figure of the host
  EXPECT_NE(hash([](run_record::FrameFigures& frame) { frame.cycles++; }), same);
  EXPECT_NE(hash([](run_record::FrameFigures& frame) { frame.memory_hash++; }), same);
  EXPECT_NE(hash([](run_record::FrameFigures& frame) { frame.counters.back().value++; }), same);
  EXPECT_NE(hash([](run_record::FrameFigures& frame) { frame.units.back().idle++; }), same);
  EXPECT_NE(hash([](run_record::FrameFigures& frame) { frame.clients.back().write_bytes++; }), same);
  EXPECT_NE(hash([](run_record::FrameFigures& frame) {
              for (run_record::UnitFigures& unit : frame.units)
                if (!unit.waits.empty()) unit.waits.front().cycles++;
            }),
            same);
}

TEST_F(WorkerTest, OneThatWasTakenForLostMayEnd) {
  const Point point = put();
  const Outcome outcome = run(point);
  Store store(fresh_database("lost"));
  store.write_plan(plan_);
  Attempt lost = outcome.attempt;
  lost.outcome = "lost", lost.message = "nobody knows";
  store.add_lost(point.hash, lost);
  EXPECT_EQ(store.database().value("SELECT count(*) FROM attempt WHERE outcome = 'lost'"), 1);
  store.add(point.hash, outcome);
  store.add_lost(point.hash, lost);  // an existing outcome stays
  EXPECT_EQ(
      store.database().value("SELECT count(*) FROM attempt WHERE outcome = 'finished' AND message = ''"), 1);
  EXPECT_EQ(store.database().value("SELECT count(*) FROM attempt"), 1);
}

}  // namespace
}  // namespace cutaway::sweep
