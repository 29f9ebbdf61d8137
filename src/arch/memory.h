#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "arch/page_pool.h"
#include "arch/surface.h"

namespace cutaway::arch {

using ContextId = uint32_t;  // an address space

constexpr uint32_t kAddressBits = 40;
// The address of the first byte of the page that holds a byte.
constexpr Address page_start(Address address) { return address & ~(kPageBytes - 1); }

// Where a page lies: in the GPU's own memory, or in the host's, which the GPU reaches over a bus.
enum class Placement : uint8_t { kVideo, kSystem };

// One context's GPU memory: pages of 4 KB, shared copy on write between copies of a Memory. Only mapped pages
// exist; reads elsewhere return zeros, writes elsewhere are dropped, and both count as faults, except in
// sparse ranges.
// Several threads may read and write at once as long as no thread writes a byte that another uses. Meanwhile
// nothing else may be done with that Memory, except that copies of it may be used and destroyed.
class Memory {
 public:
  Memory();
  Memory(const Memory& other);  // shares all pages
  Memory& operator=(const Memory& other);
  Memory(Memory&& other) noexcept;
  Memory& operator=(Memory&& other) noexcept;
  ~Memory();

  // Page-aligned ranges. Fresh pages hold zeros. Mapping a mapped page keeps its contents; pages of a sparse
  // range become fresh pages.
  void map(Address address, uint64_t bytes);
  void unmap(Address address, uint64_t bytes);
  bool mapped(Address address) const;
  // Makes a page-aligned range sparse, and binds its pages: they are the same memory as those from `target`
  // on. Without a target nothing is bound to them: reads return zeros and writes are dropped, which is no
  // fault. Another bind replaces this one; unmap() ends the range; unmapping a target leaves what is bound to
  // it without memory. Requires !bind_error().
  void bind(Address address, uint64_t bytes, std::optional<Address> target);
  // Says why a range cannot be bound, or nullptr: its pages have memory of their own, those of the target
  // have none, or too many pages are bound to one of them.
  const char* bind_error(Address address, uint64_t bytes, std::optional<Address> target) const;
  static constexpr uint32_t kMostBoundToPage = 256;         // pages; a write to one makes entries of all
  bool has_sparse() const { return bindings_ != nullptr; }  // some range is
  bool sparse(Address address) const { return bindings_ && sparse_within(address, 1); }
  bool sparse_within(Address address, uint64_t bytes) const;  // some page of the range
  // The address of a byte in the memory that is bound to its page; elsewhere the address itself.
  Address target_of(Address address) const {
    return bindings_ && entry_at(address) & kBound ? bound_target(address) : address;
  }
  // The binds that make the sparse ranges of this Memory in another with the same targets, in rising order of
  // addresses; ranges without memory come first.
  struct Binding {
    Address address = 0;
    uint64_t bytes = 0;
    std::optional<Address> target = {};
    bool operator==(const Binding&) const = default;
  };
  std::vector<Binding> bindings() const;
  std::vector<Address> bound_to(Address target, uint64_t bytes) const;  // pages; of a page-aligned range

  // Places the mapped pages of a page-aligned range, and those of the same memory. Fresh pages lie in video
  // memory. Their contents stay.
  void place(Address address, uint64_t bytes, Placement placement);
  // Returns kVideo for a page that is not mapped.
  Placement placement(Address address) const {
    return entry_at(address) & kSystem ? Placement::kSystem : Placement::kVideo;
  }

  void read(Address address, void* out, uint64_t bytes) const {
    const std::byte* from = readable(address);
    if (from && bytes <= kPageBytes - address % kPageBytes) std::memcpy(out, from, bytes);
    else read_pages(address, static_cast<std::byte*>(out), bytes);
  }
  void write(Address address, const void* data, uint64_t bytes) {
    std::byte* to = writable(address);
    if (to && bytes <= kPageBytes - address % kPageBytes) std::memcpy(to, data, bytes);
    else write_pages(address, static_cast<const std::byte*>(data), bytes);
  }
  template <class T>
  T read_as(Address address) const {
    T value;
    read(address, &value, sizeof value);
    return value;
  }
  template <class T>
  void write_as(Address address, const T& value) {
    write(address, &value, sizeof value);
  }

  // Pointer to the byte at an address, followed by the rest of its page; nullptr if not mapped. Valid until
  // the page is written: for a group of reads at one instant.
  const std::byte* readable(Address address) const {
    const uintptr_t entry = entry_at(address);
    return entry ? bytes_of(entry) + address % kPageBytes : nullptr;
  }
  // The same for writes. Valid until the Memory is copied.
  std::byte* writable(Address address) {
    uintptr_t entry = entry_at(address);
    if (!entry) return nullptr;
    if (entry & kShared) entry = own(address);
    return bytes_of(entry) + address % kPageBytes;
  }

  // Fast repeated reads of one range. Valid until something is mapped or unmapped or this Memory is assigned
  // to.
  class Window {
   public:
    // Same as readable(); the offset counts from the range's start.
    const std::byte* at(uint64_t offset) const {
      const uint64_t place = start_ + offset;
      const uintptr_t entry = entry_[place / kPageBytes].load(std::memory_order_acquire);
      return entry ? bytes_of(entry) + place % kPageBytes : nullptr;
    }

    // For code that looks up many pages at once: offset o lies in the page of entry (start() + o) /
    // kPageBytes. An entry is 0 if nothing is mapped; its bits in kPageAddress are the address of the bytes.
    static constexpr uintptr_t kPageAddress = ~uintptr_t{7};
    const std::atomic<uintptr_t>* entries() const { return entry_; }
    uint64_t start() const { return start_; }

   private:
    friend class Memory;
    const std::atomic<uintptr_t>* entry_ = nullptr;  // entry of the leaf's first page
    uint64_t start_ = 0;                             // the range's start in the leaf
  };
  // Empty if the range's start is not mapped, or if the range crosses a multiple of 64 MB.
  std::optional<Window> window(Address address, uint64_t bytes) const;

  // The pages of a range at one instant, kept as they were: a later write to one of them, also in the Memory
  // that they come from, puts another page in its place.
  class Hold {
   public:
    Hold() = default;
    Hold(Hold&& other) noexcept { *this = std::move(other); }
    Hold& operator=(Hold&& other) noexcept;
    ~Hold();

    // True if `memory` still has these pages there, hence the same bytes.
    bool is_current(const Memory& memory) const;
    // The bytes of the range's page `index`, from 0 on.
    const std::byte* bytes(uint64_t index) const;

   private:
    friend class Memory;
    Address first_ = 0;             // page
    std::vector<uintptr_t> entry_;  // by page, without kSystem and kBound
  };
  // Nothing if a page is not mapped, or if the range crosses a multiple of 64 MB. Invalidates pointers of
  // writable().
  std::optional<Hold> hold(Address address, uint64_t bytes) const;

  // The page at a page-aligned address, or nullptr. Pages are shared, so equal pointers quickly prove equal
  // bytes.
  const Page* page(Address address) const;

  // Starts an interval: changes() then returns the pages written since this call and their contents at the
  // call. The first call visits every page, later ones only pages written since the previous call. A page
  // that was written, held and written again comes once more, with its contents at the hold. A page that is
  // bound comes at each of its addresses. For one observer.
  struct Change {
    Address address = 0;
    const Page* before = nullptr;
  };
  void note_changes() const;
  std::vector<Change> changes() const;  // in no order

  // Every mapped page in rising order of addresses.
  void for_each_page(const std::function<void(Address, const Page&)>& visit) const;
  uint64_t pages() const { return pages_; }

  // Hash over addresses and bytes of all mapped pages.
  uint64_t hash() const;

  uint64_t faults() const { return faults_.load(std::memory_order_relaxed); }
  Address lowest_fault() const { return lowest_fault_.load(std::memory_order_relaxed); }

 private:
  static constexpr uint32_t kLeafBits = 14, kRootBits = kAddressBits - 12 - kLeafBits;
  // An entry is the address of a page, or 0 if nothing is mapped. kShared is set while other Memories
  // may share the page: it is then copied before a write. kSystem is set for pages in system memory. kBound
  // is set in all entries of a page that is bound: bindings_ has them, and they change together.
  static constexpr uintptr_t kShared = 1, kSystem = 2, kBound = 4, kFlags = kShared | kSystem | kBound;
  static_assert(Window::kPageAddress == ~kFlags);
  struct Leaf {
    std::array<std::atomic<uintptr_t>, 1 << kLeafBits> entry{};
  };

  static Page* page_of(uintptr_t entry) { return reinterpret_cast<Page*>(entry & ~kFlags); }
  static std::byte* bytes_of(uintptr_t entry) { return reinterpret_cast<std::byte*>(entry & ~kFlags); }
  static uintptr_t zero_page();
  static bool is_zero(uintptr_t entry) { return (entry & ~(kSystem | kBound)) == zero_page(); }
  static void add_user(uintptr_t entry);
  static void release(uintptr_t entry);

  uintptr_t entry_at(Address address) const {
    if (address >> kAddressBits) return 0;
    const Leaf* leaf = root_[address >> (12 + kLeafBits)].get();
    if (!leaf) return 0;
    return leaf->entry[address >> 12 & ((1u << kLeafBits) - 1)].load(std::memory_order_acquire);
  }
  std::atomic<uintptr_t>& place_of(Address address) const {  // of a leaf that exists
    return root_[address >> (12 + kLeafBits)]->entry[address >> 12 & ((1u << kLeafBits) - 1)];
  }
  uintptr_t own(Address address);
  void replace(Address page, uintptr_t by);
  void read_pages(Address address, std::byte* to, uint64_t bytes) const;
  void write_pages(Address address, const std::byte* from, uint64_t bytes);
  void fault(Address address) const;
  void release_all();
  void settle() const;
  void forget_changes() const;
  void put_zeros(Address page);
  void drop(Address page);

  // memory_bindings.cpp
  struct Bindings;
  Address bound_target(Address address) const;
  void bind_page(Address page, Address target);
  void unbind_page(Address page);
  void end_sparse(Address address, Address end);
  // Visits every address of a page: its memory's and those of all pages that are bound to that.
  void for_each_same(Address page, const std::function<void(Address)>& visit) const;

  std::vector<std::unique_ptr<Leaf>> root_;
  uint64_t pages_ = 0;
  mutable std::atomic<uint64_t> faults_ = 0;
  mutable std::atomic<Address> lowest_fault_ = ~Address{0};
  // Pages that own() replaced: another thread may still read them.
  mutable std::mutex mutex_;
  mutable std::vector<uintptr_t> replaced_;
  // With note_changes(): the pages that own() has made since, and their previous contents.
  struct Noted {
    Address address = 0;
    uintptr_t before = 0;
  };
  mutable bool noting_ = false;
  mutable std::vector<Noted> noted_;
  std::unique_ptr<Bindings> bindings_;  // null: no sparse range
};

// The first byte in which two memories differ. A page that is bound to the same memory in both is compared at
// the address of that memory alone.
struct Difference {
  Address address = 0;
  std::byte left{}, right{};
};
bool first_difference(const Memory& left, const Memory& right, Difference& difference);

}  // namespace cutaway::arch
