#include "boxes/host/host.h"

#include <algorithm>
#include <utility>

namespace cutaway::boxes {

using engine::Cycle;

Host::Host(std::string path, const HostSpec& spec, double mhz, unsigned presents, unsigned programs)
    : Box(std::move(path)), interrupts_(spec.interrupt_us > 0) {
  for (unsigned i = 0; i < programs; i++) programs_.emplace_back(*this, spec, mhz, presents);
}

void Host::list_ports(engine::PortList& list) {
  list("fences_in", fences_in, "a submission has ended");
  list("shown_in", shown_in, "the picture of a submission is on the screen");
}

std::vector<std::string_view> Host::costs_nothing() const {
  std::vector<std::string_view> work = {"Cores of the host: threads of the program share one",
                                        "Queries of the GPU's progress that the program does not wait for"};
  if (!interrupts_) work.push_back("The interrupt behind a fence, where `host.interrupt_us` is 0");
  if (!behind_bus) work.push_back("The fence's way to the host, where `bus.bytes_per_cycle` is 0");
  return work;
}

bool Host::computes() const {
  return std::any_of(programs_.begin(), programs_.end(),
                     [](const HostProgram& program) { return program.computes(); });
}

Cycle Host::tick(Cycle now) {
  bool progress = take_fence(now);
  progress |= take_shown(now);
  Cycle until = engine::kAsleep;
  bool waits = false;
  for (HostProgram& program : programs_) {
    if (const Cycle busy = program.step(now)) until = std::min(until, busy);
    else waits |= !program.done();
  }
  if (progress) return busy(now);
  if (until != engine::kAsleep) return busy(now, until);
  return waits ? starved(now, fences_in) : idle(now);
}

bool Host::take_fence(Cycle now) {
  const messages::Fence* fence = fences_in.peek(now);
  if (!fence) return false;
  program(fence->context).note_ended(now, fence->submission);
  fences_in.drop(now);
  return true;
}

bool Host::take_shown(Cycle now) {
  const messages::Fence* picture = shown_in.peek(now);
  if (!picture) return false;
  program(picture->context).note_shown(now, picture->submission);
  shown_in.drop(now);
  return true;
}

void Host::count_until(Cycle next) {
  for (HostProgram& program : programs_) program.count_until(next);
}

std::string Host::why_busy() const {
  std::string what;
  for (size_t i = 0; i < programs_.size(); i++)
    if (const std::string of = programs_[i].why_busy(); !of.empty())
      what += fmt::format("{}program {} {}", what.empty() ? "" : "; ", i, of);
  return what;
}

}  // namespace cutaway::boxes
