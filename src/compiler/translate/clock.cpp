#include "compiler/translate/clock.h"

#include <algorithm>
#include <iterator>
#include <spirv/unified1/spirv.hpp>

namespace cutaway::compiler {

void Clock::start() {
  for (const auto& [label, block] : m_.blocks) {
    if (block.body.empty()) continue;
    blocks_[block.body.front().number] = &block.body;
    for (const Word& word : block.body)
      if (slot_ == kNone && word.op == spv::OpReadClockKHR) b.write(slot_ = b.new_slots(1), literal(0));
  }
}

// Instructions of the word's block from it on.
uint32_t Clock::rest_of(const Word& word) const {
  const std::vector<Word>& block = *std::prev(blocks_.upper_bound(word.number))->second;
  return static_cast<uint32_t>(
      std::ranges::count_if(block, [&](const Word& other) { return other.number >= word.number; }));
}

void Clock::add(uint32_t instructions) {
  if (slot_ == kNone || !b.reachable()) return;
  b.write(slot_, b.op2(Opcode::kIadd, {b.read(slot_)}, {literal(instructions)})[0]);
}

void Clock::step(const Word& word) {
  if (const auto block = blocks_.find(word.number); block != blocks_.end())
    add(static_cast<uint32_t>(block->second->size()));
}

void Clock::call(const Word& word) { add(0 - rest_of(word)); }
void Clock::come_back(const Word& word) { add(rest_of(word)); }

bool Clock::translate(const Word& word) {
  if (word.op != spv::OpReadClockKHR) return false;
  if (m_.integer(arg(word, 0)) != uint32_t{spv::ScopeSubgroup})
    unsupported(word, "of a scope that is not Subgroup");
  // 64 bits, as one number or two words.
  define(word.result, word.type,
         {b.op2(Opcode::kIadd, {b.read(slot_)}, {literal(0 - rest_of(word))})[0], literal(0)});
  return true;
}

}  // namespace cutaway::compiler
