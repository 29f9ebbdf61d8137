#include "capture/reader.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/interrupt.h"
#include "capture/scan.h"

namespace cutaway::capture {
namespace {

// Walks the records of one decompressed chunk. Nothing is trusted: sizes are compared with the remaining
// bytes.
class RecordReader {
 public:
  explicit RecordReader(std::span<const std::byte> raw) : rest_(raw) {}
  bool done() const { return rest_.empty(); }

  bool header(RecordHeader& header) {
    if (rest_.size() < sizeof header) return false;
    std::memcpy(static_cast<void*>(&header), rest_.data(), sizeof header);
    rest_ = rest_.subspan(sizeof header);
    return true;
  }
  bool bytes(uint64_t count, std::span<const std::byte>& bytes) {
    if (count > rest_.size()) return false;
    bytes = rest_.first(count);
    rest_ = rest_.subspan(count);
    return true;
  }

 private:
  std::span<const std::byte> rest_;
};

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// True if a kind of record is legal in a kind of chunk of events, key frames or annotations.
bool fits(RecordKind record, ChunkKind chunk) {
  switch (chunk) {
    case ChunkKind::kAnnotations:
      return record == RecordKind::kAnnotate;
    case ChunkKind::kKeyFrame:
      return record == RecordKind::kMap || record == RecordKind::kPages || record == RecordKind::kPlace ||
             record == RecordKind::kBind;
    default:
      return record != RecordKind::kAnnotate;
  }
}

}  // namespace

// Left of what small records of a frame may ask for: they may represent large ranges, or long times.
struct Reader::Left {
  uint64_t bytes = kMaxFrameBytes, bound = kMaxBoundBytes, nanoseconds = kMaxHostNanoseconds;

  // Returns false if the record asks for more.
  bool take(const RecordHeader& record) {
    switch (static_cast<RecordKind>(record.kind)) {
      case RecordKind::kMap:
      case RecordKind::kUnmap:
      case RecordKind::kPages:
      case RecordKind::kPlace:
        return take(record.b, bytes);
      case RecordKind::kBind:
        return take(record.b, record.flags & kBoundToMemory ? bound : bytes);
      case RecordKind::kHost:
        return take(record.a, nanoseconds);
      default:
        return true;
    }
  }

 private:
  static bool take(uint64_t amount, uint64_t& left) {
    if (amount > left) return false;
    left -= amount;
    return true;
  }
};

namespace {

bool page_range(arch::Address address, uint64_t bytes) {
  constexpr uint64_t kEnd = 1ull << arch::kAddressBits;
  return address % arch::kPageBytes == 0 && bytes % arch::kPageBytes == 0 && bytes <= kMaxMapBytes &&
         address < kEnd && bytes <= kEnd - address;
}
bool page_range(const RecordHeader& record) { return page_range(record.a, record.b); }

// The memory that is bound must exist when the record is executed, which the GPU sees.
bool bind_range(const RecordHeader& record) {
  if (!page_range(record) || record.flags & ~kBoundToMemory) return false;
  return record.flags ? page_range(record.c, record.b) : record.c == 0;
}

arch::Submission submission_of(const RecordHeader& record) {
  const uint64_t distance = record.flags >> kAfterShift;
  return {.id = record.c,
          .context = record.context,
          .commands = record.a,
          .words = static_cast<uint32_t>(record.b),
          .presents = (record.flags & kSubmitPresents) != 0,
          .ahead = static_cast<uint32_t>(record.flags >> kAheadShift & kMaxAhead),
          .queue = record.flags & kSubmitCompute ? arch::QueueKind::kCompute : arch::QueueKind::kGraphics,
          .after = distance ? record.c - distance : 0};
}

// Sends one record on. Returns false if it is not a legal record of this kind of chunk.
bool play_record(const RecordHeader& record, RecordReader& records, ChunkKind chunk,
                 arch::CommandSink& sink) {
  std::span<const std::byte> first, second;
  if (record.context >= kMaxContexts) return false;
  const auto kind = static_cast<RecordKind>(record.kind);
  if (!fits(kind, chunk)) return false;
  switch (kind) {
    case RecordKind::kMap:
      if (!page_range(record)) return false;
      sink.map(record.context, record.a, record.b);
      return true;
    case RecordKind::kUnmap:
      if (!page_range(record)) return false;
      sink.unmap(record.context, record.a, record.b);
      return true;
    case RecordKind::kPlace:
      if (!page_range(record) || record.flags & ~kPlacedInSystem) return false;
      sink.place(record.context, record.a, record.b,
                 record.flags ? arch::Placement::kSystem : arch::Placement::kVideo);
      return true;
    case RecordKind::kBind:
      if (!bind_range(record)) return false;
      sink.bind(record.context, record.a, record.b,
                record.flags ? std::optional(record.c) : std::optional<arch::Address>());
      return true;
    case RecordKind::kWrite:
      if (record.a >> arch::kAddressBits || !records.bytes(record.b, first)) return false;
      sink.write(record.context, record.a, first);
      return true;
    case RecordKind::kSubmit:
      if (record.b > UINT32_MAX || record.flags & ~kSubmitFlags || record.flags >> kAfterShift > record.c)
        return false;
      sink.submit(submission_of(record));
      return true;
    case RecordKind::kHost:
      sink.host({.context = record.context, .nanoseconds = record.a, .awaited = record.b});
      return true;
    case RecordKind::kAnnotate:
      if (record.c > kMaxKindBytes || record.b > kMaxAnnotationBytes || !records.bytes(record.c, first) ||
          !records.bytes(record.b, second))
        return false;
      sink.annotate(as_text(first), record.a, second);
      return true;
    default:
      return false;
  }
}

// Reports another version as such, whatever else is wrong with the file.
void check_version(const FileHeader& header, const std::string& name) {
  const uint32_t format = header.format_version, contract = header.contract_version;
  if (format >= kOldestVersion && format <= kFormatVersion && contract == arch::kContractVersion) return;
  const bool newer = format > kFormatVersion || contract > arch::kContractVersion;
  user_error("{}: made by {} Cutaway (file version {}.{}, this one reads {}.{}){}: {}", name,
             newer ? "a newer" : "an older", format, contract, kFormatVersion, arch::kContractVersion,
             sealed(header) ? "" : ", or damaged", newer ? "update Cutaway" : "record it again");
}

}  // namespace

std::string_view Info::value(std::string_view name) const {
  for (const auto& [key, value] : metadata)
    if (key == name) return value;
  return {};
}

Reader::Reader(std::filesystem::path path, ReaderOptions options)
    : file_(std::move(path)), options_(options) {
  const std::string name = file_.path().string();
  if (file_.size() < sizeof(FileHeader)) {
    user_error("{}: not a capture (it has {} bytes): name a file that `cutaway capture` wrote", name,
               file_.size());
  }
  const auto header = file_.read_as<FileHeader>(0);
  if (header.magic != kHeaderMagic)
    user_error("{}: not a capture: name a file that `cutaway capture` wrote", name);
  check_version(header, name);
  if (!sealed(header)) altered(file_.path(), 0, "file header");

  if (options_.recover) {
    index_ = scan(file_, file_.size(), {.recover = true});
  } else {
    const uint64_t at = read_trailer();
    const ChunkHeader chunk = read_chunk_header(file_, at);
    std::vector<std::byte> stored, raw;
    read_chunk(file_, at, chunk, stored, raw);
    if (static_cast<ChunkKind>(chunk.kind) != ChunkKind::kIndex || !decode(raw, index_))
      altered(file_.path(), at, "frame index");
    if (at + sizeof chunk + chunk.stored_bytes + sizeof(FileTrailer) != file_.size())
      altered(file_.path(), at, "frame index");
    if (options_.check && !(scan(file_, at, {}) == index_)) altered(file_.path(), at, "frame index");
  }
  if (index_.frames.empty()) user_error("{}: the capture holds no whole frame: record it again", name);
  if (index_.first_frame == 0 || index_.first_frame + index_.frames.size() < index_.first_frame)
    altered(file_.path(), 0, "frame numbers");

  info_.format_version = header.format_version;
  info_.contract_version = header.contract_version;
  info_.file_bytes = file_.size();
  info_.pages = pages_.pages();
  for (size_t i = 0; i < index_.frames.size(); i++) {
    const FrameEntry& e = index_.frames[i];
    const uint64_t number = index_.first_frame + i;
    info_.frames.push_back({number, e.submissions, e.raw_bytes, e.stored_bytes, e.key_raw_bytes,
                            e.key_stored_bytes, number == 1 || e.key_offset != 0});
    info_.page_uses += e.page_bytes / arch::kPageBytes;
  }
  if (!info_.frames.front().key) altered(file_.path(), 0, "first key frame");
  read_metadata();
}

uint64_t Reader::read_trailer() const {
  if (file_.size() < sizeof(FileHeader) + sizeof(FileTrailer)) cut_off(file_.path());
  const auto trailer = file_.read_as<FileTrailer>(file_.size() - sizeof(FileTrailer));
  if (trailer.magic != kTrailerMagic) cut_off(file_.path());
  if (!sealed(trailer) || trailer.file_bytes != file_.size() || trailer.index_offset < sizeof(FileHeader))
    altered(file_.path(), file_.size() - sizeof trailer, "trailer");
  return trailer.index_offset;
}

void Reader::read_metadata() {
  const uint64_t offset = sizeof(FileHeader);
  const ChunkHeader chunk = read_chunk_header(file_, offset);
  std::vector<std::byte> stored, raw;
  read_chunk(file_, offset, chunk, stored, raw);
  RecordReader records(raw);
  while (!records.done()) {
    RecordHeader record;
    std::span<const std::byte> name, value;
    if (!records.header(record) || record.kind != static_cast<uint32_t>(RecordKind::kMetadata) ||
        !records.bytes(record.a, name) || !records.bytes(record.b, value))
      altered(file_.path(), offset, "metadata");
    info_.metadata.emplace_back(as_text(name), as_text(value));
  }
}

const FrameEntry& Reader::entry(uint64_t frame) const {
  if (frame < info_.first_frame() || frame > info_.last_frame())
    user_error("{}: frame {} is not in the capture: it holds frames {}..{}", file_.path().string(), frame,
               info_.first_frame(), info_.last_frame());
  return index_.frames[frame - index_.first_frame];
}

uint64_t Reader::start_for(uint64_t frame) const {
  entry(frame);
  while (!info_.frames[frame - index_.first_frame].key) frame--;
  return frame;
}

void Reader::restore(uint64_t frame, arch::CommandSink& sink) const {
  const FrameEntry& e = entry(frame);
  CUTAWAY_CHECK(frame == 1 || e.key_offset, "frame {} has no key frame", frame);
  if (e.key_offset) play_chunks(e.key_offset, ChunkKind::kKeyFrame, frame, sink);
}

void Reader::play(uint64_t frame, arch::CommandSink& sink) const {
  play_chunks(entry(frame).events_offset, ChunkKind::kEvents, frame, sink);
}

void Reader::play_range(uint64_t first, uint64_t last, arch::CommandSink& sink) const {
  entry(last);
  const uint64_t start = start_for(first);
  restore(start, sink);
  for (uint64_t frame = start; frame <= last; frame++) play(frame, sink);
}

void Reader::annotations(arch::CommandSink& sink) const {
  std::vector<std::byte> stored, raw;
  for (const uint64_t offset : index_.annotations) {
    const ChunkHeader header = read_chunk_header(file_, offset);
    if (static_cast<ChunkKind>(header.kind) != ChunkKind::kAnnotations)
      altered(file_.path(), offset, "frame index");
    read_chunk(file_, offset, header, stored, raw);
    Left left;
    play_records(raw, offset, ChunkKind::kAnnotations, left, sink);
  }
}

void Reader::play_chunks(uint64_t offset, ChunkKind kind, uint64_t frame, arch::CommandSink& sink) const {
  std::vector<std::byte> stored, raw;
  Left left;
  for (bool last = false; !last;) {
    const ChunkHeader header = read_chunk_header(file_, offset);
    const auto found = static_cast<ChunkKind>(header.kind);
    if (found == kind && header.frame == frame) {
      read_chunk(file_, offset, header, stored, raw);
      play_records(raw, offset, kind, left, sink);
      last = header.flags & kLastOfFrame;
    } else if (found != ChunkKind::kAnnotations && found != ChunkKind::kPages) {
      altered(file_.path(), offset, "order of chunks");
    }
    offset += sizeof header + header.stored_bytes;
  }
}

void Reader::play_records(std::span<const std::byte> raw, uint64_t offset, ChunkKind kind, Left& left,
                          arch::CommandSink& sink) const {
  RecordReader records(raw);
  std::vector<RecordHeader> runs;  // of a key frame's pages, which may be written in any order
  while (!records.done()) {
    end_if_interrupted();
    RecordHeader record;
    if (!records.header(record)) altered(file_.path(), offset, "record");
    if (!left.take(record)) altered(file_.path(), offset, "size of a frame");
    if (static_cast<RecordKind>(record.kind) == RecordKind::kPages) {
      if (!fits(RecordKind::kPages, kind) || record.context >= kMaxContexts || !page_range(record) ||
          record.c > pages_.pages() || record.b / arch::kPageBytes > pages_.pages() - record.c)
        altered(file_.path(), offset, "pages");
      if (kind == ChunkKind::kKeyFrame) runs.push_back(record);
      else play_pages(record, sink);
    } else if (!play_record(record, records, kind, sink)) {
      altered(file_.path(), offset, "record");
    }
  }
  // In stored order, so that each chunk of pages is decompressed once.
  std::stable_sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.c < b.c; });
  for (const RecordHeader& run : runs) play_pages(run, sink);
}

void Reader::play_pages(const RecordHeader& run, arch::CommandSink& sink) const {
  arch::Address address = run.a;
  uint64_t number = run.c;
  while (address < run.a + run.b) {
    end_if_interrupted();
    const auto bytes = pages_.run(number, (run.a + run.b - address) / arch::kPageBytes);
    sink.write(run.context, address, bytes);
    address += bytes.size();
    number += bytes.size() / arch::kPageBytes;
  }
}

}  // namespace cutaway::capture
