#include <algorithm>

#include "compiler/passes.h"
#include "compiler/patterns.h"
#include "isa/operands.h"

namespace cutaway::compiler {
namespace {

constexpr uint32_t kFloatOne = 0x3f800000;

class Fuser {
 public:
  explicit Fuser(Ir& ir) : ir_(ir) {}

  void powers() {
    for (Block& block : ir_.blocks)
      for (uint32_t id : block.insts)
        if (ir_.insts[id].op == Opcode::kEx2) power(ir_.insts[id]);
  }

  void run() {
    copies();
    for (uint32_t b = 0; b < ir_.blocks.size(); ++b)
      for (uint32_t id : ir_.blocks[b].insts) {
        Inst& inst = ir_.insts[id];
        if (inst.dead) continue;
        logic(inst);
        root(inst);
        selects(inst);
        clamp(inst);
      }
    eliminate_dead(ir_);
    split_saturations(ir_);
    uses_ = uses_of(ir_);
    for (uint32_t b = 0; b < ir_.blocks.size(); ++b)
      for (uint32_t id : ir_.blocks[b].insts)
        if (!ir_.insts[id].dead && ir_.insts[id].op == Opcode::kAdd) multiply_add(id);
    eliminate_dead(ir_);
    fuse_saturations(ir_);
    eliminate_dead(ir_);
  }

 private:
  Inst* source_of(const Operand& operand) { return compiler::source_of(ir_, operand); }

  // Makes operands read the source of a move directly.
  void copies() {
    auto through = [&](Ref ref, bool modifiers) {
      for (;;) {
        if (!ref.is_value()) return ref;
        const Inst& move = ir_.insts[ref.index];
        if (move.op != Opcode::kMov || move.phi || move.saturate || move.output != 0xff) return ref;
        const Ref& from = move.src[0].ref[ref.lane];
        if ((from.negate || from.absolute) && !modifiers) return ref;
        ref = compose(from, ref);
      }
    };
    for (Inst& inst : ir_.insts) {
      if (inst.dead) continue;
      for (uint32_t s = 0; s < inst.sources; ++s)
        for (uint32_t i = 0; i < inst.src[s].width; ++i)
          inst.src[s].ref[i] = through(inst.src[s].ref[i], float_source(inst.op, s));
      for (Operand& arg : inst.args)
        for (uint32_t i = 0; i < arg.width; ++i) arg.ref[i] = through(arg.ref[i], true);
    }
  }

  static bool inverse(Opcode op, Opcode& result) {
    using enum Opcode;
    switch (op) {
      case kFeq:
        result = kFne;
        return true;
      case kFne:
        result = kFeq;
        return true;
      case kIlt:
        result = kIge;
        return true;
      case kIge:
        result = kIlt;
        return true;
      case kUlt:
        result = kUge;
        return true;
      case kUge:
        result = kUlt;
        return true;
      case kIeq:
        result = kIne;
        return true;
      case kIne:
        result = kIeq;
        return true;
      default:
        return false;
    }
  }

  void logic(Inst& inst) {
    if (inst.op == Opcode::kNot) {
      const Inst* from = source_of(inst.src[0]);
      Opcode op;
      if (from && plain(inst.src[0]) && inverse(from->op, op)) {
        const Inst compare = *from;
        const Operand by = inst.src[0];
        inst.op = op;
        inst.sources = 2;
        for (uint32_t s = 0; s < 2; ++s) inst.src[s] = pick(compare.src[s], by);
      }
    }
    if (inst.op == Opcode::kAnd || inst.op == Opcode::kOr || inst.op == Opcode::kXor ||
        inst.op == Opcode::kNot || inst.op == Opcode::kKill) {
      for (uint32_t s = 0; s < inst.sources; ++s) {
        const Inst* from = source_of(inst.src[s]);
        if (!from || from->op != Opcode::kNot || from->src[0].invert || !unmodified(inst.src[s])) continue;
        const bool invert = inst.src[s].invert;
        inst.src[s] = pick(from->src[0], inst.src[s]);
        inst.src[s].invert = !invert;
      }
    }
    if (inst.op == Opcode::kIadd)
      for (uint32_t s = 0; s < 2; ++s) {
        const Inst* from = source_of(inst.src[s]);
        if (inst.src[s].invert || !from || from->op != Opcode::kIadd || !from->src[0].invert ||
            !all(from->src[1], 0) || !unmodified(inst.src[s]))
          continue;
        inst.src[s] = pick(from->src[0], inst.src[s]);
      }
    if (inst.op == Opcode::kSel) {
      const Inst* from = source_of(inst.src[0]);
      if (from && from->op == Opcode::kNot && plain(from->src[0]) && plain(inst.src[0])) {
        inst.src[0] = pick(from->src[0], inst.src[0]);
        std::swap(inst.src[1], inst.src[2]);
      }
    }
  }

  // RSQ is defined as 1 / sqrt(x).
  void root(Inst& inst) {
    if (inst.op != Opcode::kRcp) return;
    const Operand by = inst.src[0];
    const Inst* from = source_of(by);
    if (!from || from->saturate || !plain(by)) return;
    if (from->op == Opcode::kSqrt) {
      inst.op = Opcode::kRsq;
      inst.src[0] = from->src[0];
    }
  }

  // Fuses 2^(y log2 x) to POW. They differ for y = 0, where POW gives x^0 = 1.
  void power(Inst& inst) {
    const Operand by = inst.src[0];
    const Inst* product = source_of(by);
    if (!product || product->op != Opcode::kMul || product->saturate || !plain(by)) return;
    for (uint32_t s = 0; s < 2; ++s) {
      const Operand factor = pick(product->src[s], by), other = pick(product->src[1 - s], by);
      const Inst* log = source_of(factor);
      if (!log || log->op != Opcode::kLg2 || log->saturate || !plain(factor)) continue;
      inst.op = Opcode::kPow;
      inst.sources = 2;
      inst.src[0] = log->src[0];
      inst.src[1] = other;
      return;
    }
  }

  // Fuses comparison and selection.
  void selects(Inst& inst) {
    const bool masks_one = inst.op == Opcode::kAnd && all(inst.src[1], kFloatOne) && !inst.src[1].invert;
    if (inst.op != Opcode::kSel && !masks_one) return;
    if (!plain(inst.src[0])) return;
    const Inst* found = source_of(inst.src[0]);
    if (!found) return;
    const Inst compare = *found;
    const Operand by = inst.src[0];
    if (masks_one || (all(inst.src[1], kFloatOne) && all(inst.src[2], 0))) {
      Opcode op;
      switch (compare.op) {
        case Opcode::kFlt:
          op = Opcode::kSlt;
          break;
        case Opcode::kFge:
          op = Opcode::kSge;
          break;
        case Opcode::kFeq:
          op = Opcode::kSeq;
          break;
        case Opcode::kFne:
          op = Opcode::kSne;
          break;
        default:
          return;
      }
      inst.op = op;
      inst.sources = 2;
      for (uint32_t s = 0; s < 2; ++s) inst.src[s] = pick(compare.src[s], by);
      inst.src[2] = {};
      return;
    }
    if (compare.op != Opcode::kFlt || inst.op != Opcode::kSel) return;
    if (all(compare.src[1], 0)) {
      inst.op = Opcode::kCmp;
      inst.src[0] = pick(compare.src[0], by);
    } else if (all(compare.src[0], 0)) {
      inst.op = Opcode::kCmp;
      inst.src[0] = pick(compare.src[1], by);
      for (uint32_t i = 0; i < by.width; ++i) inst.src[0].ref[i].negate = !inst.src[0].ref[i].negate;
    }
  }

  // Fuses min(max(x, 0), 1), where NaN gives 0 as in saturation.
  void clamp(Inst& inst) {
    if (inst.op != Opcode::kMin) return;
    for (uint32_t s = 0; s < 2; ++s) {
      const Inst* max = source_of(inst.src[s]);
      if (!all(inst.src[1 - s], kFloatOne) || !max || max->op != Opcode::kMax || max->saturate ||
          !plain(inst.src[s]))
        continue;
      for (uint32_t k = 0; k < 2; ++k) {
        if (!all(max->src[1 - k], 0)) continue;
        const Operand from = pick(max->src[k], inst.src[s]);
        inst.op = Opcode::kMov;
        inst.saturate = true;
        inst.sources = 1;
        inst.src = {};
        inst.src[0] = from;
        return;
      }
    }
  }

  // Fuses a b + c. Exact, because MAD rounds the product.
  void multiply_add(uint32_t id) {
    for (uint32_t s = 0; s < 2; ++s) {
      const Operand by = ir_.insts[id].src[s];
      const Inst* product = source_of(by);
      if (!product || product->op != Opcode::kMul || product->saturate) continue;
      bool fits = true;
      for (uint32_t i = 0; i < by.width; ++i)
        fits = fits && !by.ref[i].absolute && by.ref[i].negate == by.ref[0].negate;
      // All readers of the product must be able to fuse it.
      for (uint32_t user : uses_[by.ref[0].index]) {
        const Inst& u = ir_.insts[user];
        bool good = u.op == Opcode::kAdd || u.op == Opcode::kMad;
        if (u.op == Opcode::kAdd) {
          const bool first = source_of(u.src[0]) == product, second = source_of(u.src[1]) == product;
          good = first != second;
          for (uint32_t k = 0; k < 2; ++k)
            for (uint32_t i = 0; i < u.width; ++i)
              if (u.src[k].ref[i].is_value() && u.src[k].ref[i].index == by.ref[0].index &&
                  (u.src[k].ref[i].absolute || !(k ? second : first) ||
                   u.src[k].ref[i].negate != u.src[k].ref[0].negate))
                good = false;
        } else if (u.op == Opcode::kMad) {
          for (uint32_t k = 0; k < 3; ++k)
            for (uint32_t i = 0; i < u.src[k].width; ++i)
              if (u.src[k].ref[i].is_value() && u.src[k].ref[i].index == by.ref[0].index) good = false;
        }
        fits = fits && good;
      }
      if (!fits) continue;
      Inst& sum = ir_.insts[id];
      const Operand other = sum.src[1 - s];
      Operand a = pick(product->src[0], by);
      const Operand c = pick(product->src[1], by);
      if (by.ref[0].negate)
        for (uint32_t i = 0; i < a.width; ++i) {
          Ref flip;
          flip.negate = true;
          a.ref[i] = compose(a.ref[i], flip);
        }
      sum.op = Opcode::kMad;
      sum.sources = 3;
      sum.src[0] = a;
      sum.src[1] = c;
      sum.src[2] = other;
      return;
    }
  }

  Ir& ir_;
  std::vector<std::vector<uint32_t>> uses_;  // by instruction
};

}  // namespace

void fuse(Ir& ir) { Fuser(ir).run(); }

void fuse_powers(Ir& ir) { Fuser(ir).powers(); }

}  // namespace cutaway::compiler
