#include "engine/watchdog.h"

#include <algorithm>

#include "engine/wire.h"

namespace cutaway::engine {

// A box that waits for a port is quiet whatever its timers: ticks that change nothing are no progress. A
// message on its way to it is progress to come, however many cycles of a fast clock a slow wire takes.
bool Watchdog::quiet(const Box& box) const {
  if (box.changed_ + cycles_ > box.domain().now()) return false;
  if (const Port* port = box.waits_for()) return !port->is_input() || !port->wire()->under_way();
  return box.timer_ == kAsleep && std::none_of(box.ports_.begin(), box.ports_.end(), [](const Port* port) {
           return port->is_input() && port->wire()->under_way();
         });
}

std::vector<const Box*> Watchdog::stuck_chain(const Box& box) const {
  std::vector<const Box*> chain;
  for (const Box* at = &box;; at = at->waits_for()->neighbour()) {
    if (!quiet(*at)) return {};
    const bool closed = std::find(chain.begin(), chain.end(), at) != chain.end();
    chain.push_back(at);
    if (closed || !at->waits_for()) return chain;
  }
}

// For a while, only wires may hold work.
bool Watchdog::has_messages(const Box& box) {
  return std::any_of(box.ports_.begin(), box.ports_.end(), [](const Port* port) {
    return port->is_input() && port->wire() && port->wire()->filling() > 0;
  });
}

// A box that holds nothing may be idle because other boxes still have the work: no deadlock while any of them
// acts, or waits for one that acts. The same holds for a box that waits for a place of a storage: any box may
// hold the place.
bool Watchdog::starves_for_work(const std::vector<const Box*>& chain) {
  const Box& last = *chain.back();
  if (last.waits_for() || !last.why_busy().empty()) return false;
  const Port& port = *chain[chain.size() - 2]->waits_for();
  return port.is_input() || !port.wire();
}

void Watchdog::check(const std::vector<std::unique_ptr<Box>>& boxes, bool must_go_on) const {
  const bool working = std::any_of(boxes.begin(), boxes.end(), [this](const auto& box) {
    return (!box->why_busy().empty() || has_messages(*box)) && stuck_chain(*box).empty();
  });
  for (const auto& box : boxes) {
    if (!quiet(*box) || !box->waits_for() || box->why_busy().empty()) continue;
    const std::vector<const Box*> chain = stuck_chain(*box);
    if (!chain.empty() && !(working && starves_for_work(chain))) report(chain);
  }
  if (must_go_on && std::all_of(boxes.begin(), boxes.end(), [this](const auto& box) { return quiet(*box); }))
    throw DeadlockError(
        fmt::format("nothing is left to happen: no box has acted for {} cycles, none holds work", cycles_));
}

std::string Watchdog::describe(const Box& box) {
  const std::string work = box.why_busy();
  const Port* port = box.waits_for();
  const Cycle cycles = box.domain().now() + 1 - box.changed_;
  std::string waits = box.reason_ == Box::kBusy ? "busy without a timer" : "idle";
  if (port)
    waits = fmt::format("{} by {} at {}", port->is_input() ? "starved" : "blocked", port->neighbour()->path(),
                        port->name());
  return fmt::format("{}: {}, {} for {} cycles", box.path(), work.empty() ? "holds nothing" : work, waits,
                     cycles);
}

void Watchdog::report(const std::vector<const Box*>& chain) const {
  std::string text = fmt::format("deadlock: {} cycles without progress", cycles_);
  const Box& last = *chain.back();
  const bool closed = std::count(chain.begin(), chain.end(), &last) == 2;
  for (size_t i = 0; i + closed < chain.size(); i++) text += "\n  " + describe(*chain[i]);
  if (closed) text += fmt::format("\n  and so back to {}", last.path());
  throw DeadlockError(text);
}

}  // namespace cutaway::engine
