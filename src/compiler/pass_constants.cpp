#include <algorithm>
#include <bit>
#include <map>

#include "compiler/affine.h"
#include "compiler/backend.h"
#include "compiler/passes.h"

namespace cutaway::compiler {
namespace {

constexpr uint32_t kAddedLiterals = 8;  // that shifts and sums of indices need, about

// A load from a uniform block whose address is known up to whole vec4: [index] × 16 + offset.
struct IndexedLoad {
  uint32_t id = 0;
  Affine address;
};

class ConstantIndexer {
 public:
  ConstantIndexer(Ir& ir, const std::vector<isa::SlotBinding>& resources) : ir_(ir), resources_(resources) {}

  // Returns the loads that an LDC can replace, by resource.
  std::map<uint8_t, std::vector<IndexedLoad>> candidates() const {
    std::map<uint8_t, std::vector<IndexedLoad>> found;
    for (const Block& block : ir_.blocks)
      for (uint32_t id : block.insts) {
        const Inst& inst = ir_.insts[id];
        if (inst.dead || inst.op != Opcode::kLdb || inst.block_slots == 0) continue;
        Affine address = affine_of(ir_, inst.src[0].ref[0]);
        Affine index = address;
        index.offset = 0;
        if (index.terms.empty() || !index.is_multiple(4) || address.offset % 4 != 0) continue;
        found[inst.access.resource].push_back({id, std::move(address)});
      }
    return found;
  }

  // Adds the uniforms of a block to those that the program reads.
  void reserve(uint8_t resource, uint32_t slots, std::map<uint32_t, uint32_t>& uniforms) {
    for (uint32_t slot = 0; slot < slots; ++slot) ++uniforms[ir_.uniform(uniform_slot(resource, slot))];
  }

  void replace(const IndexedLoad& load) { replaced_[load.id] = load.address; }

  // Writes the blocks anew, with LDC in place of the loads.
  void finish() {
    for (uint32_t b = 0; b < ir_.blocks.size(); ++b) {
      indices_.clear();
      std::vector<uint32_t> order;
      for (uint32_t id : ir_.blocks[b].insts) {
        const auto address = replaced_.find(id);
        if (address == replaced_.end()) order.push_back(id);
        else read_constants(id, address->second, order);
      }
      ir_.blocks[b].insts = std::move(order);
    }
    Remap remap(ir_);
    for (const auto& [lane, to] : moved_) remap.set(lane / 4, lane % 4, to);
    remap.apply(ir_);
  }

 private:
  UniformSlot uniform_slot(uint8_t resource, uint32_t slot) const {
    const isa::SlotBinding& r = resources_[resource];
    return {isa::ConstantRange::Kind::kUniformBuffer, r.set, r.binding, r.element, slot};
  }

  uint32_t append(Inst inst, uint32_t like, std::vector<uint32_t>& order) {
    inst.block = ir_.insts[like].block;
    inst.line = ir_.insts[like].line;
    ir_.insts.push_back(inst);
    order.push_back(static_cast<uint32_t>(ir_.insts.size() - 1));
    return order.back();
  }

  Ref operation(Opcode op, const Ref& x, const Ref& y, uint32_t like, std::vector<uint32_t>& order) {
    Inst inst{.op = op, .width = 1, .live = 1, .sources = 2};
    inst.src[0] = {.ref = {x}, .width = 1};
    inst.src[1] = {.ref = {y}, .width = 1};
    return {.kind = RefKind::kValue, .lane = 0, .index = append(inst, like, order)};
  }

  // Computes Σ ref × scale / 16 + add, once for all loads of a block.
  Ref index_of(const std::vector<Affine::Term>& terms, uint32_t add, uint32_t like,
               std::vector<uint32_t>& order) {
    const auto [known, added] = indices_.try_emplace({terms, add});
    if (!added) return known->second;
    Ref index;
    for (const Affine::Term& term : terms) {
      const uint32_t scale = static_cast<uint32_t>(static_cast<int32_t>(term.scale) / 16);
      Ref part = term.ref;
      if (scale != 1 && std::has_single_bit(scale))
        part = operation(Opcode::kShl, part, literal(static_cast<uint32_t>(std::countr_zero(scale))), like,
                         order);
      else if (scale != 1) part = operation(Opcode::kImul, part, literal(scale), like, order);
      index = index.is_undef() ? part : operation(Opcode::kIadd, index, part, like, order);
    }
    if (add) index = operation(Opcode::kIadd, index, literal(add), like, order);
    return known->second = index;
  }

  // Appends an LDC for each vec4 that a load touches; its lanes take the place of the load's.
  void read_constants(uint32_t id, const Affine& address, std::vector<uint32_t>& order) {
    const Inst load = ir_.insts[id];
    for (uint32_t lane = 0; lane < load.width;) {
      const uint32_t byte = address.offset + lane * 4;
      const auto slot = static_cast<uint32_t>(static_cast<int32_t>(byte) >> 4);
      const bool inside = slot < load.block_slots;
      const Ref index = index_of(address.terms, inside ? 0 : slot, id, order);
      const uint32_t base = ir_.uniform(uniform_slot(load.access.resource, inside ? slot : 0));
      Inst read{.op = Opcode::kLdc, .sources = 2};
      read.block_slots = load.block_slots;
      std::vector<uint32_t> lanes;
      for (uint32_t c = byte / 4 % 4; c < 4 && lane < load.width; ++c, ++lane) {
        if (!(load.live >> lane & 1)) continue;
        read.src[0].ref[read.width] = {
            .kind = RefKind::kUniform, .lane = static_cast<uint8_t>(c), .index = base};
        read.src[1].ref[read.width++] = index;
        lanes.push_back(lane);
      }
      if (lanes.empty()) continue;
      read.src[0].width = read.src[1].width = read.width;
      const uint32_t made = append(read, id, order);
      for (size_t i = 0; i < lanes.size(); ++i)
        moved_[id * 4 + lanes[i]] = {.kind = RefKind::kValue, .lane = static_cast<uint8_t>(i), .index = made};
    }
    ir_.insts[id].dead = true;
  }

  Ir& ir_;
  const std::vector<isa::SlotBinding>& resources_;
  std::map<uint32_t, Affine> replaced_;  // loads
  std::map<uint32_t, Ref> moved_;        // lane of a replaced load, as lane_of() numbers it
  std::map<std::pair<std::vector<Affine::Term>, uint32_t>, Ref> indices_;  // of the block that is written
};

}  // namespace

void index_constants(Ir& ir, const std::vector<isa::SlotBinding>& resources, uint32_t most, uint32_t budget) {
  if (most == 0) return;
  ConstantIndexer indexer(ir, resources);
  const auto candidates = indexer.candidates();
  if (candidates.empty()) return;
  ConstantReads reads = constant_reads(ir);
  const size_t literals = reads.literals.size() + kAddedLiterals;
  bool changed = false;
  for (const auto& [resource, loads] : candidates) {
    uint32_t slots = 0;
    for (const IndexedLoad& load : loads) slots = std::max<uint32_t>(slots, ir.insts[load.id].block_slots);
    if (slots > most) continue;
    std::map<uint32_t, uint32_t> uniforms = reads.uniforms;
    indexer.reserve(resource, slots, uniforms);
    if (uniforms.size() + literals > std::min(budget, arch::kConstants)) continue;
    reads.uniforms = std::move(uniforms);
    for (const IndexedLoad& load : loads) {
      ir.insts[load.id].block_slots = static_cast<uint16_t>(slots);
      indexer.replace(load);
    }
    changed = true;
  }
  if (!changed) return;
  indexer.finish();
  eliminate_dead(ir);
  compact(ir);
}

}  // namespace cutaway::compiler
