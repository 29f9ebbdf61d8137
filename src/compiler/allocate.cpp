#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

#include "compiler/backend.h"
#include "compiler/refusal.h"
#include "isa/operands.h"

// Lanes that must share a register form groups of up to four channels. Groups are merged if an operand reads
// lanes of several, or if merging turns a move into a copy of a lane onto itself. Then each group gets a
// register, or part of one.
namespace cutaway::compiler {
namespace {

using Permutation = std::array<uint8_t, 4>;

// Has no destructor, because programs also draw, and so compile, from their exit handlers.
constexpr auto kPermutations = [] {
  std::array<Permutation, 24> all{};
  Permutation p = {0, 1, 2, 3};
  for (Permutation& each : all) {
    each = p;
    std::next_permutation(p.begin(), p.end());
  }
  return all;
}();

struct Group {
  bool fixed = false;    // channels are fixed by the instruction
  bool repeats = false;  // of these, channels 2 and 3 repeat 0 and 1
  bool output = false;
  bool half = false;  // lives in halves of a register
  uint32_t reg = kNone;
  std::array<Ranges, 4> busy;
  std::array<std::vector<uint32_t>, 4> lanes;
};

bool may_lie(const Group& group, const Permutation& map) {
  return !group.fixed || map == Permutation{0, 1, 2, 3} || (group.repeats && map == Permutation{2, 3, 0, 1});
}

struct Use {
  uint32_t inst;
  uint8_t source, index;
};

// Pairs of lanes of two groups that are to share a channel.
using Pairs = std::vector<std::pair<uint32_t, uint32_t>>;

class Allocator {
 public:
  explicit Allocator(Ir& ir) : ir_(ir) {}

  std::vector<Location> run(uint32_t& temporaries) {
    for (int round = 0;; ++round) {
      CUTAWAY_CHECK(round < 64, "register allocation does not settle");
      prepare();
      place_outputs();
      std::vector<Use> failed = merge();
      if (failed.empty()) break;
      gather(failed);
    }
    return assign(temporaries);
  }

 private:
  // Numbers segments of instructions between emitted vertices, because each emission reads the outputs. Every
  // block, and every emission in it, begins a new segment; programs without emissions have only one.
  void find_segments() {
    segment_.assign(ir_.insts.size(), 0);
    const auto emits = [&](uint32_t id) { return isa::is_emission(ir_.insts[id].op) && !ir_.insts[id].dead; };
    bool any = false;
    for (const Block& block : ir_.blocks) any |= std::any_of(block.insts.begin(), block.insts.end(), emits);
    uint32_t segment = 0;
    for (const Block& block : ir_.blocks) {
      segment += any;
      for (uint32_t id : block.phis) segment_[id] = segment;
      segment += any;
      for (uint32_t id : block.insts) segment += emits(id), segment_[id] = segment;
    }
  }

  bool has_place(uint32_t id, uint32_t lane) const {
    const Inst& inst = ir_.insts[id];
    return !inst.dead && inst.output == 0xff && written(inst, lane);
  }

  void prepare() {
    live_ = liveness(ir_);
    find_segments();
    groups_.clear();
    group_.assign(ir_.insts.size() * 4, kNone);
    channel_.assign(ir_.insts.size() * 4, 0);
    uses_.assign(ir_.insts.size() * 4, {});
    root_.resize(ir_.insts.size() * 4);
    std::iota(root_.begin(), root_.end(), 0);
    for (const Block& block : ir_.blocks)
      for (uint32_t id : block.insts) {
        const Inst& inst = ir_.insts[id];
        if (!is_copy(inst) || inst.output != 0xff) continue;
        for (uint32_t i = 0; i < inst.width; ++i) {
          const Ref& ref = inst.src[0].ref[i];
          // A float that is rounded to a half is another value.
          const bool rounds = inst.half && ref.is_value() && !ir_.insts[ref.index].half;
          if (ref.is_value() && plain(ref) && !rounds) root_[id * 4 + i] = root_[lane_of(ref)];
        }
      }
    for (uint32_t id = 0; id < ir_.insts.size(); ++id) {
      const Inst& inst = ir_.insts[id];
      if (inst.dead) continue;
      for (uint8_t s = 0; s < inst.sources; ++s)
        for (uint8_t i = 0; i < inst.src[s].width; ++i)
          if (inst.src[s].ref[i].is_value()) uses_[lane_of(inst.src[s].ref[i])].push_back({id, s, i});
      if (inst.width == 0 || inst.output != 0xff) continue;
      Group group;
      group.fixed = !inst.phi && shape(inst.op) == Shape::kFixed;
      group.repeats = group.fixed && isa::gives_double(inst.op);
      group.half = inst.half;
      for (uint32_t lane = 0; lane < inst.width; ++lane) {
        if (!has_place(id, lane)) continue;
        group_[id * 4 + lane] = static_cast<uint32_t>(groups_.size());
        channel_[id * 4 + lane] = static_cast<uint8_t>(lane);
        group.busy[lane] = live_.ranges[id * 4 + lane];
        group.lanes[lane] = {id * 4 + lane};
      }
      groups_.push_back(std::move(group));
    }
    for (uint32_t id = 0; id < ir_.insts.size(); ++id) {
      const Inst& copy = ir_.insts[id];
      if (copy.dead || copy.op != Opcode::kMov || copy.family == 0) continue;
      Pairs pairs;
      for (uint32_t i = 0; i < copy.width; ++i)
        pairs.push_back({copy.family * 4 + copy.channel[i], id * 4 + i});
      const bool good = try_merge(group_[pairs[0].first], group_[pairs[0].second], pairs);
      CUTAWAY_CHECK(good, "a phi and its copies overlap");
    }
  }

  // True if a group's lanes are read only by the copies that `map` describes.
  bool only_copied(const Group& from, uint32_t into, const Permutation& map) const {
    for (uint32_t c = 0; c < 4; ++c)
      for (uint32_t lane : from.lanes[c])
        for (const Use& use : uses_[lane]) {
          const Inst& inst = ir_.insts[use.inst];
          if (!is_copy(inst) || inst.output != 0xff || !plain(inst.src[0].ref[use.index])) return false;
          const uint32_t to = use.inst * 4 + use.index;
          if (group_[to] == into && channel_[to] == map[c]) continue;
          // Copies within the group itself.
          if (&groups_[group_[to]] == &from && channel_[to] == c) continue;
          return false;
        }
    return true;
  }

  // True if lanes with overlapping lives hold the same value: one is a copy of the other.
  bool same_values(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) const {
    if (a.size() * b.size() > 1024) return false;
    for (uint32_t x : a)
      for (uint32_t y : b)
        if (root_[x] != root_[y] && overlap(live_.ranges[x], live_.ranges[y])) return false;
    return true;
  }

  bool fits(uint32_t a, uint32_t b, const Permutation& map, const Pairs& pairs) const {
    for (const auto& [x, y] : pairs)
      if (channel_[x] != map[channel_[y]]) return false;
    for (uint32_t c = 0; c < 4; ++c)
      if (overlap(groups_[a].busy[map[c]], groups_[b].busy[c]) &&
          (pairs.empty() || !same_values(groups_[a].lanes[map[c]], groups_[b].lanes[c])))
        return false;
    return !groups_[a].output || only_copied(groups_[b], a, map);
  }

  // Pairs: (lane of group a, lane of group b).
  bool try_merge(uint32_t a, uint32_t b, Pairs pairs) {
    if (a == b)
      return std::all_of(pairs.begin(), pairs.end(),
                         [&](auto& p) { return channel_[p.first] == channel_[p.second]; });
    if (groups_[b].fixed || groups_[b].output) {
      std::swap(a, b);
      for (auto& p : pairs) std::swap(p.first, p.second);
    }
    if (groups_[b].output || (groups_[a].half != groups_[b].half && !groups_[a].output)) return false;
    for (const Permutation& map : kPermutations) {
      if (!may_lie(groups_[b], map)) continue;
      if (!fits(a, b, map, pairs)) continue;
      Group &to = groups_[a], &from = groups_[b];
      to.repeats = to.repeats && (from.repeats || !from.fixed);
      for (uint32_t c = 0; c < 4; ++c) {
        unite(to.busy[map[c]], from.busy[c]);
        for (uint32_t lane : from.lanes[c]) {
          to.lanes[map[c]].push_back(lane);
          group_[lane] = a;
          channel_[lane] = map[c];
        }
      }
      from = {};
      return true;
    }
    return false;
  }

  // Computes lanes that are only copied to an output register directly there.
  void place_outputs() {
    for (const Block& block : ir_.blocks)
      for (uint32_t id : block.insts) {
        const Inst& out = ir_.insts[id];
        if (out.dead || out.output == 0xff || out.saturate) continue;
        for (uint32_t i = 0; i < out.width; ++i)
          if (out.src[0].ref[i].is_value()) place_output(id, group_[lane_of(out.src[0].ref[i])]);
      }
  }

  void place_output(uint32_t id, uint32_t g) {
    Group& group = groups_[g];
    if (group.output) return;
    Permutation map = {0xff, 0xff, 0xff, 0xff};
    for (uint32_t c = 0; c < 4; ++c)
      for (uint32_t lane : group.lanes[c])
        if (segment_[lane / 4] != segment_[id]) return;
    for (uint32_t c = 0; c < 4; ++c)
      for (uint32_t lane : group.lanes[c])
        for (const Use& use : uses_[lane]) {
          const Inst& inst = ir_.insts[use.inst];
          if (use.inst != id || !plain(inst.src[0].ref[use.index])) {
            const uint32_t to = use.inst * 4 + use.index;
            if (is_copy(inst) && inst.output == 0xff && plain(inst.src[0].ref[use.index]) &&
                group_[to] == g && channel_[to] == c)
              continue;
            return;
          }
          const uint8_t channel = inst.channel[use.index];
          if (map[c] != 0xff && map[c] != channel) return;
          map[c] = channel;
        }
    for (uint8_t c = 0; c < 4; ++c)
      for (uint8_t d = 0; d < c; ++d)
        if (map[c] != 0xff && map[c] == map[d]) return;
    for (uint8_t c = 0; c < 4; ++c) {
      if (map[c] == 0xff && !group.lanes[c].empty()) return;
      if (group.fixed && map[c] != 0xff && map[c] != c) return;
    }
    Group placed;
    placed.fixed = placed.output = true;
    placed.reg = ir_.insts[id].output;
    for (uint32_t c = 0; c < 4; ++c) {
      if (map[c] == 0xff) continue;
      placed.busy[map[c]] = group.busy[c];
      placed.lanes[map[c]] = group.lanes[c];
      for (uint32_t lane : group.lanes[c]) channel_[lane] = map[c];
    }
    group = placed;
  }

  // Merges groups. Returns the operands that cannot be read from one register.
  std::vector<Use> merge() {
    struct Wish {
      uint32_t depth, kind, order, inst;
      uint8_t source;
    };
    std::vector<Wish> wishes;
    uint32_t order = 0;
    for (const Block& block : ir_.blocks)
      for (uint32_t id : block.insts) {
        const Inst& inst = ir_.insts[id];
        ++order;
        if (inst.op == Opcode::kMov) {
          if (is_copy(inst) && inst.output == 0xff) wishes.push_back({block.loop_depth, 1, order, id, 0});
          continue;
        }
        for (uint8_t s = 0; s < inst.sources; ++s) wishes.push_back({block.loop_depth, 0, order, id, s});
      }
    std::stable_sort(wishes.begin(), wishes.end(), [](const Wish& x, const Wish& y) {
      return std::tuple(-int64_t{x.depth}, x.kind, x.order) < std::tuple(-int64_t{y.depth}, y.kind, y.order);
    });
    std::vector<Use> failed;
    for (const Wish& wish : wishes) {
      const Inst& inst = ir_.insts[wish.inst];
      const Operand& operand = inst.src[wish.source];
      if (wish.kind == 1) {
        coalesce(wish.inst);
        continue;
      }
      uint32_t first = kNone;
      bool good = true;
      for (uint32_t i = 0; i < operand.width; ++i) {
        if (!operand.ref[i].is_value()) continue;
        const uint32_t g = group_[lane_of(operand.ref[i])];
        if (first == kNone) first = g;
        else if (g != first) good = good && try_merge(first, g, {});
        first = group_[lane_of(operand.ref[0])];
      }
      if (!good) failed.push_back({wish.inst, wish.source, 0});
    }
    return failed;
  }

  void coalesce(uint32_t id) {
    const Inst& move = ir_.insts[id];
    for (uint32_t i = 0; i < move.width; ++i) {
      const Ref& ref = move.src[0].ref[i];
      if (!ref.is_value() || !plain(ref)) continue;
      const uint32_t from = lane_of(ref), to = id * 4 + i;
      if (group_[from] == group_[to]) continue;
      Pairs pairs;  // all lanes between the same two groups; if that fails, this lane alone
      for (uint32_t k = 0; k < move.width; ++k) {
        const Ref& other = move.src[0].ref[k];
        if (other.is_value() && plain(other) && group_[lane_of(other)] == group_[from] &&
            group_[id * 4 + k] == group_[to])
          pairs.push_back({lane_of(other), id * 4 + k});
      }
      if (!try_merge(group_[from], group_[to], pairs)) try_merge(group_[from], group_[to], {{from, to}});
    }
  }

  // Inserts moves that gather an operand's lanes right before the instruction.
  void gather(const std::vector<Use>& failed) {
    for (const Use& use : failed) {
      const Operand operand = ir_.insts[use.inst].src[use.source];
      const auto id = static_cast<uint32_t>(ir_.insts.size());
      Inst move{.op = Opcode::kMov, .width = operand.width, .sources = 1};
      move.block = ir_.insts[use.inst].block;
      move.line = ir_.insts[use.inst].line;
      move.src[0] = operand;
      move.src[0].invert = false;
      move.half = gives_halves(ir_, operand);
      for (uint8_t i = 0; i < operand.width; ++i) {
        Ref& from = move.src[0].ref[i];
        Ref& to = ir_.insts[use.inst].src[use.source].ref[i];
        to.index = id;
        to.lane = i;
        from.negate = from.absolute = false;  // the reader keeps the modifiers
      }
      std::vector<uint32_t>& order = ir_.blocks[move.block].insts;
      order.insert(std::find(order.begin(), order.end(), use.inst), id);
      ir_.insts.push_back(move);
    }
  }

  // Assigns whole registers, then pairs of halves.
  std::vector<Location> assign(uint32_t& temporaries) {
    map_.assign(groups_.size(), Permutation{0, 1, 2, 3});
    const uint32_t whole = assign_registers(false), halves = assign_registers(true);
    temporaries = whole + (halves + 1) / 2;
    std::vector<Location> places(ir_.insts.size() * 4);
    for (uint32_t lane = 0; lane < places.size(); ++lane) {
      const uint32_t g = group_[lane];
      if (g == kNone) continue;
      const Group& group = groups_[g];
      places[lane] = {group.output, isa::Half::kNone, group.reg, map_[g][channel_[lane]]};
      if (!group.half || group.output) continue;
      places[lane].half = group.reg & 1 ? isa::Half::kHigh : isa::Half::kLow;
      places[lane].reg = whole + group.reg / 2;
    }
    return places;
  }

  // Assigns registers to groups in halves, or to the others; returns the number of registers.
  uint32_t assign_registers(bool half) {
    std::vector<std::array<Ranges, 4>> registers;
    std::vector<std::pair<uint32_t, uint32_t>> order;  // (start, group)
    for (uint32_t g = 0; g < groups_.size(); ++g) {
      if (groups_[g].output || groups_[g].half != half) continue;
      uint32_t start = kNone;
      for (const Ranges& r : groups_[g].busy)
        if (!r.empty()) start = std::min(start, r[0].first);
      if (start != kNone) order.push_back({start, g});
    }
    std::sort(order.begin(), order.end());
    for (const auto& [start, g] : order) {
      Group& group = groups_[g];
      for (uint32_t r = 0; group.reg == kNone; ++r) {
        if (r == registers.size()) registers.emplace_back();
        for (const Permutation& p : kPermutations) {
          if (!may_lie(group, p)) continue;
          bool free = true;
          for (uint32_t c = 0; c < 4; ++c) free = free && !overlap(registers[r][p[c]], group.busy[c]);
          if (!free) continue;
          for (uint32_t c = 0; c < 4; ++c) unite(registers[r][p[c]], group.busy[c]);
          group.reg = r;
          map_[g] = p;
          break;
        }
      }
    }
    return static_cast<uint32_t>(registers.size());
  }

  Ir& ir_;
  Liveness live_;
  std::vector<uint32_t> root_;  // by lane: the origin of its value through copies
  std::vector<Group> groups_;
  std::vector<Permutation> map_;   // by group: the channels of its register
  std::vector<uint32_t> segment_;  // by instruction
  std::vector<uint32_t> group_;    // by lane
  std::vector<uint8_t> channel_;   // by lane
  std::vector<std::vector<Use>> uses_;
};

}  // namespace

std::vector<Location> allocate(Ir& ir, uint32_t& temporaries) { return Allocator(ir).run(temporaries); }

}  // namespace cutaway::compiler
