#include "engine/wait_walk.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/error.h"
#include "engine/wire.h"

namespace cutaway::engine {
namespace {

constexpr unsigned kHops = 64;  // longer than any acyclic chain

// "points_in" of "points_in[3]".
std::string_view kind_of(const Port& port) {
  return std::string_view(port.name()).substr(0, port.name().find('['));
}

// The first box that acts or waits, of the senders to all inputs of the same kind; null if all are idle.
const Box* active_sender(const Port& input) {
  for (const Port* other : input.box()->ports()) {
    const Box* from = other->neighbour();
    if (other->is_input() && from && kind_of(*other) == kind_of(input) && from->reason() != Box::kIdleReason)
      return from;
  }
  return nullptr;
}

}  // namespace

WaitWalk::WaitWalk(const std::vector<std::unique_ptr<Box>>& boxes, const std::vector<Link>& links,
                   std::function<const Box*()> start)
    : start_(std::move(start)), links_(boxes.size()) {
  for (uint32_t i = 0; i < boxes.size(); i++) places_[boxes[i].get()] = i;
  for (const auto& box : boxes)
    for (const Port* port : box->ports_)
      for (const Link& link : links) {
        Links& of_box = links_[places_.at(box.get())];
        if (link.in == port && link.flows) of_box.in.push_back(link);
        if (link.out == port) of_box.out.push_back(port);
      }
}

const WaitWalk::Links& WaitWalk::links_of(const Box& box) const { return links_[places_.at(&box)]; }

uint32_t WaitWalk::find() const {
  const Box* start = start_();
  if (!start) return kNobody;
  return places_.at(&who_acts(behind_which_work_waits(*start)));
}

bool WaitWalk::has_waiting(const Box& box) const {
  if (box.has_backlog()) return true;
  const auto& inputs = links_of(box).in;
  return std::any_of(inputs.begin(), inputs.end(),
                     [](const Link& link) { return link.in->wire()->waiting(); });
}

// The first sender to a box that acts or waits, else its first sender; null if it has none.
const Box* WaitWalk::upstream(const Box& box) const {
  const Box* first = nullptr;
  for (const Link& link : links_of(box).in) {
    const Box* from = link.out->box();
    if (const Port* source = from->source_of(*link.out); source && !source->wire()->waiting())
      from = source->neighbour();
    if (from->reason_ != Box::kIdle) return from;
    if (!first) first = from;
  }
  return first;
}

const Box& WaitWalk::behind_which_work_waits(const Box& end) const {
  const Box* active = nullptr;  // the first active sender on the way
  const Box* box = &end;
  for (unsigned hop = 0; hop < kHops; hop++) {
    if (has_waiting(*box)) return *box;
    if (!active) active = box->reason_ != Box::kIdle ? box : sender_of_what_comes(*box);
    const Box* next = upstream(*box);
    if (!next) break;
    box = next;
  }
  return active ? *active : *box;
}

// The sender of a message on its way to the box; null if there is none.
const Box* WaitWalk::sender_of_what_comes(const Box& box) const {
  for (const Link& link : links_of(box).in)
    if (link.in->wire()->filling() > 0) return link.out->box();
  return nullptr;
}

const Box& WaitWalk::who_acts(const Box& begin) const {
  const Box* box = &begin;
  std::array<const Box*, kHops> passed;
  const Port* asked = nullptr;  // the last input whose sender is idle, although a box waits for it
  for (unsigned hop = 0; hop < kHops; hop++) {
    passed[hop] = box;
    const auto& out = links_of(*box).out;
    const auto backed_up =
        std::find_if(out.begin(), out.end(), [](const Port* port) { return port->wire()->backed_up(); });
    const Port* port = backed_up != out.end() ? *backed_up : box->short_of();
    if (!port) port = box->waits_for();
    if (!port && box->reason_ == Box::kBusy) return *box;
    if (!port) {
      if (const Box* sender = sender_of_what_comes(*box)) return *sender;
      const Box* next = upstream(*box);
      if (!next) return *box;
      // A box that sends work to several units does not know which of them has what it waits for. If the walk
      // from an idle one leads back, another one has it.
      if (asked && std::find(passed.begin(), passed.begin() + hop, next) != passed.begin() + hop) {
        next = active_sender(*asked);
        if (!next) return *box;
        asked = nullptr;
      }
      box = next;
      continue;
    }
    if (port->is_input() && port->neighbour() && port->neighbour()->reason() == Box::kIdleReason)
      asked = port;
    const bool comes = port->is_input() && port->wire() && port->wire()->filling() > 0;
    box = port->neighbour();
    if (comes) return *box;
  }
  return *box;
}

}  // namespace cutaway::engine
