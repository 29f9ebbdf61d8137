#include "host/address_space.h"

#include <algorithm>
#include <cstring>
#include <emmintrin.h>
#include <string>
#include <sys/mman.h>
#include <utility>

#include "base/error.h"
#include "base/round_up.h"

namespace cutaway::host {
namespace {

using arch::Address;
using arch::kPageBytes;

constexpr Address kFirstAddress = 1 << 20;  // address 0 and its neighbourhood stay unmapped
constexpr Address kEndAddress = 1ull << arch::kAddressBits;

std::byte* reserve_view(uint64_t bytes) {
  void* view =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (view == MAP_FAILED) throw std::bad_alloc();
  return static_cast<std::byte*>(view);
}

__m128i load16(const std::byte* from) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)); }

// Writes to `view` only those bytes in which `after` differs from `before`: the application may be writing
// neighbouring bytes.
void publish_page(std::byte* view, const arch::Page& before, const arch::Page& after) {
  for (uint64_t at = 0; at < kPageBytes; at += 16) {
    const auto equal =
        static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(load16(&before[at]), load16(&after[at]))));
    if (equal == 0xffff) continue;
    for (uint32_t word = 0; word < 16; word += 4) {
      const uint32_t same = equal >> word & 15;
      if (same == 0) std::memcpy(view + at + word, &after[at + word], 4);
      else
        for (uint32_t i = word; i < word + 4; i++)
          if (!(equal >> i & 1)) view[at + i] = after[at + i];
    }
  }
}

}  // namespace

Allocation::Allocation(AddressSpace& space, Owner owner, Address address, uint64_t bytes, std::byte* view)
    : space_(space), owner_(owner), address_(address), bytes_(bytes), view_(view) {}

Allocation::~Allocation() { space_.free(*this); }

void Allocation::write(uint64_t offset, const void* data, uint64_t bytes) {
  if (bytes == 0) return;
  CUTAWAY_CHECK(owner_ == Owner::kDriver && offset <= bytes_ && bytes <= bytes_ - offset);
  const std::lock_guard lock(space_.mutex_);
  catch_up();
  std::memcpy(view_ + offset, data, bytes);
  const bool clean = dirty_begin_ == dirty_end_;
  dirty_begin_ = clean ? offset : std::min(dirty_begin_, offset);
  dirty_end_ = clean ? offset + bytes : std::max(dirty_end_, offset + bytes);
}

void Allocation::read(uint64_t offset, void* data, uint64_t bytes) const {
  if (bytes == 0) return;
  CUTAWAY_CHECK(offset <= bytes_ && bytes <= bytes_ - offset);
  const std::lock_guard lock(space_.mutex_);
  catch_up();
  std::memcpy(data, view_ + offset, bytes);
}

std::byte* Allocation::map() {
  CUTAWAY_CHECK(owner_ != Owner::kDriver);
  const std::lock_guard lock(space_.mutex_);
  catch_up();
  mapped_ = true;
  dirty_begin_ = 0, dirty_end_ = bytes_;
  return view_;
}

void Allocation::unmap() {
  const std::lock_guard lock(space_.mutex_);
  mapped_ = owner_ == Owner::kForeign;  // still dirty: the next submission compares it one last time
}

// Copies the pages that the view lacks. It was not in use since, so no byte of it is newer.
void Allocation::catch_up() const {
  for (const auto& [offset, page] : unread_) std::memcpy(view_ + offset, page.bytes(0), kPageBytes);
  unread_.clear();
}

AddressSpace::AddressSpace(arch::ContextId context) : context_(context) {
  holes_[kFirstAddress] = kEndAddress - kFirstAddress;
}

AddressSpace::~AddressSpace() = default;

std::unique_ptr<Allocation> AddressSpace::allocate(uint64_t bytes, Owner owner, Place place) {
  if (bytes > kEndAddress) throw std::bad_alloc();
  bytes = std::max(kPageBytes, round_up(bytes, kPageBytes));
  std::byte* view = reserve_view(bytes);
  const std::lock_guard lock(mutex_);
  Address address = 0;
  try {
    address = take_hole(bytes + kPageBytes, place);
  } catch (...) {
    munmap(view, bytes);
    throw;
  }
  if (owner == Owner::kApplication) tracker_.watch(view, bytes);
  return add(owner, address, bytes, view, place.memory);
}

std::unique_ptr<Allocation> AddressSpace::import(std::byte* view, uint64_t bytes, arch::Placement placement) {
  if (bytes > kEndAddress) throw std::bad_alloc();
  CUTAWAY_CHECK(bytes && bytes % kPageBytes == 0);
  const std::lock_guard lock(mutex_);
  std::unique_ptr<Allocation> allocation =
      add(Owner::kForeign, take_hole(bytes + kPageBytes, {}), bytes, view, placement);
  allocation->mapped_ = true;
  allocation->dirty_begin_ = 0, allocation->dirty_end_ = bytes;
  return allocation;
}

std::unique_ptr<Allocation> AddressSpace::add(Owner owner, Address address, uint64_t bytes, std::byte* view,
                                              arch::Placement placement) {
  std::unique_ptr<Allocation> allocation(new Allocation(*this, owner, address, bytes, view));
  allocations_[address] = allocation.get();
  pending_.push_back([=, this](arch::CommandSink& sink) {
    sink.map(context_, address, bytes);
    if (placement != arch::Placement::kVideo) sink.place(context_, address, bytes, placement);
  });
  return allocation;
}

void AddressSpace::place(Address address, uint64_t bytes, arch::Placement placement) {
  const Address first = round_up(address, kPageBytes), end = (address + bytes) / kPageBytes * kPageBytes;
  if (first >= end) return;
  const std::lock_guard lock(mutex_);
  pending_.push_back(
      [=, this](arch::CommandSink& sink) { sink.place(context_, first, end - first, placement); });
}

SparseRange::~SparseRange() { space_.free(*this); }

std::unique_ptr<SparseRange> AddressSpace::reserve(uint64_t bytes, Place place) {
  if (bytes > kEndAddress / 2 || place.at % SparseRange::kAlignment) throw std::bad_alloc();
  bytes = round_up(bytes, SparseRange::kAlignment);
  const std::lock_guard lock(mutex_);
  const uint64_t most = place.at ? bytes : bytes + SparseRange::kAlignment;
  const Address hole = take_hole(most, place);
  const Address address = round_up(hole, SparseRange::kAlignment);
  if (address > hole) give_hole(hole, address - hole);
  if (!place.at) give_hole(address + bytes, hole + most - address - bytes);
  pending_.push_back([=, this](arch::CommandSink& sink) { sink.bind(context_, address, bytes, {}); });
  return std::unique_ptr<SparseRange>(new SparseRange(*this, address, bytes));
}

void AddressSpace::free(SparseRange& range) {
  const std::lock_guard lock(mutex_);
  give_hole(range.address(), range.bytes());
  pending_.push_back([this, address = range.address(), bytes = range.bytes()](arch::CommandSink& sink) {
    sink.unmap(context_, address, bytes);
  });
}

void AddressSpace::bind(Address address, uint64_t bytes, std::optional<Address> target) {
  const std::lock_guard lock(mutex_);
  binds_ = true;
  pending_.push_back([=, this](arch::CommandSink& sink) { sink.bind(context_, address, bytes, target); });
}

void AddressSpace::free(Allocation& allocation) {
  const std::lock_guard lock(mutex_);
  const Address address = allocation.address_;
  const uint64_t bytes = allocation.bytes_;
  allocations_.erase(address);
  give_hole(address, bytes + kPageBytes);
  pending_.push_back([=, this](arch::CommandSink& sink) { sink.unmap(context_, address, bytes); });
  if (allocation.owner_ != Owner::kForeign) munmap(allocation.view_, bytes);
}

// By default first fit: addresses are dense and depend only on the order of calls.
Address AddressSpace::take_hole(uint64_t bytes, Place place) {
  if (place.at) {
    if (place.at % kPageBytes) throw std::bad_alloc();
    auto hole = holes_.upper_bound(place.at);
    if (hole == holes_.begin()) throw std::bad_alloc();
    --hole;
    const uint64_t before = place.at - hole->first;
    if (before > hole->second || bytes > hole->second - before) throw std::bad_alloc();
    return take_from(hole, place.at, bytes);
  }
  if (place.end) {
    for (auto hole = holes_.end(); hole != holes_.begin();) {
      --hole;
      const Address end = std::min(place.end, hole->first + hole->second) / kPageBytes * kPageBytes;
      if (end >= hole->first + bytes) return take_from(hole, end - bytes, bytes);
    }
    throw std::bad_alloc();
  }
  for (auto hole = holes_.begin(); hole != holes_.end(); ++hole) {
    const Address start = std::max(hole->first, place.from);
    if (hole->first + hole->second >= start + bytes) return take_from(hole, start, bytes);
  }
  throw std::bad_alloc();
}

Address AddressSpace::take_from(std::map<Address, uint64_t>::iterator hole, Address address, uint64_t bytes) {
  const auto [start, size] = *hole;
  holes_.erase(hole);
  if (address > start) holes_[start] = address - start;
  const uint64_t rest = size - (address - start) - bytes;
  if (rest) holes_[address + bytes] = rest;
  return address;
}

void AddressSpace::give_hole(Address address, uint64_t bytes) {
  auto next = holes_.lower_bound(address);
  if (next != holes_.end() && address + bytes == next->first) {
    bytes += next->second;
    next = holes_.erase(next);
  }
  if (next != holes_.begin()) {
    const auto previous = std::prev(next);
    if (previous->first + previous->second == address) {
      previous->second += bytes;
      return;
    }
  }
  holes_[address] = bytes;
}

void AddressSpace::annotate(std::string_view kind, uint64_t id, std::span<const std::byte> text) {
  const std::lock_guard lock(mutex_);
  pending_.push_back([kind = std::string(kind), id, text = std::vector(text.begin(), text.end())](
                         arch::CommandSink& sink) { sink.annotate(kind, id, text); });
}

uint64_t AddressSpace::send(arch::Gpu& gpu) {
  const std::lock_guard lock(mutex_);
  for (const auto& operation : pending_) operation(gpu);
  pending_.clear();
  const arch::Memory& theirs = gpu.memory(context_);  // not earlier: the first map may have created it
  uint64_t last = std::exchange(binds_, false) ? published_ : 0;
  for (auto& [address, allocation] : allocations_) {
    if (allocation->dirty_begin_ == allocation->dirty_end_) continue;
    last = std::max(last, send_differences(*allocation, gpu, theirs));
    if (!allocation->mapped_) allocation->dirty_begin_ = allocation->dirty_end_ = 0;
  }
  return last;
}

uint64_t AddressSpace::send_differences(const Allocation& allocation, arch::CommandSink& sink,
                                        const arch::Memory& gpu) {
  uint64_t last = 0;
  // Bytes are copied before they are compared, so all sinks get the same bytes even if the application writes
  // now.
  std::vector<std::byte> run;
  Address run_start = 0;
  const auto end_run = [&] {
    if (!run.empty()) sink.write(context_, run_start, run);
    run.clear();
  };
  const auto send_page = [&](uint64_t offset) {
    const arch::Page* theirs = gpu.page(allocation.address_ + offset);
    CUTAWAY_CHECK(theirs, "page {:#x} of an allocation is not mapped", allocation.address_ + offset);
    if (std::memcmp(allocation.view_ + offset, theirs->data(), kPageBytes) == 0) return;
    arch::Page ours;
    std::memcpy(ours.data(), allocation.view_ + offset, kPageBytes);
    uint64_t begin = 0, end = kPageBytes;
    while (begin < end && ours[begin] == (*theirs)[begin]) begin++;
    while (begin < end && ours[end - 1] == (*theirs)[end - 1]) end--;
    if (begin == end) return;
    if (const auto changed = changed_in_.find(allocation.address_ + offset); changed != changed_in_.end())
      last = std::max(last, changed->second);
    const Address start = allocation.address_ + offset + begin;
    if (run.empty() || run_start + run.size() != start) {
      end_run();
      run_start = start;
    }
    run.insert(run.end(), ours.begin() + begin, ours.begin() + end);
  };
  const auto send_pages = [&](uint64_t begin, uint64_t end) {
    for (uint64_t offset = begin; offset < end; offset += kPageBytes) send_page(offset);
  };
  if (allocation.owner_ == Owner::kApplication)
    tracker_.take(allocation.view_, allocation.bytes_, send_pages);
  else send_pages(allocation.dirty_begin_ / kPageBytes * kPageBytes, allocation.dirty_end_);
  end_run();
  return last;
}

void AddressSpace::publish(const arch::Memory& gpu, uint64_t submission) {
  const std::lock_guard lock(mutex_);
  published_ = submission;
  for (const arch::Memory::Change& change : gpu.changes()) {
    changed_in_[change.address] = submission;
    const auto behind = allocations_.upper_bound(change.address);
    if (behind == allocations_.begin()) continue;
    const Allocation& allocation = *std::prev(behind)->second;
    const uint64_t offset = change.address - allocation.address_;
    const arch::Page* page = gpu.page(change.address);
    // Pages that are not mapped yet have not been used by the GPU.
    if (offset >= allocation.bytes_ || !page) continue;
    CUTAWAY_CHECK(!allocation.in_use() || allocation.unread_.empty());
    if (allocation.in_use()) publish_page(allocation.view_ + offset, *change.before, *page);
    else allocation.unread_.insert_or_assign(offset, *gpu.hold(change.address, kPageBytes));
  }
}

}  // namespace cutaway::host
