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
#include "messages/messages.h"
#include "structures/ring.h"

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
    v("bytes", &DacCounters::bytes, "bytes", "bytes of surfaces read for these pictures");
  }
};

// Scans a surface out of memory when a frame is presented (ATT-7), tile by tile.
class Dac final : public engine::Box {
 public:
  Dac(std::string path, const DacSpec& spec);

  engine::In<messages::PresentCommand> presents_in;
  engine::Out<messages::PresentDone> done_out;
  engine::Out<messages::MemoryRequest> memory_out;
  engine::In<messages::MemoryReply> memory_in;

  DacCounters counters;
  std::function<void(arch::Picture&&)> on_picture;  // receives the displayed picture

  void list_ports(engine::PortList& list) override;
  std::vector<std::string_view> costs_nothing() const override;
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override;

 private:
  struct Tile {
    func::ScanoutTile plan;
    std::vector<std::byte> bytes;
    uint32_t number = 0;
    uint32_t missing = 0;  // sectors not received yet
  };
  struct Read {
    uint32_t tag = 0;
    uint32_t tile = 0;             // number
    uint32_t offset = 0;           // into the tile's bytes
    uint32_t skip = 0, bytes = 0;  // range in the sector
  };
  bool begin(engine::Cycle now);
  bool ask(engine::Cycle now);
  bool take_reply(engine::Cycle now);
  bool finish(engine::Cycle now);
  bool next_tile();

  bool active_ = false;
  messages::Origin origin_;
  func::TextureView view_;
  arch::Picture picture_;
  uint32_t column_ = 0, row_ = 0, next_number_ = 0, next_tag_ = 0;
  structures::Ring<Tile> tiles_;  // oldest first
  structures::Ring<Read> reads_;
  uint32_t segment_ = 0, inside_ = 0;  // position of the next read in the newest tile
};

}  // namespace cutaway::boxes
