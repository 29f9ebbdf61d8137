#pragma once

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "arch/gpu.h"
#include "capture/chunk_queue.h"
#include "capture/page_table.h"

namespace cutaway::capture {

// Names and values that describe a capture: "program", "arguments", "created-by", …
using Metadata = std::vector<std::pair<std::string, std::string>>;

constexpr uint64_t kDefaultKeyInterval = 10;  // frames; default for recordings of programs

struct WriterOptions {
  // Frames to keep, counted from 1; a submission that presents ends a frame. A program that never presents
  // has one frame, which lasts until close().
  uint64_t first_frame = 1, last_frame = ~0ull;
  uint64_t key_interval = 0;  // frames between key frames; 0: only at the start of the capture
  int compression = 1;        // zstd level
  Metadata metadata;

  // Returns one context's memory after all submissions so far. Called for key frames, before the first event
  // of a frame; needed if first_frame > 1 or key_interval > 0.
  std::function<const arch::Memory&(arch::ContextId)> memory;

  // Called after the last event of every frame of the program, also of frames that are not kept. A kept frame
  // is in the file by then. When the last frame to keep ends, the capture is closed before this call.
  std::function<void(uint64_t frame)> on_frame_end;
};

// Records everything that crosses the boundary to the GPU into a file. The file is complete or absent: it has
// the name PATH.part until it is closed. Pass events to the writer before the GPU. For one thread at a time;
// compression and writing have a thread of their own. A whole page with the same bytes as an earlier write or
// key frame page is stored once. UserErrors: the file cannot be created or written (then close() and stop()
// keep the whole frames so far); bad frame range.
class Writer final : public arch::CommandSink {
 public:
  Writer(std::filesystem::path path, WriterOptions options);
  ~Writer() override;  // without close(), removes the file

  void map(arch::ContextId context, arch::Address address, uint64_t bytes) override;
  void unmap(arch::ContextId context, arch::Address address, uint64_t bytes) override;
  void place(arch::ContextId context, arch::Address address, uint64_t bytes,
             arch::Placement placement) override;
  void bind(arch::ContextId context, arch::Address address, uint64_t bytes,
            std::optional<arch::Address> target) override;
  void write(arch::ContextId context, arch::Address address, std::span<const std::byte> bytes) override;
  void submit(const arch::Submission& submission) override;
  void host(const arch::HostStep& step) override;  // no more than kMaxHostNanoseconds of a frame
  void annotate(std::string_view kind, uint64_t id, std::span<const std::byte> text) override;

  // Moves an unclosed file to another path and continues there. UserError: it cannot be created there.
  void move_to(std::filesystem::path path);

  // Finishes the file and gives it its name; may be called again. Throws a UserError, and leaves no file, if
  // the program ended before the first frame to keep was complete.
  void close();
  // Ends the recording in the middle of a frame: the file keeps the whole frames, or is removed if there are
  // none.
  void stop();
  bool closed() const { return closed_; }

  uint64_t frame() const { return frame_; }  // the current frame, recorded or skipped

 private:
  bool begin_event(arch::ContextId context);
  void put(RecordHeader header, std::span<const std::byte> first = {},
           std::span<const std::byte> second = {});
  void put_page(arch::ContextId context, arch::Address address, std::span<const std::byte> page);
  void end_run();
  void flush_events(uint32_t flags);
  void flush_pages();
  void flush_annotations();
  void write_key_frame();
  void write_pages(arch::ContextId context, const arch::Memory& memory);
  void finish();

  WriterOptions options_;
  std::filesystem::path path_;
  ChunkQueue queue_;
  PageTable table_;
  std::set<arch::ContextId> contexts_;
  std::vector<std::byte> events_, pages_, annotations_;
  RecordHeader run_;                            // of pages, not yet in events_; run_.b == 0: empty
  uint64_t page_bytes_ = 0;                     // bytes of pages that events_ references
  ChunkKind events_kind_ = ChunkKind::kEvents;  // target of put(): events or a key frame
  uint32_t submissions_ = 0;                    // in events_
  uint64_t host_nanoseconds_ = 0;               // of the current frame so far, as recorded
  uint64_t frame_ = 1, kept_frames_ = 0;
  bool frame_begun_ = false, presented_ = false, closed_ = false;
};

}  // namespace cutaway::capture
