#include <cstring>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

#include "base/error.h"
#include "base/hash.h"
#include "capture/reader.h"
#include "capture/recording_gpu.h"
#include "capture/writer.h"

namespace cutaway::capture {
namespace {

using ::testing::HasSubstr;

std::filesystem::path temporary(const char* name) {
  return std::filesystem::path(::testing::TempDir()) / (std::string("cutaway_capture_") + name);
}

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto* data = reinterpret_cast<const std::byte*>(text.data());
  return {data, data + text.size()};
}

// A GPU whose submissions add one to the 64-bit word at `commands`.
class CountingGpu final : public arch::Gpu {
 public:
  void map(arch::ContextId context, arch::Address address, uint64_t bytes) override {
    memory_[context].map(address, bytes);
  }
  void unmap(arch::ContextId context, arch::Address address, uint64_t bytes) override {
    memory_[context].unmap(address, bytes);
  }
  void write(arch::ContextId context, arch::Address address, std::span<const std::byte> bytes) override {
    memory_[context].write(address, bytes.data(), bytes.size());
  }
  void submit(const arch::Submission& s) override {
    auto& memory = memory_[s.context];
    memory.write_as(s.commands, memory.read_as<uint64_t>(s.commands) + s.words);
    ids.push_back(s.id);
  }
  void annotate(std::string_view kind, uint64_t id, std::span<const std::byte> text) override {
    annotations.emplace_back(std::string(kind) + std::to_string(id),
                             std::string(reinterpret_cast<const char*>(text.data()), text.size()));
  }
  void wait() override {}
  const arch::Memory& memory(arch::ContextId context) const override { return memory_.at(context); }
  bool fault(arch::Fault&) const override { return false; }

  uint64_t hash() const {
    uint64_t hash = 0;
    for (const auto& [context, memory] : memory_) hash = hash * 31 + memory.hash();
    return hash;
  }

  std::vector<uint64_t> ids;
  std::vector<std::pair<std::string, std::string>> annotations;

 private:
  std::map<arch::ContextId, arch::Memory> memory_;
};

// Eight frames of two submissions in two contexts. Returns the hash of all memory after each frame.
std::vector<uint64_t> run_program(const std::filesystem::path& path, WriterOptions options,
                                  bool presents = true, bool close = true) {
  CountingGpu gpu;
  options.memory = memory_of(gpu);
  options.metadata = {{"program", "counting"}, {"arguments", "--a b"}};
  options.compression = 1;
  Writer writer(path, options);
  RecordingGpu both(gpu, writer);
  std::vector<uint64_t> hashes;
  both.map(0, 0x10000, 0x8000);
  both.map(1, 0x400000, 0x2000);
  both.annotate("surface", 7, bytes_of("back buffer"));
  uint64_t id = 0;
  for (uint32_t frame = 1; frame <= 8; frame++) {
    if (frame == 4) both.map(0, 0x20000, 0x1000), both.unmap(0, 0x17000, 0x1000);
    const std::vector<std::byte> data(300 * frame, static_cast<std::byte>(frame));
    both.write(0, 0x10100 + frame, data);
    both.submit({.id = ++id, .context = 1, .commands = 0x400010, .words = frame});
    both.write(0, 0x20000, bytes_of("late"));
    both.submit({.id = ++id, .context = 0, .commands = 0x10040, .words = 3 * frame, .presents = presents});
    hashes.push_back(gpu.hash());
  }
  if (close) writer.close();
  return hashes;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void write_file(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// The text of the UserError that reading everything of a file gives; empty if there is none.
std::string error_of(const std::filesystem::path& path) {
  try {
    const Reader reader(path);
    CountingGpu gpu;
    reader.play_range(reader.info().first_frame(), reader.info().last_frame(), gpu);
    reader.annotations(gpu);
    return {};
  } catch (const UserError& error) { return error.what(); }
}

TEST(Capture, EveryFrameComesBackFromEveryKeyFrame) {
  for (const uint64_t interval : {0, 1, 3}) {
    const auto path = temporary("round");
    const auto hashes = run_program(path, {.key_interval = interval});
    EXPECT_FALSE(std::filesystem::exists(path.string() + ".part"));
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
  // What was named before the first frame is named in the capture.
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

std::vector<std::byte> noise(size_t bytes, uint64_t seed) {
  std::vector<std::byte> data(bytes);
  for (size_t i = 0; i + sizeof seed <= bytes; i += sizeof seed) {
    seed = hash_bytes(&seed, sizeof seed);
    std::memcpy(&data[i], &seed, sizeof seed);
  }
  return data;
}

// Noise does not compress: the size of a file tells how often it holds it.
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
      // Where it goes changes, in odd frames by no whole page; the page of the submission always does.
      both.write(0, frame * 16 * arch::kPageBytes + (frame % 2 ? 8 : 0), data);
      both.submit({.id = frame, .commands = 0, .words = 1, .presents = true});
      hashes.push_back(gpu.hash());
    }
    writer.close();
  }
  const Reader reader(path);
  // The data as it is, and as it stands in memory when it was written 8 bytes further.
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

TEST(Capture, OpensWithoutReadingAllAndFindsDamageWhenItGetsThere) {
  const auto path = temporary("lazy"), bad = temporary("lazy_bad");
  const auto hashes = run_program(path, {.key_interval = 4});
  const std::string whole = read_file(path);
  int found = 0, late = 0;
  for (size_t i = sizeof(FileHeader); i < whole.size(); i++) {
    std::string altered = whole;
    altered[i] = static_cast<char>(altered[i] ^ 0x10);
    write_file(bad, altered);
    bool opened = false;
    try {
      const Reader reader(bad, {.check = false});
      opened = true;
      CountingGpu gpu;
      reader.play_range(6, 8, gpu);
      EXPECT_EQ(gpu.hash(), hashes[7]) << "byte " << i;
    } catch (const UserError&) { found++, late += opened; }
  }
  EXPECT_GT(late, 100);
  EXPECT_GT(found, late);
}

TEST(Capture, AFullDiskIsAUserError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP();
  const auto link = temporary("full.part");
  std::filesystem::remove(link);
  std::filesystem::create_symlink("/dev/full", link);
  const auto path = temporary("full");
  EXPECT_THROW(
      {
        Writer writer(path, {});
        writer.map(0, 0, 64u << 20);
        for (uint64_t n = 0; n < 16; n++) writer.write(0, n << 20, noise(1u << 20, n));
        writer.submit({.id = 1, .commands = 0, .words = 1, .presents = true});
        writer.close();
      },
      UserError);
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Capture, SameEventsGiveTheSameFile) {
  run_program(temporary("a"), {.key_interval = 2});
  run_program(temporary("b"), {.key_interval = 2});
  EXPECT_EQ(read_file(temporary("a")), read_file(temporary("b")));
}

TEST(Capture, UnfinishedIsNoFileAndCanBeRecovered) {
  const auto path = temporary("unfinished");
  std::filesystem::remove(path);
  run_program(path, {}, true, false);
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_FALSE(std::filesystem::exists(path.string() + ".part"));

  const auto hashes = run_program(path, {.key_interval = 2});
  const std::string whole = read_file(path);
  const Reader reader(path);
  for (size_t bytes = 200; bytes < whole.size(); bytes += 37) {
    write_file(temporary("cut"), std::string_view(whole).substr(0, bytes));
    try {
      const Reader cut(temporary("cut"), {.recover = true});
      const uint64_t last = cut.info().last_frame();
      CountingGpu gpu;
      cut.play_range(1, last, gpu);
      EXPECT_EQ(gpu.hash(), hashes[last - 1]);
    } catch (const UserError& error) {
      EXPECT_THAT(error.what(), HasSubstr("no whole frame"));
      EXPECT_LT(bytes, 900u);
    }
  }
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
  EXPECT_FALSE(std::filesystem::exists(path.string() + ".part"));
}

TEST(Capture, EveryAlteredByteAndEveryLengthIsAUserError) {
  const auto path = temporary("whole"), bad = temporary("bad");
  run_program(path, {.first_frame = 2, .last_frame = 4, .key_interval = 2});
  ASSERT_EQ(error_of(path), "");
  const std::string whole = read_file(path);
  for (size_t i = 0; i < whole.size(); i++) {
    for (const int flip : {0x01, 0x80, 0xff}) {
      std::string altered = whole;
      altered[i] = static_cast<char>(altered[i] ^ flip);
      write_file(bad, altered);
      const std::string error = error_of(bad);
      EXPECT_NE(error, "") << "byte " << i;
      EXPECT_EQ(error.find('\n'), std::string::npos);
    }
    write_file(bad, std::string_view(whole).substr(0, i));
    EXPECT_NE(error_of(bad), "") << "length " << i;
  }
  write_file(bad, whole + "x");
  EXPECT_NE(error_of(bad), "");
  EXPECT_THAT(error_of(temporary("missing")), HasSubstr("cannot be opened"));
  EXPECT_THAT(error_of(::testing::TempDir()), HasSubstr("not a file"));
  write_file(bad, std::string(1000, 'x'));
  EXPECT_THAT(error_of(bad), HasSubstr("not a capture"));
}

TEST(Capture, NamesNewerAndOlderVersions) {
  const auto path = temporary("version");
  run_program(path, {});
  std::string bytes = read_file(path);
  for (const int change : {1, -1}) {
    FileHeader header;
    std::memcpy(static_cast<void*>(&header), bytes.data(), sizeof header);
    header.contract_version = static_cast<uint32_t>(static_cast<int>(arch::kContractVersion) + change);
    seal(header);
    std::string other = bytes;
    std::memcpy(other.data(), &header, sizeof header);
    write_file(path, other);
    EXPECT_THAT(error_of(path), HasSubstr(change > 0 ? "newer" : "older"));
  }
}

// Records of any content under right checksums: a reader believes nothing.
TEST(Capture, WildRecordsAreUserErrors) {
  const auto path = temporary("wild");
  uint64_t state = 1;
  const auto random = [&] { return state = hash_bytes(&state, sizeof state); };
  int refused = 0;
  for (int round = 0; round < 300; round++) {
    {
      OutputFile file(path);
      FileHeader header;
      header.contract_version = arch::kContractVersion;
      seal(header);
      file.append(&header, sizeof header);
      IndexBuilder builder;
      const auto add = [&](ChunkHeader chunk, std::span<const std::byte> raw) {
        const uint64_t at = file.size();
        chunk.stored_bytes = static_cast<uint32_t>(append_chunk(file, chunk, raw, 1) - sizeof chunk);
        chunk.raw_bytes = static_cast<uint32_t>(raw.size());
        builder.add(at, chunk);
      };
      add({.kind = static_cast<uint32_t>(ChunkKind::kMetadata)}, {});
      std::vector<RecordHeader> records(1 + random() % 4);
      for (auto& r : records) {
        r = {static_cast<uint32_t>(random() % 8), 0, random() >> random() % 64, random() >> random() % 64};
        if (random() % 2) r.a &= ~0xfffull, r.b &= 0xfffff000ull & r.b >> 8;
        if (random() % 8 == 0) r.context = static_cast<uint32_t>(random());
      }
      add({.kind = static_cast<uint32_t>(ChunkKind::kEvents), .frame = 1, .flags = kLastOfFrame},
          std::as_bytes(std::span(records)));
      FileTrailer trailer;
      trailer.index_offset = file.size();
      append_chunk(file, {.kind = static_cast<uint32_t>(ChunkKind::kIndex)}, encode(builder.index()), 1);
      trailer.file_bytes = file.size() + sizeof trailer;
      seal(trailer);
      file.append(&trailer, sizeof trailer);
      file.commit();
    }
    refused += error_of(path) != "";
  }
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace cutaway::capture
