#pragma once

#include <array>
#include <string>

#include "base/counter.h"
#include "base/field.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "func/copy/clear_surface.h"
#include "func/copy/copy_surface.h"
#include "messages/commands.h"
#include "structures/ring.h"

namespace cutaway::boxes {

struct CopyEngineSpec {
  unsigned commands = 4;
  unsigned copies = 4;
  unsigned chunks = 256;
  unsigned combined = 16;

  template <class V>
  static void fields(V&& v) {
    using S = CopyEngineSpec;
    v("commands", &S::commands, "commands", 1u, 64u, "copies waiting");
    v("copies", &S::copies, "copies", 1u, 16u,
      "copies under way; 1: each copy waits until the last one is in memory");
    v("chunks", &S::chunks, "chunks", 2u, 256u,
      "runs of up to 64 bytes under way; half of them are read or written at a time");
    v("combined", &S::combined, "chunks", 1u, 64u,
      "chunks of a copy that follow one another and share their transactions: one read, or one write, of a "
      "sector serves all of them; 1: each chunk has its own");
  }
};

struct CopyEngineCounters {
  uint64_t copies = 0, chunks = 0, combined_reads = 0, combined_writes = 0, bytes = 0, clears = 0,
           sectors_cleared = 0;

  template <class V>
  static void fields(V&& v) {
    using C = CopyEngineCounters;
    v("copies", &C::copies, "copies", "copies and fills executed");
    v("chunks", &C::chunks, "chunks", "chunks: contiguous runs that copies and fills were broken into");
    v("combined_reads", &C::combined_reads, "chunks", "chunks that the read of another chunk served");
    v("combined_writes", &C::combined_writes, "chunks", "chunks that the write of another chunk took along");
    v("bytes", &C::bytes, "bytes", "bytes that copies and fills wrote");
    v("clears", &C::clears, "clears", "clears of surfaces executed");
    v("sectors_cleared", &C::sectors_cleared, "sectors", "64-byte sectors that clears wrote");
  }
};

// Copies, fills and clears surfaces through its own memory client, in order. A chunk is read, then written
// once all earlier chunks have been; only its bytes of the destination sector are written. Chunks of one
// sector that stand close together share a read or a write. To avoid turning memory around, the engine reads
// many chunks, then writes many. A copy begins while earlier ones are being written; it reads no sector that
// they have yet to write. (A write that has been sent is performed before a
// later read of its sector: both take the same path.) A clear requests the memory controller to set the tags
// of its blocks; blocks without tags are written, sector by sector. A clear runs alone.
class CopyEngine final : public engine::Box {
 public:
  // Surfaces whose tags clears may set.
  struct FastClears {
    bool color = false, depth = false;
  };
  CopyEngine(std::string path, const CopyEngineSpec& spec, const FastClears& fast);

  engine::In<messages::CopyCommand> commands_in;
  engine::Out<messages::CopyDone> done_out;
  engine::Out<messages::MemoryRequest> memory_out;
  engine::In<messages::MemoryReply> memory_in;
  engine::Out<messages::ClearBlocks> clears_out;  // to the memory controller
  engine::In<messages::BlocksCleared> cleared_in;

  CopyEngineCounters counters;

  void list_ports(engine::PortList& list) override;
  std::vector<std::string_view> costs_nothing() const override;
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override;

 private:
  struct Copy {
    func::CopyCursor cursor;
    func::CopyChunk ahead;  // the next chunk, if the cursor has given it already
    bool has_ahead = false;
    messages::Origin origin;
    uint32_t id = 0;
    bool made = false;        // all its chunks have been made
    uint32_t unfinished = 0;  // chunks and writes in flight
  };
  struct Chunk {
    func::CopyChunk chunk;
    uint32_t id = 0, copy = 0;
    uint8_t reads_to_send = 0, reads_missing = 0;  // bit 0 source, bit 1 destination
    bool written = false;                          // with a chunk before it
    uint32_t next_sharer = 0;                      // the chunk after it that its source also serves, if any
    std::array<messages::Sector, 2> data;
  };
  bool begin(engine::Cycle now);
  bool begin_clear();
  bool nothing() const { return copies_.empty() && !clears_; }
  Copy& copy_of(uint32_t id) { return copies_[id - copies_.front().id]; }
  bool take_reply(engine::Cycle now);
  bool finish(engine::Cycle now);
  bool copy(engine::Cycle now);
  bool make();
  void add(Copy& copy, const func::CopyChunk& next);
  void share_read(Chunk& chunk);
  void take_source(Chunk& chunk, const messages::Sector& data);
  bool write(engine::Cycle now);
  bool read(engine::Cycle now);
  bool front_ready() const;
  void put(const Copy& copy, const Chunk& chunk, messages::MemoryRequest& request);
  void take_along(Copy& copy, messages::MemoryRequest& request);
  void drop_written();
  static arch::Address sector_to_read(const Chunk& chunk);
  bool is_still_written(const Chunk& chunk) const;
  bool clear(engine::Cycle now);
  void begin_run();
  bool tag_run(engine::Cycle now);
  void take_cleared(uint64_t bytes);

  uint32_t combined_;
  FastClears fast_;
  structures::Ring<messages::CopyCommand> commands_;
  structures::Ring<Copy> copies_;                            // in flight, oldest first
  structures::Ring<Chunk> chunks_;                           // of these copies, in order
  uint32_t next_copy_ = 0, next_chunk_ = 0, next_read_ = 0;  // numbers of the next copy, chunk, and chunk to
                                                             // read
  bool writing_ = false;                                     // otherwise reading

  bool clears_ = false, clears_fast_ = false, clears_depth_ = false, clear_ended_ = false;
  uint32_t clear_writes_ = 0;  // in flight
  messages::Origin clear_origin_;
  func::ClearCursor clear_cursor_;
  func::ClearRun clear_run_;  // the part still to be cleared
  enum class Tagging : uint8_t {
    kNone,
    kAsk,
    kAsked
  } tagging_ = Tagging::kNone;  // state of the tags for its
                                // blocks
  func::ClearRun tagged_;       // part of the run that is tagged and need not be written
};

}  // namespace cutaway::boxes
