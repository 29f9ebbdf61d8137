#pragma once

#include <atomic>
#include <cstdint>

namespace cutaway {

// The open debug groups of a thread that makes OpenGL calls, the outermost first, and the label of the
// program that it draws with. A library that is preloaded into the program
// (src/preload/) keeps them; the Vulkan driver in the same process reads them when it records.
struct DebugGroups {
  static constexpr uint32_t kDepth = 32;   // groups beyond are counted, without a name
  static constexpr uint32_t kBytes = 256;  // of a name

  uint32_t version = 0;  // another one after each change; no two threads share one; 0: no group yet
  uint32_t depth = 0;
  char names[kDepth][kBytes + 1] = {};

  bool draws = false;             // a call runs that draws or dispatches with a program that has a label:
  char program[kBytes + 1] = {};  // this one

  uint64_t makes = 0;          // a call runs that makes storage of this object (gl_object); 0: none
  char made[kBytes + 1] = {};  // its label; "": none yet

  // Opens a group. length: bytes of the name; negative: up to its zero.
  void push(const char* name, int32_t length);
  // Closes the innermost group; without one, does nothing.
  void pop();
};

inline uint32_t next_debug_group_version() {
  static std::atomic<uint32_t> version{0};
  return ++version;
}

// length: bytes of the name; negative: up to its zero. to: has room for kBytes and a zero.
inline void copy_debug_name(const char* name, int32_t length, char* to) {
  uint32_t byte = 0;
  for (; name && byte < DebugGroups::kBytes && (length < 0 || byte < static_cast<uint32_t>(length)) &&
         name[byte];
       byte++)
    to[byte] = name[byte];
  to[byte] = 0;
}

inline void DebugGroups::push(const char* name, int32_t length) {
  const uint32_t place = depth++;
  version = next_debug_group_version();
  if (place < kDepth) copy_debug_name(name, length, names[place]);
}

inline void DebugGroups::pop() {
  if (depth == 0) return;
  depth--;
  version = next_debug_group_version();
}

// An object of OpenGL: its kind (GL_TEXTURE, GL_RENDERBUFFER) and number.
constexpr uint64_t gl_object(uint32_t kind, uint32_t number) { return uint64_t{kind} << 32 | number; }

// The preloaded library exports this function: whom to tell that an object gets a label. label: nullptr: the
// object has been deleted.
using LabelListener = void (*)(uint64_t object, const char* label);
using ListenForLabels = void (*)(LabelListener listener);
inline constexpr const char* kListenForLabels = "cutaway_listen_for_labels";

// The preloaded library exports this function: the groups of the calling thread.
using DebugGroupsOfThread = const DebugGroups* (*)();
inline constexpr const char* kDebugGroupsOfThread = "cutaway_debug_groups";

}  // namespace cutaway
