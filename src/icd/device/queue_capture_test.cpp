#include <filesystem>
#include <gmock/gmock.h>

#include "arch/ignoring_sink.h"
#include "base/testing/temporary_folder.h"
#include "capture/reader.h"
#include "icd/testing/queues_fixture.h"

// Captures say the queue of each submission, and the one of the other queue that it follows.
namespace {

using namespace cutaway::icd::testing;
namespace arch = cutaway::arch;

struct Submissions final : arch::IgnoringSink {
  std::vector<arch::Submission> all;
  void submit(const arch::Submission& submission) override { all.push_back(submission); }
};

struct CapturedQueues : TwoQueues {
  const std::filesystem::path path = cutaway::temporary_folder() / "queues.cutaway";

  void SetUp() override {
    setenv("CUTAWAY_CAPTURE", path.c_str(), 1);
    TwoQueues::SetUp();
    unsetenv("CUTAWAY_CAPTURE");
  }
  void TearDown() override {
    TwoQueues::TearDown();
    const cutaway::capture::Reader capture(path);
    Submissions captured;
    capture.play(1, captured);
    std::vector<std::pair<arch::QueueKind, uint64_t>> found;
    for (const arch::Submission& submission : captured.all)
      found.emplace_back(submission.queue, submission.after);
    EXPECT_EQ(found, expected);
    std::filesystem::remove(path);
  }

  std::vector<std::pair<arch::QueueKind, uint64_t>> expected;
};

TEST_F(CapturedQueues, SayWhatASubmissionFollows) {
  const Sum sum = make_sum();
  const Buffer read = make_buffer(16 + 16 * Sum::kGroups, kCopied);
  const VkSemaphore filled = make_semaphore(VK_SEMAPHORE_TYPE_TIMELINE),
                    summed = make_semaphore(VK_SEMAPHORE_TYPE_BINARY);
  const auto fill = [&](VkCommandBuffer commands) {
    vkCmdFillBuffer(commands, sum.in.buffer, 0, VK_WHOLE_SIZE, 4);
    full_barrier(commands);
    return commands;
  };
  const VkCommandBuffer dispatch = begin_compute(), copies = begin();
  sum.dispatch(dispatch);
  full_barrier(dispatch);
  copy(copies, sum.out, read, 16 + 16 * Sum::kGroups);
  submit_to(queue, fill(begin()), {}, {filled, 1});
  submit_to(compute, VK_NULL_HANDLE, {filled, 1});  // passes it on
  submit_to(compute, dispatch, {}, {summed, 1});
  submit_to(queue, fill(begin()));
  submit_to(queue, copies, {summed, 1});
  ok(vkDeviceWaitIdle(device));
  EXPECT_EQ(read.at<uint32_t>(0), 3u * 4 * Sum::kGroups);
  expected = {{arch::QueueKind::kGraphics, 0},
              {arch::QueueKind::kCompute, 1},
              {arch::QueueKind::kGraphics, 0},
              {arch::QueueKind::kGraphics, 2}};
}

}  // namespace
