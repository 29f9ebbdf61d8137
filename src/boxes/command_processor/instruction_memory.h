#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "command_stream/program.h"

namespace cutaway::boxes {

// The programs that the instruction memories of a class of shader units hold. All units of a class hold the
// same, because one bus brings them. Programs stay until others need their room: the least recently used goes
// first.
class InstructionMemory {
 public:
  using Program = std::shared_ptr<const command_stream::Program>;

  // capacity: instructions of a unit.
  explicit InstructionMemory(uint32_t capacity) : capacity_(capacity) {}

  // The program with these words, registers and scratch memory; null: it is not here.
  Program find(arch::Stage stage, std::span<const isa::EncodedInstruction> words, uint32_t temporaries,
               uint32_t scratch_bytes) const {
    for (const Entry& entry : entries_) {
      const command_stream::Program& p = *entry.program;
      if (p.stage == stage && p.temporaries == temporaries && p.scratch_bytes == scratch_bytes &&
          std::equal(p.words.begin(), p.words.end(), words.begin(), words.end()))
        return entry.program;
    }
    return nullptr;
  }

  // A draw uses the program at `time`. False: it is not here.
  bool use(const Program& program, uint64_t time) {
    for (Entry& entry : entries_)
      if (entry.program == program) {
        entry.used = time;
        return true;
      }
    return false;
  }

  // Adds a program that is not here. Others make room, except those for which keeps(program) is true. False:
  // there is no room. A program that is longer than the memory takes all of it.
  template <class Keeps>
  bool load(const Program& program, uint64_t time, Keeps&& keeps) {
    const auto size = static_cast<uint32_t>(program->words.size());
    while (!entries_.empty() && held_ + size > capacity_) {
      auto victim = entries_.end();
      for (auto entry = entries_.begin(); entry != entries_.end(); ++entry)
        if (!keeps(entry->program) && (victim == entries_.end() || entry->used < victim->used))
          victim = entry;
      if (victim == entries_.end()) return false;
      held_ -= static_cast<uint32_t>(victim->program->words.size());
      entries_.erase(victim);
    }
    held_ += size;
    entries_.push_back({program, time});
    return true;
  }

 private:
  struct Entry {
    Program program;
    uint64_t used = 0;
  };
  uint32_t capacity_, held_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace cutaway::boxes
