#include "base/debug_groups.h"

#include <cstddef>
#include <dlfcn.h>

#include "preload/fast_programs.h"

// Preloaded into programs that Cutaway starts: keeps the debug groups that a program opens by
// glPushDebugGroup, which Zink does not pass on to Vulkan.
//
// Each OpenGL call, however the program found it, goes through the table of functions that Mesa's driver
// makes current by _glapi_set_dispatch(). The library stands before that one function and puts its own two
// functions into the table. It uses nothing of the C++ library, as it is loaded into any program.
namespace {

using cutaway::DebugGroups;
using cutaway::preload::Function;
using cutaway::preload::ProcOffset;
using Push = void (*)(unsigned source, unsigned id, int length, const char* message);
using Pop = void (*)();
using SetDispatch = void (*)(Function* table);

constexpr unsigned kDither = 0x0BD0;  // GL_DITHER: every context has it

thread_local DebugGroups groups;

// Mesa's library of dispatch and the places in its tables.
struct Mesa {
  SetDispatch set_dispatch = nullptr;
  ProcOffset offset = nullptr;
  int push = -1, pop = -1, enable = -1, disable = -1, is_enabled = -1;

  Mesa() {
    void* library = dlopen("libglapi.so.0", RTLD_LAZY | RTLD_LOCAL);
    if (!library) return;
    set_dispatch = reinterpret_cast<SetDispatch>(dlsym(library, "_glapi_set_dispatch"));
    offset = reinterpret_cast<ProcOffset>(dlsym(library, "_glapi_get_proc_offset"));
    if (!offset) return;
    push = offset("glPushDebugGroup"), pop = offset("glPopDebugGroup");
    enable = offset("glEnable"), disable = offset("glDisable"), is_enabled = offset("glIsEnabled");
  }
  bool complete() const { return push >= 0 && pop >= 0 && enable >= 0 && disable >= 0 && is_enabled >= 0; }
};

const Mesa& mesa() {
  static const Mesa library;
  return library;
}

thread_local Function* current = nullptr;  // the table of the thread's context
Push mesa_push = nullptr;
Pop mesa_pop = nullptr;

template <class Signature>
Signature* function_at(int offset) {
  return reinterpret_cast<Signature*>(current[offset]);
}

// Mesa collects vertices of glBegin and glEnd until some state changes. Changes one and restores it, so that
// earlier vertices are drawn before the group begins or ends.
void draw_collected() {
  if (!current) return;
  const auto enable = function_at<void(unsigned)>(mesa().enable);
  const auto disable = function_at<void(unsigned)>(mesa().disable);
  const bool on = function_at<unsigned char(unsigned)>(mesa().is_enabled)(kDither);
  if (on) disable(kDither), enable(kDither);
  else enable(kDither), disable(kDither);
}

void push_group(unsigned source, unsigned id, int length, const char* message) {
  draw_collected();
  mesa_push(source, id, length, message);
  groups.push(message, length);
}

void pop_group() {
  draw_collected();
  mesa_pop();
  groups.pop();
}

// Puts the functions into a table, once. A table between glBegin and glEnd has other functions there, which
// report an error, and stays as it is.
void enter(Function* table) {
  const auto push = reinterpret_cast<Push>(table[mesa().push]);
  const auto pop = reinterpret_cast<Pop>(table[mesa().pop]);
  if (push == push_group || !push || !pop) return;
  if (!mesa_push) mesa_push = push, mesa_pop = pop;
  if (push != mesa_push || pop != mesa_pop) return;
  table[mesa().push] = reinterpret_cast<Function>(push_group);
  table[mesa().pop] = reinterpret_cast<Function>(pop_group);
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) void _glapi_set_dispatch(Function* table);
__attribute__((visibility("default"))) const DebugGroups* cutaway_debug_groups();

void _glapi_set_dispatch(Function* table) {
  if (table && mesa().offset) cutaway::preload::watch_fast_programs(table, mesa().offset);
  if (table && mesa().complete()) {
    enter(table);
    current = table;
  }
  if (mesa().set_dispatch) mesa().set_dispatch(table);
}

const DebugGroups* cutaway_debug_groups() { return &groups; }

}  // extern "C"
