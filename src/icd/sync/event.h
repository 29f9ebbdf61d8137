#pragma once

#include <memory>

#include "host/address_space.h"
#include "icd/object.h"

namespace cutaway::icd {

// 64 bits in GPU memory: 1 is set, 0 is unset. vkCmdSetEvent and vkCmdResetEvent are WRITE_VALUE packets,
// vkCmdWaitEvents is a WAIT_VALUE of 1. The GPU sees host writes when a submission starts, so a wait for an
// event that its own command buffer has not set begins a new submission, which the queue delays until the
// event is set.
class Event {
 public:
  explicit Event(Device& device);

  using Value = std::shared_ptr<host::Allocation>;

  const Value& value() const { return value_; }
  arch::Address address() const { return value_->address(); }
  static bool set(const host::Allocation& value);
  void write(Device& device, bool set);

 private:
  Value value_;
};

}  // namespace cutaway::icd
