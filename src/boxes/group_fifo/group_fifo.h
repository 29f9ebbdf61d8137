#pragma once

#include <string>
#include <vector>

#include "base/counter.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "parts/messages.h"

namespace cutaway::boxes {

struct GroupFifoCounters {
  uint64_t groups = 0;

  template <class V>
  static void fields(V&& v) {
    v("groups", &GroupFifoCounters::groups, "groups", "fragment groups given to the units of the cluster");
  }
};

// The queue of fragment groups (warps) of a cluster of shader units: whichever unit has room takes the next
// (G80-2). The wire that brings the groups is the queue.
class GroupFifo final : public engine::Box {
 public:
  // units: of the cluster, 2 to 16.
  GroupFifo(std::string path, unsigned units) : Box(std::move(path)), groups_out(units) {}

  engine::In<parts::FragmentGroup> groups_in;                 // from the work distributor
  std::vector<engine::Out<parts::FragmentGroup>> groups_out;  // by unit of the cluster

  GroupFifoCounters counters;

  void list_ports(engine::PortList& list) override {
    list("groups_in", groups_in);
    list("groups_out", groups_out);
  }
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override { return ""; }

 private:
  size_t turn_ = 0;  // the unit that is looked at first
};

}  // namespace cutaway::boxes
