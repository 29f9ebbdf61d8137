#include <gmock/gmock.h>
#include <sys/resource.h>

#include "arch/ignoring_sink.h"
#include "capture/recover.h"
#include "capture/testing/recorded_program.h"

// Files that are cut off, altered or forged: each is a one-line UserError.
namespace cutaway::capture {
namespace {

using ::testing::HasSubstr;

TEST(Capture, FindsDamageLazilyWithoutFullCheck) {
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
  const auto path = temporary("full");
  rlimit usual{};
  getrlimit(RLIMIT_FSIZE, &usual);
  const rlimit small{1 << 20, usual.rlim_max};  // no frame fits
  setrlimit(RLIMIT_FSIZE, &small);
  EXPECT_THROW(
      {
        Writer writer(path, {});
        writer.map(0, 0, 64u << 20);
        for (uint64_t n = 0; n < 16; n++) writer.write(0, n << 20, noise(1u << 20, n));
        writer.submit({.id = 1, .commands = 0, .words = 1, .presents = true});
        writer.close();
      },
      UserError);
  setrlimit(RLIMIT_FSIZE, &usual);
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_TRUE(temporary_files(path).empty());
}

TEST(Capture, UnfinishedIsNoFileAndCanBeRecovered) {
  const auto path = temporary("unfinished");
  std::filesystem::remove(path);
  run_program(path, {}, true, false);
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_TRUE(temporary_files(path).empty());

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

TEST(Capture, ReadsTheVersionBefore) {
  const auto path = temporary("version_before");
  run_program(path, {});
  std::string bytes = read_file(path);
  FileHeader header;
  std::memcpy(static_cast<void*>(&header), bytes.data(), sizeof header);
  header.format_version = kOldestVersion;
  seal(header);
  std::memcpy(bytes.data(), &header, sizeof header);
  write_file(path, bytes);
  EXPECT_EQ(Reader(path).info().format_version, kOldestVersion);
  header.format_version = kOldestVersion - 1;
  seal(header);
  std::memcpy(bytes.data(), &header, sizeof header);
  write_file(path, bytes);
  EXPECT_THAT(error_of(path), HasSubstr("older"));
}

// Writes a capture of one frame with arbitrary records and valid checksums.
void write_records(const std::filesystem::path& path, std::span<const RecordHeader> records) {
  WholeFile file(path);
  FileHeader header;
  header.contract_version = arch::kContractVersion;
  seal(header);
  file.append(std::as_bytes(std::span(&header, 1)));
  IndexBuilder builder;
  const auto add = [&](ChunkHeader chunk, std::span<const std::byte> raw) {
    const auto stored = seal_chunk(chunk, raw, 1);
    builder.add(file.size(), chunk);
    file.append(std::as_bytes(std::span(&chunk, 1)));
    file.append(stored);
  };
  add({.kind = static_cast<uint32_t>(ChunkKind::kMetadata)}, {});
  add({.kind = static_cast<uint32_t>(ChunkKind::kEvents), .frame = 1, .flags = kLastOfFrame},
      std::as_bytes(records));
  append_index(file, builder.index(), 1);
  file.commit();
}

// A reader trusts nothing.
TEST(Capture, WildRecordsAreUserErrors) {
  const auto path = temporary("wild");
  uint64_t state = 1;
  const auto random = [&] { return state = hash_bytes(&state, sizeof state); };
  int refused = 0;
  for (int round = 0; round < 300; round++) {
    std::vector<RecordHeader> records(1 + random() % 4);
    for (auto& r : records) {
      r = {static_cast<uint32_t>(random() % 11), 0, random() >> random() % 64, random() >> random() % 64};
      if (random() % 2) r.a &= ~0xfffull, r.b &= 0xfffff000ull & r.b >> 8;
      if (r.kind == static_cast<uint32_t>(RecordKind::kBind)) {
        r.flags = random() % 3;
        if (random() % 2) r.c = random() >> random() % 64 & ~0xfffull;
      }
      if (random() % 8 == 0) r.context = static_cast<uint32_t>(random());
    }
    write_records(path, records);
    refused += error_of(path) != "";
  }
  EXPECT_GT(refused, 100);
}

// Binds are of whole pages of memory; the GPU refuses memory that is not there.
TEST(Capture, BadBindsAreUserErrors) {
  const auto path = temporary("binds");
  constexpr uint64_t kEnd = uint64_t{1} << arch::kAddressBits;
  const auto bind = [](uint64_t address, uint64_t bytes, uint64_t target, uint64_t flags) {
    return RecordHeader{static_cast<uint32_t>(RecordKind::kBind), 0, address, bytes, target, flags};
  };
  const auto error = [&](const RecordHeader& record) {
    write_records(path, std::span(&record, 1));
    arch::IgnoringSink sink;
    try {
      Reader(path).play(1, sink);
    } catch (const UserError& e) { return std::string(e.what()); }
    return std::string();
  };
  EXPECT_EQ(error(bind(0x1000, 0x2000, 0, 0)), "");
  EXPECT_EQ(error(bind(0x1000, 0x2000, kEnd - 0x2000, kBoundToMemory)), "");
  for (const RecordHeader& record :
       {bind(0x1004, 0x2000, 0, 0), bind(0x1000, 0x2004, 0, 0), bind(0x1000, 0x2000, 0x1000, 0),
        bind(0x1000, 0x2000, 0x3004, kBoundToMemory), bind(0x1000, 0x2000, kEnd - 0x1000, kBoundToMemory),
        bind(kEnd - 0x1000, 0x2000, 0, 0), bind(0x1000, 0x2000, 0x8000, 2),
        bind(0, kMaxMapBytes + 0x1000, 0, 0)})
    EXPECT_THAT(error(record), HasSubstr("record")) << record.a << " " << record.b << " " << record.c;
}

// A small file must not keep a reader busy for hours.
TEST(Capture, AFramesMappingsAreLimited) {
  const auto path = temporary("maps");
  const RecordHeader map{static_cast<uint32_t>(RecordKind::kMap), 0, 0, kMaxMapBytes};
  const std::vector<RecordHeader> records(kMaxFrameBytes / kMaxMapBytes + 1, map);
  struct : arch::IgnoringSink {
    uint64_t bytes = 0;
    void map(arch::ContextId, arch::Address, uint64_t mapped) override { bytes += mapped; }
  } sink;
  write_records(path, records);
  EXPECT_THROW(Reader(path).play(1, sink), UserError);
  EXPECT_EQ(sink.bytes, kMaxFrameBytes);
  sink.bytes = 0;
  write_records(path, std::span(records).first(records.size() - 1));
  Reader(path).play(1, sink);
  EXPECT_EQ(sink.bytes, kMaxFrameBytes);
}

// A page that is bound is work of its own, unlike one without memory.
TEST(Capture, AFramesBindsAreLimited) {
  const auto path = temporary("many_binds");
  const auto bind = [](uint64_t bytes, uint64_t flags) {
    return RecordHeader{static_cast<uint32_t>(RecordKind::kBind), 0, 0, bytes, 0, flags};
  };
  write_records(path, std::vector{bind(kMaxBoundBytes, kBoundToMemory), bind(kMaxMapBytes, 0)});
  EXPECT_EQ(error_of(path), "");
  write_records(path, std::vector{bind(kMaxBoundBytes, kBoundToMemory), bind(0x1000, kBoundToMemory)});
  EXPECT_THAT(error_of(path), HasSubstr("size of a frame"));
}

// Nor a simulation of it.
TEST(Capture, AFramesTimeOfTheHostIsLimited) {
  const auto path = temporary("host_time");
  const auto step = [](uint64_t nanoseconds) {
    return RecordHeader{static_cast<uint32_t>(RecordKind::kHost), 0, nanoseconds, 1};
  };
  write_records(path, std::vector{step(kMaxHostNanoseconds - 1), step(1), step(0)});
  EXPECT_EQ(error_of(path), "");
  for (const uint64_t more : {uint64_t{2}, ~uint64_t{0}}) {
    write_records(path, std::vector{step(kMaxHostNanoseconds - 1), step(more)});
    EXPECT_THAT(error_of(path), HasSubstr("size of a frame"));
  }
}

}  // namespace
}  // namespace cutaway::capture
