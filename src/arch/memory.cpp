#include "arch/memory.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/hash.h"

namespace cutaway::arch {
namespace {

const std::shared_ptr<Page>& zero_page() {
  static const std::shared_ptr<Page> page = std::make_shared<Page>();
  return page;
}

constexpr Address page_start(Address address) { return address & ~(kPageBytes - 1); }

}  // namespace

Memory::Memory() : root_(size_t{1} << kRootBits) {}
Memory::~Memory() = default;

Memory::Memory(const Memory& other) : Memory() { *this = other; }

Memory& Memory::operator=(const Memory& other) {
  if (this == &other) return *this;
  for (size_t i = 0; i < root_.size(); i++)
    root_[i] = other.root_[i] ? std::make_unique<Leaf>(*other.root_[i]) : nullptr;
  pages_ = other.pages_;
  faults_ = other.faults_;
  first_fault_ = other.first_fault_;
  return *this;
}

const std::shared_ptr<Page>* Memory::find(Address address) const {
  if (address >> kAddressBits) return nullptr;
  const Leaf* leaf = root_[address >> (12 + kLeafBits)].get();
  if (!leaf) return nullptr;
  const auto& page = leaf->page[address >> 12 & ((1u << kLeafBits) - 1)];
  return page ? &page : nullptr;
}

Page* Memory::writable(Address address) {
  auto* page = const_cast<std::shared_ptr<Page>*>(find(address));
  if (!page) return nullptr;
  if (page->use_count() > 1) *page = std::make_shared<Page>(**page);
  return page->get();
}

void Memory::fault(Address address) const {
  if (faults_++ == 0) first_fault_ = address;
}

void Memory::map(Address address, uint64_t bytes) {
  CUTAWAY_CHECK(address % kPageBytes == 0 && bytes % kPageBytes == 0);
  CUTAWAY_CHECK(address < (1ull << kAddressBits) && bytes <= (1ull << kAddressBits) - address);
  for (Address a = address; a < address + bytes; a += kPageBytes) {
    auto& leaf = root_[a >> (12 + kLeafBits)];
    if (!leaf) leaf = std::make_unique<Leaf>();
    auto& page = leaf->page[a >> 12 & ((1u << kLeafBits) - 1)];
    if (page) continue;
    page = zero_page();
    pages_++;
  }
}

void Memory::unmap(Address address, uint64_t bytes) {
  CUTAWAY_CHECK(address % kPageBytes == 0 && bytes % kPageBytes == 0);
  for (Address a = address; a < address + bytes; a += kPageBytes) {
    auto* page = const_cast<std::shared_ptr<Page>*>(find(a));
    if (!page) continue;
    page->reset();
    pages_--;
  }
}

bool Memory::mapped(Address address) const { return find(address) != nullptr; }

const Page* Memory::page(Address address) const {
  const auto* page = find(address);
  return page ? page->get() : nullptr;
}

void Memory::read(Address address, void* out, uint64_t bytes) const {
  auto* to = static_cast<std::byte*>(out);
  while (bytes) {
    const uint64_t inside = address - page_start(address);
    const uint64_t part = std::min(bytes, kPageBytes - inside);
    if (const Page* from = page(address)) {
      std::memcpy(to, from->data() + inside, part);
    } else {
      std::memset(to, 0, part);
      fault(address);
    }
    address += part, to += part, bytes -= part;
  }
}

void Memory::write(Address address, const void* data, uint64_t bytes) {
  const auto* from = static_cast<const std::byte*>(data);
  while (bytes) {
    const uint64_t inside = address - page_start(address);
    const uint64_t part = std::min(bytes, kPageBytes - inside);
    if (Page* to = writable(address)) std::memcpy(to->data() + inside, from, part);
    else fault(address);
    address += part, from += part, bytes -= part;
  }
}

void Memory::for_each_page(const std::function<void(Address, const Page&)>& visit) const {
  for (uint64_t i = 0; i < root_.size(); i++) {
    if (!root_[i]) continue;
    for (uint64_t j = 0; j < root_[i]->page.size(); j++)
      if (const auto& page = root_[i]->page[j]) visit((i << kLeafBits | j) << 12, *page);
  }
}

uint64_t Memory::hash() const {
  uint64_t hash = 0;
  for_each_page([&](Address address, const Page& page) {
    hash = hash_bytes(&address, sizeof address, hash);
    hash = hash_bytes(page.data(), page.size(), hash);
  });
  return hash;
}

bool first_difference(const Memory& left, const Memory& right, Difference& difference) {
  bool found = false;
  const Page zero{};
  const auto compare = [&](Address address, const Page* a, const Page* b) {
    if (found || a == b) return;
    if (!a) a = &zero;
    if (!b) b = &zero;
    const auto at = std::mismatch(a->begin(), a->end(), b->begin());
    if (at.first == a->end()) return;
    found = true;
    difference = {address + static_cast<Address>(at.first - a->begin()), *at.first, *at.second};
  };
  left.for_each_page(
      [&](Address address, const Page& page) { compare(address, &page, right.page(address)); });
  if (!found)
    right.for_each_page([&](Address address, const Page& page) {
      if (!left.mapped(address)) compare(address, nullptr, &page);
    });
  return found;
}

}  // namespace cutaway::arch
