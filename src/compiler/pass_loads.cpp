#include <algorithm>

#include "compiler/passes.h"

namespace cutaway::compiler {
namespace {

constexpr size_t kWindow = 256;      // instructions behind a load among which others are looked for
constexpr int kMostOperations = 16;  // that compute the operands of a load, and move with it

// Texture instructions, and loads from buffers and images that give the same at any earlier place.
bool is_free_load(const Inst& inst) {
  const isa::OpClass kind = isa::info(inst.op).op_class;
  return (kind == isa::OpClass::kTexture || kind == isa::OpClass::kMemory) && is_pure(inst) && !inst.ordered;
}

class LoadGatherer {
 public:
  LoadGatherer(const Ir& ir, uint32_t most) : ir_(ir), most_(most), placed_(ir.insts.size()) {}

  // Returns the new order of a block.
  std::vector<uint32_t> gather(uint32_t block) {
    block_ = block;
    const std::vector<uint32_t>& order = ir_.blocks[block].insts;
    std::vector<uint32_t> result;
    for (size_t at = 0; at < order.size(); at++) {
      if (placed_[order[at]]) continue;
      if (is_free_load(ir_.insts[order[at]])) place_loads_from(order, at, result);
      else place(order[at], result);
    }
    return result;
  }

 private:
  void place(uint32_t id, std::vector<uint32_t>& result) {
    placed_[id] = true;
    result.push_back(id);
  }

  // Places the load at `at`, and behind it the next ones that do not depend on it, up to a KIL: lanes that
  // are killed load nothing.
  void place_loads_from(const std::vector<uint32_t>& order, size_t at, std::vector<uint32_t>& result) {
    std::vector<uint32_t> loads = {order[at]};
    const size_t end = std::min(order.size(), at + kWindow);
    for (size_t next = at + 1; next < end && loads.size() < most_; next++) {
      const uint32_t id = order[next];
      if (ir_.insts[id].op == Opcode::kKill) break;
      if (placed_[id] || !is_free_load(ir_.insts[id])) continue;
      std::vector<uint32_t> before;
      operations_left_ = kMostOperations;
      if (!collect_operations(id, before)) continue;
      for (const uint32_t operation : before) place(operation, result);
      loads.push_back(id);
    }
    for (const uint32_t load : loads) place(load, result);
  }

  // Collects what must be placed before the instruction, each behind what it needs. Returns false if that is
  // too much, has an effect of its own, or is a load.
  bool collect_operations(uint32_t id, std::vector<uint32_t>& before) {
    bool movable = true;
    each_ref(ir_.insts[id], [&](const Ref& ref) {
      if (!movable || !ref.is_value()) return;
      const Inst& source = ir_.insts[ref.index];
      if (source.phi || source.block != block_ || placed_[ref.index]) return;
      if (std::find(before.begin(), before.end(), ref.index) != before.end()) return;
      movable = is_pure(source) && !source.ordered && !is_free_load(source) && operations_left_-- > 0 &&
                collect_operations(ref.index, before);
      if (movable) before.push_back(ref.index);
    });
    return movable;
  }

  const Ir& ir_;
  uint32_t most_, block_ = 0;
  int operations_left_ = 0;
  std::vector<bool> placed_;  // by instruction
};

}  // namespace

void gather_loads(Ir& ir, uint32_t most) {
  LoadGatherer gatherer(ir, most);
  for (uint32_t block = 0; block < ir.blocks.size(); block++) ir.blocks[block].insts = gatherer.gather(block);
}

}  // namespace cutaway::compiler
