#include "arch/memory_bindings.h"

#include <algorithm>

#include "base/error.h"

namespace cutaway::arch {
namespace {

constexpr Address kEnd = Address{1} << kAddressBits;

}  // namespace

void Memory::Bindings::add_range(Address start, Address end) {
  auto next = ranges.upper_bound(end);
  while (next != ranges.begin() && std::prev(next)->second >= start) {
    const auto touched = std::prev(next);
    start = std::min(start, touched->first), end = std::max(end, touched->second);
    ranges.erase(touched);
  }
  ranges[start] = end;
}

void Memory::Bindings::remove_range(Address start, Address end) {
  auto next = ranges.lower_bound(end);
  while (next != ranges.begin() && std::prev(next)->second > start) {
    const auto [first, last] = *std::prev(next);
    ranges.erase(std::prev(next));
    if (last > end) next = ranges.emplace(end, last).first;
    if (first < start) ranges.emplace(first, start);
    if (first <= start) return;
  }
}

// True if the target has no room for a page within a range that is bound anew.
bool Memory::Bindings::is_full(Address target, Address start, Address end) const {
  const auto found = bound.find(target);
  if (found == bound.end() || found->second.size() < kMostBoundToPage) return false;
  const auto replaced = found->second.lower_bound(start);
  return replaced == found->second.end() || *replaced >= end;
}

bool Memory::sparse_within(Address address, uint64_t bytes) const {
  if (!bindings_ || !bytes) return false;
  const auto next = bindings_->ranges.upper_bound(address + (bytes - 1));
  return next != bindings_->ranges.begin() && address < std::prev(next)->second;
}

Address Memory::bound_target(Address address) const {
  const auto found = bindings_->targets.find(page_start(address));
  return found == bindings_->targets.end() ? address : found->second + address % kPageBytes;
}

const char* Memory::bind_error(Address address, uint64_t bytes, std::optional<Address> target) const {
  const auto whole_pages = [&](Address start) {
    return start % kPageBytes == 0 && bytes % kPageBytes == 0 && start <= kEnd && bytes <= kEnd - start;
  };
  if (!whole_pages(address) || !whole_pages(target.value_or(0)))
    return "a range that is bound is not whole pages of memory";
  for (uint64_t offset = 0; offset < bytes; offset += kPageBytes) {
    if (mapped(address + offset) && target_of(address + offset) == address + offset)
      return "a page that is bound has memory of its own";
    if (!target) continue;
    if (sparse(*target + offset)) return "memory is bound that is a sparse range itself";
    if (!mapped(*target + offset)) return "memory is bound that is not mapped";
    if (bindings_ && bindings_->is_full(*target + offset, address, address + bytes))
      return "more than 256 pages are bound to one page of memory";
  }
  return nullptr;
}

void Memory::bind(Address address, uint64_t bytes, std::optional<Address> target) {
  const char* error = bind_error(address, bytes, target);
  CUTAWAY_CHECK(!error, "{}", error);
  if (!bytes) return;
  settle();
  if (bindings_) end_sparse(address, address + bytes);
  if (!bindings_) bindings_ = std::make_unique<Bindings>();
  bindings_->add_range(address, address + bytes);
  if (!target) return;
  for (uint64_t offset = 0; offset < bytes; offset += kPageBytes)
    bind_page(address + offset, *target + offset);
}

// All entries of a page have the same flags. A bound page may be written only once own() has replaced them.
void Memory::bind_page(Address page, Address target) {
  auto& source = place_of(target);
  const uintptr_t before = source.load(std::memory_order_relaxed), entry = before | kShared | kBound;
  if (before != entry)
    for_each_same(target, [&](Address same) { place_of(same).store(entry, std::memory_order_relaxed); });
  add_user(entry);
  put_zeros(page);
  place_of(page).store(entry, std::memory_order_relaxed);
  bindings_->targets[page] = target;
  bindings_->bound[target].insert(page);
}

void Memory::unbind_page(Address page) {
  const auto found = bindings_->targets.find(page);
  const Address target = found->second;
  bindings_->targets.erase(found);
  drop(page);
  const auto others = bindings_->bound.find(target);
  others->second.erase(page);
  if (!others->second.empty()) return;
  bindings_->bound.erase(others);
  place_of(target).fetch_and(~kBound, std::memory_order_relaxed);
}

std::vector<Address> Memory::bound_to(Address target, uint64_t bytes) const {
  std::vector<Address> pages;
  if (!bindings_) return pages;
  for (auto found = bindings_->bound.lower_bound(target);
       found != bindings_->bound.end() && found->first - target < bytes; ++found)
    pages.insert(pages.end(), found->second.begin(), found->second.end());
  return pages;
}

void Memory::end_sparse(Address address, Address end) {
  for (auto found = bindings_->targets.lower_bound(address);
       found != bindings_->targets.end() && found->first < end;
       found = bindings_->targets.lower_bound(address))
    unbind_page(found->first);
  bindings_->remove_range(address, end);
  if (bindings_->ranges.empty()) bindings_.reset();
}

void Memory::for_each_same(Address page, const std::function<void(Address)>& visit) const {
  const auto found = bindings_->targets.find(page);
  const Address target = found == bindings_->targets.end() ? page : found->second;
  visit(target);
  if (const auto bound = bindings_->bound.find(target); bound != bindings_->bound.end())
    std::for_each(bound->second.begin(), bound->second.end(), visit);
}

std::vector<Memory::Binding> Memory::bindings() const {
  std::vector<Binding> found;
  if (!bindings_) return found;
  for (const auto& [start, end] : bindings_->ranges) found.push_back({start, end - start});
  for (const auto& [page, target] : bindings_->targets) {
    const Binding* before = found.empty() ? nullptr : &found.back();
    if (before && before->target && before->address + before->bytes == page &&
        *before->target + before->bytes == target)
      found.back().bytes += kPageBytes;
    else found.push_back({page, kPageBytes, target});
  }
  return found;
}

}  // namespace cutaway::arch
