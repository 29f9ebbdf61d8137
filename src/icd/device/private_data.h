#pragma once

#include <map>
#include <mutex>
#include <utility>

#include "icd/object.h"

namespace cutaway::icd {

// A number that an application keeps with each object ("Private Data"); 0 until it is set.
class PrivateDataSlot {
 public:
  PrivateDataSlot();
  ~PrivateDataSlot();
  PrivateDataSlot(const PrivateDataSlot&) = delete;
  PrivateDataSlot& operator=(const PrivateDataSlot&) = delete;

  void set(VkObjectType type, uint64_t object, uint64_t value);
  uint64_t get(VkObjectType type, uint64_t object) const;
  void forget(uint64_t object);  // of every type

 private:
  mutable std::mutex mutex_;
  std::map<std::pair<uint64_t, VkObjectType>, uint64_t> values_;
};

}  // namespace cutaway::icd
