#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/field.h"
#include "parts/tile_map.h"

namespace cutaway::boxes {

enum class DistributionPolicy : uint8_t { kTurns, kLeastLoaded, kTileBatches, kTileMap };

inline constexpr EnumName<DistributionPolicy> kFragmentPolicyNames[] = {
    {DistributionPolicy::kTurns, "turns"},
    {DistributionPolicy::kLeastLoaded, "least-loaded"},
    {DistributionPolicy::kTileBatches, "tile-batches"},
    {DistributionPolicy::kTileMap, "tile-map"},
};
// Vertices have no place on the screen.
inline constexpr EnumName<DistributionPolicy> kVertexPolicyNames[] = {
    {DistributionPolicy::kTurns, "turns"},
    {DistributionPolicy::kLeastLoaded, "least-loaded"},
};

// Who gets the next group of threads: a shader unit, or a cluster of them. Each way is a file of its own.
class Distribution {
 public:
  static constexpr int kNobody = -1;

  virtual ~Distribution() = default;

  // Groups of quads that are gathered side by side, and which of them a quad joins.
  virtual unsigned gathered() const { return 1; }
  virtual unsigned group_of(int32_t /*x*/, int32_t /*y*/) const { return 0; }

  // A group to give away.
  struct Group {
    unsigned gathered = 0;  // which of those side by side
    int32_t x = 0, y = 0;   // pixel where it begins
  };
  // Who gets the group now, or kNobody. room: groups that each can still take.
  virtual int choose(const Group& group, std::span<const uint32_t> room) const = 0;
  // It was given to `taker`.
  virtual void given(const Group& group, unsigned taker) = 0;
  // Who is to blame while nobody takes it.
  virtual unsigned waits_for(const Group& group) const = 0;
};

// takers: 1 or more. batch: groups in a row that one gets (kTurns, kTileBatches). map: of the takers
// (kTileMap), and how wide tiles are (kTileBatches too).
std::unique_ptr<Distribution> make_distribution(DistributionPolicy policy, unsigned takers, unsigned batch,
                                                const parts::TileMap& map);

}  // namespace cutaway::boxes
