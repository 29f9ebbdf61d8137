#pragma once

#include <filesystem>
#include <memory>

#include "arch/gpu.h"
#include "capture/file.h"
#include "capture/page_reader.h"
#include "capture/writer.h"

namespace cutaway::capture {

// The contents of a capture, determined without executing it.
struct Info {
  struct Frame {
    uint64_t number = 0;
    uint64_t submissions = 0;
    uint64_t raw_bytes = 0, stored_bytes = 0;          // of its events: uncompressed, and in the file
    uint64_t key_raw_bytes = 0, key_stored_bytes = 0;  // of its key frame
    bool key = false;                                  // a simulation can start here
  };
  uint32_t format_version = 0, contract_version = 0;
  uint64_t file_bytes = 0;
  uint64_t pages = 0, page_uses = 0;  // of arch::kPageBytes: stored pages, and references to them
  Metadata metadata;
  std::vector<Frame> frames;  // by number, without gaps

  uint64_t first_frame() const { return frames.front().number; }
  uint64_t last_frame() const { return frames.back().number; }
  // The value of a name in the metadata, or empty.
  std::string_view value(std::string_view name) const;
};

struct ReaderOptions {
  // Reads the whole file once and verifies every checksum and the index. Otherwise a chunk's checksum is
  // verified when the chunk is read, and a capture of any length opens at once.
  bool check = true;
  // Accepts an unfinished file (PATH.part of a killed writer) up to its last whole frame.
  bool recover = false;
};

// Reads captures, which are untrusted. Every way in which a file can be unusable is a UserError of one line:
// not a capture, cut off, damaged, made by another version, or without the requested frame. Reads chunk by
// chunk: its memory does not grow with the file, except for the index (64 bytes per frame, 16 per chunk of
// pages). For one thread at a time; forked processes share a reader.
class Reader {
 public:
  explicit Reader(std::filesystem::path path, ReaderOptions options = {});

  const Info& info() const { return info_; }

  // The nearest frame at or before `frame` at whose start all memory is known.
  uint64_t start_for(uint64_t frame) const;

  // Sends the maps and writes that bring empty memory to the state before `frame`, a result of start_for().
  void restore(uint64_t frame, arch::CommandSink& sink) const;

  // Sends all events of one frame, in order, without annotations.
  void play(uint64_t frame, arch::CommandSink& sink) const;

  // restore(first), then plays the frames up to and including `last`. UserError: a frame is not in the
  // capture.
  void play_range(uint64_t first, uint64_t last, arch::CommandSink& sink) const;

  // Sends all annotations, including those of frames before the first one kept.
  void annotations(arch::CommandSink& sink) const;

 private:
  struct Left;

  uint64_t read_trailer() const;
  void read_metadata();
  const FrameEntry& entry(uint64_t frame) const;
  void play_chunks(uint64_t offset, ChunkKind kind, uint64_t frame, arch::CommandSink& sink) const;
  void play_records(std::span<const std::byte> raw, uint64_t offset, ChunkKind kind, Left& left,
                    arch::CommandSink& sink) const;
  void play_pages(const RecordHeader& run, arch::CommandSink& sink) const;

  InputFile file_;
  ReaderOptions options_;
  Index index_;
  Info info_;
  mutable PageReader pages_{file_, index_};
};

}  // namespace cutaway::capture
