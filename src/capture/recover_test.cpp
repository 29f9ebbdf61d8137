#include "capture/recover.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "base/whole_file.h"
#include "capture/testing/recorded_program.h"

// Recovery of a recording that was not closed: its whole frames form a normal capture.
namespace cutaway::capture {
namespace {

namespace fs = std::filesystem;

fs::path part_of(const fs::path& path) { return path.string() + ".part"; }

// The only temporary file of a writer.
fs::path temporary_file(const fs::path& path) {
  const std::vector<fs::path> files = temporary_files(path);
  EXPECT_EQ(files.size(), 1u);
  return files.at(0);
}

TEST(Recover, KeepsTheWholeFramesOfAFileThatEndsAnywhere) {
  const auto path = temporary("recover");
  const auto hashes = run_program(path, {.key_interval = 2});
  const std::string whole = read_file(path);
  uint64_t most = 0;
  for (size_t bytes = 0; bytes <= whole.size(); bytes += 61) {
    fs::remove(path);
    write_file(part_of(path), whole.substr(0, bytes));
    const uint64_t frames = recover(part_of(path), path);
    EXPECT_GE(frames, most) << bytes;  // more bytes never give fewer frames
    most = frames;
    EXPECT_FALSE(fs::exists(part_of(path)));
    ASSERT_EQ(fs::exists(path), frames > 0) << bytes;
    if (!frames) continue;
    const Reader reader(path);  // verifies every checksum, and the index
    ASSERT_EQ(reader.info().frames.size(), frames);
    CountingGpu gpu;
    reader.play_range(frames, frames, gpu);
    EXPECT_EQ(gpu.hash(), hashes[frames - 1]);
  }
  EXPECT_EQ(most, 8u);
}

TEST(Recover, FindsTheTemporaryFilesOfAPathTheNewestFirst) {
  const auto path = temporary("several");
  // Whole files, not writers: the thread of a writer changes the time of its file when it likes.
  const WholeFile oldest(path), newest(path), other(temporary("several.device2"));
  const auto now = fs::file_time_type::clock::now();
  fs::last_write_time(oldest.temporary(), now - std::chrono::seconds(10));
  fs::last_write_time(newest.temporary(), now);
  EXPECT_EQ(temporary_files(path), (std::vector<fs::path>{newest.temporary(), oldest.temporary()}));
}

TEST(Recover, FindsTheTemporaryFileOfAWriterThatMoved) {
  const auto path = temporary("moved");
  Writer writer(path, {});
  EXPECT_EQ(temporary_files(path).size(), 1u);
  writer.move_to(temporary("elsewhere"));
  EXPECT_TRUE(temporary_files(path).empty());
  EXPECT_EQ(temporary_files(temporary("elsewhere")).size(), 1u);
}

TEST(Recover, NothingIsThere) {
  const auto path = temporary("nothing");
  fs::remove(path);
  EXPECT_TRUE(temporary_files(path).empty());
  write_file(part_of(path), "text\n");
  EXPECT_EQ(recover(part_of(path), path), 0u);
  EXPECT_FALSE(fs::exists(path) || fs::exists(part_of(path)));
}

TEST(Recover, EndedFramesAreInTheFileWithTheirNames) {
  const auto path = temporary("told"), copy = temporary("told_copy");
  WriterOptions options{.first_frame = 2, .key_interval = 3};
  options.on_frame_end = [&](uint64_t frame) {
    if (frame < 2) return;
    fs::copy_file(temporary_file(path), part_of(copy), fs::copy_options::overwrite_existing);
    EXPECT_EQ(recover(part_of(copy), copy), frame - 1);
    CountingGpu gpu;
    Reader(copy).annotations(gpu);
    EXPECT_EQ(gpu.annotations.size(), 1u);
  };
  run_program(path, options);
}

// Simulates a full disk, for one file only.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

TEST(Recover, AFullDiskKeepsTheFramesBefore) {
  const auto path = temporary("limited");
  fs::remove(path);
  constexpr uint64_t kFrameBytes = 64 << 10, kLimit = 1 << 20;
  uint64_t ended = 0;
  {
    const FileSizeLimit limit(kLimit);
    WriterOptions options;
    options.on_frame_end = [&](uint64_t frame) { ended = frame; };
    Writer writer(path, options);
    writer.map(0, 0, kFrameBytes);
    const auto record = [&] {
      for (uint64_t frame = 1; frame <= 20; frame++) {
        writer.write(0, 0, noise(kFrameBytes, frame));
        writer.submit({.id = frame, .commands = 0, .words = 1, .presents = true});
      }
    };
    EXPECT_THROW(record(), UserError);
    EXPECT_THROW(writer.stop(), UserError);
  }
  EXPECT_GT(ended, 10u);
  const Reader reader(path);
  EXPECT_LE(reader.info().file_bytes, kLimit);
  EXPECT_GE(reader.info().frames.size(), ended - 1);  // the last frame may have made room for the index
  EXPECT_LE(reader.info().frames.size(), ended);
}

TEST(Recover, AStoppedRecordingHoldsNoPartOfAFrame) {
  const auto path = temporary("stopped");
  for (const uint64_t frames : {0, 3}) {
    fs::remove(path);
    {
      Writer writer(path, {});
      writer.map(0, 0, 1 << 20);
      for (uint64_t frame = 1; frame <= frames; frame++)
        writer.submit({.id = frame, .commands = 0, .words = 1, .presents = true});
      writer.submit({.id = 9, .commands = 0, .words = 1, .presents = false});
      writer.stop();
    }
    ASSERT_EQ(fs::exists(path), frames > 0);
    EXPECT_TRUE(temporary_files(path).empty());
    if (frames) { EXPECT_EQ(Reader(path).info().frames.size(), frames); }
  }
}

}  // namespace
}  // namespace cutaway::capture
