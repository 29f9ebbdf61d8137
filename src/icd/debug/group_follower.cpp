#include "icd/debug/group_follower.h"

#include <algorithm>
#include <dlfcn.h>

namespace cutaway::icd {

const DebugGroups* GroupFollower::of_thread() {
  static const auto ask = reinterpret_cast<DebugGroupsOfThread>(dlsym(RTLD_DEFAULT, kDebugGroupsOfThread));
  return ask ? ask() : nullptr;
}

void GroupFollower::follow(const DebugGroups& groups, LabelTrail& labels, arch::CommandWriter& writer) {
  if (version_ == groups.version) return;
  version_ = groups.version;
  const size_t depth = std::min(groups.depth, DebugGroups::kDepth);
  size_t same = 0;
  while (same < std::min(depth, open_.size()) && open_[same] == groups.names[same]) same++;
  for (; open_.size() > same; open_.pop_back()) labels.end(writer);
  for (; open_.size() < depth; open_.emplace_back(groups.names[open_.size()]))
    labels.begin(groups.names[open_.size()], writer);
}

void GroupFollower::end(LabelTrail& labels, arch::CommandWriter& writer) {
  for (; !open_.empty(); open_.pop_back()) labels.end(writer);
  clear();
}

}  // namespace cutaway::icd
