#pragma once

#include <array>
#include <string>

#include "base/counter.h"
#include "base/field.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "func/copy/clear_surface.h"
#include "func/copy/copy_surface.h"
#include "parts/messages.h"
#include "parts/ring.h"

namespace cutaway::boxes {

struct CopyEngineSpec {
  unsigned commands = 4;
  unsigned chunks = 32;

  template <class V>
  static void fields(V&& v) {
    using S = CopyEngineSpec;
    v("commands", &S::commands, "commands", 1u, 64u, "copies waiting");
    v("chunks", &S::chunks, "chunks", 2u, 256u, "runs of up to 64 bytes under way");
  }
};

struct CopyEngineCounters {
  uint64_t copies = 0, chunks = 0, bytes = 0, clears = 0, sectors_cleared = 0;

  template <class V>
  static void fields(V&& v) {
    using C = CopyEngineCounters;
    v("copies", &C::copies, "copies", "copies and fills carried out");
    v("chunks", &C::chunks, "chunks", "contiguous runs that they were broken into");
    v("bytes", &C::bytes, "bytes", "bytes that copies and fills wrote");
    v("clears", &C::clears, "clears", "clears of surfaces carried out");
    v("sectors_cleared", &C::sectors_cleared, "sectors", "64-byte sectors that they wrote");
  }
};

// Copies, fills and clears of surfaces through a memory client of its own, one after the other. A chunk is
// read, and written when all chunks before it have been; its bytes of the destination's sector alone are
// written. A clear asks the memory controller to set the tags of its blocks; what has none it writes, sector
// by sector.
class CopyEngine final : public engine::Box {
 public:
  // Of which surfaces clears may set tags.
  struct FastClears {
    bool color = false, depth = false;
  };
  CopyEngine(std::string path, const CopyEngineSpec& spec, const FastClears& fast);

  engine::In<parts::CopyCommand> commands_in;
  engine::Out<parts::CopyDone> done_out;
  engine::Out<parts::MemoryRequest> memory_out;
  engine::In<parts::MemoryReply> memory_in;
  engine::Out<parts::ClearBlocks> clears_out;  // to the memory controller
  engine::In<parts::BlocksCleared> cleared_in;

  CopyEngineCounters counters;

  void list_ports(engine::PortList& list) override;
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override;

 private:
  struct Chunk {
    func::CopyChunk chunk;
    uint32_t id = 0;
    uint8_t reads_to_send = 0, reads_missing = 0;  // bit 0 source, bit 1 destination
    std::array<parts::Sector, 2> data;
  };
  bool begin(engine::Cycle now);
  bool take_reply(engine::Cycle now);
  bool finish(engine::Cycle now);
  bool write(engine::Cycle now);
  bool read(engine::Cycle now);
  bool clear(engine::Cycle now);
  void begin_run();
  bool tag_run(engine::Cycle now);
  void take_cleared(uint64_t bytes);

  FastClears fast_;
  parts::Ring<parts::CopyCommand> commands_;
  bool active_ = false, cursor_ended_ = false;
  parts::Origin origin_;
  func::CopyCursor cursor_;
  bool clears_ = false;  // what is active
  bool clears_fast_ = false;
  func::ClearCursor clear_cursor_;
  func::ClearRun clear_run_;  // that is still to be cleared
  enum class Tagging : uint8_t { kNone, kAsk, kAsked } tagging_ = Tagging::kNone;  // of its blocks
  func::ClearRun tagged_;  // within the run: need not be written
  parts::Ring<Chunk> chunks_;
  uint32_t next_id_ = 0, writes_missing_ = 0;
};

}  // namespace cutaway::boxes
