#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

// The bytes of a capture file, little-endian: docs/capture.md.
//
//   FileHeader, chunk (metadata), chunk…, chunk (index), FileTrailer
//
// A chunk is a ChunkHeader, followed by one zstd frame of the given size. Checksums cover every byte.
namespace cutaway::capture {

constexpr uint32_t kFormatVersion = 7;  // version of this format; arch::kContractVersion is stored beside it
constexpr uint32_t kOldestVersion = 2;  // that is still read: 2 has no submissions ahead, 3 no
                                        // places, 4 no times of the host, 5 one queue, 6 no
                                        // sparse ranges

constexpr std::array<char, 8> kHeaderMagic = {'C', 'U', 'T', 'A', 'W', 'A', 'Y', 'C'};
constexpr std::array<char, 8> kTrailerMagic = {'C', 'U', 'T', 'A', 'W', 'A', 'Y', 'E'};
constexpr uint32_t kChunkMagic = 0x4b4e4843;  // "CHNK"

// Limits, so that a file cannot make a reader allocate without bound.
constexpr uint32_t kMaxChunkBytes = 64u << 20;       // decompressed bytes of a chunk
constexpr uint32_t kMaxAnnotationBytes = 16u << 20;  // longer text is cut off
constexpr uint32_t kMaxKindBytes = 64;               // an annotation's kind
constexpr uint32_t kMaxContexts = 256;
constexpr uint64_t kMaxMapBytes = 16ull << 30;    // bytes of one map record
constexpr uint64_t kMaxFrameBytes = 1ull << 40;   // bytes mapped, unmapped and of pages, by one frame or key
                                                  // frame
constexpr uint64_t kMaxBoundBytes = 16ull << 30;  // bytes bound to memory, by one frame or key frame
constexpr uint64_t kMaxHostNanoseconds = 10'000'000'000;  // of the host, by one frame
constexpr uint32_t kChunkTargetBytes = 1u << 20;          // a writer closes a chunk that reached this size
constexpr uint32_t kMaxPageChunkBytes = 1u << 20;  // bytes of a chunk of pages: the cost of reading one of
                                                   // them

// The layout of these two never changes, so that any version can say which versions it cannot read.
struct FileHeader {
  std::array<char, 8> magic = kHeaderMagic;
  uint32_t format_version = kFormatVersion;
  uint32_t contract_version = 0;
  uint64_t reserved = 0;
  uint64_t checksum = 0;  // XXH3 of the preceding bytes
};

struct FileTrailer {
  std::array<char, 8> magic = kTrailerMagic;
  uint64_t index_offset = 0;  // of the index chunk
  uint64_t file_bytes = 0;    // including this trailer
  uint64_t checksum = 0;
};

enum class ChunkKind : uint32_t {
  kMetadata = 1,     // MetadataRecord…: names and values
  kEvents = 2,       // RecordHeader…: of one frame
  kKeyFrame = 3,     // RecordHeader…: maps and pages that recreate all memory before that frame
  kAnnotations = 4,  // RecordHeader…: text that is not executed
  kIndex = 5,  // IndexHeader, FrameEntry…, PageChunkEntry…, offsets of the annotation chunks (64 bits)
  kPages = 6,  // pages of 4096 bytes, numbered from 0 over the whole file
};

enum ChunkFlags : uint32_t {
  kLastOfFrame = 1,  // events: the last chunk of a whole frame; key frame: its last chunk
  kOfKeyFrame = 2,   // pages: first used by the key frame before the frame
};

struct ChunkHeader {
  uint32_t magic = kChunkMagic;
  uint32_t kind = 0;   // ChunkKind
  uint64_t frame = 0;  // events, key frames, pages: counts from 1
  uint32_t raw_bytes = 0, stored_bytes = 0;
  uint32_t flags = 0;        // ChunkFlags
  uint32_t submissions = 0;  // among its records
  uint64_t page_bytes = 0;   // bytes of pages that its records reference
  uint64_t data_checksum = 0;
  uint64_t checksum = 0;
};

enum class RecordKind : uint32_t {
  kMap = 1,       // a address, b bytes
  kUnmap = 2,     // a address, b bytes
  kWrite = 3,     // a address, b bytes; then the bytes
  kSubmit = 4,    // a commands, b words, c id, flags bit 0: presents, bit 1: of the compute queue, bits 8 to
                  // 15: ahead, bits 32 to 63: id less the submission of the other queue that ends before it;
                  // 0: none has to
  kAnnotate = 5,  // a id, b bytes of text, c bytes of kind; then kind and text
  kMetadata = 6,  // a bytes of name, b bytes of value; then name and value
  kPages = 7,     // a address, b bytes, whole pages; c the number of the first page to write there
  kPlace = 8,     // a address, b bytes, whole pages; flags: kPlacedInSystem or 0, video memory
  kHost = 9,      // a nanoseconds that the host computed, b submission that it then awaited; 0: none
  kBind = 10,  // a address, b bytes, whole pages; flags: kBoundToMemory, then c is the memory's address, or 0
};

constexpr unsigned kAheadShift = 8;
constexpr uint64_t kMaxAhead = 255;  // more are recorded as so many
constexpr uint64_t kPlacedInSystem = 1;
constexpr uint64_t kBoundToMemory = 1;
constexpr unsigned kAfterShift = 32;
constexpr uint64_t kMaxAfter = UINT32_MAX;  // an earlier submission is recorded as one so far before
constexpr uint64_t kSubmitPresents = 1, kSubmitCompute = 2;
constexpr uint64_t kSubmitFlags =
    kSubmitPresents | kSubmitCompute | kMaxAhead << kAheadShift | kMaxAfter << kAfterShift;

struct RecordHeader {
  uint32_t kind = 0;  // RecordKind
  uint32_t context = 0;
  uint64_t a = 0, b = 0, c = 0;
  uint64_t flags = 0;
};

struct IndexHeader {
  uint64_t first_frame = 0, frames = 0, page_chunks = 0, annotation_chunks = 0;
};

// Byte counts. raw: as the records say, including referenced pages. stored: in the file, of the chunks of
// records and of pages used for the first time.
struct FrameEntry {
  uint64_t key_offset = 0;  // of its key frame's first chunk; 0: no key frame
  uint64_t events_offset = 0;
  uint64_t submissions = 0;
  uint64_t raw_bytes = 0, stored_bytes = 0;          // of its events
  uint64_t key_raw_bytes = 0, key_stored_bytes = 0;  // of its key frame
  uint64_t page_bytes = 0;                           // bytes of referenced pages, in both
  bool operator==(const FrameEntry&) const = default;
};

struct PageChunkEntry {
  uint64_t offset = 0;
  uint64_t end = 0;  // number of its last page + 1
  bool operator==(const PageChunkEntry&) const = default;
};

static_assert(sizeof(FileHeader) == 32 && sizeof(FileTrailer) == 32 && sizeof(ChunkHeader) == 56 &&
              sizeof(RecordHeader) == 40 && sizeof(IndexHeader) == 32 && sizeof(FrameEntry) == 64 &&
              sizeof(PageChunkEntry) == 16);
static_assert(std::has_unique_object_representations_v<ChunkHeader> &&
              std::has_unique_object_representations_v<RecordHeader>);
static_assert(std::endian::native == std::endian::little,
              "the bytes of a file are those of these structures");

}  // namespace cutaway::capture
