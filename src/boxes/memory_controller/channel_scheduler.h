#pragma once

#include <memory>

#include "base/field.h"

namespace cutaway::boxes {

// In which order a channel serves what waits.
enum class MemoryScheduler { kSameDirection, kOldest };
constexpr EnumName<MemoryScheduler> kMemorySchedulerNames[] = {
    {MemoryScheduler::kSameDirection, "same-direction"},
    {MemoryScheduler::kOldest, "oldest"},
};

// The order of one channel, whose clients have a queue each: whose front is served next. Each way to choose
// has a file of its own.
class ChannelScheduler {
 public:
  // What stands at the front of a client's queue.
  enum class Front { kNothing, kRead, kWrite };

  virtual ~ChannelScheduler() = default;
  // A transaction has joined a client's queue; what is at its front now.
  virtual void arrived(unsigned client, Front front) = 0;
  // The client whose front is next; something waits.
  virtual unsigned pick() const = 0;
  // That client's front, a write or a read, has been served; what is at its front now.
  virtual void served(unsigned client, bool write, Front front) = 0;
};

// queue: transactions of a client that may wait. same_direction: memory.same_direction.
std::unique_ptr<ChannelScheduler> make_scheduler(MemoryScheduler kind, unsigned clients, unsigned queue,
                                                 unsigned same_direction);

}  // namespace cutaway::boxes
