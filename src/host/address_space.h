#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "arch/gpu.h"
#include "host/write_tracker.h"

// A GPU address space as the kernel-mode side sees it. A range of it exists twice: the view, host memory that
// applications map and drivers write, and the GPU's own copy behind arch::Gpu. What the host changed goes to
// the GPU when a submission starts, what the GPU changed comes back when it has ended.
namespace cutaway::host {

// Who writes a view, which decides how its changes are found.
enum class Owner : uint8_t {
  kApplication,  // by pointer, at any time while it is mapped: pages that may be written are compared
  kDriver        // through Allocation::write, which notes what changed
};

class AddressSpace;

// Whole pages of one address space, zeros at first, followed by an unmapped guard page. Freed by its
// destructor; the GPU must have ended all work that uses it.
class Allocation {
 public:
  ~Allocation();
  Allocation(const Allocation&) = delete;
  Allocation& operator=(const Allocation&) = delete;

  arch::Address address() const { return address_; }
  uint64_t bytes() const { return bytes_; }  // a multiple of arch::kPageBytes

  // Owner::kDriver only. The GPU sees it from the next submission on. From any thread.
  void write(uint64_t offset, const void* data, uint64_t bytes);
  template <class T>
  void write(uint64_t offset, std::span<const T> data) {
    write(offset, data.data(), data.size_bytes());
  }

  // The view as the host last wrote it or the GPU last published it.
  void read(uint64_t offset, void* data, uint64_t bytes) const;

  // Owner::kApplication only: between map and unmap the application may write the view.
  std::byte* map();
  void unmap();

 private:
  friend class AddressSpace;
  Allocation(AddressSpace& space, Owner owner, arch::Address address, uint64_t bytes, std::byte* view);

  AddressSpace& space_;
  const Owner owner_;
  const arch::Address address_;
  const uint64_t bytes_;
  std::byte* const view_;
  bool mapped_ = false;
  uint64_t dirty_begin_ = 0, dirty_end_ = 0;  // bytes that may differ from the GPU's copy
};

// Safe from any thread; must outlive its allocations.
class AddressSpace {
 public:
  explicit AddressSpace(arch::ContextId context);
  AddressSpace(const AddressSpace&) = delete;
  AddressSpace& operator=(const AddressSpace&) = delete;
  ~AddressSpace();

  arch::ContextId context() const { return context_; }

  // Throws std::bad_alloc when the address space or the host's memory is full.
  std::unique_ptr<Allocation> allocate(uint64_t bytes, Owner owner);

  // Has text put into the capture, before the next submission.
  void annotate(std::string_view kind, uint64_t id, std::span<const std::byte> text);

  // For the queue. Sends maps, unmaps, annotations and the bytes in which views differ from the GPU's copy.
  void send(arch::Gpu& gpu);
  // For the queue. Copies the bytes that the GPU changed since Memory::note_changes() into the views.
  void publish(const arch::Memory& gpu);

 private:
  friend class Allocation;
  void free(Allocation& allocation);
  arch::Address take_hole(uint64_t bytes);
  void give_hole(arch::Address address, uint64_t bytes);
  void send_differences(const Allocation& allocation, arch::CommandSink& sink, const arch::Memory& gpu);

  const arch::ContextId context_;
  WriteTracker tracker_;
  mutable std::mutex mutex_;
  std::map<arch::Address, Allocation*> allocations_;
  std::map<arch::Address, uint64_t> holes_;                       // free ranges and their bytes
  std::vector<std::function<void(arch::CommandSink&)>> pending_;  // before the next submission, in order
};

}  // namespace cutaway::host
