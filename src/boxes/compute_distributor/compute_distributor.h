#pragma once

#include <string>
#include <vector>

#include "base/counter.h"
#include "base/field.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "messages/commands.h"
#include "structures/ring.h"

namespace cutaway::boxes {

// Selects the shader unit for the next workgroup.
enum class WorkgroupPolicy : uint8_t { kTurns, kLeastLoaded };
inline constexpr EnumName<WorkgroupPolicy> kWorkgroupPolicyNames[] = {
    {WorkgroupPolicy::kTurns, "turns"},
    {WorkgroupPolicy::kLeastLoaded, "least-loaded"},
};

struct ComputeDistributorSpec {
  unsigned workgroups_per_cycle = 1;
  WorkgroupPolicy workgroups = WorkgroupPolicy::kLeastLoaded;
  unsigned dispatches = 4;

  template <class V>
  static void fields(V&& v) {
    using S = ComputeDistributorSpec;
    v("workgroups_per_cycle", &S::workgroups_per_cycle, "workgroups", 1u, 64u,
      "workgroups sent to shader units per cycle");
    v("workgroups", &S::workgroups, kWorkgroupPolicyNames,
      "shader unit that gets the next workgroup, among those with room: turns, each in turn; least-loaded, "
      "the one with the fewest inside");
    v("dispatches", &S::dispatches, "dispatches", 1u, 64u,
      "dispatches under way at once: the next begins when all workgroups of the one before have been sent");
  }
};

struct ComputeDistributorCounters {
  uint64_t dispatches = 0, workgroups = 0;

  template <class V>
  static void fields(V&& v) {
    using C = ComputeDistributorCounters;
    v("dispatches", &C::dispatches, "dispatches", "dispatches that have ended");
    v("workgroups", &C::workgroups, "workgroups", "workgroups sent to shader units");
  }
};

// Divides dispatches into workgroups, x fastest, sends them to the shader units that run compute programs,
// and informs the command processor when all workgroups of a dispatch have ended.
class ComputeDistributor final : public engine::Box {
 public:
  ComputeDistributor(std::string path, const ComputeDistributorSpec& spec, unsigned units);

  engine::In<messages::DispatchCommand> dispatches_in;
  std::vector<engine::Out<messages::Workgroup>> workgroups_out;  // by shader unit
  std::vector<engine::In<messages::WorkgroupEnd>> ended_in;
  engine::Out<messages::DispatchDone> done_out;

  ComputeDistributorCounters counters;

  void list_ports(engine::PortList& list) override;
  std::vector<std::string_view> costs_nothing() const override;
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override;

 private:
  struct Dispatch {
    messages::DispatchCommand command;
    uint64_t left = 0;       // workgroups not sent yet
    uint64_t under_way = 0;  // workgroups sent that have not ended
    uint32_t next[3] = {};   // next to send, counted from 0
  };

  bool take(engine::Cycle now);
  bool collect(engine::Cycle now);
  bool report(engine::Cycle now);
  bool send(engine::Cycle now);
  size_t choose(engine::Cycle now) const;
  void send_next(engine::Cycle now, Dispatch& dispatch, size_t unit);

  ComputeDistributorSpec spec_;
  std::vector<Dispatch> dispatches_;  // in order; only the last may have workgroups left
  std::vector<uint32_t> inside_;      // workgroups by shader unit
  size_t turn_ = 0;
};

}  // namespace cutaway::boxes
