#include <algorithm>
#include <cstring>

#include "icd/command/command_buffer.h"
#include "icd/debug/label.h"

// Debug labels.
namespace cutaway::icd {

// What is to be labelled in the ranges from `first` on.
void CommandBuffer::label(LabelPlace& around, std::vector<host::CommandRange>& to, std::ptrdiff_t first) {
  const std::span<host::CommandRange> mine(to.begin() + first, to.end());
  if (labels_.empty()) {
    const uint32_t marker = around.shown ? device_.labels().marker(around.shown) : 0;
    for (host::CommandRange& range : mine) range.first_marker = range.last_marker = marker;
    return;
  }
  LabelTrail::Resolved resolved = labels_.resolve(device_.labels(), around);
  for (size_t i = 0; i < mine.size(); i++) {
    mine[i].first_marker = resolved.parts[i].first;
    mine[i].last_marker = resolved.parts[i].last;
  }
  // Around it are other labels than when it was submitted before, so its packets get other ids. The queue
  // puts them in when its turn comes; within one submission the packets cannot be both.
  if (labelled_below_ != around.stack) {
    labelled_below_ = around.stack;
    const bool twice = std::any_of(to.begin(), to.begin() + first, [&](const host::CommandRange& range) {
      return range.address == mine[0].address;
    });
    if (twice && !mine[0].ready) mine[0].ready = [] { return true; };
    mine[0].prepare = [memory = memory_.get(), places = marker_offsets_, ids = std::move(resolved.ids)] {
      for (size_t i = 0; i < ids.size(); i++) memory->write(places[i], &ids[i], sizeof ids[i]);
    };
  }
  around = resolved.after;
}

void CommandBuffer::begin_label(std::string_view label) { labels_.begin(label, stream_.writer()); }
void CommandBuffer::insert_label(std::string_view label) { labels_.insert(label, stream_.writer()); }
void CommandBuffer::end_label() { labels_.end(stream_.writer()); }

void CmdBeginDebugUtilsLabelEXT(VkCommandBuffer commands, const VkDebugUtilsLabelEXT* info) {
  now_or_deferred(commands, [label = label_of(info)](VkCommandBuffer to) {
    object(to)->record([&] { object(to)->begin_label(label); });
  });
}

void CmdEndDebugUtilsLabelEXT(VkCommandBuffer commands) {
  object(commands)->record([&] { object(commands)->end_label(); });
}

void CmdInsertDebugUtilsLabelEXT(VkCommandBuffer commands, const VkDebugUtilsLabelEXT* info) {
  now_or_deferred(commands, [label = label_of(info)](VkCommandBuffer to) {
    object(to)->record([&] { object(to)->insert_label(label); });
  });
}

}  // namespace cutaway::icd
