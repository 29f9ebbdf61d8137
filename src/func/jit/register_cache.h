#pragma once

#include <map>
#include <vector>

#include "func/jit/vectors.h"
#include "isa/instruction.h"

namespace cutaway::func::jit {

// A component of a register: index x 4 + component, as in MicroSource.
struct Word {
  isa::File file = isa::File::kNone;
  uint16_t component = 0;
  auto operator<=>(const Word&) const = default;
};

// Words that must be in the register file when a run ends.
using LiveWords = std::vector<bool>;  // of temporaries, by component; those beyond its end are live

// Emits the loads and stores of a run of instructions for the lanes of a vector, so that its registers stay
// in vector registers while there is room: the word used longest ago makes way.
//
// A NaN in a vector register may have any payload (is_raw); words get the canonical one when they are stored.
class RegisterCache {
 public:
  // `masked`: a write changes only the lanes that execute.
  RegisterCache(Assembler& out, Vectors& vectors, uint32_t width, bool masked);

  bool masked() const { return masked_; }

  // The vector register with a word, loaded if it is in none. It stays until unpin_all_but().
  Vector read(Word word);
  // A vector register for an intermediate value. It stays until unpin_all_but().
  Vector take();
  void unpin_all_but(const std::vector<Vector>& values);

  bool is_raw(Vector value) const { return slots_[index(value)].raw; }
  void set_raw(Vector value, bool raw) { slots_[index(value)].raw = raw; }
  // Gives NaNs their canonical payload.
  void canonicalize(Vector value);

  // The word becomes `value`, which nobody may change from then on. Masked: `value` has no word.
  void write(Word word, Vector value);
  // Stores all words that changed and are live.
  void flush(const LiveWords& live);

 private:
  struct Slot {
    std::vector<Word> words;  // that have this value
    bool raw = false, pinned = false;
    uint32_t used = 0;
  };
  struct Place {
    int slot = -1;
    bool changed = false;
  };

  static size_t index(Vector value) { return static_cast<size_t>(value.getIdx()); }
  Xbyak::Address home(Word word) const;
  int free_slot();
  void detach(Word word, Place& place);
  void store(Word word, Place& place);

  Assembler& out_;
  Vectors& vectors_;
  uint32_t width_;
  bool masked_;
  uint32_t clock_ = 0;
  std::vector<Slot> slots_;  // by vector register
  std::map<Word, Place> places_;
};

}  // namespace cutaway::func::jit
