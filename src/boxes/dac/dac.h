#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "arch/gpu.h"
#include "arch/picture_rows.h"
#include "base/counter.h"
#include "base/field.h"
#include "boxes/dac/present_mode.h"
#include "boxes/dac/refresh.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "func/copy/scanout.h"
#include "messages/commands.h"
#include "messages/doorbell.h"
#include "structures/ring.h"

namespace cutaway::boxes {

struct DacSpec {
  unsigned sectors = 32;
  double refresh_hz = 0;
  unsigned blanking = 5;
  PresentMode present_mode = PresentMode::kFifo;

  template <class V>
  static void fields(V&& v) {
    using S = DacSpec;
    v("sectors", &S::sectors, "sectors", 1u, 256u, "64-byte reads under way");
    v("refresh_hz", &S::refresh_hz, "Hz", 0.0, 1e6,
      "refreshes of the screen a second: a picture is shown from the next vertical retrace on (or as "
      "present_mode says) and read at the screen's pace; 0: a picture is read when it is presented, as quickly "
      "as memory gives it");
    v("blanking", &S::blanking, "%", 0u, 50u,
      "share of a refresh behind the picture's last row, in which nothing is read");
    v("present_mode", &S::present_mode, kPresentModeNames,
      "Vulkan's present mode, with a refresh_hz. fifo: every picture waits for a vertical retrace, in order; "
      "fifo-relaxed: but one that is late, since a retrace has passed without a new picture, begins with the "
      "next row of tiles that the screen takes; immediate: every picture begins with that row, and replaces "
      "the one on the screen, or one that waits, which is left out; mailbox: a picture replaces the one that "
      "waits for the retrace, of whichever program, which is left out");
  }
};

// True if a picture may come to the screen in part.
inline bool tears(const DacSpec& spec) {
  return spec.refresh_hz > 0 &&
         (spec.present_mode == PresentMode::kImmediate || spec.present_mode == PresentMode::kFifoRelaxed);
}

struct DacCounters {
  uint64_t frames = 0, bytes = 0, retrace_cycles = 0, left_out = 0, torn = 0;

  template <class V>
  static void fields(V&& v) {
    v("frames", &DacCounters::frames, "frames", "pictures scanned out, as a whole or in part");
    v("bytes", &DacCounters::bytes, "bytes", "bytes of surfaces read for these pictures");
    v("retrace_cycles", &DacCounters::retrace_cycles, "cycles",
      "time for which pictures waited for the vertical retrace, or for the row that they begin with");
    v("left_out", &DacCounters::left_out, "frames",
      "pictures that a later one replaced before they came to the screen");
    v("torn", &DacCounters::torn, "frames", "of frames, pictures whose first row is not the screen's first");
  }
};

// Scans a surface out of memory when a frame is presented (ATT-7), tile by tile: at once, or in step with a
// screen that refreshes itself.
class Dac final : public engine::Box {
 public:
  // mhz: of its clock. tells_host: of each picture, through shown_out.
  Dac(std::string path, const DacSpec& spec, double mhz, bool tells_host = false);

  engine::In<messages::PresentCommand> presents_in;
  engine::Out<messages::PresentDone> done_out;
  engine::Out<messages::Fence> shown_out;
  engine::Out<messages::MemoryRequest> memory_out;
  engine::In<messages::MemoryReply> memory_in;

  DacCounters counters;
  // Receives the screen with each picture, in the order of their PRESENTs, when the picture ends; its own
  // rows, the others are of earlier pictures; and the context of its surface. One that is left out has no
  // pixels.
  std::function<void(arch::Picture&&, arch::PictureRows own, arch::ContextId)> on_picture;

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
  bool replace(engine::Cycle now);
  const messages::PresentCommand* next(engine::Cycle now);
  Refresh::Place place_of_next(engine::Cycle now, const messages::PresentCommand& command) const;
  void cut(engine::Cycle now);
  bool begin(engine::Cycle now);
  bool ask(engine::Cycle now);
  bool take_reply(engine::Cycle now);
  bool finish(engine::Cycle now);
  void leave_out(arch::ContextId context);
  bool next_tile();
  engine::Cycle next_due(engine::Cycle now) const;
  uint32_t rows() const { return func::scanout_rows(view_); }

  Refresh refresh_;
  PresentMode mode_;
  bool replaces_, tells_host_;
  std::optional<messages::PresentCommand> waiting_;  // for the screen, and may be replaced
  std::optional<Refresh::Place> place_;              // where the next picture begins
  engine::Cycle waits_since_ = 0;                    // for its row; 0: no picture does
  engine::Cycle begun_ = 0;                          // the refresh of the latest picture, or the picture
  bool active_ = false;
  messages::Origin origin_;
  arch::ContextId context_ = 0;
  uint32_t number_ = 0;                    // of the picture
  std::vector<arch::ContextId> left_out_;  // while it is shown
  func::TextureView view_;
  arch::Picture screen_;
  uint32_t first_ = 0, end_ = 0;  // rows of tiles that the picture brings to the screen
  uint32_t column_ = 0, row_ = 0, next_number_ = 0, next_tag_ = 0;
  structures::Ring<Tile> tiles_;  // oldest first
  structures::Ring<Read> reads_;
  uint32_t segment_ = 0, inside_ = 0;  // position of the next read in the newest tile
};

}  // namespace cutaway::boxes
