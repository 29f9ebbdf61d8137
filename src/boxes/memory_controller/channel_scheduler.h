#pragma once

#include <memory>
#include <vector>

#include "boxes/memory_controller/memory_controller_spec.h"
#include "engine/domain.h"
#include "parts/index_set.h"
#include "parts/ring.h"

namespace cutaway::boxes {

class DramChannel;

// The order of one channel, whose clients have a queue each: which transaction is served next. Each way to
// choose has a file of its own.
class ChannelScheduler {
 public:
  // What a scheduler knows of a transaction that waits.
  struct Waiting {
    bool write = false;
    engine::Cycle arrived = 0;  // at the memory controller
    uint64_t address = 0;       // within the channel
    uint64_t block = 0;         // of those of its client with the same block none passes another
    bool alone = false;         // nor any of its client this one, nor this one them
  };
  struct Pick {
    unsigned client = 0;
    uint32_t position = 0;  // in its queue: 0 is the front
    bool operator==(const Pick&) const = default;
  };

  ChannelScheduler(unsigned clients, unsigned queue);
  virtual ~ChannelScheduler() = default;

  // It has joined the end of a client's queue.
  virtual void arrived(unsigned client, const Waiting& transaction);
  // What is next, if it is served from `now` on; something waits.
  virtual Pick pick(engine::Cycle now) const = 0;
  // What was picked has been served.
  virtual void served(const Pick& pick);

 protected:
  const parts::Ring<Waiting>& queue(unsigned client) const { return queues_[client]; }
  const parts::IndexSet& waiting() const { return waiting_; }  // clients

 private:
  std::vector<parts::Ring<Waiting>> queues_;  // by client
  parts::IndexSet waiting_;
};

}  // namespace cutaway::boxes
