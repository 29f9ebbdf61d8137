#include "boxes/compute_distributor/compute_distributor.h"

#include <algorithm>

namespace cutaway::boxes {

using engine::Cycle;

ComputeDistributor::ComputeDistributor(std::string path, const ComputeDistributorSpec& spec, unsigned units)
    : Box(std::move(path)), workgroups_out(units), ended_in(units), spec_(spec), inside_(units) {
  dispatches_.reserve(spec.dispatches);
}

void ComputeDistributor::list_ports(engine::PortList& list) {
  list("dispatches_in", dispatches_in, "dispatches");
  list("workgroups_out", workgroups_out, "to each shader unit: workgroups");
  list("ended_in", ended_in, "from each shader unit: the end of a workgroup");
  list("done_out", done_out, "the end of a dispatch");
}

std::vector<std::string_view> ComputeDistributor::costs_nothing() const {
  return {"Taking the ends of workgroups: it takes all that have come"};
}

Cycle ComputeDistributor::tick(Cycle now) {
  bool progress = collect(now);
  progress |= report(now);
  progress |= send(now);
  progress |= take(now);
  if (progress) return busy(now);
  if (dispatches_.empty()) return idle(now);
  if (dispatches_.back().left) return blocked(now, workgroups_out[turn_]);
  const auto busiest = std::max_element(inside_.begin(), inside_.end());
  if (!*busiest) return blocked(now, done_out);
  return starved(now, ended_in[static_cast<size_t>(busiest - inside_.begin())]);
}

// Takes the next dispatch once all workgroups of the previous one have been sent.
bool ComputeDistributor::take(Cycle now) {
  if (dispatches_.size() == spec_.dispatches || (!dispatches_.empty() && dispatches_.back().left))
    return false;
  if (!dispatches_in.peek(now)) return false;
  Dispatch& dispatch = dispatches_.emplace_back();
  dispatch.command = dispatches_in.take(now);
  const uint32_t* groups = dispatch.command.dispatch.groups;
  dispatch.left = uint64_t{groups[0]} * groups[1] * groups[2];
  return true;
}

// Takes all workgroup ends that have arrived.
bool ComputeDistributor::collect(Cycle now) {
  bool any = false;
  for (size_t unit = 0; unit < ended_in.size(); unit++)
    while (const messages::WorkgroupEnd* end = ended_in[unit].peek(now)) {
      const auto dispatch = std::find_if(dispatches_.begin(), dispatches_.end(), [&](const Dispatch& d) {
        return d.command.number == end->dispatch;
      });
      CUTAWAY_CHECK(dispatch != dispatches_.end() && dispatch->under_way, "dispatch {}", end->dispatch);
      dispatch->under_way--;
      inside_[unit]--;
      ended_in[unit].drop(now);
      any = true;
    }
  return any;
}

// Reports the end of the oldest dispatch.
bool ComputeDistributor::report(Cycle now) {
  const auto ended = std::find_if(dispatches_.begin(), dispatches_.end(),
                                  [](const Dispatch& d) { return !d.left && !d.under_way; });
  if (ended == dispatches_.end() || !done_out.ready(now)) return false;
  works_for(ended->command.origin.work);
  done_out.send(now, {ended->command.number});
  counters.dispatches++;
  dispatches_.erase(ended);
  return true;
}

bool ComputeDistributor::send(Cycle now) {
  if (dispatches_.empty()) return false;
  Dispatch& dispatch = dispatches_.back();
  unsigned sent = 0;
  for (; dispatch.left && sent < spec_.workgroups_per_cycle; sent++) {
    const size_t unit = choose(now);
    if (unit == workgroups_out.size()) break;
    send_next(now, dispatch, unit);
  }
  return sent > 0;
}

// Returns a unit that can take a workgroup, searching from the one whose turn it is; the number of units if
// there is none.
size_t ComputeDistributor::choose(Cycle now) const {
  const size_t units = workgroups_out.size();
  size_t best = units;
  for (size_t i = 0; i < units; i++) {
    const size_t unit = (turn_ + i) % units;
    if (!workgroups_out[unit].ready(now)) continue;
    if (best < units && inside_[unit] >= inside_[best]) continue;
    best = unit;
    if (spec_.workgroups == WorkgroupPolicy::kTurns) break;
  }
  return best;
}

void ComputeDistributor::send_next(Cycle now, Dispatch& dispatch, size_t unit) {
  const messages::DispatchCommand& command = dispatch.command;
  messages::Workgroup& workgroup = workgroups_out[unit].put(now);
  for (uint32_t i = 0; i < 3; i++) {
    workgroup.id[i] = command.dispatch.base[i] + dispatch.next[i];
    workgroup.count[i] = command.dispatch.groups[i];
  }
  workgroup.dispatch = command.number;
  workgroup.state = command.state;
  workgroup.origin = command.origin;
  works_for(command.origin.work);
  counters.workgroups++;
  inside_[unit]++;
  dispatch.left--, dispatch.under_way++;
  turn_ = (unit + 1) % workgroups_out.size();
  for (uint32_t i = 0; i < 3; i++) {
    if (++dispatch.next[i] < command.dispatch.groups[i]) break;
    dispatch.next[i] = 0;
  }
}

std::string ComputeDistributor::why_busy() const {
  if (dispatches_.empty()) return "";
  return fmt::format("{} dispatches, {} workgroups to send", dispatches_.size(), dispatches_.back().left);
}

}  // namespace cutaway::boxes
