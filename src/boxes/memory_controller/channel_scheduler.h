#pragma once

#include <memory>
#include <vector>

#include "boxes/memory_controller/memory_controller_spec.h"
#include "engine/domain.h"
#include "structures/index_set.h"
#include "structures/ring.h"

namespace cutaway::boxes {

class DramChannel;

// Selects a channel's next transaction from its clients' queues. Each policy has its own file.
class ChannelScheduler {
 public:
  // A scheduler's information about a waiting transaction.
  struct Waiting {
    bool write = false;
    engine::Cycle arrived = 0;  // at the memory controller
    uint64_t address = 0;       // within the channel
    uint64_t block = 0;         // transactions of one client with the same block are never reordered
    bool alone = false;         // never reordered with its client's other transactions
    uint32_t behind = 0;        // number of its client's older transactions with which it is never reordered
  };
  struct Pick {
    unsigned client = 0;
    uint32_t position = 0;  // in its queue: 0 is the front
    bool operator==(const Pick&) const = default;
  };

  ChannelScheduler(unsigned clients, unsigned queue);
  virtual ~ChannelScheduler() = default;

  // Appends a transaction to a client's queue.
  virtual void arrived(unsigned client, const Waiting& transaction);
  // Selects the next transaction to be served from `now` on; requires that one waits.
  virtual Pick pick(engine::Cycle now) const = 0;
  // Removes the selected transaction, which has been served.
  virtual void served(const Pick& pick);

 protected:
  const structures::Ring<Waiting>& queue(unsigned client) const { return queues_[client]; }
  structures::Ring<Waiting>& queue(unsigned client) { return queues_[client]; }
  const structures::IndexSet& waiting() const { return waiting_; }  // clients

 private:
  std::vector<structures::Ring<Waiting>> queues_;  // by client
  structures::IndexSet waiting_;
};

}  // namespace cutaway::boxes
