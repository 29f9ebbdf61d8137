#include <algorithm>
#include <map>
#include <unordered_map>

#include "compiler/backend.h"
#include "compiler/refusal.h"

// Spills values to scratch memory when registers are scarce: stored where they are computed, loaded where
// they are read. Phis are spilled as a whole, with the copies that make them.
namespace cutaway::compiler {
namespace {

constexpr uint32_t kSlotBytes = 16;

class Spiller {
 public:
  Spiller(Ir& ir, uint32_t most, uint32_t& scratch_bytes) : ir_(ir), most_(most), bytes_(scratch_bytes) {}

  void run() {
    settled_.resize(ir_.insts.size());
    for (uint32_t id = 0; id < ir_.insts.size(); ++id) {
      const Opcode op = ir_.insts[id].op;
      settled_[id] = !ir_.insts[id].phi && op == Opcode::kLds;  // a load made by a spill, or equivalent
    }
    while (round()) {}
  }

 private:
  struct Candidate {
    uint64_t worth = 0;
    uint32_t lanes = 0;
  };

  // Spills values at the place with the most live lanes. Returns false if few enough are live or nothing
  // helps.
  bool round() {
    const Liveness live = liveness(ir_);
    const uint32_t peak = find_peak(live);
    if (peak == kNone) return false;
    count_uses();
    std::vector<std::pair<uint64_t, uint32_t>> order;  // (worth, value or phi)
    std::map<uint32_t, Candidate> candidates;
    uint32_t pressure = 0;
    for (uint32_t lane = 0; lane < live.ranges.size(); ++lane) {
      uint64_t length = 0;
      bool here = false;
      for (const auto& [from, to] : live.ranges[lane]) {
        length += to - from;
        here = here || (from <= peak && peak < to);
      }
      if (!here) continue;
      ++pressure;
      const Inst& inst = ir_.insts[lane / 4];
      const bool copy = inst.op == Opcode::kMov && inst.family != 0;
      const uint32_t id = copy ? inst.family : lane / 4;
      if (settled_[id]) continue;
      Candidate& c = candidates[id];
      c.worth += length;
      ++c.lanes;
    }
    for (const auto& [id, c] : candidates) order.push_back({c.worth * 64 / (1 + cost_[id]), id});
    std::sort(order.begin(), order.end(), [](const auto& x, const auto& y) {
      return x.first != y.first ? x.first > y.first : x.second < y.second;
    });
    std::vector<uint32_t> chosen;
    for (const auto& [worth, id] : order) {
      if (pressure <= most_) break;
      pressure -= std::min(pressure, candidates[id].lanes);
      chosen.push_back(id);
    }
    find_readers(chosen);
    for (const uint32_t id : chosen)
      if (ir_.insts[id].phi) spill_phi(id);
      else spill_value(id);
    if (!chosen.empty()) insert();
    settled_.resize(ir_.insts.size(), true);
    return !chosen.empty();
  }

  // Finds the instructions that read these values, and for phis their copies too, in rising order.
  void find_readers(const std::vector<uint32_t>& values) {
    readers_.clear();
    for (const uint32_t id : values) readers_[id] = {};
    if (values.empty()) return;
    const auto note = [&](uint32_t value, uint32_t reader) {
      const auto found = readers_.find(value);
      if (found == readers_.end()) return;
      if (found->second.empty() || found->second.back() != reader) found->second.push_back(reader);
    };
    for (uint32_t reader = 0; reader < ir_.insts.size(); ++reader) {
      const Inst& inst = ir_.insts[reader];
      if (inst.dead) continue;
      if (inst.op == Opcode::kMov && inst.family != 0) note(inst.family, reader);
      for (uint32_t s = 0; s < inst.sources; ++s)
        for (uint32_t i = 0; i < inst.src[s].width; ++i)
          if (inst.src[s].ref[i].is_value()) note(inst.src[s].ref[i].index, reader);
    }
  }

  // The first position with the most live lanes, if those are too many.
  uint32_t find_peak(const Liveness& live) const {
    std::map<uint32_t, int32_t> steps;
    for (const Ranges& ranges : live.ranges)
      for (const auto& [from, to] : ranges) ++steps[from], --steps[to];
    int32_t now = 0, worst = static_cast<int32_t>(most_);
    uint32_t at = kNone;
    for (const auto& [position, step] : steps) {
      now += step;
      if (now > worst) worst = now, at = position;
    }
    return at;
  }

  // Cost of loads and stores, weighted by loop depth.
  void count_uses() {
    cost_.assign(ir_.insts.size(), 0);
    for (const Block& block : ir_.blocks) {
      const uint64_t weight = uint64_t{1} << std::min(3 * block.loop_depth, 24u);
      for (uint32_t id : block.insts) {
        const Inst& inst = ir_.insts[id];
        cost_[id] += weight;
        if (inst.op == Opcode::kMov && inst.family != 0) cost_[inst.family] += weight;
        for (uint32_t s = 0; s < inst.sources; ++s)
          for (uint32_t i = 0; i < inst.src[s].width; ++i)
            if (inst.src[s].ref[i].is_value()) cost_[inst.src[s].ref[i].index] += weight;
      }
    }
  }

  Ref new_slot() {
    if (bytes_ + kSlotBytes > arch::kScratchBytes)
      unsupported("needs more than {} temporaries and {} bytes of scratch memory", arch::kTemporaries,
                  arch::kScratchBytes);
    const Ref address = literal(bytes_);
    bytes_ += kSlotBytes;
    return address;
  }

  // Schedules an instruction to be inserted before or after another.
  void add(uint32_t at, bool after, Inst inst, uint32_t& id) {
    id = static_cast<uint32_t>(ir_.insts.size());
    inst.block = ir_.insts[at].block;
    inst.line = ir_.insts[at].line;
    (after ? after_ : before_)[at].push_back(id);
    ir_.insts.push_back(std::move(inst));
  }

  static Inst access(Opcode op, const Ref& address) {
    Inst inst{.op = op, .ordered = op == Opcode::kLds};
    inst.sources = op == Opcode::kLds ? 1 : 2;
    inst.src[0].width = 1;
    inst.src[0].ref[0] = address;
    return inst;
  }

  void spill_value(uint32_t value) {
    const Ref address = new_slot();
    settled_[value] = true;
    Inst store = access(Opcode::kSts, address);
    for (uint8_t lane = 0; lane < ir_.insts[value].width; ++lane) {
      if (!written(ir_.insts[value], lane)) continue;
      store.channel[store.src[1].width] = lane;
      store.src[1].ref[store.src[1].width++] = {.kind = RefKind::kValue, .lane = lane, .index = value};
    }
    const uint8_t width = ir_.insts[value].width;
    uint32_t id = 0;
    for (const uint32_t reader : readers_.at(value)) {
      uint8_t needed = 0;
      for (uint32_t s = 0; s < ir_.insts[reader].sources; ++s)
        for (uint32_t i = 0; i < ir_.insts[reader].src[s].width; ++i) {
          const Ref& ref = ir_.insts[reader].src[s].ref[i];
          if (ref.is_value() && ref.index == value) needed |= static_cast<uint8_t>(1u << ref.lane);
        }
      if (!needed) continue;
      Inst load = access(Opcode::kLds, address);
      load.width = width;
      load.live = needed;
      add(reader, false, load, id);
      for (uint32_t s = 0; s < ir_.insts[reader].sources; ++s)
        for (uint32_t i = 0; i < ir_.insts[reader].src[s].width; ++i) {
          Ref& ref = ir_.insts[reader].src[s].ref[i];
          if (ref.is_value() && ref.index == value) ref.index = id;
        }
    }
    add(value, true, store, id);
  }

  // Turns a phi's copies into stores, and the move that reads it into a load.
  void spill_phi(uint32_t phi) {
    const Ref address = new_slot();
    settled_[phi] = true;
    uint32_t id = 0;
    for (const uint32_t at : readers_.at(phi)) {
      if (ir_.insts[at].op == Opcode::kMov && ir_.insts[at].family == phi) {
        Inst store = access(Opcode::kSts, address);
        store.channel = ir_.insts[at].channel;
        store.src[1].width = ir_.insts[at].width;
        for (uint8_t i = 0; i < store.src[1].width; ++i)
          store.src[1].ref[i] = {.kind = RefKind::kValue, .lane = i, .index = at};
        add(at, true, store, id);
        ir_.insts[at].family = 0;
        ir_.insts[at].channel = {0, 1, 2, 3};
        settled_[at] = true;
        continue;
      }
      const Operand& from = ir_.insts[at].src[0];
      if (ir_.insts[at].phi || ir_.insts[at].sources != 1 || !from.width || !from.ref[0].is_value() ||
          from.ref[0].index != phi)
        continue;
      Inst load = access(Opcode::kLds, address);
      load.width = ir_.insts[at].width;
      load.block = ir_.insts[at].block;
      load.line = ir_.insts[at].line;
      ir_.insts[at] = load;
    }
    Inst& gone = ir_.insts[phi];
    gone.dead = true;
    std::erase(ir_.blocks[gone.block].phis, phi);
  }

  void insert() {
    for (Block& block : ir_.blocks) {
      std::vector<uint32_t> order;
      for (uint32_t id : block.insts) {
        if (const auto found = before_.find(id); found != before_.end())
          order.insert(order.end(), found->second.begin(), found->second.end());
        order.push_back(id);
        if (const auto found = after_.find(id); found != after_.end())
          order.insert(order.end(), found->second.begin(), found->second.end());
      }
      block.insts = order;
    }
    before_.clear(), after_.clear();
  }

  Ir& ir_;
  const uint32_t most_;
  uint32_t& bytes_;
  std::vector<bool> settled_;  // by instruction: must not be spilled, or already is
  std::vector<uint64_t> cost_;
  std::map<uint32_t, std::vector<uint32_t>> before_, after_;
  std::unordered_map<uint32_t, std::vector<uint32_t>> readers_;  // of the values that are spilled now
};

}  // namespace

void spill(Ir& ir, uint32_t most, uint32_t& scratch_bytes) { Spiller(ir, most, scratch_bytes).run(); }

std::vector<Location> place_values(Ir& ir, uint32_t most, uint32_t& temporaries, uint32_t& scratch_bytes) {
  // Registers have gaps that no group of lanes fits into: retries with fewer lanes.
  for (uint32_t lanes : {most, 448u, 384u, 320u, 256u, 192u, 128u}) {
    Ir attempt = ir;
    uint32_t bytes = scratch_bytes;
    if (lanes) drop_halves(attempt);
    if (lanes) spill(attempt, lanes, bytes);
    const std::vector<Location> places = allocate(attempt, temporaries);
    if (temporaries > arch::kTemporaries) continue;
    ir = std::move(attempt);
    scratch_bytes = bytes;
    return places;
  }
  unsupported("needs more than the {} temporary registers there are", arch::kTemporaries);
}

}  // namespace cutaway::compiler
