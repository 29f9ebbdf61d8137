#include "sweep/queue.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <thread>

#include "sweep/testing/sweep_files.h"

namespace cutaway::sweep {
namespace {

namespace fs = std::filesystem;

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class QueueTest : public ::testing::Test {
 protected:
  QueueTest() {
    queue_.make();
    point_.hash = "00000000000000ab", point_.gpu = "attila";
    queue_.put(point_);
  }
  Outcome finished() const {
    Outcome outcome{new_attempt("local"), std::string("frame\0\n", 7)};
    outcome.attempt.outcome = "finished";
    return outcome;
  }
  Queue queue_{fresh_folder("queue")};
  Point point_;
};

TEST_F(QueueTest, OnlyOneWorkerHasAPoint) {
  EXPECT_FALSE(queue_.running(point_.hash));
  auto lock = queue_.claim(point_.hash);
  ASSERT_TRUE(lock);
  EXPECT_TRUE(queue_.running(point_.hash));
  // The second waits for the first, and finds the work done.
  std::optional<PointLock> second;
  std::thread waiting([&] { second = queue_.claim(point_.hash); });
  queue_.finish(point_.hash, finished());
  lock.reset();
  waiting.join();
  EXPECT_FALSE(second);
  EXPECT_FALSE(queue_.running(point_.hash));
}

TEST_F(QueueTest, StoredPointsAreNotRunAgain) {
  queue_.finish(point_.hash, finished());
  EXPECT_FALSE(queue_.claim(point_.hash));
  queue_.remove(point_.hash);
  EXPECT_FALSE(queue_.claim(point_.hash));
  EXPECT_THAT(queue_.points(), IsEmpty());
  EXPECT_THAT(queue_.done(), IsEmpty());
}

TEST_F(QueueTest, AWorkerThatWaitedForAPointThatIsGone) {
  auto lock = queue_.claim(point_.hash);
  std::optional<PointLock> second;
  std::thread waiting([&] { second = queue_.claim(point_.hash); });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  queue_.finish(point_.hash, finished());
  queue_.remove(point_.hash);
  lock.reset();
  waiting.join();
  EXPECT_FALSE(second);
}

TEST_F(QueueTest, OutcomesComeBackAsTheyWere) {
  const Outcome outcome = finished();
  queue_.finish(point_.hash, outcome);
  EXPECT_THAT(queue_.done(), ElementsAre(point_.hash));
  const auto back = queue_.outcome(point_.hash);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->frame, outcome.frame);
  EXPECT_EQ(back->attempt.name, outcome.attempt.name);
  EXPECT_EQ(back->attempt.engine, "local");
  EXPECT_EQ(back->attempt.start, outcome.attempt.start);
}

TEST_F(QueueTest, HalfMadeFilesOfAKilledWorkerAreRemoved) {
  queue_.finish(point_.hash, finished());
  const fs::path outcome = queue_.folder() / "done" / point_.hash, record = queue_.record(point_.hash);
  fs::create_directories(record.parent_path());
  const std::vector<fs::path> left = {outcome.string() + ".abcdefgh.part",
                                      record.string() + ".abcdefgh.part"};
  for (const fs::path& name : left) std::ofstream(name) << "half";
  queue_.remove_half_made(point_.hash);
  for (const fs::path& name : left) EXPECT_FALSE(fs::exists(name)) << name;
  EXPECT_TRUE(queue_.is_done(point_.hash));
}

TEST_F(QueueTest, DamagedOutcomesAreNone) {
  queue_.finish(point_.hash, finished());
  const auto file = queue_.folder() / "done" / point_.hash;
  const std::string whole = read_whole(file);
  for (const std::string& text : {whole.substr(0, whole.size() - 1), std::string("{}\nframe"),
                                  std::string("x"), whole.substr(0, 10) + "?" + whole.substr(11)}) {
    write_whole(file, text);
    EXPECT_FALSE(queue_.outcome(point_.hash)) << text;
  }
}

TEST_F(QueueTest, AttemptsAreNotedBeforeTheyWork) {
  const Attempt first = new_attempt("slurm"), second = new_attempt("slurm");
  EXPECT_THAT(queue_.started(point_.hash), IsEmpty());
  queue_.begin(point_.hash, first);
  queue_.begin(point_.hash, second);
  const auto started = queue_.started(point_.hash);
  ASSERT_EQ(started.size(), 2u);
  for (const Attempt& attempt : started) EXPECT_EQ(attempt.outcome, "lost");
  EXPECT_NE(started[0].name, started[1].name);
}

TEST_F(QueueTest, APointWhoseCaptureMovedIsPutAnewUnlessItRuns) {
  Point moved = point_;
  moved.capture.path = "/elsewhere";
  auto lock = queue_.claim(point_.hash);
  queue_.put(moved);
  EXPECT_EQ(queue_.job(point_.hash).capture.path, "");
  lock.reset();
  queue_.put(moved);
  EXPECT_EQ(queue_.job(point_.hash).capture.path, "/elsewhere");
}

}  // namespace
}  // namespace cutaway::sweep
