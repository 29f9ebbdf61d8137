#pragma once

#include <gtest/gtest.h>

#include "capture/reader.h"
#include "emulator/emulator.h"
#include "machine/machine.h"
#include "replay/packet_walk.h"

// A capture of one frame on the emulator, which knows no cache, and on the clocked machine, whose caches are
// coherent only where packets make them so.
namespace cutaway {

// A packet that makes memory coherent or work wait.
struct BarrierPacket {
  uint64_t submission = 0;
  arch::Address address = 0;
  arch::Opcode opcode{};
  uint32_t caches = 0;  // CacheBits

  std::string text() const {
    std::string name = arch::opcode_name(opcode);
    return caches ? name + "(" + std::to_string(caches) + ")" : name;
  }
};

inline bool is_barrier(arch::Opcode opcode) {
  return opcode == arch::Opcode::kFlush || opcode == arch::Opcode::kInvalidate ||
         opcode == arch::Opcode::kWaitIdle;
}

inline bool is_work(arch::Opcode opcode) {
  return replay::is_draw(opcode) || opcode == arch::Opcode::kCopyBuffer ||
         opcode == arch::Opcode::kFillBuffer || opcode == arch::Opcode::kCopySurface ||
         opcode == arch::Opcode::kDispatch;
}

// The barrier packets of all submissions that have work of the same submission before and behind them.
inline std::vector<BarrierPacket> barriers_between_work(const capture::Reader& capture) {
  std::vector<BarrierPacket> found, pending;
  uint64_t submission = 0;
  replay::PacketWalker walker(arch::Memory(), [&](const replay::Packet& packet) {
    if (packet.submission != submission) pending.clear();
    const bool first = packet.submission != submission;
    if (is_work(packet.opcode)) {
      submission = packet.submission;
      found.insert(found.end(), pending.begin(), pending.end());
      pending.clear();
    } else if (is_barrier(packet.opcode) && !first) {
      pending.push_back(
          {packet.submission, packet.address, packet.opcode, packet.payload.empty() ? 0 : packet.payload[0]});
    }
  });
  capture.play_range(capture.info().first_frame(), capture.info().first_frame(), walker);
  return found;
}

// Passes everything on to a GPU, but puts a NOP in the place of one packet before it runs.
class Dropper final : public arch::CommandSink {
 public:
  Dropper(arch::Gpu& gpu, const BarrierPacket& dropped) : gpu_(gpu), dropped_(dropped) {}

  void map(arch::ContextId context, arch::Address address, uint64_t bytes) override {
    gpu_.map(context, address, bytes);
  }
  void unmap(arch::ContextId context, arch::Address address, uint64_t bytes) override {
    gpu_.unmap(context, address, bytes);
  }
  void place(arch::ContextId context, arch::Address address, uint64_t bytes,
             arch::Placement placement) override {
    gpu_.place(context, address, bytes, placement);
  }
  void bind(arch::ContextId context, arch::Address address, uint64_t bytes,
            std::optional<arch::Address> target) override {
    gpu_.bind(context, address, bytes, target);
  }
  void write(arch::ContextId context, arch::Address address, std::span<const std::byte> bytes) override {
    gpu_.write(context, address, bytes);
  }
  void submit(const arch::Submission& submission) override {
    if (submission.id == dropped_.submission) {
      const uint32_t nop = arch::packet_header(arch::Opcode::kNop, dropped_.caches ? 1 : 0);
      gpu_.write(submission.context, dropped_.address, std::as_bytes(std::span(&nop, 1)));
    }
    gpu_.submit(submission);
  }
  void annotate(std::string_view, uint64_t, std::span<const std::byte>) override {}

 private:
  arch::Gpu& gpu_;
  const BarrierPacket dropped_;
};

// True if machine and emulator leave the same memory when both skip a packet. Submission 0: none is skipped.
inline bool equal_without(const capture::Reader& capture, const BarrierPacket& dropped,
                          const machine::Config& config) {
  const uint64_t frame = capture.info().first_frame();
  const auto emulator = emulator::make_emulator();
  Dropper to_emulator(*emulator, dropped);
  capture.play_range(frame, frame, to_emulator);
  emulator->wait();
  machine::Machine clocked{config, arch::Memory()};
  Dropper to_machine(clocked, dropped);
  capture.play_range(frame, frame, to_machine);
  arch::Fault fault;
  EXPECT_FALSE(emulator->fault(fault)) << fault.text;
  EXPECT_FALSE(clocked.fault(fault)) << fault.text;
  return emulator->memory(0).hash() == clocked.memory(0).hash();
}

}  // namespace cutaway
