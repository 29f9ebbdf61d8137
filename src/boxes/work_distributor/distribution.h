#pragma once

#include <cstddef>
#include <cstdint>

#include "base/policy.h"
#include "engine/domain.h"
#include "structures/tile_map.h"

namespace cutaway::command_stream {
struct Program;
}

namespace cutaway::boxes {

// Chooses who gets the next group of threads: a shader unit, or a cluster of them. Each policy is a file of
// its own.
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
    int32_t x = 0, y = 0;   // pixel where it begins; of vertices 0
    uint32_t draw = 0;      // counts from 1 in its submission
    // The program that it will run. Its address says whether two groups run the same, and no more: an order
    // by addresses differs between runs.
    const command_stream::Program* program = nullptr;
    // Since its first quad came in; of vertices since it has been next in line.
    engine::Cycle age = 0;
  };
  // The groups that each taker can still take: room[taker]. Only takers that a policy names are asked. It
  // refers to an array, or to an object like one, for the time of a call.
  class Room {
   public:
    template <class Takers>
    Room(const Takers& takers)
        : takers_(&takers), of_([](const void* all, size_t taker) -> uint32_t {
            return (*static_cast<const Takers*>(all))[taker];
          }) {}
    uint32_t operator[](size_t taker) const { return of_(takers_, taker); }

   private:
    const void* takers_;
    uint32_t (*of_)(const void* takers, size_t taker);
  };
  // True if a taker has the less room the more groups are under way in it, from here to their ends. Else its
  // room is that of its wire.
  virtual bool counts_under_way() const { return false; }
  // Who gets the group now, or kNobody.
  virtual int choose(const Group& group, const Room& room) const = 0;
  // The group was given to `taker`.
  virtual void given(const Group& group, unsigned taker) = 0;
  // Who is to blame while nobody takes the group.
  virtual unsigned waits_for(const Group& group) const = 0;
  // The age at which choose() may answer otherwise although no room has changed: the policy is asked again
  // then. kAsleep: its answer does not depend on the age.
  virtual engine::Cycle decides_at(const Group& /*group*/) const { return engine::kAsleep; }
};

// Policies are made with: takers, 1 or more; groups in a row that one gets (work_distributor.batch), 1
// for vertices; the owners of tiles (work_distributor.tile, .map), which vertices do not have.
struct FragmentDistributions
    : PolicyFamily<FragmentDistributions, Distribution, unsigned, unsigned, const structures::TileMap&> {};
struct VertexDistributions
    : PolicyFamily<VertexDistributions, Distribution, unsigned, unsigned, const structures::TileMap&> {};

}  // namespace cutaway::boxes
