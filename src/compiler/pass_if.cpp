#include <algorithm>

#include "compiler/passes.h"
#include "compiler/refusal.h"
#include "isa/operands.h"

namespace cutaway::compiler {
namespace {

constexpr uint32_t kLongestArm = 8;  // instructions of both arms that run for all instead

bool kills_all(const Inst& inst) {
  return inst.op == Opcode::kKill && inst.src[0].ref[0] == literal(~0u) && !inst.src[0].invert;
}

// True if a block is an arm that can run for all lanes: ALU instructions and discards that go straight to the
// merge block. Adds them to `length`.
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

// An IF whose arms can run for all lanes.
struct If {
  uint32_t head = 0;         // the block that ends in it
  uint32_t yes = 0, no = 0;  // its arms; no: the head where there is no ELSE
  uint32_t merge = 0;        // the block in which they meet
  size_t from_yes = 0;       // the place of `yes` among the predecessors of `merge`
  Ref condition;
};

// Finds such an IF at the end of a block; false if there is none.
bool convertible(const Ir& ir, uint32_t head_block, If& found) {
  const Block& head = ir.blocks[head_block];
  if (head.insts.empty() || ir.insts[head.insts.back()].op != Opcode::kIf) return false;
  found.head = head_block;
  found.condition = ir.insts[head.insts.back()].src[0].ref[0];
  if (head.succs.size() != 2 || found.condition.is_undef()) return false;
  // succs[0] is the first arm; the second is the other arm, or the merge block.
  found.yes = head.succs[0], found.no = head.succs[1];
  if (ir.blocks[found.yes].succs.size() != 1) return false;
  found.merge = ir.blocks[found.yes].succs[0];
  uint32_t length = 0;
  if (!simple(ir, found.yes, head_block, found.merge, length)) return false;
  if (found.no == found.merge) found.no = head_block;
  else if (!simple(ir, found.no, head_block, found.merge, length)) return false;
  const Block& join = ir.blocks[found.merge];
  if (length > kLongestArm || join.preds.size() != 2 || join.idom != head_block) return false;
  found.from_yes = join.preds[0] == found.yes ? 0 : 1;
  return join.preds[found.from_yes] == found.yes && join.preds[1 - found.from_yes] == found.no;
}

// Moves the instructions of an arm to the end of the head. A discard takes the condition for its own.
void move_arm(Ir& ir, const If& found, uint32_t arm) {
  Block& from = ir.blocks[arm];
  for (uint32_t id : from.insts) {
    Inst& inst = ir.insts[id];
    if (is_block_end(inst.op)) {
      inst.dead = true;
      continue;
    }
    if (inst.op == Opcode::kKill)
      inst.src[0] = {.ref = {found.condition}, .width = 1, .invert = arm == found.no};
    inst.block = found.head;
    ir.blocks[found.head].insts.push_back(id);
  }
  from = {};
  from.loop_depth = ir.blocks[found.merge].loop_depth;
}

// Turns a phi of the merge block into a selection by the condition, at the end of the head.
void select(Ir& ir, const If& found, uint32_t id) {
  Inst& phi = ir.insts[id];
  const Operand a = phi.args[found.from_yes], c = phi.args[1 - found.from_yes];
  phi.phi = false;
  phi.op = Opcode::kSel;
  phi.sources = 3;
  phi.args.clear();
  phi.src[0] = {.width = phi.width};
  for (uint32_t i = 0; i < phi.width; ++i) phi.src[0].ref[i] = found.condition;
  phi.src[1] = a;
  phi.src[2] = c;
  phi.block = found.head;
  for (uint32_t i = 0; i < phi.width; ++i) {
    if (phi.src[1].ref[i].is_undef()) phi.src[1].ref[i] = phi.src[2].ref[i];
    if (phi.src[2].ref[i].is_undef()) phi.src[2].ref[i] = phi.src[1].ref[i];
  }
  ir.blocks[found.head].insts.push_back(id);
}

// Makes the merge block, which has no phis any more, a part of the head. ELSE and ENDIF stood in the arms.
void absorb_merge(Ir& ir, const If& found) {
  Block &head = ir.blocks[found.head], &join = ir.blocks[found.merge];
  for (uint32_t id : join.insts) {
    ir.insts[id].block = found.head;
    head.insts.push_back(id);
  }
  head.succs = join.succs;
  for (uint32_t next : join.succs)
    std::replace(ir.blocks[next].preds.begin(), ir.blocks[next].preds.end(), found.merge, found.head);
  for (Block& block : ir.blocks) {
    if (block.idom == found.merge) block.idom = found.head;
    if (block.dom_jump == found.merge) block.dom_jump = found.head;
  }
  const uint32_t depth = join.loop_depth;
  join = {};
  join.loop_depth = depth;
}

}  // namespace

void convert_ifs(Ir& ir) {
  // From the last to the first: inner ones come later and are gone when their outer one is looked at.
  for (uint32_t h = static_cast<uint32_t>(ir.blocks.size()); h-- > 0;) {
    If found;
    if (!convertible(ir, h, found)) continue;
    std::vector<uint32_t>& insts = ir.blocks[h].insts;
    ir.insts[insts.back()].dead = true;
    insts.pop_back();
    move_arm(ir, found, found.yes);
    if (found.no != h) move_arm(ir, found, found.no);
    for (uint32_t id : ir.blocks[found.merge].phis) select(ir, found, id);
    ir.blocks[found.merge].phis.clear();
    absorb_merge(ir, found);
  }
  for (Block& block : ir.blocks) std::erase_if(block.insts, [&](uint32_t id) { return ir.insts[id].dead; });
}

// Later passes take the time and memory of a second for so many.
void limit_instructions(const Ir& ir) {
  constexpr size_t kMost = 1 << 17;
  size_t count = 0;
  for (const Block& block : ir.blocks) count += block.insts.size() + block.phis.size();
  if (count > kMost) unsupported("it is too large: more than {} instructions that are needed", kMost);
}

void optimize(Ir& ir) {
  eliminate_dead(ir);
  compact(ir);
  limit_instructions(ir);
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
  compact(ir);
}

}  // namespace cutaway::compiler
