#include "machine/glance.h"

#include <algorithm>
#include <utility>

namespace cutaway::machine {
namespace {

double share(uint64_t part, uint64_t whole) {
  return whole ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

}  // namespace

Glance::Glance(Machine& machine)
    : machine_(machine),
      simulator_(machine.simulator()),
      walks_(simulator_.boxes().size()),
      wires_(simulator_.wire_senders()),
      names_(simulator_.wires()),
      filling_(wires_.size()) {
  for (const auto& box : simulator_.boxes()) before_.push_back(box->account());
  begin_frame();
}

void Glance::begin_frame() { oldest_ = machine_.works().next(), draws_ = 0; }

void Glance::probe() {
  probes_++;
  const uint32_t box = machine_.wait_walk().find();
  if (box != engine::WaitWalk::kNobody) walks_[box]++;
  for (size_t i = 0; i < wires_.size(); i++) filling_[i] += wires_[i]->wire()->filling();
}

Glance::Work Glance::oldest_work() {
  const messages::WorkList& list = machine_.works();
  const std::vector<messages::Work>& works = list.works();
  size_t at = std::max(oldest_, list.first()) - list.first();
  for (; at < works.size() && works[at].ended; at++) draws_ += works[at].kind == messages::Work::Kind::kDraw;
  oldest_ = list.first() + static_cast<uint32_t>(at);
  if (at == works.size()) return {};
  const messages::Work& work = works[at];
  Work oldest{.kind = messages::name_of(work.kind),
              .submission = static_cast<uint32_t>(work.origin.submission)};
  if (work.kind == messages::Work::Kind::kDraw)
    oldest.draw = work.origin.draw, oldest.of_frame = draws_ + 1, oldest.of_driver = work.of_driver;
  return oldest;
}

Glance::Look Glance::take() {
  Look look;
  look.work = oldest_work();
  for (size_t i = 0; i < before_.size(); i++) {
    engine::Account now = simulator_.boxes()[i]->account();
    const engine::Account& then = before_[i];
    const uint64_t cycles = now.cycles - then.cycles;
    look.units.push_back({.path = simulator_.boxes()[i]->path(),
                          .busy = share(now.busy - then.busy, cycles),
                          .starved = share(now.starved - then.starved, cycles),
                          .blocked = share(now.blocked - then.blocked, cycles),
                          .idle = share(now.idle - then.idle, cycles),
                          .holds_up = share(std::exchange(walks_[i], 0), probes_)});
    before_[i] = std::move(now);
  }
  for (size_t i = 0; i < wires_.size(); i++)
    look.queues.push_back({names_[i].from, names_[i].to, names_[i].spec.slots,
                           share(std::exchange(filling_[i], 0), probes_ * names_[i].spec.slots)});
  probes_ = 0;
  return look;
}

}  // namespace cutaway::machine
