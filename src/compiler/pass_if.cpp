#include <algorithm>

#include "compiler/passes.h"
#include "isa/operands.h"

namespace cutaway::compiler {
namespace {

constexpr uint32_t kLongestArm = 8;  // instructions of both arms that run for all instead

bool kills_all(const Inst& inst) {
  return inst.op == Opcode::kKill && inst.src[0].ref[0] == literal(~0u) && !inst.src[0].invert;
}

// The arm of an IF: a single block of ALU instructions that goes straight to the merge block. It may discard:
// that takes the condition of the IF for its own.
bool simple(const Ir& ir, uint32_t block, uint32_t head, uint32_t merge, uint32_t& length) {
  const Block& b = ir.blocks[block];
  if (b.preds != std::vector{head} || b.succs != std::vector{merge} || !b.phis.empty()) return false;
  for (uint32_t id : b.insts) {
    const Inst& inst = ir.insts[id];
    if (is_block_end(inst.op)) {
      // Arms that both break a loop meet behind it, not at an ENDIF.
      if (inst.op != Opcode::kElse && inst.op != Opcode::kEndif) return false;
      continue;
    }
    ++length;
    if (kills_all(inst)) continue;
    const isa::OpClass c = isa::info(inst.op).op_class;
    if (c != isa::OpClass::kSimd && c != isa::OpClass::kScalar) return false;
    if (inst.output != 0xff || isa::is_of_quad(inst.op) ||
        (inst.op >= Opcode::kDdx && inst.op <= Opcode::kDdyCoarse))
      return false;
  }
  return true;
}

}  // namespace

void convert_ifs(Ir& ir) {
  // From the last to the first: inner ones come later and are gone when their outer one is looked at.
  for (uint32_t h = static_cast<uint32_t>(ir.blocks.size()); h-- > 0;) {
    Block& head = ir.blocks[h];
    if (head.insts.empty() || ir.insts[head.insts.back()].op != Opcode::kIf) continue;
    const Ref condition = ir.insts[head.insts.back()].src[0].ref[0];
    if (head.succs.size() != 2 || condition.is_undef()) continue;
    // succs[0] is the first arm; the second is the other arm, or the merge block.
    const uint32_t yes = head.succs[0];
    uint32_t no = head.succs[1], length = 0;
    if (ir.blocks[yes].succs.size() != 1) continue;
    const uint32_t merge = ir.blocks[yes].succs[0];
    if (!simple(ir, yes, h, merge, length)) continue;
    if (no != merge && !simple(ir, no, h, merge, length)) continue;
    if (no == merge) no = h;
    Block& join = ir.blocks[merge];
    if (length > kLongestArm || join.preds.size() != 2 || join.idom != h) continue;
    const size_t from_yes = join.preds[0] == yes ? 0 : 1;
    if (join.preds[from_yes] != yes || join.preds[1 - from_yes] != no) continue;
    ir.insts[head.insts.back()].dead = true;
    head.insts.pop_back();
    for (uint32_t arm : {yes, no}) {
      if (arm == h) continue;
      Block& from = ir.blocks[arm];
      for (uint32_t id : from.insts) {
        Inst& inst = ir.insts[id];
        if (is_block_end(inst.op)) {
          inst.dead = true;
          continue;
        }
        if (inst.op == Opcode::kKill) inst.src[0] = {.ref = {condition}, .width = 1, .invert = arm == no};
        inst.block = h;
        head.insts.push_back(id);
      }
      from = {};
      from.loop_depth = join.loop_depth;
    }
    for (uint32_t id : join.phis) {
      Inst& phi = ir.insts[id];
      const Operand a = phi.args[from_yes], c = phi.args[1 - from_yes];
      phi.phi = false;
      phi.op = Opcode::kSel;
      phi.sources = 3;
      phi.args.clear();
      phi.src[0] = {.width = phi.width};
      for (uint32_t i = 0; i < phi.width; ++i) phi.src[0].ref[i] = condition;
      phi.src[1] = a;
      phi.src[2] = c;
      phi.block = h;
      for (uint32_t i = 0; i < phi.width; ++i) {
        if (phi.src[1].ref[i].is_undef()) phi.src[1].ref[i] = phi.src[2].ref[i];
        if (phi.src[2].ref[i].is_undef()) phi.src[2].ref[i] = phi.src[1].ref[i];
      }
      head.insts.push_back(id);
    }
    join.phis.clear();
    // What follows becomes part of the same block; ELSE and ENDIF stood in the arms.
    for (uint32_t id : join.insts) {
      ir.insts[id].block = h;
      head.insts.push_back(id);
    }
    head.succs = join.succs;
    for (uint32_t next : join.succs)
      std::replace(ir.blocks[next].preds.begin(), ir.blocks[next].preds.end(), merge, h);
    for (Block& block : ir.blocks)
      if (block.idom == merge) block.idom = h;
    const uint32_t depth = join.loop_depth;
    join = {};
    join.loop_depth = depth;
  }
  for (Block& block : ir.blocks) std::erase_if(block.insts, [&](uint32_t id) { return ir.insts[id].dead; });
}

void optimize(Ir& ir) {
  eliminate_dead(ir);
  eliminate_common(ir);
  eliminate_dead(ir);
  bundle_phis(ir);
  convert_ifs(ir);
  fuse(ir);
  eliminate_common(ir);
  vectorize(ir);
  fuse(ir);
  vectorize(ir);
  eliminate_common(ir);
  eliminate_dead(ir);
}

}  // namespace cutaway::compiler
