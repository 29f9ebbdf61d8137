#pragma once

#include <functional>
#include <string>
#include <vector>

#include "arch/gpu.h"
#include "base/counter.h"
#include "base/field.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "func/copy/scanout.h"
#include "parts/messages.h"
#include "parts/ring.h"

namespace cutaway::boxes {

struct DacSpec {
  unsigned sectors = 32;

  template <class V>
  static void fields(V&& v) {
    v("sectors", &DacSpec::sectors, "sectors", 1u, 256u, "64-byte reads under way");
  }
};

struct DacCounters {
  uint64_t frames = 0, bytes = 0;

  template <class V>
  static void fields(V&& v) {
    v("frames", &DacCounters::frames, "frames", "pictures scanned out");
    v("bytes", &DacCounters::bytes, "bytes", "bytes of surfaces read for them");
  }
};

// Scans a surface out of memory when a frame is presented (ATT-7), tile by tile.
class Dac final : public engine::Box {
 public:
  Dac(std::string path, const DacSpec& spec);

  engine::In<parts::PresentCommand> presents_in;
  engine::Out<parts::PresentDone> done_out;
  engine::Out<parts::MemoryRequest> memory_out;
  engine::In<parts::MemoryReply> memory_in;

  DacCounters counters;
  std::function<void(arch::Picture&&)> on_picture;  // what the display shows

  void list_ports(engine::PortList& list) override;
  std::vector<std::string_view> costs_nothing() const override;
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override;

 private:
  struct Tile {
    func::ScanoutTile plan;
    std::vector<std::byte> bytes;
    uint32_t number = 0;
    uint32_t missing = 0;  // sectors
  };
  struct Read {
    uint32_t tag = 0;
    uint32_t tile = 0;             // number
    uint32_t offset = 0;           // into the tile's bytes
    uint32_t skip = 0, bytes = 0;  // of the sector
  };
  bool begin(engine::Cycle now);
  bool ask(engine::Cycle now);
  bool take_reply(engine::Cycle now);
  bool finish(engine::Cycle now);
  bool next_tile();

  bool active_ = false;
  parts::Origin origin_;
  func::TextureView view_;
  arch::Picture picture_;
  uint32_t column_ = 0, row_ = 0, next_number_ = 0, next_tag_ = 0;
  parts::Ring<Tile> tiles_;  // oldest first
  parts::Ring<Read> reads_;
  uint32_t segment_ = 0, inside_ = 0;  // of the newest tile: where the next read begins
};

}  // namespace cutaway::boxes
