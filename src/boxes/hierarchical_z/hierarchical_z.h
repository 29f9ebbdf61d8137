#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/counter.h"
#include "base/field.h"
#include "boxes/hierarchical_z/hs_buffer.h"
#include "boxes/hierarchical_z/hz_buffer.h"
#include "boxes/hierarchical_z/hz_memory.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "messages/messages.h"
#include "structures/tile_map.h"

namespace cutaway::boxes {

inline constexpr EnumName<HzFlip> kHzFlipNames[] = {
    {HzFlip::kRelearn, "relearn"}, {HzFlip::kUntilClear, "until_clear"}, {HzFlip::kTwoBounds, "two_bounds"}};

struct HierarchicalZSpec {
  bool enabled = true;
  unsigned tiles_per_cycle = 2;
  unsigned entries = 262144;
  unsigned surfaces = 1;
  unsigned bits = 8;
  unsigned exponent_bits = 4;
  unsigned clear_tiles = 64;
  bool accepts = false;
  HzFlip flip = HzFlip::kRelearn;
  bool stencil = false;

  template <class V>
  static void fields(V&& v) {
    using S = HierarchicalZSpec;
    v("enabled", &S::enabled, "", "true: tiles are tested; false: every tile passes");
    v("tiles_per_cycle", &S::tiles_per_cycle, "tiles", 1u, 16u, "8x8 tiles tested per cycle");
    v("entries", &S::entries, "tiles", 64u, 4194304u,
      "entries of all rasterisers together, each with an equal share, for all depth surfaces: of a surface "
      "that needs more the first rows have entries, and tiles beyond pass");
    v("surfaces", &S::surfaces, "surfaces", 1u, 8u,
      "depth surfaces that have entries at a time; the least recently used lose theirs where there is no "
      "room for another");
    v("bits", &S::bits, "bits", 4u, 16u,
      "bits of an entry; fewer bits make looser bounds; 256 KB for 4096 x 4096 are 8");
    v("exponent_bits", &S::exponent_bits, "bits", 0u, 4u,
      "bits of an entry for the exponent of the distance from the far plane, the others for its mantissa; "
      "0: entries are fixed-point depths");
    v("clear_tiles", &S::clear_tiles, "tiles", 1u, 1024u,
      "entries set per cycle when a surface is cleared, in all rasterisers together");
    v("accepts", &S::accepts, "",
      "entries also bound the nearest depth: tiles in front of it are written, and the depths they cover "
      "are not read (Zmin culling)");
    v("flip", &S::flip, kHzFlipNames,
      "after a draw that may store depths against the direction of the bounds: relearn, all entries open and "
      "narrow in the new direction; until_clear, every tile passes until depth is cleared; two_bounds, "
      "entries bound both sides and are widened by what is drawn");
    v("stencil", &S::stencil, "",
      "hierarchical stencil: entries also hold the stencil of a tile that has one value, and tiles are "
      "rejected that fail the stencil test with it");
  }
};

struct HierarchicalZCounters {
  uint64_t tiles = 0, tiles_rejected = 0, fragments_rejected = 0, driver_fragments_rejected = 0;
  uint64_t quads = 0, updates = 0, updates_stale = 0, tiles_opened = 0, tiles_cleared = 0;
  uint64_t tiles_accepted = 0, tiles_rejected_stencil = 0;

  template <class V>
  static void fields(V&& v) {
    using C = HierarchicalZCounters;
    v("tiles", &C::tiles, "tiles", "tiles tested");
    v("tiles_rejected", &C::tiles_rejected, "tiles", "tiles tested that are wholly hidden");
    v("fragments_rejected", &C::fragments_rejected, "fragments", "fragments in rejected tiles",
      CounterRole::kFragmentsKilledHz);
    v("driver_fragments_rejected", &C::driver_fragments_rejected, "fragments",
      "fragments in rejected tiles, of the driver's own draws", CounterRole::kFragmentsKilledHz,
      CountOf::kDriver);
    v("quads", &C::quads, "quads", "quads sent to the Z and stencil test");
    v("updates", &C::updates, "tiles", "entries narrowed by reports of the Z caches");
    v("updates_stale", &C::updates_stale, "tiles",
      "reports without use: of a tile's contents before it was opened, or of a surface without entries");
    v("tiles_opened", &C::tiles_opened, "tiles",
      "entries that a draw made useless because its depths may be on the other side of the bound");
    v("tiles_accepted", &C::tiles_accepted, "tiles", "tiles whose depths are compared with nothing stored");
    v("tiles_rejected_stencil", &C::tiles_rejected_stencil, "tiles",
      "tiles rejected because all of their fragments fail the stencil test");
    v("tiles_cleared", &C::tiles_cleared, "tiles", "entries set by clears, in all rasterisers");
  }
};

// Rejects hidden tiles without memory access, and splits the others into quads for the Z and stencil units
// that own them.
class HierarchicalZ final : public engine::Box {
 public:
  // own: the tiles that come here.
  HierarchicalZ(std::string path, const HierarchicalZSpec& spec, structures::TileMap rops,
                structures::OwnedTiles own = structures::OwnedTiles());

  engine::In<messages::TileMessage> tiles_in;
  std::vector<engine::Out<messages::QuadMessage>> quads_out;  // by Z and stencil unit
  std::vector<engine::In<messages::HzUpdate>> updates_in;

  engine::In<messages::Control> control_in;
  engine::Out<messages::ControlDone> control_out;

  HierarchicalZCounters counters;

  void list_ports(engine::PortList& list) override {
    list("tiles_in", tiles_in, "tiles with their coverage");
    list("quads_out", quads_out, "to each Z and stencil unit: the quads of its tiles");
    list("updates_in", updates_in, "from each Z and stencil unit: the bounds of a stored tile");
    list("control_in", control_in, "an order to flush, invalidate or clear");
    list("control_out", control_out, "the order is carried out");
  }
  std::vector<std::string_view> costs_nothing() const override;
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override;

 private:
  bool take_updates(engine::Cycle now);
  bool process(engine::Cycle now);
  // The test of a tile. Both halves of one that comes by halves have the same: what the first stores would
  // change that of the second.
  struct Tested {
    HzBuffer::Verdict verdict = HzBuffer::Verdict::kMixed;
    bool whole = false;  // accepted, and the primitive covers all samples of the tile
  };
  struct FirstHalf {
    int32_t x = -1, y = -1;
    messages::Origin origin;
    std::array<int32_t, 4> bounds{};  // of the primitive, with whose depths
    std::array<double, 3> depth{};    // it is told from other edges of its triangle
    Tested tested;

    bool is_of(const FirstHalf& other) const {
      return x == other.x && y == other.y && origin == other.origin && bounds == other.bounds &&
             depth == other.depth;
    }
  };
  Tested test_tile();
  FirstHalf half_of(const messages::TileMessage& tile) const;
  bool send_quads(engine::Cycle now);
  bool send_end(engine::Cycle now);
  bool control(engine::Cycle now);
  void note_draw(const arch::Registers& registers);

  HierarchicalZSpec spec_;
  structures::TileMap rops_;
  HzMemory memory_;
  HzBuffer buffer_;
  std::optional<HsBuffer> stencils_;
  messages::TileMessage tile_;  // being split into quads
  bool pending_ = false;
  bool accepted_ = false, whole_ = false;  // flags of tile_
  std::array<FirstHalf, 16> halves_;       // by column: the last upper half
  uint32_t next_quad_ = 0;
  uint32_t next_number_ = 0;  // number of the next quad that may be shaded
  uint32_t end_sent_ = 0;     // units that have received the draw end, one bit each
  uint32_t draw_ = 0, submission_ = 0;
  unsigned blocked_by_ = 0;
  engine::Cycle cleared_at_ = 0;  // 0: no clear in progress
};

}  // namespace cutaway::boxes
