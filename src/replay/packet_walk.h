#pragma once

#include <functional>
#include <span>

#include "arch/gpu.h"
#include "command_stream/clocked.h"
#include "command_stream/work.h"

namespace cutaway::replay {

// A packet of a submission's commands, including called commands.
struct Packet {
  uint64_t submission = 0;
  uint32_t draw = 0;      // draws so far in the submission, including this packet's
  uint32_t draws = 0;     // draws of this packet: its own count, or the count in memory if that is less
  uint32_t dispatch = 0;  // dispatches so far in the submission, including this packet
  arch::Address address = 0;
  arch::Opcode opcode{};
  std::span<const uint32_t> payload;
  const arch::Registers* registers = nullptr;  // as set by preceding packets
  const arch::Memory* memory = nullptr;        // at the start of the submission
};

using command_stream::is_dispatch;
using command_stream::is_draw;

// Visits the packets in order, without executing them. Stops at an illegal packet, which the GPU reports.
void walk_packets(const arch::Memory& memory, const arch::Submission& submission,
                  const std::function<void(const Packet&)>& visit);

// Receives a frame's traffic to the GPU and visits the packets of every submission, with memory as it is
// then. Writes by the GPU itself are not visible.
class PacketWalker final : public arch::CommandSink {
 public:
  PacketWalker(const arch::Memory& start, std::function<void(const Packet&)> visit)
      : memory_(start), visit_(std::move(visit)) {}

  void map(arch::ContextId, arch::Address address, uint64_t bytes) override {
    if (command_stream::may_map(memory_, bytes)) memory_.map(address, bytes);
  }
  void unmap(arch::ContextId, arch::Address address, uint64_t bytes) override {
    memory_.unmap(address, bytes);
  }
  void place(arch::ContextId, arch::Address, uint64_t, arch::Placement) override {}
  void bind(arch::ContextId, arch::Address address, uint64_t bytes,
            std::optional<arch::Address> target) override {
    if (!command_stream::bind_error(memory_, address, bytes, target)) memory_.bind(address, bytes, target);
  }
  void write(arch::ContextId, arch::Address address, std::span<const std::byte> bytes) override {
    memory_.write(address, bytes.data(), bytes.size());
  }
  void submit(const arch::Submission& submission) override { walk_packets(memory_, submission, visit_); }
  void annotate(std::string_view, uint64_t, std::span<const std::byte>) override {}

 private:
  arch::Memory memory_;
  std::function<void(const Packet&)> visit_;
};

}  // namespace cutaway::replay
