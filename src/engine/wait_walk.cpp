#include "engine/wait_walk.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <utility>

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

// The box that holds what `out` will send: its own or, past boxes that hold nothing for that path, one
// further up.
const Box* holder_of(const Port* out) {
  for (unsigned hop = 0; hop < kHops; hop++) {
    const Port* source = out->box()->source_of(*out);
    if (!source || !source->peer() || source->wire()->waiting()) break;
    out = source->peer();
  }
  return out->box();
}

struct Step {
  const Box* box = nullptr;
  const Port* asked = nullptr;  // an input of the box whose sender is idle, although the box waits for it
};

// A box that sends work to several units does not know which of them has what it waits for. If the walk from
// an idle one leads back, another one has it: returns that one, or null if none acts, and forgets the input.
const Box* way_out_of(std::span<Step> circle) {
  for (Step& step : circle) {
    if (!step.asked) continue;
    if (const Box* active = active_sender(*std::exchange(step.asked, nullptr))) return active;
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

bool WaitWalk::has_waiting(const Box& box, Queues queues) const {
  if (box.has_backlog()) return true;
  const auto& inputs = links_of(box).in;
  return std::any_of(inputs.begin(), inputs.end(), [&](const Link& link) {
    const WireBase& wire = *link.in->wire();
    return wire.waiting() && (queues == Queues::kAll || 2 * wire.filling() > wire.spec().slots);
  });
}

// The first sender to a box that acts or waits, else its first sender; null if it has none.
const Box* WaitWalk::upstream(const Box& box) const {
  const Box* first = nullptr;
  for (const Link& link : links_of(box).in) {
    const Box* from = holder_of(link.out);
    if (from->reason_ != Box::kIdle) return from;
    if (!first) first = from;
  }
  return first;
}

// A search in depth, since a sender may lead nowhere: the command processor waits for the end of the draw.
const Box* WaitWalk::first_with_waiting(const Box& box, Queues queues, Search& search) const {
  if (has_waiting(box, queues)) return &box;
  search.passed.push_back(&box);
  if (!search.active) search.active = box.reason_ != Box::kIdle ? &box : sender_of_what_comes(box);
  for (const bool idle : {false, true})
    for (const Link& link : links_of(box).in) {
      const Box* from = holder_of(link.out);
      if ((from->reason_ == Box::kIdle) != idle) continue;
      if (std::find(search.passed.begin(), search.passed.end(), from) != search.passed.end()) continue;
      if (const Box* found = first_with_waiting(*from, queues, search)) return found;
    }
  return nullptr;
}

const Box& WaitWalk::behind_which_work_waits(const Box& end) const {
  Search search;
  for (const Queues queues : {Queues::kMostlyFull, Queues::kAll}) {
    search = {};
    if (const Box* found = first_with_waiting(end, queues, search)) return *found;
  }
  return search.active ? *search.active : *search.passed.back();
}

// The sender of a message on its way to the box; null if there is none.
const Box* WaitWalk::sender_of_what_comes(const Box& box) const {
  for (const Link& link : links_of(box).in)
    if (link.in->wire()->filling() > 0) return link.out->box();
  return nullptr;
}

// The box that an input of a box waits for. A server that has no request of the box waits, like the box, for
// whoever holds it.
const Box* WaitWalk::sender_of_answers(const Box& box, const Port& input) const {
  const auto& flows = links_of(box).in;
  const bool flow =
      std::any_of(flows.begin(), flows.end(), [&](const Link& link) { return link.in == &input; });
  if (flow || !input.peer()) return input.neighbour();
  const Box* holder = holder_of(input.peer());
  return holder->reason_ == Box::kIdle ? input.neighbour() : holder;
}

const Box& WaitWalk::who_acts(const Box& begin) const {
  const Box* box = &begin;
  std::array<Step, kHops> way;
  for (unsigned hop = 0; hop < kHops; hop++) {
    const auto at =
        std::find_if(way.begin(), way.begin() + hop, [&](const Step& step) { return step.box == box; });
    if (const Box* other = way_out_of({at, way.begin() + hop})) box = other;
    way[hop] = {box};
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
      box = next;
      continue;
    }
    if (port->is_input() && port->neighbour() && port->neighbour()->reason() == Box::kIdleReason)
      way[hop].asked = port;
    const bool comes = port->is_input() && port->wire() && port->wire()->filling() > 0;
    box = comes || !port->is_input() ? port->neighbour() : sender_of_answers(*box, *port);
    if (comes) return *box;
  }
  return *box;
}

}  // namespace cutaway::engine
