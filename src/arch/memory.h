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
#include <vector>

#include "arch/surface.h"

namespace cutaway::arch {

using ContextId = uint32_t;  // an address space

constexpr uint64_t kPageBytes = 4096;
constexpr uint32_t kAddressBits = 40;

using Page = std::array<std::byte, kPageBytes>;

// One context's GPU memory: sparse pages of 4 KB, shared copy on write between copies of a Memory. Only
// mapped pages exist; reads elsewhere give zeros, writes elsewhere are dropped, both count as faults.
// Several threads may read and write at once as long as no byte is written by one while another uses it;
// nothing else may happen to that Memory meanwhile, but for copies of it being used and destroyed.
class Memory {
 public:
  Memory();
  Memory(const Memory& other);  // shares all pages
  Memory& operator=(const Memory& other);
  Memory(Memory&& other) noexcept;
  Memory& operator=(Memory&& other) noexcept;
  ~Memory();

  // Page-aligned ranges. Fresh pages hold zeros. Mapping twice keeps what is there.
  void map(Address address, uint64_t bytes);
  void unmap(Address address, uint64_t bytes);
  bool mapped(Address address) const;

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

  // The byte at an address, followed by the others of its page; nullptr: not mapped. Valid until something is
  // written to the page: for reads that belong together.
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

  // Many reads of one range. Valid until something is mapped or unmapped or this Memory is assigned to.
  class Window {
   public:
    // As readable(); offset from the range's start.
    const std::byte* at(uint64_t offset) const {
      const uint64_t place = start_ + offset;
      const uintptr_t entry = entry_[place / kPageBytes].load(std::memory_order_acquire);
      return entry ? bytes_of(entry) + place % kPageBytes : nullptr;
    }

   private:
    friend class Memory;
    const std::atomic<uintptr_t>* entry_ = nullptr;  // of the leaf's first page
    uint64_t start_ = 0;                             // from there
  };
  // Nothing where the range's start is not mapped, or where it crosses one of the seams 64 MB apart.
  std::optional<Window> window(Address address, uint64_t bytes) const;

  // The page at a page-aligned address, or nullptr. Sharing of pages tells equality quickly: equal pointers
  // mean equal bytes.
  const Page* page(Address address) const;

  // From this call on changes() tells which pages have been written and what they held at the call. The first
  // call looks at every page, another one at those that were written since the call before. For one observer.
  struct Change {
    Address address = 0;
    const Page* before = nullptr;
  };
  void note_changes() const;
  std::vector<Change> changes() const;  // in no order

  // Every mapped page in rising order of addresses.
  void for_each_page(const std::function<void(Address, const Page&)>& visit) const;
  uint64_t pages() const { return pages_; }

  // Over addresses and bytes of all mapped pages.
  uint64_t hash() const;

  uint64_t faults() const { return faults_.load(std::memory_order_relaxed); }
  Address lowest_fault() const { return lowest_fault_.load(std::memory_order_relaxed); }

 private:
  static constexpr uint32_t kLeafBits = 14, kRootBits = kAddressBits - 12 - kLeafBits;
  // What other Memories may share; it is found by its bytes, which come first.
  struct SharedPage {
    alignas(64) Page bytes;
    std::atomic<uint32_t> users = 1;
  };
  // An entry is the address of a SharedPage, 0 where nothing is mapped, with kShared while the page may
  // belong to others too: then it is copied before it is written.
  static constexpr uintptr_t kShared = 1;
  struct Leaf {
    std::array<std::atomic<uintptr_t>, 1 << kLeafBits> entry{};
  };

  static SharedPage* page_of(uintptr_t entry) { return reinterpret_cast<SharedPage*>(entry & ~kShared); }
  static std::byte* bytes_of(uintptr_t entry) { return reinterpret_cast<std::byte*>(entry & ~kShared); }
  static uintptr_t zero_page();
  static void release(uintptr_t entry);

  uintptr_t entry_at(Address address) const {
    if (address >> kAddressBits) return 0;
    const Leaf* leaf = root_[address >> (12 + kLeafBits)].get();
    if (!leaf) return 0;
    return leaf->entry[address >> 12 & ((1u << kLeafBits) - 1)].load(std::memory_order_acquire);
  }
  uintptr_t own(Address address);
  void read_pages(Address address, std::byte* to, uint64_t bytes) const;
  void write_pages(Address address, const std::byte* from, uint64_t bytes);
  void fault(Address address) const;
  void release_all();
  void settle() const;
  void forget_changes() const;

  std::vector<std::unique_ptr<Leaf>> root_;
  uint64_t pages_ = 0;
  mutable std::atomic<uint64_t> faults_ = 0;
  mutable std::atomic<Address> lowest_fault_ = ~Address{0};
  // Pages that own() replaced: another thread may still be reading them.
  mutable std::mutex mutex_;
  mutable std::vector<uintptr_t> replaced_;
  // With note_changes(): the pages that own() made since, and what stood there.
  struct Noted {
    Address address = 0;
    uintptr_t before = 0;
  };
  mutable bool noting_ = false;
  mutable std::vector<Noted> noted_;
};

// The first page-aligned run of bytes in which two memories differ.
struct Difference {
  Address address = 0;
  std::byte left{}, right{};
};
bool first_difference(const Memory& left, const Memory& right, Difference& difference);

}  // namespace cutaway::arch
