#include "preload/fast_programs.h"

#include <cstddef>

#include "base/precision_hint.h"

namespace cutaway::preload {
namespace {

constexpr unsigned kFragmentProgram = 0x8804;  // GL_FRAGMENT_PROGRAM_ARB
constexpr char kOption[] = "ARB_precision_hint_fastest";

using ProgramString = void (*)(unsigned target, unsigned format, int length, const char* text);
using Bind = void (*)(unsigned target, unsigned program);
using Switch = void (*)(unsigned capability);
using Use = void (*)(unsigned program);

// The numbers of programs that have the option. Later ones are forgotten: programs compute in full precision.
class Numbers {
 public:
  bool has(unsigned number) const { return find(number) < count_; }
  void set(unsigned number, bool there) {
    const size_t at = find(number);
    if (there && at == count_ && count_ < kMost) numbers_[count_++] = number;
    if (!there && at < count_) numbers_[at] = numbers_[--count_];
  }

 private:
  static constexpr size_t kMost = 1024;
  size_t find(unsigned number) const {
    size_t i = 0;
    while (i < count_ && numbers_[i] != number) i++;
    return i;
  }
  unsigned numbers_[kMost] = {};
  size_t count_ = 0;
};

struct State {
  Numbers fast;
  unsigned bound = 0, used = 0;  // the ARB fragment program, and the GLSL program, which goes before it
  bool enabled = false;
};
thread_local State state;

struct Originals {
  ProgramString program_string = nullptr;
  Bind bind = nullptr;
  Switch enable = nullptr, disable = nullptr;
  Use use = nullptr;
};
Originals mesa;

bool has_option(const char* text, int length) {
  constexpr int kBytes = sizeof kOption - 1;
  for (int at = 0; at + kBytes <= length; at++) {
    int same = 0;
    while (same < kBytes && text[at + same] == kOption[same]) same++;
    if (same == kBytes) return true;
  }
  return false;
}

// Mesa draws collected vertices before a state changes: each function changes the state last.
void program_string(unsigned target, unsigned format, int length, const char* text) {
  mesa.program_string(target, format, length, text);
  if (target == kFragmentProgram && text) state.fast.set(state.bound, has_option(text, length));
}
void bind(unsigned target, unsigned program) {
  mesa.bind(target, program);
  if (target == kFragmentProgram) state.bound = program;
}
void enable(unsigned capability) {
  mesa.enable(capability);
  if (capability == kFragmentProgram) state.enabled = true;
}
void disable(unsigned capability) {
  mesa.disable(capability);
  if (capability == kFragmentProgram) state.enabled = false;
}
void use(unsigned program) {
  mesa.use(program);
  state.used = program;
}

template <class Signature>
void replace(Function* table, int place, Signature& original, Signature watcher) {
  if (place < 0) return;
  const auto found = reinterpret_cast<Signature>(table[place]);
  if (!found || found == watcher) return;
  if (!original) original = found;
  if (found == original) table[place] = reinterpret_cast<Function>(watcher);
}

}  // namespace

void watch_fast_programs(Function* table, ProcOffset offset) {
  static const int places[] = {offset("glProgramStringARB"), offset("glBindProgramARB"), offset("glEnable"),
                               offset("glDisable"), offset("glUseProgram")};
  replace(table, places[0], mesa.program_string, program_string);
  replace(table, places[1], mesa.bind, bind);
  replace(table, places[2], mesa.enable, enable);
  replace(table, places[3], mesa.disable, disable);
  replace(table, places[4], mesa.use, use);
}

}  // namespace cutaway::preload

extern "C" {

__attribute__((visibility("default"))) bool cutaway_fastest_precision();

bool cutaway_fastest_precision() {
  using cutaway::preload::state;
  return state.enabled && !state.used && state.fast.has(state.bound);
}

}  // extern "C"
