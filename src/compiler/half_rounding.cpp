#include <algorithm>

#include "compiler/backend.h"
#include "compiler/passes.h"
#include "compiler/patterns.h"
#include "isa/operands.h"

// Roundings to halves (RNDH) on chips whose instructions round what they write to a half register.
namespace cutaway::compiler {
namespace {

bool rounds(const Inst& inst) { return inst.op == Opcode::kRoundHalf && !inst.phi; }

// True if every reader of the instruction only rounds its result to halves that are kept.
bool only_rounded(const Ir& ir, const std::vector<uint32_t>& users) {
  return std::all_of(users.begin(), users.end(), [&](uint32_t user) {
    const Inst& inst = ir.insts[user];
    return rounds(inst) && inst.half && plain(inst.src[0]) && (!inst.saturate || users.size() == 1);
  });
}

}  // namespace

void contract_halves(Ir& ir) {
  const auto uses = uses_of(ir);
  Remap remap(ir);
  for (uint32_t id = 0; id < ir.insts.size(); ++id) {
    const Inst& inst = ir.insts[id];
    if (inst.dead || !rounds(inst) || !inst.half || inst.saturate || !plain(inst.src[0])) continue;
    const Inst* product = source_of(ir, inst.src[0]);
    if (!product || product->op != Opcode::kMul || product->saturate) continue;
    if (uses[inst.src[0].ref[0].index].size() != 1) continue;
    if (!std::all_of(uses[id].begin(), uses[id].end(),
                     [&](uint32_t user) { return ir.insts[user].op == Opcode::kAdd; }))
      continue;
    for (uint32_t lane = 0; lane < inst.width; ++lane) remap.set(id, lane, inst.src[0].ref[lane]);
  }
  remap.apply(ir);
}

void fuse_half_rounding(Ir& ir) {
  const auto uses = uses_of(ir);
  Remap remap(ir);
  std::vector<uint32_t> fused;
  for (uint32_t id = 0; id < ir.insts.size(); ++id) {
    Inst& inst = ir.insts[id];
    if (inst.dead || !rounds(inst) || !inst.half) continue;
    Inst* from = source_of(ir, inst.src[0]);
    const uint32_t source = from ? inst.src[0].ref[0].index : kNone;
    if (from && from->op != Opcode::kMov && from->output == 0xff && isa::may_write_halves(from->op) &&
        only_rounded(ir, uses[source])) {
      from->half = true;
      from->saturate = from->saturate || inst.saturate;
      for (uint32_t lane = 0; lane < inst.width; ++lane) remap.set(id, lane, inst.src[0].ref[lane]);
      fused.push_back(id);
    } else {
      inst.op = Opcode::kMov;
    }
  }
  remap.apply(ir);
  for (const uint32_t id : fused) remove_instruction(ir, id);
}

namespace {

// The three components that the product divides by their length, and the instructions that compute one over
// it.
struct Normalizing {
  Operand vector;
  uint32_t root = kNone, square = kNone;
};

// True if the dot product is of a vector with itself.
bool is_square(const Inst& dot) {
  return dot.op == Opcode::kDp3 && !dot.saturate &&
         std::equal(dot.src[0].ref.begin(), dot.src[0].ref.begin() + 3, dot.src[1].ref.begin());
}

bool find_normalizing(Ir& ir, const Inst& product, uint32_t factor, Normalizing& found) {
  const Operand& by = product.src[factor];
  const Inst* root = source_of(ir, by);
  if (!root || root->op != Opcode::kRsq || root->saturate || !plain(by)) return false;
  const Inst* square = source_of(ir, root->src[0]);
  if (!square || !is_square(*square) || !plain(root->src[0])) return false;
  // The product may have the components in any order.
  const Operand& vector = product.src[1 - factor];
  const auto& components = vector.ref;
  if (!std::is_permutation(components.begin(), components.begin() + 3, square->src[0].ref.begin()))
    return false;
  found = {vector, by.ref[0].index, root->src[0].ref[0].index};
  return true;
}

}  // namespace

void fuse_normalizing(Ir& ir) {
  std::vector<Normalizing> all;
  for (Inst& inst : ir.insts) {
    if (inst.dead || inst.phi || inst.op != Opcode::kMul || !inst.half || inst.width != 3) continue;
    Normalizing found;
    if (!find_normalizing(ir, inst, 0, found) && !find_normalizing(ir, inst, 1, found)) continue;
    inst.op = Opcode::kNrm;
    inst.sources = 1;
    inst.src = {};
    inst.src[0] = found.vector;
    inst.live = 7;
    all.push_back(found);
  }
  for (const Normalizing& one : all) remove_unread(ir, {one.root, one.square});
}

}  // namespace cutaway::compiler
