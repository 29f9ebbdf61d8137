#pragma once

#include <memory>

#include "boxes/memory_controller/memory_controller_spec.h"
#include "engine/domain.h"

namespace cutaway::boxes {

class DramChannel;

// The order of one channel, whose clients have a queue each: whose front is served next. Each way to choose
// has a file of its own.
class ChannelScheduler {
 public:
  // What stands at the front of a client's queue.
  struct Front {
    enum class Kind : uint8_t { kNothing, kRead, kWrite } kind = Kind::kNothing;
    engine::Cycle arrived = 0;  // at the memory controller
    uint64_t address = 0;       // within the channel
  };

  virtual ~ChannelScheduler() = default;
  // A transaction has joined a client's queue; what is at its front now.
  virtual void arrived(unsigned client, const Front& front) = 0;
  // The client whose front is next, if it is served from `now` on; something waits.
  virtual unsigned pick(engine::Cycle now) const = 0;
  // That client's front, a write or a read, has been served; what is at its front now.
  virtual void served(unsigned client, bool write, const Front& front) = 0;
};

// dram: of the channel.
std::unique_ptr<ChannelScheduler> make_scheduler(const MemoryControllerSpec& spec, unsigned clients,
                                                 const DramChannel& dram);

}  // namespace cutaway::boxes
