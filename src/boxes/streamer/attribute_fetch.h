#pragma once

#include <array>
#include <cstdint>

#include "func/fetch/vertex_fetch.h"
#include "messages/messages.h"
#include "structures/cache.h"
#include "structures/cache_banks.h"
#include "structures/ring.h"

namespace cutaway::boxes {

// Turns vertices, in order, into groups for the shader units: looks their attributes up in the vertex fetch
// cache, writes arriving data to the input registers of a group, one vertex per lane, and closes groups. It
// has no clock: a box calls look_up() once per cycle and deliver() with a cycle's budget, serves cache(), and
// takes groups.
class AttributeFetch {
 public:
  struct Sizes {
    uint32_t vertices = 0;     // in flight
    uint32_t reads = 0;        // attributes between look-up and delivery
    uint32_t per_cycle = 0;    // limit for attributes looked up, and for attributes delivered
    uint32_t cache_lines = 0;  // 4-way; rounded down to a multiple of 4
    uint32_t line_bytes = messages::kSectorBytes;  // a multiple of a sector; a line is read whole
    uint32_t cache_mshrs = ~0u;                    // lines that may wait for memory at once
    uint32_t cache_banks = 0;                      // structures::CacheBanks
    structures::ReplacementName cache_replacement = "lru";
    uint32_t group_lanes = 0;     // 1 to messages::kMaxGroupLanes
    uint32_t register_lanes = 0;  // for which the registers of a group are laid out; 0: group_lanes
  };
  AttributeFetch(const Sizes& sizes, messages::Pool<messages::GroupVertices>& groups);

  // Adds a vertex of a draw, to be shaded into this slot, in a group with vertices of one batch. Requires
  // fewer than `vertices` in flight.
  void push(messages::SlotIndex slot, uint32_t vertex, uint32_t instance,
            const messages::DrawCommand& command, uint32_t batch = 0);

  // Looks attributes up, in order, and counts lines found, lines requested and bank conflicts. Returns true
  // if anything changed.
  struct Counts {
    uint64_t &hits, &merged, &misses, &bank_conflicts;
  };
  bool look_up(const Counts& counts);

  // Delivers arrived attributes in order, at most `budget`, up to a group that must leave first. Returns the
  // rest of the budget.
  struct Delivery {
    bool progress = false;
    bool group_must_leave = false;  // nothing more is delivered before take_group()
  };
  Delivery deliver(uint32_t& budget);
  Delivery deliver() {
    uint32_t budget = sizes_.per_cycle;
    return deliver(budget);
  }

  // True if the group is complete and no vertex can join it: it is full, or the next vertex has another state
  // or batch, or none is waiting and `none_comes`: none can come while nothing else moves.
  bool group_closes(bool none_comes) const;
  // Requires that the group closes.
  messages::VertexGroup take_group();

  // For its memory port, and for orders.
  structures::Cache& cache() { return cache_; }
  // True if attributes are looked up and not yet delivered.
  bool reading() const { return !reads_.empty(); }
  uint32_t vertices() const { return fetches_.size(); }     // not completely delivered
  uint32_t lanes_in_group() const { return group_.lanes; }  // of the group being filled

 private:
  struct Fetch {
    messages::SlotIndex slot = 0;
    uint32_t vertex = 0, instance = 0;
    messages::DrawCommand command;
    uint64_t to_look_up = 0;  // attributes, one bit each
    uint32_t missing = 0;     // attributes not delivered yet
    uint32_t batch = 0;
  };
  struct Read {  // of an attribute
    uint32_t attribute = 0;
    func::VertexFetch plan;
    std::array<uint32_t, 2> line{};
    uint8_t lines = 0;  // pinned lines
    uint8_t lines_wanted = 0;
  };

  // The bytes of a read in one of its lines.
  struct Piece {
    uint32_t offset = 0, bytes = 0;
  };
  Piece piece(const Read& read, uint32_t line) const;
  void begin_read(const Fetch& fetch);
  void pin_lines(Read& read, const messages::Origin& origin, const Counts& counts);
  bool arrived(const Read& read) const;
  void begin_lane(const Fetch& fetch);
  void finish_read();

  Sizes sizes_;
  uint32_t width_;  // of the group's registers
  messages::Pool<messages::GroupVertices>& groups_;
  structures::Ring<Fetch> fetches_;  // not completely delivered
  structures::Ring<Read> reads_;     // in order of fetches and attributes
  structures::Cache cache_;
  structures::CacheBanks banks_;
  messages::VertexGroup group_;  // being filled
  uint32_t lanes_done_ = 0;      // lanes with all attributes
  uint32_t batch_ = 0;           // the batch of its vertices
};

}  // namespace cutaway::boxes
