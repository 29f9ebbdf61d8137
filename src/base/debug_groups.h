#pragma once

#include <atomic>
#include <cstdint>

namespace cutaway {

// The debug groups of OpenGL that are open on a thread, the outermost first. A library that is preloaded into
// the program (src/preload/) keeps them; the Vulkan driver in the same process reads them when it records.
struct DebugGroups {
  static constexpr uint32_t kDepth = 32;   // groups beyond are counted, without a name
  static constexpr uint32_t kBytes = 256;  // of a name

  uint32_t version = 0;  // another one after each change; no two threads share one; 0: no group yet
  uint32_t depth = 0;
  char names[kDepth][kBytes + 1] = {};

  // Opens a group. length: bytes of the name; negative: up to its zero.
  void push(const char* name, int32_t length);
  // Closes the innermost group; without one, does nothing.
  void pop();
};

inline uint32_t next_debug_group_version() {
  static std::atomic<uint32_t> version{0};
  return ++version;
}

inline void DebugGroups::push(const char* name, int32_t length) {
  const uint32_t place = depth++;
  version = next_debug_group_version();
  if (place >= kDepth) return;
  uint32_t byte = 0;
  for (; name && byte < kBytes && (length < 0 || byte < static_cast<uint32_t>(length)) && name[byte]; byte++)
    names[place][byte] = name[byte];
  names[place][byte] = 0;
}

inline void DebugGroups::pop() {
  if (depth == 0) return;
  depth--;
  version = next_debug_group_version();
}

// The preloaded library exports this function: the groups of the calling thread.
using DebugGroupsOfThread = const DebugGroups* (*)();
inline constexpr const char* kDebugGroupsOfThread = "cutaway_debug_groups";

}  // namespace cutaway
