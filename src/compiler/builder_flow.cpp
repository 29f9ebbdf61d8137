#include <algorithm>
#include <functional>

#include "compiler/builder.h"
#include "compiler/refusal.h"

namespace cutaway::compiler {

namespace {

// The jump pointer of a block below `parent` in the dominator tree: twice as far as its parent's two jumps if
// these are of one length, so that any block above is a logarithmic number of steps away.
uint32_t jump_from(const Ir& ir, uint32_t parent) {
  const Block& block = ir.blocks[parent];
  if (block.dom_jump == kNone) return parent;
  const Block& first = ir.blocks[block.dom_jump];
  if (first.dom_jump == kNone) return parent;
  const Block& second = ir.blocks[first.dom_jump];
  return block.dom_depth - first.dom_depth == first.dom_depth - second.dom_depth ? first.dom_jump : parent;
}

}  // namespace

uint32_t Builder::new_block(const std::vector<uint32_t>& preds) {
  if (ir.blocks.size() >= kMaxBlocks) unsupported("it is too large: more than {} blocks", kMaxBlocks);
  const auto id = static_cast<uint32_t>(ir.blocks.size());
  Block& block = ir.blocks.emplace_back();
  block.preds = preds;
  for (const Construct& c : open_) block.loop_depth += c.loop;
  for (uint32_t pred : preds) {
    ir.blocks[pred].succs.push_back(id);
    // The nearest common dominator of all predecessors.
    uint32_t a = block.idom == kNone ? pred : block.idom, b = pred;
    while (a != b) {
      if (ir.blocks[a].dom_depth < ir.blocks[b].dom_depth) std::swap(a, b);
      a = ir.blocks[a].idom;
    }
    block.idom = a;
  }
  block.dom_depth = block.idom == kNone ? 0 : ir.blocks[block.idom].dom_depth + 1;
  if (block.idom != kNone) block.dom_jump = jump_from(ir, block.idom);
  definitions_.emplace_back();
  incomplete_.emplace_back();
  return id;
}

void Builder::flow(Opcode op, const Ref* condition) {
  Inst inst{.op = op, .sources = static_cast<uint8_t>(condition ? 1 : 0)};
  if (condition) {
    inst.src[0].width = 1;
    inst.src[0].ref[0] = *condition;
  }
  append(std::move(inst));
}

void Builder::begin_if(const Ref& condition) {
  const Ref value = bits({condition})[0];
  flow(Opcode::kIf, &value);
  Construct c;
  c.head = block_;
  open_.push_back(c);
  block_ = new_block({open_.back().head});
}

// A block that does not fall through still needs a place in the program for its ELSE, ENDIF, NEXT or ENDLOOP.
void Builder::begin_else() {
  Construct& c = open_.back();
  c.then_end = block_;
  c.has_else = true;
  if (!reachable()) block_ = new_block({});
  flow(Opcode::kElse, nullptr);
  block_ = new_block({c.head});
}

void Builder::end_if() {
  const Construct c = open_.back();
  std::vector<uint32_t> preds;
  const uint32_t last = block_;
  if (!reachable()) block_ = new_block({});
  flow(Opcode::kEndif, nullptr);
  if (c.has_else && c.then_end != kNone) preds.push_back(c.then_end);
  if (!c.has_else) preds.push_back(c.head);
  if (last != kNone) preds.push_back(last);
  open_.pop_back();
  block_ = preds.empty() ? kNone : new_block(preds);
}

void Builder::begin_loop() {
  flow(Opcode::kLoop, nullptr);
  const uint32_t before = block_;
  Construct c;
  c.loop = true;
  open_.push_back(c);
  block_ = new_block({before});
  open_.back().head = block_;
  ir.blocks[block_].sealed = false;
}

void Builder::next() {
  Construct& c = open_.back();
  CUTAWAY_CHECK(c.loop && !c.in_next);
  c.in_next = true;
  const uint32_t last = block_;
  std::vector<uint32_t> preds = c.continues;
  if (!reachable()) block_ = new_block({});
  flow(Opcode::kNext, nullptr);
  if (last != kNone) preds.push_back(last);
  block_ = preds.empty() ? kNone : new_block(preds);
}

void Builder::end_loop() {
  CUTAWAY_CHECK(open_.back().loop && open_.back().in_next);
  const Construct c = open_.back();
  const uint32_t last = block_;
  if (!reachable()) block_ = new_block({});
  flow(Opcode::kEndLoop, nullptr);
  if (last != kNone) {
    ir.blocks[last].succs.push_back(c.head);
    ir.blocks[c.head].preds.push_back(last);
  }
  seal(c.head);
  open_.pop_back();
  block_ = c.breaks.empty() ? kNone : new_block(c.breaks);
}

void Builder::leave(Opcode op, const Ref& condition) {
  const auto loop = std::find_if(open_.rbegin(), open_.rend(), [](const Construct& c) { return c.loop; });
  CUTAWAY_CHECK(loop != open_.rend());
  if (condition.is_literal() && condition.index == 0) return;
  const Ref value = bits({condition})[0];
  flow(op, &value);
  (op == Opcode::kBreak ? loop->breaks : loop->continues).push_back(block_);
  block_ = condition.is_literal() ? kNone : new_block({block_});
}

void Builder::kill(const Ref& condition) {
  if (condition.is_literal() && condition.index == 0) return;
  const Ref value = bits({condition})[0];
  flow(Opcode::kKill, &value);
}

uint32_t Builder::new_slots(uint32_t count, uint32_t family) {
  if (family_.size() + count > (1u << 20))
    unsupported("it is too large: its variables have too many components");
  const auto first = static_cast<uint32_t>(family_.size());
  family_.insert(family_.end(), count, family ? family : first + 1);
  return first;
}

void Builder::write(uint32_t slot, const Ref& value) { write_in(slot, block_, value); }

void Builder::write_in(uint32_t slot, uint32_t block, const Ref& value) { definitions_[block][slot] = value; }

Ref Builder::read_in(uint32_t slot, uint32_t block) {
  // Walks straight chains without recursion.
  std::vector<uint32_t> chain;
  Ref value;
  for (;;) {
    const auto found = definitions_[block].find(slot);
    if (found != definitions_[block].end()) {
      value = found->second;
      break;
    }
    const Block& b = ir.blocks[block];
    if (b.sealed && b.preds.empty()) break;
    if (b.sealed && b.preds.size() == 1) {
      chain.push_back(block);
      block = b.preds[0];
      continue;
    }
    value = read_preds(slot, block);
    break;
  }
  for (uint32_t b : chain) definitions_[b][slot] = value;
  return value;
}

uint32_t Builder::add_phi(uint32_t slot, uint32_t block) {
  if (ir.insts.size() >= kMaxInsts) unsupported("it is too large: more than {} instructions", kMaxInsts);
  const auto id = static_cast<uint32_t>(ir.insts.size());
  Inst phi{.phi = true, .width = 1};
  phi.block = block;
  phi.line = line;
  phi.family = family_[slot];
  phi.slot = slot;
  ir.insts.push_back(std::move(phi));
  ir.blocks[block].phis.push_back(id);
  definitions_[block][slot] = ref(id, 0);
  return id;
}

// True if one value can replace a phi whose other arguments are undefined or the phi itself. Not if the value
// comes around a loop: then the phi has the value of the previous iteration.
bool Builder::stands_for(const Ref& only, const Inst& phi) const {
  if (!only.is_value()) return true;
  const Inst& value = ir.insts[only.index];
  if (value.block == phi.block ? value.phi : dominates(ir, value.block, phi.block)) return true;
  const auto& preds = ir.blocks[phi.block].preds;
  return std::none_of(preds.begin(), preds.end(), [&](uint32_t pred) { return pred >= phi.block; });
}

Ref Builder::read_preds(uint32_t slot, uint32_t block) {
  const uint32_t phi = add_phi(slot, block);
  if (!ir.blocks[block].sealed) {
    incomplete_[block].push_back({slot, phi});
    return ref(phi, 0);
  }
  Ref only;
  bool trivial = true;
  const std::vector<uint32_t> preds = ir.blocks[block].preds;
  for (uint32_t pred : preds) {
    const Ref arg = read_in(slot, pred);
    Operand operand{.width = 1};
    operand.ref[0] = arg;
    ir.insts[phi].args.push_back(operand);
    if (arg.is_undef() || arg == ref(phi, 0) || arg == only) continue;
    if (only.is_undef()) only = arg;
    else trivial = false;
  }
  if (!trivial || !stands_for(only, ir.insts[phi])) return ref(phi, 0);
  // A trivial phi of a sealed block has no readers yet, except through a loop around it.
  definitions_[block][slot] = only;
  return only;
}

void Builder::seal(uint32_t block) {
  ir.blocks[block].sealed = true;
  for (size_t i = 0; i < incomplete_[block].size(); ++i) {
    const auto [slot, phi] = incomplete_[block][i];
    const std::vector<uint32_t> preds = ir.blocks[block].preds;
    for (uint32_t pred : preds) {
      Operand operand{.width = 1};
      operand.ref[0] = read_in(slot, pred);
      ir.insts[phi].args.push_back(operand);
    }
  }
  incomplete_[block].clear();
}

void Builder::remove_trivial_phis() {
  std::vector<Ref> replacement(ir.insts.size());
  std::vector<bool> replaced(ir.insts.size());
  auto resolve = [&](Ref ref) {
    while (ref.is_value() && replaced[ref.index]) {
      const bool negate = ref.negate, absolute = ref.absolute;
      ref = replacement[ref.index];
      if (absolute) ref.absolute = true, ref.negate = false;
      ref.negate = ref.negate != negate;
    }
    if (ref.is_literal() && (ref.negate || ref.absolute)) {
      if (ref.absolute) ref.index &= 0x7fffffff;
      if (ref.negate) ref.index ^= 0x80000000;
      ref.negate = ref.absolute = false;
    }
    return ref;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t id = 0; id < ir.insts.size(); ++id) {
      Inst& phi = ir.insts[id];
      if (!phi.phi || phi.dead) continue;
      Ref only;
      bool trivial = true;
      for (Operand& arg : phi.args) {
        arg.ref[0] = resolve(arg.ref[0]);
        if (arg.ref[0].is_undef() || arg.ref[0] == ref(id, 0) || arg.ref[0] == only) continue;
        if (only.is_undef()) only = arg.ref[0];
        else trivial = false;
      }
      if (!trivial || !stands_for(only, phi)) continue;
      phi.dead = replaced[id] = changed = true;
      replacement[id] = only;
    }
  }
  for (Inst& inst : ir.insts) {
    for (Operand& arg : inst.args) arg.ref[0] = resolve(arg.ref[0]);
    for (Operand& source : inst.src)
      for (uint32_t i = 0; i < source.width; ++i) source.ref[i] = resolve(source.ref[i]);
  }
}

}  // namespace cutaway::compiler
