#include "isa/liveness.h"

#include <algorithm>

#include "isa/operands.h"

namespace cutaway::isa {
namespace {

using enum Opcode;

bool looks_at_neighbours(Opcode op) {
  return in_range(op, kDdx, kDdyCoarse) || is_of_quad(op) || info(op).op_class == OpClass::kTexture;
}

void add_sources(const Instruction& instruction, Live& live) {
  for (uint32_t n = 0; n < source_count(instruction); ++n) {
    const Source& source = instruction.src[n];
    if (source.file != File::kTemporary) continue;
    const bool whole = info(instruction.op).op_class == OpClass::kTexture;
    const uint32_t needed = whole ? 15 : components_read(instruction, n);
    for (uint32_t c = 0; c < 4; ++c) {
      if (!(needed >> c & 1)) continue;
      const size_t word = size_t{4} * source.index + swizzle_component(source.swizzle, c);
      for (uint32_t half = 0; half < 2; ++half)
        if (halves_of(source.half) >> half & 1) live.temporaries.set(2 * word + half);
    }
  }
}

void remove_result(const Instruction& instruction, Live& live) {
  if (!has_result(instruction.op)) return;
  const Destination& dst = instruction.dst;
  for (uint32_t c = 0; c < 4; ++c) {
    if (!(dst.mask >> c & 1)) continue;
    const size_t word = size_t{4} * dst.index + c;
    if (dst.file == File::kOutput) live.outputs.reset(word);
    if (dst.file != File::kTemporary) continue;
    for (uint32_t half = 0; half < 2; ++half)
      if (halves_of(dst.half) >> half & 1) live.temporaries.reset(2 * word + half);
  }
}

Live operator|(Live a, const Live& b) {
  a.temporaries |= b.temporaries;
  a.outputs |= b.outputs;
  return a;
}

// Operands within constructs whose neighbours' values count.
Live looked_at_by_neighbours(std::span<const Instruction> code) {
  Live all;
  uint32_t depth = 0;
  for (const Instruction& instruction : code) {
    if (instruction.op == kIf || instruction.op == kLoop) ++depth;
    if (instruction.op == kEndif || instruction.op == kEndLoop) --depth;
    if (depth > 0 && looks_at_neighbours(instruction.op)) add_sources(instruction, all);
  }
  return all;
}

// One lane's ways through a program.
class Ways {
 public:
  explicit Ways(std::span<const Instruction> code) : code_(code), loop_end_(code.size()) {
    std::vector<size_t> open;
    for (size_t pc = 0; pc < code.size(); ++pc) {
      if (code[pc].op == kLoop) open.push_back(code[pc].target);
      if (code[pc].op == kBreak) loop_end_[pc] = open.back();
      if (code[pc].op == kEndLoop) open.pop_back();
    }
  }

  // After the instruction, by what is live before those that may follow.
  Live after(size_t pc, const std::vector<Live>& before) const {
    const Instruction& i = code_[pc];
    switch (i.op) {
      case kEnd: {
        Live all;
        all.outputs.set();
        return all;
      }
      case kElse:
        return before[i.target];
      case kIf:
        return before[pc + 1] | before[i.target + size_t{1}];
      case kContinue:
        return before[pc + 1] | before[i.target];
      case kBreak:
        return before[pc + 1] | before[loop_end_[pc] + 1];
      case kEndLoop:
        return before[i.target] | before[pc + 1];
      default:
        return before[pc + 1];
    }
  }

 private:
  std::span<const Instruction> code_;
  std::vector<size_t> loop_end_;  // of a BRK: its ENDLOOP
};

}  // namespace

std::vector<Live> live_before(std::span<const Instruction> code) {
  std::vector<Live> before(code.size() + 1);
  const auto calls = [](const Instruction& i) { return i.op == kCall; };
  if (std::any_of(code.begin(), code.end(), calls)) {
    for (Live& live : before) live.temporaries.set(), live.outputs.set();
    return before;
  }
  const Live always = looked_at_by_neighbours(code);
  before.back() = always;
  const Ways ways(code);
  // Only the way back of a loop leads to an instruction that is not known yet.
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t pc = code.size(); pc-- > 0;) {
      Live live = ways.after(pc, before);
      remove_result(code[pc], live);
      if (code[pc].op == kEmit) live.outputs.set();
      add_sources(code[pc], live);
      live = live | always;
      if (live == before[pc]) continue;
      before[pc] = live;
      changed = true;
    }
  }
  return before;
}

}  // namespace cutaway::isa
