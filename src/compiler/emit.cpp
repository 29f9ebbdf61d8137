#include <algorithm>
#include <set>

#include "compiler/backend.h"
#include "compiler/refusal.h"
#include "isa/flow.h"
#include "isa/operands.h"

namespace cutaway::compiler {
namespace {

using isa::File;

class Emitter {
 public:
  Emitter(const Ir& ir, const std::vector<Location>& places, uint32_t budget)
      : ir_(ir), places_(places), budget_(budget) {}

  Code run() {
    constants();
    for (const Block& block : ir_.blocks)
      for (uint32_t id : block.insts)
        if (!ir_.insts[id].dead) instruction(id);
    tidy();
    out_.code.push_back({.op = Opcode::kEnd});
    out_.source_of.push_back(out_.source_of.empty() ? 0 : out_.source_of.back());
    if (out_.code.size() > arch::kInstructions)
      unsupported("{} instructions, but there can be {}", out_.code.size(), arch::kInstructions);
    check_depth();
    isa::link_flow(out_.code);
    return std::move(out_);
  }

 private:
  // Numbers the constant registers that are read: uniforms in the order of their buffers, then literals.
  void constants() {
    std::set<uint32_t> used;
    std::vector<std::vector<uint32_t>> literals;
    for (const Block& block : ir_.blocks)
      for (uint32_t id : block.insts) {
        const Inst& inst = ir_.insts[id];
        if (inst.op == Opcode::kLdc)
          each_indexed_uniform(ir_, inst, [&](uint32_t uniform) { used.insert(uniform); });
        for (uint32_t s = 0; s < inst.sources; ++s) {
          const Operand& o = inst.src[s];
          if (o.width == 0) continue;
          if (o.ref[0].kind == RefKind::kUniform) used.insert(o.ref[0].index);
          if (!o.ref[0].is_literal()) continue;
          std::set<uint32_t> values;
          for (uint32_t i = 0; i < o.width; ++i) values.insert(o.ref[i].index);
          literals.emplace_back(values.begin(), values.end());
        }
      }
    std::vector<uint32_t> order(used.begin(), used.end());
    std::sort(order.begin(), order.end(),
              [&](uint32_t x, uint32_t y) { return ir_.uniforms[x] < ir_.uniforms[y]; });
    uint32_t next = 0;
    for (uint32_t index : order) {
      const UniformSlot& slot = ir_.uniforms[index];
      uniform_register_[index] = next;
      isa::ConstantRange* last = out_.constants.empty() ? nullptr : &out_.constants.back();
      if (last && last->kind == slot.kind && last->set == slot.set && last->binding == slot.binding &&
          last->element == slot.element && last->offset + last->count * 16 == slot.slot * 16) {
        ++last->count;
      } else {
        out_.constants.push_back({slot.kind, slot.set, slot.binding, slot.element, slot.slot * 16, next, 1});
      }
      ++next;
    }
    first_literal_ = next;
    // The largest sets first; a smaller one is placed where most of it already is.
    std::stable_sort(literals.begin(), literals.end(), [](auto& x, auto& y) { return x.size() > y.size(); });
    for (const auto& set : literals) place_literals(set);
    for (auto& values : packed_) {
      std::array<uint32_t, 4> words{};
      std::copy(values.begin(), values.end(), words.begin());
      out_.literals.push_back(words);
    }
    const auto count = static_cast<uint32_t>(out_.literals.size());
    if (count) out_.constants.push_back({isa::ConstantRange::Kind::kLiteral, 0, 0, 0, 0, next, count});
    if (next + count > std::min(budget_, arch::kConstants))
      unsupported("needs {} constant registers, but has {}", next + count,
                  std::min(budget_, arch::kConstants));
  }

  void place_literals(const std::vector<uint32_t>& set) {
    std::vector<uint32_t>* best = nullptr;
    size_t best_missing = 5;
    for (auto& values : packed_) {
      size_t missing = 0;
      for (uint32_t v : set) missing += std::find(values.begin(), values.end(), v) == values.end();
      if (values.size() + missing <= 4 && missing < best_missing) {
        best = &values;
        best_missing = missing;
      }
    }
    if (!best) best = &packed_.emplace_back();
    for (uint32_t v : set)
      if (std::find(best->begin(), best->end(), v) == best->end()) best->push_back(v);
  }

  // Register and component of a literal, given the other literals of its operand.
  std::pair<uint32_t, uint8_t> literal_place(const Operand& o, uint32_t at) const {
    for (size_t k = 0; k < packed_.size(); ++k) {
      bool all = true;
      for (uint32_t i = 0; i < o.width; ++i)
        all = all && std::find(packed_[k].begin(), packed_[k].end(), o.ref[i].index) != packed_[k].end();
      if (!all) continue;
      const auto& values = packed_[k];
      const auto where = std::find(values.begin(), values.end(), o.ref[at].index) - values.begin();
      return {first_literal_ + static_cast<uint32_t>(k), static_cast<uint8_t>(where)};
    }
    CUTAWAY_CHECK(false, "a literal has no place");
    return {};
  }

  struct Component {
    File file;
    uint32_t reg;
    uint8_t channel;
    isa::Half half = isa::Half::kNone;

    bool same_register(const Component& other) const {
      return file == other.file && reg == other.reg && half == other.half;
    }
  };
  Component component(const Operand& o, uint32_t i) const {
    const Ref& ref = o.ref[i];
    switch (ref.kind) {
      case RefKind::kLiteral: {
        const auto [reg, channel] = literal_place(o, i);
        return {File::kConstant, reg, channel};
      }
      case RefKind::kUniform:
        return {File::kConstant, uniform_register_.at(ref.index), ref.lane};
      case RefKind::kInput:
        return {File::kInput, ref.index, ref.lane};
      case RefKind::kValue: {
        const Location& place = places_[lane_of(ref)];
        CUTAWAY_CHECK(!place.output && place.reg != kNone, "%{}.{} is read but has no register", ref.index,
                      ref.lane);
        return {File::kTemporary, place.reg, place.channel, place.half};
      }
      default:
        break;
    }
    CUTAWAY_CHECK(false, "an undefined component is read");
    return {};
  }

  // The source that reads lane i of the operand at position at[i].
  isa::Source source(const Operand& o, const std::array<uint8_t, 4>& at) const {
    isa::Source s;
    std::array<uint8_t, 4> swizzle{};
    const Component first = component(o, 0);
    for (uint32_t i = 0; i < o.width; ++i) {
      const Component c = component(o, i);
      if (i == 0) {
        s.file = c.file;
        s.half = c.half;
        s.index = static_cast<uint16_t>(c.reg);
        s.negate = o.ref[0].negate || o.invert;
        s.absolute = o.ref[0].absolute;
        swizzle.fill(c.channel);
      }
      CUTAWAY_CHECK(first.same_register(c), "an operand mixes registers");
      swizzle[at[i]] = c.channel;
    }
    s.swizzle = isa::swizzle(swizzle[0], swizzle[1], swizzle[2], swizzle[3]);
    return s;
  }

  void instruction(uint32_t id) {
    const Inst& inst = ir_.insts[id];
    if (inst.op == Opcode::kMov) {
      move(id);
      return;
    }
    isa::Instruction out{.op = inst.op};
    out.access = inst.access;
    std::array<uint8_t, 4> at = {0, 1, 2, 3};
    if (inst.width > 0) {
      uint8_t mask = 0;
      for (uint32_t i = 0; i < inst.width; ++i) {
        if (!written(inst, i)) continue;
        const Location& place = places_[id * 4 + i];
        out.dst.file = place.output ? File::kOutput : File::kTemporary;
        out.dst.half = place.half;
        out.dst.index = static_cast<uint8_t>(place.reg);
        mask |= static_cast<uint8_t>(1u << place.channel);
        if (shape(inst.op) == Shape::kLanes) at[i] = place.channel;
      }
      out.dst.mask = mask ? mask : 0xf;
      out.dst.saturate = inst.saturate;
    }
    if (inst.op == Opcode::kStb || inst.op == Opcode::kSts || inst.op == Opcode::kStw) {
      out.dst.mask = 0;
      for (uint32_t i = 0; i < inst.src[1].width; ++i)
        out.dst.mask |= static_cast<uint8_t>(1u << inst.channel[i]);
      out.src[0] = source(inst.src[0], at);
      out.src[1] = source(inst.src[1], inst.channel);
      push(out, inst.line);
      return;
    }
    for (uint32_t s = 0; s < inst.sources; ++s) out.src[s] = source(inst.src[s], at);
    if (inst.op == Opcode::kLdc) out.access.window = window_of(inst);
    push(out, inst.line);
  }

  // The registers of the block that an LDC reads.
  isa::ConstantWindow window_of(const Inst& inst) const {
    UniformSlot first = ir_.uniforms[inst.src[0].ref[0].index];
    first.slot = 0;
    return {static_cast<uint16_t>(uniform_register_.at(ir_.uniform_index.at(first))), inst.block_slots};
  }

  // Emits a move: one instruction per pair of registers, none for lanes that are in place already.
  void move(uint32_t id) {
    const Inst& inst = ir_.insts[id];
    struct Part {
      isa::Destination dst;
      Operand operand;
      std::array<uint8_t, 4> at{};
      Component from{};
    };
    std::vector<Part> parts;
    for (uint32_t i = 0; i < inst.width; ++i) {
      const Ref& ref = inst.src[0].ref[i];
      Location to = places_[id * 4 + i];
      if (inst.output != 0xff) to = {true, isa::Half::kNone, inst.output, inst.channel[i]};
      if (ref.is_value() && places_[lane_of(ref)] == to && plain(ref) && !inst.saturate) continue;
      const Component from = component(inst.src[0], i);
      Part* part = nullptr;
      for (Part& p : parts)
        if (p.from.same_register(from)) part = &p;
      if (!part) {
        part = &parts.emplace_back();
        part->from = from;
        part->dst = {to.output ? File::kOutput : File::kTemporary, to.half, static_cast<uint8_t>(to.reg), 0,
                     inst.saturate};
      }
      part->dst.mask |= static_cast<uint8_t>(1u << to.channel);
      part->at[part->operand.width] = to.channel;
      part->operand.ref[part->operand.width++] = ref;
    }
    order_moves(parts);
    for (const Part& part : parts) {
      isa::Instruction out{.op = Opcode::kMov};
      out.dst = part.dst;
      // The operand's literals were packed together: look them up as they were packed.
      if (part.operand.ref[0].is_literal()) {
        out.src[0] = source_of_literals(inst.src[0], part.operand, part.at);
      } else {
        out.src[0] = source(part.operand, part.at);
      }
      push(out, inst.line);
    }
  }

  // Orders the parts of a move, whose lanes move simultaneously: parts that read the destination register
  // come before it is overwritten.
  template <class Parts>
  void order_moves(Parts& parts) {
    std::stable_sort(parts.begin(), parts.end(), [](const auto& x, const auto& y) {
      auto own = [](const auto& p) {
        return p.from.file == File::kTemporary && p.dst.file == File::kTemporary && p.from.reg == p.dst.index;
      };
      return own(x) > own(y);
    });
  }

  isa::Source source_of_literals(const Operand& whole, const Operand& part,
                                 const std::array<uint8_t, 4>& at) const {
    isa::Source s;
    std::array<uint8_t, 4> swizzle{};
    for (uint32_t i = 0; i < part.width; ++i) {
      const auto where =
          std::find(whole.ref.begin(), whole.ref.begin() + whole.width, part.ref[i]) - whole.ref.begin();
      const auto [reg, channel] = literal_place(whole, static_cast<uint32_t>(where));
      s.file = File::kConstant;
      s.index = static_cast<uint16_t>(reg);
      if (i == 0) swizzle.fill(channel);
      swizzle[at[i]] = channel;
    }
    s.swizzle = isa::swizzle(swizzle[0], swizzle[1], swizzle[2], swizzle[3]);
    return s;
  }

  void push(const isa::Instruction& instruction, uint32_t line) {
    out_.code.push_back(instruction);
    out_.source_of.push_back(line);
  }

  void erase(size_t at) {
    out_.code.erase(out_.code.begin() + static_cast<ptrdiff_t>(at));
    out_.source_of.erase(out_.source_of.begin() + static_cast<ptrdiff_t>(at));
  }

  // Removes empty arms and empty IFs.
  void tidy() {
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = 0; i + 1 < out_.code.size(); ++i) {
        const Opcode op = out_.code[i].op, next = out_.code[i + 1].op;
        if (op == Opcode::kElse && next == Opcode::kEndif) {
          erase(i);
          changed = true;
        } else if (op == Opcode::kIf && next == Opcode::kEndif) {
          erase(i + 1);
          erase(i);
          changed = true;
        }
      }
    }
  }

  void check_depth() const {
    uint32_t depth = 0;
    for (const isa::Instruction& i : out_.code) {
      if (i.op == Opcode::kIf || i.op == Opcode::kLoop) ++depth;
      if (i.op == Opcode::kEndif || i.op == Opcode::kEndLoop) --depth;
      if (depth > isa::kFlowDepth) unsupported("control flow is nested more than {} deep", isa::kFlowDepth);
    }
  }

  const Ir& ir_;
  const std::vector<Location>& places_;
  const uint32_t budget_;
  Code out_;
  std::map<uint32_t, uint32_t> uniform_register_;
  std::vector<std::vector<uint32_t>> packed_;
  uint32_t first_literal_ = 0;
};

}  // namespace

Code emit(const Ir& ir, const std::vector<Location>& places, uint32_t constant_budget) {
  return Emitter(ir, places, constant_budget).run();
}

}  // namespace cutaway::compiler
