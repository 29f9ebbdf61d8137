#include "compiler/backend.h"
#include "compiler/builder.h"
#include "isa/operands.h"

// Decides which values are kept in halves of registers. RelaxedPrecision permits rounding but never requires
// it: a value is kept whole if some reader cannot read halves.
namespace cutaway::compiler {
namespace {

// True if a half represents this float exactly.
bool is_half(uint32_t word) { return float_of_half(nearest_half(word)) == word; }

class Settler {
 public:
  explicit Settler(Ir& ir) : ir_(ir) {}

  void run() {
    families();
    bool changed = true;
    while (changed) {
      changed = false;
      for (const Block& block : ir_.blocks)
        for (uint32_t id : block.insts)
          if (!ir_.insts[id].dead) changed |= judge(id);
    }
  }

 private:
  // A phi, the copies into it and the move out of it share a register: they start as halves until an
  // instruction prevents it.
  void families() {
    for (const Block& block : ir_.blocks) {
      for (uint32_t id : block.phis) ir_.insts[id].half = true;
      for (uint32_t id : block.insts)
        if (family_of(id) != kNone) ir_.insts[id].half = true;
    }
  }

  // The phi that an instruction copies into, or out of; kNone: none.
  uint32_t family_of(uint32_t id) const {
    const Inst& inst = ir_.insts[id];
    if (inst.op != Opcode::kMov || inst.phi) return kNone;
    if (inst.family != 0) return inst.family;
    const Ref& first = inst.src[0].ref[0];
    return inst.src[0].width && first.is_value() && ir_.insts[first.index].phi ? first.index : kNone;
  }

  bool keep_whole(uint32_t id) {
    if (!ir_.insts[id].half) return false;
    ir_.insts[id].half = false;
    return true;
  }

  // Removes the half status of values that the instruction does not permit. Returns true if any changed.
  bool judge(uint32_t id) {
    bool changed = false;
    const Inst& inst = ir_.insts[id];
    const uint32_t phi = family_of(id);
    for (uint32_t s = 0; s < inst.sources; ++s) {
      const bool may_read = isa::may_read_halves(inst.op, s);
      for (uint32_t i = 0; i < inst.src[s].width; ++i) {
        const Ref& ref = inst.src[s].ref[i];
        if (ref.is_value() && !may_read) changed |= keep_whole(ref.index);
      }
    }
    if (phi == kNone) return changed;
    // A phi's copies are halves only together, if all values copied into it are.
    bool half = inst.half && ir_.insts[phi].half;
    if (inst.family != 0)
      for (uint32_t i = 0; i < inst.src[0].width; ++i) half = half && fits(inst.src[0].ref[i]);
    if (half) return changed;
    changed |= keep_whole(phi);
    return keep_whole(id) || changed;
  }

  bool fits(const Ref& ref) const {
    if (ref.is_value()) return ir_.insts[ref.index].half;
    return ref.is_undef() || (ref.is_literal() && is_half(ref.index));
  }

  Ir& ir_;
};

}  // namespace

void settle_halves(Ir& ir) { Settler(ir).run(); }

void keep_coordinates_whole(Ir& ir) {
  std::vector<bool> seen(ir.insts.size());
  std::vector<uint32_t> left;
  const auto visit = [&](const Inst& inst) {
    each_ref(inst, [&](const Ref& ref) {
      if (!ref.is_value() || seen[ref.index]) return;
      seen[ref.index] = true;
      left.push_back(ref.index);
    });
  };
  for (const Inst& inst : ir.insts)
    if (!inst.dead &&
        (isa::info(inst.op).op_class == isa::OpClass::kTexture || inst.output == arch::kOutputDepth))
      visit(inst);
  while (!left.empty()) {
    Inst& inst = ir.insts[left.back()];
    left.pop_back();
    inst.half = false;
    if (isa::info(inst.op).op_class != isa::OpClass::kTexture) visit(inst);
  }
}

void drop_halves(Ir& ir) {
  for (Inst& inst : ir.insts) inst.half = false;
}

bool gives_halves(const Ir& ir, const Operand& operand) {
  bool any = false;
  for (uint32_t i = 0; i < operand.width; ++i) {
    const Ref& ref = operand.ref[i];
    if (ref.is_value() && !ir.insts[ref.index].half) return false;
    if (!ref.is_value() && !(ref.is_literal() && is_half(ref.index))) return false;
    any |= ref.is_value();
  }
  return any;
}

}  // namespace cutaway::compiler
