#include "replay/write_trace.h"

#include <cstring>
#include <span>

#include "base/error.h"
#include "emulator/emulator.h"

namespace cutaway::replay {
namespace {

constexpr int kHost = -1;  // a write from outside the GPU: both GPUs received it

// True if the bytes that differ at the end of the frame are equal.
bool equal(uint64_t mask, const std::byte* a, const std::byte* b) {
  for (; mask; mask &= mask - 1) {
    const int byte = __builtin_ctzll(mask);
    if (a[byte] != b[byte]) return false;
  }
  return true;
}

// A sink between the capture and the emulator that observes memory step by step.
class Tracer final : public arch::CommandSink {
 public:
  Tracer(arch::ContextId context, const arch::Memory& start, std::vector<SectorDifference>& sectors)
      : context_(context), sectors_(sectors) {
    emulator::Options options;
    options.on_packet = [this](uint64_t, arch::Opcode opcode) {
      if (writes_memory(opcode)) note(steps_++);
    };
    gpu_ = emulator::make_emulator(std::move(options));
    start.for_each_page([&](arch::Address address, const arch::Page& page) {
      if (start.sparse(address)) return;
      gpu_->map(context, address, arch::kPageBytes);
      gpu_->write(context, address, page);
    });
    for (const arch::Memory::Binding& binding : start.bindings())
      gpu_->bind(context, binding.address, binding.bytes, binding.target);
    before_ = gpu_->memory(context);
  }

  void map(arch::ContextId context, arch::Address address, uint64_t bytes) override {
    gpu_->map(context, address, bytes);
  }
  void unmap(arch::ContextId context, arch::Address address, uint64_t bytes) override {
    gpu_->unmap(context, address, bytes);
  }
  void place(arch::ContextId context, arch::Address address, uint64_t bytes,
             arch::Placement placement) override {
    gpu_->place(context, address, bytes, placement);
  }
  void bind(arch::ContextId context, arch::Address address, uint64_t bytes,
            std::optional<arch::Address> target) override {
    gpu_->bind(context, address, bytes, target);
  }
  void write(arch::ContextId context, arch::Address address, std::span<const std::byte> bytes) override {
    gpu_->write(context, address, bytes);
  }
  void submit(const arch::Submission& submission) override {
    note(kHost);
    gpu_->submit(submission);
  }
  void annotate(std::string_view, uint64_t, std::span<const std::byte>) override {}

 private:
  void note(int step) {
    const arch::Memory& memory = gpu_->memory(context_);
    bool changed = false;
    for (size_t i = 0; i < sectors_.size();) {
      const arch::Address page = sectors_[i].address / arch::kPageBytes * arch::kPageBytes;
      const arch::Page *now = memory.page(page), *then = before_.page(page);
      for (; i < sectors_.size() && sectors_[i].address - page < arch::kPageBytes; i++)
        if (now != then && now && then) note(step, sectors_[i], then->data(), now->data());
      changed |= now != then;
    }
    if (changed) before_ = memory;  // shares all pages: the next write copies its page
  }

  void note(int step, SectorDifference& sector, const std::byte* then, const std::byte* now) {
    const uint64_t inside = sector.address % arch::kPageBytes;
    then += inside, now += inside;
    if (equal(sector.mask, then, now)) return;
    if (equal(sector.mask, now, sector.found.data())) sector.first_wrong = SectorDifference::kNone;
    else if (step != kHost && equal(sector.mask, then, sector.found.data())) sector.first_wrong = step;
    if (step != kHost) sector.last_write = step;
  }

  arch::ContextId context_;
  std::vector<SectorDifference>& sectors_;
  std::unique_ptr<emulator::Emulator> gpu_;
  arch::Memory before_;
  int steps_ = 0;
};

void compare_page(arch::Address address, const std::byte* expected, const std::byte* found,
                  std::vector<SectorDifference>& sectors) {
  for (uint64_t offset = 0; offset < arch::kPageBytes; offset += kSectorBytes) {
    if (!std::memcmp(expected + offset, found + offset, kSectorBytes)) continue;
    SectorDifference& sector = sectors.emplace_back();
    sector.address = address + offset;
    std::memcpy(sector.expected.data(), expected + offset, kSectorBytes);
    std::memcpy(sector.found.data(), found + offset, kSectorBytes);
    for (uint64_t byte = 0; byte < kSectorBytes; byte++)
      if (sector.expected[byte] != sector.found[byte]) sector.mask |= uint64_t{1} << byte;
  }
}

}  // namespace

std::vector<SectorDifference> differing_sectors(const arch::Memory& expected, const arch::Memory& found) {
  std::vector<SectorDifference> sectors;
  expected.for_each_page([&](arch::Address address, const arch::Page& page) {
    if (expected.target_of(address) != address) return;  // the same memory is compared at its own address
    const arch::Page* other = found.page(address);
    CUTAWAY_CHECK(other, "page {:#x} is mapped on one GPU alone", address);
    if (other != &page) compare_page(address, page.data(), other->data(), sectors);
  });
  return sectors;
}

void trace_writes(const capture::Reader& reader, uint64_t frame, arch::ContextId context,
                  const arch::Memory& start, std::vector<SectorDifference>& sectors) {
  Tracer tracer(context, start, sectors);
  reader.play(frame, tracer);
}

}  // namespace cutaway::replay
