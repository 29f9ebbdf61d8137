#pragma once

#include <memory>

#include "host/address_space.h"
#include "icd/object.h"

namespace cutaway::icd {

// 64 bits in GPU memory: 1 is set, 0 is not. vkCmdSetEvent and vkCmdResetEvent are WRITE_VALUE packets,
// vkCmdWaitEvents is a WAIT_VALUE of 1.
class Event {
 public:
  explicit Event(Device& device);

  arch::Address address() const { return value_->address(); }
  bool set() const;
  void write(bool set);

 private:
  std::unique_ptr<host::Allocation> value_;
};

}  // namespace cutaway::icd
