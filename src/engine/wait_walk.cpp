#include "engine/wait_walk.h"

#include <algorithm>

#include "base/error.h"
#include "engine/wire.h"

namespace cutaway::engine {

WaitWalk::WaitWalk(const std::vector<std::unique_ptr<Box>>& boxes, const std::vector<Link>& links,
                   std::function<const Box*()> start)
    : start_(std::move(start)), inputs_(boxes.size()) {
  for (uint32_t i = 0; i < boxes.size(); i++) places_[boxes[i].get()] = i;
  for (const auto& box : boxes)
    for (const Port* port : box->ports_)
      for (const Link& link : links)
        if (link.in == port) inputs_[place(*box)].push_back(link);
}

uint32_t WaitWalk::place(const Box& box) const {
  const auto found = places_.find(&box);
  CUTAWAY_CHECK(found != places_.end(), "{} is not of this machine", box.path());
  return found->second;
}

uint32_t WaitWalk::find() const {
  constexpr unsigned kHops = 64;  // longer than any chain that is not closed
  const Box* box = start_();
  if (!box) return kNobody;
  for (unsigned hop = 0; hop < kHops; hop++) {
    const Step next = step(*box);
    if (next.ends) return place(*next.box);
    box = next.box;
  }
  return place(*box);
}

WaitWalk::Step WaitWalk::step(const Box& box) const {
  if (box.reason_ == Box::kBusy) return {&box, true};
  if (const Port* port = box.waits_for()) {
    const bool comes = port->is_input() && port->wire() && port->wire()->filling() > 0;
    return {port->neighbour(), comes};
  }
  return upstream(box);
}

// Of the inputs of a box that has nothing to do: the first whose sender acts or waits.
WaitWalk::Step WaitWalk::upstream(const Box& box) const {
  const auto& inputs = inputs_[place(box)];
  for (const Link& input : inputs)
    if (input.out->wire()->filling() > 0) return {input.out->box(), true};
  const Box* first = nullptr;
  for (const Link& input : inputs) {
    const Box* from = input.out->box();
    if (const Port* source = from->source_of(*input.out)) {
      if (source->wire()->filling() > 0) return {from, true};
      from = source->neighbour();
    }
    if (from->reason_ != Box::kIdle) return {from, false};
    if (!first) first = from;
  }
  return first ? Step{first, false} : Step{&box, true};
}

}  // namespace cutaway::engine
