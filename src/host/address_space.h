#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "arch/gpu.h"
#include "host/write_tracker.h"

// A GPU address space as the kernel-mode driver sees it. Each range exists twice: the view, host memory that
// applications map and drivers write, and the GPU's own copy behind arch::Gpu. Host changes are sent to the
// GPU when a submission starts; GPU changes are copied back when it has ended, or before a view that was not
// in use is read or written.
namespace cutaway::host {

// The writer of a view. It determines how changes are found.
enum class Owner : uint8_t {
  kApplication,  // writes by pointer, at any time while mapped: pages that may have been written are compared
  kForeign,      // writes by pointer, at any time, into memory of its own: every page is compared
  kDriver        // writes through Allocation::write, which notes the changes
};

// The place of an allocation. By default the lowest that has room, so that addresses are dense.
struct Place {
  arch::Address at = 0;    // not 0: exactly there, at a multiple of arch::kPageBytes
  arch::Address end = 0;   // not 0: the highest place that ends by this address
  arch::Address from = 0;  // else the lowest from here on
  arch::Placement memory = arch::Placement::kVideo;
};

class AddressSpace;

// Whole pages of one address space, initially zero, followed by an unmapped guard page. The destructor frees
// them; all GPU work that uses them must have ended.
class Allocation {
 public:
  ~Allocation();
  Allocation(const Allocation&) = delete;
  Allocation& operator=(const Allocation&) = delete;

  arch::Address address() const { return address_; }
  uint64_t bytes() const { return bytes_; }  // a multiple of arch::kPageBytes

  // For Owner::kDriver only. The GPU sees the data from the next submission on. Callable from any thread.
  void write(uint64_t offset, const void* data, uint64_t bytes);
  template <class T>
  void write(uint64_t offset, std::span<const T> data) {
    write(offset, data.data(), data.size_bytes());
  }

  // Reads the view as last written by the host or published by the GPU.
  void read(uint64_t offset, void* data, uint64_t bytes) const;

  // For Owner::kApplication and kForeign: between map and unmap the application may write the view.
  std::byte* map();
  void unmap();

 private:
  friend class AddressSpace;
  Allocation(AddressSpace& space, Owner owner, arch::Address address, uint64_t bytes, std::byte* view);

  // True if the application may use the view, or has used it since the last submission.
  bool in_use() const { return mapped_ || dirty_begin_ != dirty_end_; }
  void catch_up() const;

  AddressSpace& space_;
  const Owner owner_;
  const arch::Address address_;
  const uint64_t bytes_;
  std::byte* const view_;
  bool mapped_ = false;
  uint64_t dirty_begin_ = 0, dirty_end_ = 0;  // bytes that may differ from the GPU's copy
  // By offset, pages that the GPU has changed while the view was not in use. The view has older bytes there.
  // Empty while it is in use.
  mutable std::unordered_map<uint64_t, arch::Memory::Hold> unread_;
};

// Addresses of a sparse resource, at and to a multiple of kAlignment. At first nothing is bound to them: the
// GPU reads zeros there. The destructor ends the range; all GPU work that uses it must have ended.
class SparseRange {
 public:
  static constexpr uint64_t kAlignment = 1 << 16;  // so that no page of 64 KB holds other memory

  ~SparseRange();
  SparseRange(const SparseRange&) = delete;
  SparseRange& operator=(const SparseRange&) = delete;

  arch::Address address() const { return address_; }
  uint64_t bytes() const { return bytes_; }

 private:
  friend class AddressSpace;
  SparseRange(AddressSpace& space, arch::Address address, uint64_t bytes)
      : space_(space), address_(address), bytes_(bytes) {}

  AddressSpace& space_;
  const arch::Address address_;
  const uint64_t bytes_;
};

// Callable from any thread; must outlive its allocations and ranges.
class AddressSpace {
 public:
  explicit AddressSpace(arch::ContextId context);
  AddressSpace(const AddressSpace&) = delete;
  AddressSpace& operator=(const AddressSpace&) = delete;
  ~AddressSpace();

  arch::ContextId context() const { return context_; }

  // Throws std::bad_alloc if the address space or the host's memory is full, or `place` is taken.
  std::unique_ptr<Allocation> allocate(uint64_t bytes, Owner owner, Place place = {});

  // Makes the application's own memory the view; it must outlive the allocation. `view` and `bytes` are
  // multiples of arch::kPageBytes. Throws std::bad_alloc if the address space is full.
  std::unique_ptr<Allocation> import(std::byte* view, uint64_t bytes,
                                     arch::Placement placement = arch::Placement::kVideo);

  // Reserves addresses for a sparse resource; `place.at` is a multiple of SparseRange::kAlignment. Throws
  // std::bad_alloc if the address space is full, or `place` is taken.
  std::unique_ptr<SparseRange> reserve(uint64_t bytes, Place place = {});

  // Binds whole pages of such a range to those of an allocation, or to nothing. The next submission begins
  // when all before it have ended.
  void bind(arch::Address address, uint64_t bytes, std::optional<arch::Address> target);

  // Moves the pages that lie wholly within a range to another memory, before the next submission. Their
  // contents stay.
  void place(arch::Address address, uint64_t bytes, arch::Placement placement);

  // Queues text for the capture, to be sent before the next submission.
  void annotate(std::string_view kind, uint64_t id, std::span<const std::byte> text);

  // For the queue. Sends maps, unmaps, annotations and the bytes in which views differ from the GPU's copy;
  // what lies between two of these may be sent too. Returns the last submission that has changed one of their
  // pages, or if something is bound the last of all; or 0.
  uint64_t send(arch::Gpu& gpu);
  // For the queue. Copies to the views in use the bytes that the GPU has changed since
  // Memory::note_changes(), in this submission; keeps the changed pages of the others for later.
  void publish(const arch::Memory& gpu, uint64_t submission);

 private:
  friend class Allocation;
  friend class SparseRange;
  std::unique_ptr<Allocation> add(Owner owner, arch::Address address, uint64_t bytes, std::byte* view,
                                  arch::Placement placement);
  void free(Allocation& allocation);
  void free(SparseRange& range);
  arch::Address take_hole(uint64_t bytes, Place place);
  arch::Address take_from(std::map<arch::Address, uint64_t>::iterator hole, arch::Address address,
                          uint64_t bytes);
  void give_hole(arch::Address address, uint64_t bytes);
  uint64_t send_differences(const Allocation& allocation, arch::CommandSink& sink, const arch::Memory& gpu);

  const arch::ContextId context_;
  WriteTracker tracker_;
  mutable std::mutex mutex_;
  std::map<arch::Address, Allocation*> allocations_;
  std::unordered_map<arch::Address, uint64_t> changed_in_;        // pages: the last submission that did
  std::map<arch::Address, uint64_t> holes_;                       // free ranges and their bytes
  std::vector<std::function<void(arch::CommandSink&)>> pending_;  // sent before the next submission, in order
  bool binds_ = false;                                            // some of them bind
  uint64_t published_ = 0;                                        // the last submission
};

}  // namespace cutaway::host
