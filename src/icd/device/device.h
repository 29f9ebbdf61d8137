#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "host/queue.h"
#include "icd/object.h"

namespace cutaway::icd {

class ProgramStore;
class LabelTree;

// Owns the GPU, its memory and its queues. Everything made from a device keeps a reference to it.
class Device : public Dispatchable {
 public:
  Device(PhysicalDevice& physical_device, const VkDeviceCreateInfo& info);
  ~Device();

  PhysicalDevice& physical_device() { return physical_device_; }
  Queue* queue(uint32_t family, uint32_t index);  // null: the device was made without it
  host::Queues& host_queues() { return *host_queues_; }
  // True from the creation of the first sparse resource on: memory may have several addresses.
  bool has_sparse() const { return has_sparse_; }
  void note_sparse() { has_sparse_ = true; }
  bool has_compute_queue() const { return queues_[1] != nullptr; }  // beside that for graphics
  host::SyncDomain& sync() { return host_queues_->sync(); }
  host::AddressSpace& memory() { return host_queues_->memory(); }

  // Memory of the driver's own: programs, descriptors, constants. Write it with Allocation::write.
  std::unique_ptr<host::Allocation> allocate(uint64_t bytes) {
    return memory().allocate(bytes, host::Owner::kDriver);
  }
  // The same for commands, which lie in system memory if the chip has a bus to it.
  std::unique_ptr<host::Allocation> allocate_commands(uint64_t bytes);
  // Text for captures (kinds: arch::CommandSink::annotate).
  void annotate(std::string_view kind, uint64_t id, std::string_view text);
  ProgramStore& programs();                  // made at first use
  uint64_t next_id() { return ++last_id_; }  // for annotations
  // A program that names a buffer has annotations of its later buffers too, so that none is taken for an
  // earlier one of the same address.
  bool names_buffers() const { return names_buffers_; }
  void begin_naming_buffers() { names_buffers_ = true; }
  LabelTree& labels() { return *labels_; }

  bool enabled(const char* extension) const;
  bool lost() const { return host_queues_->lost(); }

 private:
  void make_queue(const VkDeviceQueueCreateInfo& info);

  PhysicalDevice& physical_device_;
  std::vector<std::string> extensions_;
  std::unique_ptr<host::Queues> host_queues_;
  std::array<std::unique_ptr<Queue>, arch::kQueues> queues_;  // by family
  std::once_flag programs_made_;
  std::shared_ptr<ProgramStore> programs_;
  std::atomic<uint64_t> last_id_ = 0;
  std::atomic<bool> names_buffers_ = false, has_sparse_ = false;
  std::unique_ptr<LabelTree> labels_;
};

// Waits until the queues of all devices that have not been destroyed are idle, but no longer than this.
void finish_live_devices(uint64_t nanoseconds);

}  // namespace cutaway::icd
