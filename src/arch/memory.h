#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
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
// Not safe for writers from several threads.
class Memory {
 public:
  Memory();
  Memory(const Memory& other);  // shares all pages
  Memory& operator=(const Memory& other);
  Memory(Memory&&) noexcept = default;
  Memory& operator=(Memory&&) noexcept = default;
  ~Memory();

  // Page-aligned ranges. Fresh pages hold zeros. Mapping twice keeps what is there.
  void map(Address address, uint64_t bytes);
  void unmap(Address address, uint64_t bytes);
  bool mapped(Address address) const;

  void read(Address address, void* out, uint64_t bytes) const;
  void write(Address address, const void* data, uint64_t bytes);
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

  // The page at a page-aligned address, or nullptr. Sharing of pages tells equality quickly: equal pointers
  // mean equal bytes.
  const Page* page(Address address) const;

  // Every mapped page in rising order of addresses.
  void for_each_page(const std::function<void(Address, const Page&)>& visit) const;
  uint64_t pages() const { return pages_; }

  // Over addresses and bytes of all mapped pages.
  uint64_t hash() const;

  uint64_t faults() const { return faults_; }
  Address first_fault() const { return first_fault_; }

 private:
  static constexpr uint32_t kLeafBits = 14, kRootBits = kAddressBits - 12 - kLeafBits;
  struct Leaf {
    std::array<std::shared_ptr<Page>, 1 << kLeafBits> page;
  };

  const std::shared_ptr<Page>* find(Address address) const;
  Page* writable(Address address);
  void fault(Address address) const;

  std::vector<std::unique_ptr<Leaf>> root_;
  uint64_t pages_ = 0;
  mutable uint64_t faults_ = 0;
  mutable Address first_fault_ = 0;
};

// The first page-aligned run of bytes in which two memories differ.
struct Difference {
  Address address = 0;
  std::byte left{}, right{};
};
bool first_difference(const Memory& left, const Memory& right, Difference& difference);

}  // namespace cutaway::arch
