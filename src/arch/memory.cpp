#include "arch/memory.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "arch/memory_bindings.h"
#include "arch/page_pool.h"
#include "base/error.h"
#include "base/hash.h"

namespace cutaway::arch {

uintptr_t Memory::zero_page() {
  alignas(64) static Page page{};
  return reinterpret_cast<uintptr_t>(&page) | kShared;
}

void Memory::add_user(uintptr_t entry) {
  if (!is_zero(entry)) users_of(page_of(entry)).fetch_add(1, std::memory_order_relaxed);
}

void Memory::release(uintptr_t entry) {
  if (!entry || is_zero(entry)) return;
  Page* page = page_of(entry);
  if (users_of(page).fetch_sub(1, std::memory_order_acq_rel) == 1) give_page(page);
}

Memory::Memory() : root_(size_t{1} << kRootBits) {}
Memory::~Memory() { release_all(); }

Memory::Memory(const Memory& other) : Memory() { *this = other; }
Memory::Memory(Memory&& other) noexcept { *this = std::move(other); }

Memory& Memory::operator=(const Memory& other) {
  if (this == &other) return *this;
  release_all();
  other.settle();
  root_.resize(other.root_.size());
  for (size_t i = 0; i < root_.size(); i++) {
    if (!other.root_[i]) continue;
    root_[i] = std::make_unique<Leaf>();
    for (size_t j = 0; j < root_[i]->entry.size(); j++) {
      auto& theirs = other.root_[i]->entry[j];
      const uintptr_t entry = theirs.load(std::memory_order_relaxed);
      if (!entry) continue;
      add_user(entry);
      if (!(entry & kShared)) theirs.store(entry | kShared, std::memory_order_relaxed);
      root_[i]->entry[j].store(entry | kShared, std::memory_order_relaxed);
    }
  }
  pages_ = other.pages_;
  faults_ = other.faults();
  lowest_fault_ = other.lowest_fault();
  if (other.bindings_) bindings_ = std::make_unique<Bindings>(*other.bindings_);
  return *this;
}

// The moved-from object can be assigned to and destroyed.
Memory& Memory::operator=(Memory&& other) noexcept {
  if (this == &other) return *this;
  release_all();
  other.settle();
  other.forget_changes();
  other.noting_ = false;
  root_ = std::move(other.root_);
  other.root_.clear();
  pages_ = std::exchange(other.pages_, 0);
  faults_ = other.faults();
  lowest_fault_ = other.lowest_fault();
  bindings_ = std::move(other.bindings_);
  return *this;
}

void Memory::release_all() {
  settle();
  forget_changes();
  noting_ = false;
  bindings_.reset();
  for (auto& leaf : root_) {
    if (!leaf) continue;
    for (auto& entry : leaf->entry) release(entry.load(std::memory_order_relaxed));
    leaf.reset();
  }
}

// Requires that no other thread uses this Memory now.
void Memory::settle() const {
  const std::lock_guard lock(mutex_);
  for (const uintptr_t entry : replaced_) release(entry);
  replaced_.clear();
}

// Makes a page exclusive to this Memory. A page that is bound has several users here, so it is always copied.
uintptr_t Memory::own(Address address) {
  auto& place = place_of(address);
  const std::lock_guard lock(mutex_);
  const uintptr_t old = place.load(std::memory_order_relaxed);
  if (!(old & kShared)) return old;  // another thread was quicker
  if (!noting_ && !is_zero(old) && users_of(page_of(old)).load(std::memory_order_acquire) == 1) {
    place.store(old & ~kShared, std::memory_order_release);
    return old & ~kShared;
  }
  Page* const copy = take_page();
  std::memcpy(copy->data(), bytes_of(old), kPageBytes);
  const uintptr_t mine = reinterpret_cast<uintptr_t>(copy) | (old & (kSystem | kBound));
  if (!(old & kBound)) {
    replace(page_start(address), mine);
    return mine;
  }
  for_each_same(page_start(address), [&](Address same) {
    add_user(mine);
    replace(same, mine);
  });
  users_of(copy).fetch_sub(1, std::memory_order_relaxed);  // of the creation
  return mine;
}

// Replaces the entry of a page. What it had is kept: another thread may still read it.
void Memory::replace(Address page, uintptr_t by) {
  const uintptr_t old = place_of(page).exchange(by, std::memory_order_release);
  if (noting_) noted_.push_back({page, old});
  else if (!is_zero(old)) replaced_.push_back(old);
}

// Only pages that own() made since the previous call may be written without own().
void Memory::note_changes() const {
  settle();
  const auto share = [](std::atomic<uintptr_t>& entry) {
    if (const uintptr_t value = entry.load(std::memory_order_relaxed))
      entry.store(value | kShared, std::memory_order_relaxed);
  };
  if (noting_) {
    for (const Noted& noted : noted_) share(place_of(noted.address));
  } else {
    for (const auto& leaf : root_)
      if (leaf) std::for_each(leaf->entry.begin(), leaf->entry.end(), share);
  }
  forget_changes();
  noting_ = true;
}

std::vector<Memory::Change> Memory::changes() const {
  std::vector<Change> changes;
  changes.reserve(noted_.size());
  for (const Noted& noted : noted_) changes.push_back({noted.address, page_of(noted.before)});
  return changes;
}

void Memory::forget_changes() const {
  for (const Noted& noted : noted_) release(noted.before);
  noted_.clear();
}

void Memory::fault(Address address) const {
  if (sparse(address)) return;
  faults_.fetch_add(1, std::memory_order_relaxed);
  Address lowest = lowest_fault();
  while (address < lowest && !lowest_fault_.compare_exchange_weak(lowest, address)) {}
}

void Memory::map(Address address, uint64_t bytes) {
  CUTAWAY_CHECK(address % kPageBytes == 0 && bytes % kPageBytes == 0);
  CUTAWAY_CHECK(address < (1ull << kAddressBits) && bytes <= (1ull << kAddressBits) - address);
  settle();
  if (bindings_) end_sparse(address, address + bytes);
  for (Address a = address; a < address + bytes; a += kPageBytes)
    if (!entry_at(a)) put_zeros(a);
}

// Maps a page that is not.
void Memory::put_zeros(Address page) {
  auto& leaf = root_[page >> (12 + kLeafBits)];
  if (!leaf) leaf = std::make_unique<Leaf>();
  place_of(page).store(zero_page(), std::memory_order_relaxed);
  pages_++;
}

void Memory::unmap(Address address, uint64_t bytes) {
  CUTAWAY_CHECK(address % kPageBytes == 0 && bytes % kPageBytes == 0);
  settle();
  if (bindings_) end_sparse(address, address + bytes);
  for (Address a = address; a < address + bytes; a += kPageBytes) {
    const uintptr_t entry = entry_at(a);
    if (entry & kBound)
      for (const Address bound : bound_to(a, kPageBytes)) unbind_page(bound);
    if (entry) drop(a);
  }
}

// Ends a page that is mapped.
void Memory::drop(Address page) {
  release(place_of(page).exchange(0, std::memory_order_relaxed));
  pages_--;
}

void Memory::place(Address address, uint64_t bytes, Placement placement) {
  CUTAWAY_CHECK(address % kPageBytes == 0 && bytes % kPageBytes == 0);
  const auto put = [&](Address page) {
    auto& entry = place_of(page);
    const uintptr_t other = entry.load(std::memory_order_relaxed) & ~kSystem;
    entry.store(placement == Placement::kSystem ? other | kSystem : other, std::memory_order_relaxed);
  };
  for (Address a = address; a < address + bytes; a += kPageBytes) {
    const uintptr_t entry = entry_at(a);
    if (entry & kBound) for_each_same(a, put);
    else if (entry) put(a);
  }
}

bool Memory::mapped(Address address) const { return entry_at(address) != 0; }

std::optional<Memory::Window> Memory::window(Address address, uint64_t bytes) const {
  constexpr uint64_t kLeafBytes = kPageBytes << kLeafBits;
  if (!mapped(address) || bytes > kLeafBytes - address % kLeafBytes) return std::nullopt;
  Window window;
  window.entry_ = root_[address / kLeafBytes]->entry.data();
  window.start_ = address % kLeafBytes;
  return window;
}

Memory::Hold& Memory::Hold::operator=(Hold&& other) noexcept {
  first_ = other.first_;
  entry_.swap(other.entry_);
  return *this;
}

Memory::Hold::~Hold() {
  for (const uintptr_t entry : entry_) release(entry);
}

bool Memory::Hold::is_current(const Memory& memory) const {
  const std::optional<Window> window = memory.window(first_, entry_.size() * kPageBytes);
  if (!window) return false;
  const std::atomic<uintptr_t>* there = window->entries() + window->start() / kPageBytes;
  for (const uintptr_t entry : entry_)
    if (((there++)->load(std::memory_order_relaxed) & ~(kSystem | kBound)) != entry) return false;
  return true;
}

const std::byte* Memory::Hold::bytes(uint64_t index) const { return bytes_of(entry_[index]); }

std::optional<Memory::Hold> Memory::hold(Address address, uint64_t bytes) const {
  Hold hold;
  hold.first_ = page_start(address);
  const uint64_t pages = (address + bytes - hold.first_ + kPageBytes - 1) / kPageBytes;
  if (!window(hold.first_, pages * kPageBytes)) return std::nullopt;
  auto* const leaf = root_[address >> (12 + kLeafBits)].get();
  std::atomic<uintptr_t>* const first = &leaf->entry[address >> 12 & ((1u << kLeafBits) - 1)];
  for (uint64_t i = 0; i < pages; i++)
    if (!first[i].load(std::memory_order_relaxed)) return std::nullopt;
  hold.entry_.reserve(pages);
  for (uint64_t i = 0; i < pages; i++) {
    const uintptr_t entry = first[i].load(std::memory_order_relaxed);
    add_user(entry);
    const auto share = [&](Address page) {
      place_of(page).store(entry | kShared, std::memory_order_relaxed);
    };
    if (entry & kBound) for_each_same(hold.first_ + i * kPageBytes, share);
    else share(hold.first_ + i * kPageBytes);
    hold.entry_.push_back((entry | kShared) & ~(kSystem | kBound));
  }
  return hold;
}

const Page* Memory::page(Address address) const {
  const uintptr_t entry = entry_at(address);
  return entry ? page_of(entry) : nullptr;
}

void Memory::read_pages(Address address, std::byte* to, uint64_t bytes) const {
  while (bytes) {
    const uint64_t part = std::min(bytes, kPageBytes - (address - page_start(address)));
    if (const std::byte* from = readable(address)) {
      std::memcpy(to, from, part);
    } else {
      std::memset(to, 0, part);
      fault(address);
    }
    address += part, to += part, bytes -= part;
  }
}

void Memory::write_pages(Address address, const std::byte* from, uint64_t bytes) {
  while (bytes) {
    const uint64_t part = std::min(bytes, kPageBytes - (address - page_start(address)));
    if (std::byte* to = writable(address)) std::memcpy(to, from, part);
    else fault(address);
    address += part, from += part, bytes -= part;
  }
}

void Memory::for_each_page(const std::function<void(Address, const Page&)>& visit) const {
  for (uint64_t i = 0; i < root_.size(); i++) {
    if (!root_[i]) continue;
    for (uint64_t j = 0; j < root_[i]->entry.size(); j++)
      if (const uintptr_t entry = root_[i]->entry[j].load(std::memory_order_acquire))
        visit((i << kLeafBits | j) << 12, *page_of(entry));
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
    const Address target = left.target_of(address);
    if (target != address && right.target_of(address) == target) return;
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
