#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arch/packet.h"
#include "base/debug_groups.h"
#include "icd/debug/label_trail.h"

namespace cutaway::icd {

// Makes labels of the OpenGL debug groups that are open on the thread that records a command buffer. The
// labels end with the command buffer, and the next one begins them again: Zink decides which draws of a
// program are in one command buffer.
class GroupFollower {
 public:
  // The groups of this thread; nullptr: no library in the process keeps them.
  static const DebugGroups* of_thread();

  // Brings the labels up to the groups, before a command is recorded.
  void follow(const DebugGroups& groups, LabelTrail& labels, arch::CommandWriter& writer);
  // Ends the open labels with the command buffer.
  void end(LabelTrail& labels, arch::CommandWriter& writer);
  void clear() { *this = {}; }

 private:
  uint32_t version_ = 0;           // of the groups that are open
  std::vector<std::string> open_;  // the outermost first
};

}  // namespace cutaway::icd
