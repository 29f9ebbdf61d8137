#pragma once

#include <deque>
#include <string>

#include "boxes/host/host_program.h"
#include "engine/wire.h"
#include "messages/doorbell.h"

namespace cutaway::boxes {

// The host's processor, with a core for each program that uses the GPU.
class Host final : public engine::Box {
 public:
  // mhz: of its clock. presents: pictures that may have been presented and not be scanned out. programs: by
  // context of the GPU.
  Host(std::string path, const HostSpec& spec, double mhz, unsigned presents, unsigned programs = 1);

  engine::In<messages::Fence> fences_in;
  engine::In<messages::Fence> shown_in;

  bool behind_bus = false;  // fences come over it; set before the first cycle

  HostProgram& program(arch::ContextId context = 0) { return programs_[context]; }
  bool computes() const;

  void list_ports(engine::PortList& list) override;
  std::vector<std::string_view> costs_nothing() const override;
  void count_until(engine::Cycle next) override;
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override;

 private:
  bool take_fence(engine::Cycle now);
  bool take_shown(engine::Cycle now);

  bool interrupts_;  // take time
  std::deque<HostProgram> programs_;
};

}  // namespace cutaway::boxes
