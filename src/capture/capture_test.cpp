#include <gmock/gmock.h>

#include "capture/recover.h"
#include "capture/testing/recorded_program.h"

namespace cutaway::capture {
namespace {

using ::testing::HasSubstr;

TEST(Capture, EveryFrameComesBackFromEveryKeyFrame) {
  for (const uint64_t interval : {0, 1, 3}) {
    const auto path = temporary("round");
    const auto hashes = run_program(path, {.key_interval = interval});
    EXPECT_TRUE(temporary_files(path).empty());
    const Reader reader(path);
    ASSERT_EQ(reader.info().frames.size(), 8u);
    EXPECT_EQ(reader.info().value("program"), "counting");
    EXPECT_EQ(reader.info().contract_version, arch::kContractVersion);
    EXPECT_EQ(reader.info().frames[3].submissions, 2u);
    for (uint64_t first = 1; first <= 8; first++) {
      const uint64_t start = interval ? (first - 1) / interval * interval + 1 : 1;
      EXPECT_EQ(reader.start_for(first), start);
      CountingGpu gpu;
      reader.play_range(first, 8, gpu);
      EXPECT_EQ(gpu.hash(), hashes[7]);
      EXPECT_EQ(gpu.ids.front(), 2 * start - 1);
      EXPECT_EQ(gpu.ids.back(), 16u);
    }
  }
}

TEST(Capture, HoldsTheFramesAskedForAndClosesAfterTheLast) {
  const auto path = temporary("range");
  std::vector<uint64_t> ended;
  WriterOptions options{.first_frame = 4, .last_frame = 6};
  options.on_frame_end = [&](uint64_t frame) {
    EXPECT_EQ(std::filesystem::exists(path), frame >= 6);
    ended.push_back(frame);
  };
  std::filesystem::remove(path);
  const auto hashes = run_program(path, options);
  EXPECT_EQ(ended, (std::vector<uint64_t>{1, 2, 3, 4, 5, 6, 7, 8}));
  const Reader reader(path);
  EXPECT_EQ(reader.info().first_frame(), 4u);
  EXPECT_EQ(reader.info().last_frame(), 6u);
  EXPECT_EQ(reader.start_for(6), 4u);
  CountingGpu gpu;
  reader.restore(4, gpu);
  EXPECT_EQ(gpu.hash(), hashes[2]);
  for (uint64_t frame = 4; frame <= 6; frame++) {
    reader.play(frame, gpu);
    EXPECT_EQ(gpu.hash(), hashes[frame - 1]) << frame;
  }
  // Surfaces named before the first frame are named in the capture.
  reader.annotations(gpu);
  ASSERT_EQ(gpu.annotations.size(), 1u);
  EXPECT_EQ(gpu.annotations[0], (std::pair<std::string, std::string>{"surface7", "back buffer"}));
  EXPECT_THROW(reader.play(3, gpu), UserError);
  EXPECT_THROW(reader.play(7, gpu), UserError);
}

TEST(Capture, WithoutPresentsEverythingIsFrameOne) {
  const auto path = temporary("nopresent");
  const auto hashes = run_program(path, {}, false);
  const Reader reader(path);
  ASSERT_EQ(reader.info().frames.size(), 1u);
  EXPECT_EQ(reader.info().frames[0].submissions, 16u);
  CountingGpu gpu;
  reader.play_range(1, 1, gpu);
  EXPECT_EQ(gpu.hash(), hashes[7]);
}

TEST(Capture, LargeWritesCrossChunks) {
  const auto path = temporary("large");
  std::vector<std::byte> data(5u << 20);
  for (size_t i = 0; i < data.size(); i++) data[i] = static_cast<std::byte>(i * 2654435761u >> 13);
  {
    Writer writer(path, {});
    writer.map(0, 0, 8u << 20);
    writer.write(0, 0x123, data);
    writer.submit({.id = 1, .commands = 0, .words = 1, .presents = true});
    writer.close();
  }
  CountingGpu gpu;
  Reader(path).play_range(1, 1, gpu);
  std::vector<std::byte> back(data.size());
  gpu.memory(0).read(0x123, back.data(), back.size());
  EXPECT_TRUE(back == data);
}

TEST(Capture, TellsHowFarTheHostWasAhead) {
  const auto path = temporary("ahead");
  {
    Writer writer(path, {});
    writer.map(0, 0, arch::kPageBytes);
    uint64_t id = 0;
    for (const uint32_t ahead : {0u, 1u, 255u, 1000u})
      writer.submit({.id = ++id, .commands = 0, .words = 1, .presents = id == 4, .ahead = ahead});
    writer.close();
  }
  CountingGpu gpu;
  Reader(path).play_range(1, 1, gpu);
  EXPECT_EQ(gpu.ahead, (std::vector<uint32_t>{0, 1, 255, 255}));
  EXPECT_EQ(gpu.ids.back(), 4u) << "a present";
}

TEST(Capture, TellsTheQueueAndWhatItFollows) {
  using enum arch::QueueKind;
  const auto path = temporary("queues");
  constexpr uint64_t kFar = uint64_t{1} << 40;
  {
    Writer writer(path, {});
    writer.map(0, 0, arch::kPageBytes);
    writer.submit({.id = 1, .commands = 0, .words = 1, .queue = kCompute});
    writer.submit({.id = 2, .commands = 0, .words = 1, .ahead = 1});
    writer.submit({.id = 7, .commands = 0, .words = 1, .ahead = 255, .queue = kCompute, .after = 2});
    writer.submit({.id = kFar, .commands = 0, .words = 1, .presents = true, .after = 7});
    writer.close();
  }
  CountingGpu gpu;
  Reader(path).play_range(1, 1, gpu);
  EXPECT_THAT(gpu.queues,
              testing::ElementsAre(std::pair(kCompute, 0u), std::pair(kGraphics, 0u), std::pair(kCompute, 2u),
                                   std::pair(kGraphics, kFar - UINT32_MAX)));
  EXPECT_EQ(gpu.ahead, (std::vector<uint32_t>{0, 1, 255, 0}));
}

TEST(Capture, TellsWhatTheHostDid) {
  const auto path = temporary("host");
  constexpr uint64_t kFrame = kMaxHostNanoseconds;  // the most of a frame
  {
    Writer writer(path, {});
    writer.map(0, 0, arch::kPageBytes);
    writer.host({.nanoseconds = 1000, .awaited = 7});
    writer.host({.nanoseconds = 20});
    writer.submit({.id = 1, .commands = 0, .words = 1});
    writer.host({.nanoseconds = kFrame});
    writer.submit({.id = 2, .commands = 0, .words = 1, .presents = true});
    writer.host({.nanoseconds = kFrame + 1});
    writer.submit({.id = 3, .commands = 0, .words = 1, .presents = true});
    writer.close();
  }
  CountingGpu gpu;
  Reader(path).play_range(1, 2, gpu);
  std::vector<std::pair<uint64_t, uint64_t>> steps;
  for (const arch::HostStep& step : gpu.steps) steps.emplace_back(step.nanoseconds, step.awaited);
  EXPECT_EQ(steps, (decltype(steps){{1000, 7}, {20, 0}, {kFrame - 1020, 0}, {kFrame, 0}}));
}

// Key frames restore where pages lie, and events move them.
TEST(Capture, TellsWherePagesLie) {
  const auto path = temporary("places");
  {
    CountingGpu gpu;
    WriterOptions options{.key_interval = 1};
    options.memory = memory_of(gpu);
    Writer writer(path, options);
    RecordingGpu both(gpu, writer);
    both.map(0, 0, 4 * arch::kPageBytes);
    both.place(0, arch::kPageBytes, 2 * arch::kPageBytes, arch::Placement::kSystem);
    both.submit({.id = 1, .commands = 0, .words = 1, .presents = true});
    both.place(0, arch::kPageBytes, arch::kPageBytes, arch::Placement::kVideo);
    both.submit({.id = 2, .commands = 0, .words = 1, .presents = true});
    writer.close();
  }
  const Reader reader(path);
  for (const uint64_t first : {1u, 2u}) {
    CountingGpu gpu;
    reader.play_range(first, 2, gpu);
    const arch::Memory& memory = gpu.memory(0);
    EXPECT_EQ(memory.placement(0), arch::Placement::kVideo) << first;
    EXPECT_EQ(memory.placement(arch::kPageBytes), arch::Placement::kVideo) << first;
    EXPECT_EQ(memory.placement(2 * arch::kPageBytes), arch::Placement::kSystem) << first;
    EXPECT_EQ(memory.placement(3 * arch::kPageBytes), arch::Placement::kVideo) << first;
  }
}

// Key frames restore what is bound, and events bind anew.
TEST(Capture, TellsWhatIsBound) {
  const auto path = temporary("bound");
  constexpr uint64_t kPage = arch::kPageBytes, kSparse = 0x100000;
  std::vector<uint64_t> hashes;
  {
    CountingGpu gpu;
    WriterOptions options{.key_interval = 1};
    options.memory = memory_of(gpu);
    Writer writer(path, options);
    RecordingGpu both(gpu, writer);
    const auto present = [&](uint64_t id) {
      both.submit({.id = id, .commands = 0, .words = 1, .presents = true});
      hashes.push_back(gpu.hash());
    };
    both.map(0, 0, 4 * kPage);
    both.place(0, 2 * kPage, kPage, arch::Placement::kSystem);
    both.bind(0, kSparse, 8 * kPage, {});
    both.bind(0, kSparse + kPage, 2 * kPage, kPage);
    both.write(0, kPage + 16, noise(16, 1));
    present(1);
    both.bind(0, kSparse + kPage, kPage, 3 * kPage);
    present(2);
    both.write(0, 3 * kPage, noise(64, 2));
    present(3);
    both.unmap(0, kSparse, 8 * kPage);
    present(4);
    writer.close();
  }
  const Reader reader(path);
  for (uint64_t first = 1; first <= 4; first++) {
    CountingGpu gpu;
    reader.restore(first, gpu);
    if (first == 2) {
      EXPECT_EQ(gpu.memory(0).target_of(kSparse + 2 * kPage + 8), 2 * kPage + 8);
      EXPECT_EQ(gpu.memory(0).placement(kSparse + 2 * kPage), arch::Placement::kSystem);
    }
    for (uint64_t frame = first; frame <= 4; frame++) {
      reader.play(frame, gpu);
      EXPECT_EQ(gpu.hash(), hashes[frame - 1]) << first << " " << frame;
    }
    EXPECT_FALSE(gpu.memory(0).sparse(kSparse));
  }
}

// Noise does not compress: a file's size shows how often it is stored.
TEST(Capture, PagesThatOccurAgainAreKeptOnce) {
  const auto path = temporary("pages");
  constexpr uint64_t kPages = 600, kBytes = kPages * arch::kPageBytes;
  const auto data = noise(kBytes, 1);
  std::vector<uint64_t> hashes;
  {
    CountingGpu gpu;
    Writer writer(path, {.key_interval = 2, .memory = memory_of(gpu)});
    RecordingGpu both(gpu, writer);
    both.map(0, 0, kBytes * 4);
    for (uint64_t frame = 1; frame <= 9; frame++) {
      // The target changes, in odd frames not by a whole page; the submission's page always changes.
      both.write(0, frame * 16 * arch::kPageBytes + (frame % 2 ? 8 : 0), data);
      both.submit({.id = frame, .commands = 0, .words = 1, .presents = true});
      hashes.push_back(gpu.hash());
    }
    writer.close();
  }
  const Reader reader(path);
  // The data once as it is, and once shifted by 8 bytes in its pages.
  EXPECT_LT(reader.info().pages, 2 * kPages + 9 * 20);
  EXPECT_GT(reader.info().page_uses, 10 * kPages);
  EXPECT_LT(reader.info().file_bytes, 3 * kBytes);
  for (const uint64_t key : {3, 5, 7, 9}) {
    const Info::Frame& frame = reader.info().frames[key - 1];
    EXPECT_GT(frame.key_raw_bytes, kBytes);
    if (key > 5) { EXPECT_LT(frame.key_stored_bytes, kBytes / 10) << key; }
  }
  for (uint64_t first = 1; first <= 9; first++) {
    CountingGpu gpu;
    const uint64_t start = reader.start_for(first);
    reader.restore(start, gpu);
    for (uint64_t frame = start; frame <= 9; frame++) {
      reader.play(frame, gpu);
      EXPECT_EQ(gpu.hash(), hashes[frame - 1]) << first << " " << frame;
    }
  }
}

TEST(Capture, ReadsPagesOfManyChunksInAnyOrder) {
  const auto path = temporary("chunks");
  constexpr uint64_t kPages = 20000;  // more than the reader keeps decompressed
  const auto page_of = [](uint64_t n) {
    arch::Page page{};
    std::memcpy(page.data(), &n, sizeof n);
    page[8] = std::byte{1};
    return page;
  };
  {
    Writer writer(path, {});
    writer.map(0, 0, 2 * kPages * arch::kPageBytes);
    for (uint64_t n = 0; n < kPages; n++) writer.write(0, n * arch::kPageBytes, page_of(n));
    for (uint64_t n = 0; n < kPages; n += 37)
      writer.write(0, (kPages + n) * arch::kPageBytes, page_of(n * 7919 % kPages));
    writer.submit({.id = 1, .commands = 0, .words = 1, .presents = true});
    writer.close();
  }
  const Reader reader(path);
  EXPECT_EQ(reader.info().pages, kPages);
  CountingGpu gpu;
  reader.play(1, gpu);
  for (uint64_t n = 0; n < kPages; n += 37)
    ASSERT_EQ(*gpu.memory(0).page((kPages + n) * arch::kPageBytes), page_of(n * 7919 % kPages)) << n;
}

// Only pages that are entirely zero are left out of a key frame.
TEST(Capture, KeyFramesKeepAPageForEachOfItsBytes) {
  const auto path = temporary("lone_bytes");
  constexpr std::array<uint64_t, 6> kPlaces = {0, 1, 2047, 2048, 4088, 4095};
  CountingGpu gpu;
  {
    Writer writer(path, {.key_interval = 1, .memory = memory_of(gpu)});
    RecordingGpu both(gpu, writer);
    both.map(0, 0, 0x20000);
    for (uint64_t i = 0; i < kPlaces.size(); i++) {
      const std::byte one{1};
      both.write(0, 2 * i * arch::kPageBytes + kPlaces[i], {&one, 1});
    }
    for (uint64_t frame = 1; frame <= 2; frame++)
      both.submit({.id = frame, .commands = 0x1f000, .words = 1, .presents = true});
    writer.close();
  }
  CountingGpu back;
  const Reader reader(path);
  reader.restore(2, back);
  reader.play(2, back);
  EXPECT_EQ(back.hash(), gpu.hash());
}

// Pages that are consecutive in the file and in address, but belong to two contexts.
TEST(Capture, RunsOfPagesEndWithTheirContext) {
  const auto path = temporary("contexts");
  CountingGpu gpu;
  {
    Writer writer(path, {});
    RecordingGpu both(gpu, writer);
    for (const arch::ContextId context : {0u, 1u}) both.map(context, 0x10000, 0x10000);
    for (uint64_t page = 0; page < 12; page++)
      both.write(page % 3 == 1, 0x10000 + page * arch::kPageBytes, noise(arch::kPageBytes, 100 + page));
    both.submit({.id = 1, .context = 1, .commands = 0x1f000, .words = 1, .presents = true});
    writer.close();
  }
  CountingGpu back;
  Reader(path).play_range(1, 1, back);
  for (const arch::ContextId context : {0u, 1u})
    EXPECT_EQ(back.memory(context).hash(), gpu.memory(context).hash()) << context;
}

// A run of pages that begins within a chunk and ends in the next.
TEST(Capture, RunsOfPagesGoOnInTheNextChunk) {
  const auto path = temporary("across");
  constexpr uint64_t kChunk = kMaxPageChunkBytes / arch::kPageBytes;
  const auto data = noise(2 * kMaxPageChunkBytes, 5);
  CountingGpu gpu;
  {
    Writer writer(path, {});
    RecordingGpu both(gpu, writer);
    both.map(0, 0, 8 * kMaxPageChunkBytes);
    both.write(0, 0, data);
    both.write(0, 4 * kMaxPageChunkBytes,
               std::span(data).subspan((kChunk - 20) * arch::kPageBytes, 50 * arch::kPageBytes));
    both.submit({.id = 1, .commands = 8 * kMaxPageChunkBytes - 64, .words = 1, .presents = true});
    writer.close();
  }
  CountingGpu back;
  Reader(path).play(1, back);
  EXPECT_EQ(back.hash(), gpu.hash());
}

TEST(Capture, SameEventsGiveTheSameFile) {
  run_program(temporary("a"), {.key_interval = 2});
  run_program(temporary("b"), {.key_interval = 2});
  EXPECT_EQ(read_file(temporary("a")), read_file(temporary("b")));
}

TEST(Capture, EmptyProgramAndRangeBeyondItsEndGiveNoFile) {
  const auto path = temporary("none");
  std::filesystem::remove(path);
  {
    Writer writer(path, {});
    EXPECT_THROW(writer.close(), UserError);
  }
  EXPECT_THROW(run_program(path, {.first_frame = 9}), UserError);
  EXPECT_THROW(run_program(path, {.first_frame = 2}, false), UserError);
  EXPECT_THROW(run_program(path, {.first_frame = 3, .last_frame = 2}), UserError);
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_TRUE(temporary_files(path).empty());
}

}  // namespace
}  // namespace cutaway::capture
