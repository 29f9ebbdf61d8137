// The capture reader. An input is a list of chunks, from which a file with right checksums is made, or a
// file:
//
//   u8 how     bit 0: the rest is the file as it is; bit 1: ReaderOptions::check; bit 2: recover
//   chunk...   u8 kind, u8 frame, u8 flags, u8 submissions, u16 bytes, then the bytes before compression
//
// Where no chunk is an index, the right one is written.
#include "base/error.h"
#include "base/hash.h"
#include "capture/index.h"
#include "capture/reader.h"
#include "fuzz/fuzz_target.h"
#include "fuzz/memory_file.h"

namespace {

using namespace cutaway;
using namespace cutaway::capture;

// Looks at everything that it is given and believes it.
struct Sink final : arch::CommandSink {
  uint64_t hash = 0;
  void note(uint64_t a, uint64_t b) { hash = hash_bytes(&a, sizeof a, hash ^ b); }
  void map(arch::ContextId context, arch::Address address, uint64_t bytes) override {
    CUTAWAY_CHECK(context < kMaxContexts && address % arch::kPageBytes == 0 && bytes <= kMaxMapBytes);
    CUTAWAY_CHECK(bytes % arch::kPageBytes == 0 && address + bytes <= 1ull << arch::kAddressBits);
    note(address, bytes);
  }
  void unmap(arch::ContextId context, arch::Address address, uint64_t bytes) override {
    map(context, address, bytes);
  }
  void place(arch::ContextId context, arch::Address address, uint64_t bytes, arch::Placement) override {
    map(context, address, bytes);
  }
  void bind(arch::ContextId context, arch::Address address, uint64_t bytes,
            std::optional<arch::Address> target) override {
    map(context, address, bytes);
    if (target) map(context, *target, bytes);
  }
  void write(arch::ContextId context, arch::Address address, std::span<const std::byte> bytes) override {
    CUTAWAY_CHECK(context < kMaxContexts && address < 1ull << arch::kAddressBits);
    hash = hash_bytes(bytes, hash ^ address);
  }
  void submit(const arch::Submission& submission) override { note(submission.commands, submission.words); }
  void host(const arch::HostStep& step) override {
    CUTAWAY_CHECK(step.context < kMaxContexts && step.nanoseconds <= kMaxHostNanoseconds);
    note(step.nanoseconds, step.awaited);
  }
  void annotate(std::string_view kind, uint64_t id, std::span<const std::byte> text) override {
    CUTAWAY_CHECK(kind.size() <= kMaxKindBytes && text.size() <= kMaxAnnotationBytes);
    hash = hash_bytes(text, hash_bytes(kind.data(), kind.size(), hash ^ id));
  }
};

void append(std::vector<std::byte>& to, const void* data, size_t bytes) {
  const auto* from = static_cast<const std::byte*>(data);
  to.insert(to.end(), from, from + bytes);
}

std::vector<std::byte> make_file(fuzz::Input& input) {
  std::vector<std::byte> file;
  FileHeader file_header;
  file_header.contract_version = arch::kContractVersion;
  seal(file_header);
  append(file, &file_header, sizeof file_header);
  IndexBuilder builder;
  uint64_t index_offset = 0;
  const auto add = [&](ChunkHeader header, std::span<const std::byte> raw) {
    const auto stored = seal_chunk(header, raw, 1);
    builder.add(file.size(), header);
    append(file, &header, sizeof header);
    append(file, stored.data(), stored.size());
  };
  while (!input.empty() && !index_offset) {
    ChunkHeader header;
    header.kind = input.take<uint8_t>(), header.frame = input.take<uint8_t>();
    header.flags = input.take<uint8_t>(), header.submissions = input.take<uint8_t>();
    if (static_cast<ChunkKind>(header.kind) == ChunkKind::kIndex) index_offset = file.size();
    const auto bytes = input.take<uint16_t>();
    add(header, input.take_bytes(bytes));
  }
  if (!index_offset) {
    index_offset = file.size();
    ChunkHeader header;
    header.kind = static_cast<uint32_t>(ChunkKind::kIndex);
    add(header, encode(builder.index()));
  }
  FileTrailer trailer;
  trailer.index_offset = index_offset;
  trailer.file_bytes = file.size() + sizeof trailer;
  seal(trailer);
  append(file, &trailer, sizeof trailer);
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const fuzz::MemoryFile memory_file;
  fuzz::Input input(data, size);
  const auto how = input.take<uint8_t>();
  if (how & 1) memory_file.fill(input.rest());
  else memory_file.fill(make_file(input));
  try {
    const Reader reader(memory_file.path(), {.check = (how & 2) != 0, .recover = (how & 4) != 0});
    Sink sink;
    const Info& info = reader.info();
    const uint64_t last = std::min(info.last_frame(), info.first_frame() + 16);
    reader.play_range(info.first_frame(), last, sink);
    for (uint64_t frame = info.first_frame(); frame <= last; frame++)
      if (reader.start_for(frame) == frame) reader.restore(frame, sink);
    reader.annotations(sink);
  } catch (const UserError& error) {
    CUTAWAY_CHECK(std::string_view(error.what()).find('\n') == std::string_view::npos);
  }
  return 0;
}
