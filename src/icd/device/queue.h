#pragma once

#include "icd/debug/label_tree.h"
#include "icd/device/device.h"

namespace cutaway::icd {

// The queue of a family: turns Vulkan's batches into the host's work.
class Queue : public Dispatchable {
 public:
  Queue(Device& device, arch::QueueKind kind) : device_(device), kind_(kind) {}

  Device& device() { return device_; }
  arch::QueueKind kind() const { return kind_; }
  // Batches of each form: VkSubmitInfo, VkSubmitInfo2, VkBindSparseInfo.
  template <class Batch>
  VkResult submit(uint32_t count, const Batch* batches, VkFence fence);

  // Debug labels around the command buffers that are submitted from here on.
  void begin_label(std::string_view label);
  void insert_label(std::string_view label);
  void end_label();

 private:
  host::Work make_work(const VkSubmitInfo& batch);
  host::Work make_work(const VkSubmitInfo2& batch);
  host::Work make_work(const VkBindSparseInfo& batch);

  void push(host::Work work);

  Device& device_;
  const arch::QueueKind kind_;
  LabelPlace labels_;
};

}  // namespace cutaway::icd
