#include "messages/fragment_log.h"

#include <algorithm>
#include <tuple>

namespace cutaway::messages {
namespace {

// Events of one cycle are independent: any order that distinguishes events of different content is suitable.
auto key(const run_record::FragmentEvent& e) {
  return std::tuple(e.work, e.kind, e.y, e.x, e.target, e.sample, e.lanes, e.coverage());
}

}  // namespace

std::span<run_record::FragmentEvent> FragmentLog::sorted() {
  // Removes the last cycle, which is incomplete.
  if (end_)
    while (!events_.empty() && events_.back().cycle >= end_) events_.pop_back();
  for (auto begin = events_.begin(); begin != events_.end();) {
    const auto end = std::find_if(
        begin, events_.end(), [&](const run_record::FragmentEvent& e) { return e.cycle != begin->cycle; });
    std::sort(begin, end, [](const run_record::FragmentEvent& a, const run_record::FragmentEvent& b) {
      return key(a) < key(b);
    });
    begin = end;
  }
  return events_;
}

}  // namespace cutaway::messages
