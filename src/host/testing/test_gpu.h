#pragma once

#include <map>
#include <string>
#include <vector>

#include "arch/gpu.h"
#include "arch/packet.h"

namespace cutaway::host {

// A GPU for tests of host/: executes COPY_BUFFER, FILL_BUFFER, WRITE_VALUE and CALL at once, skips all other
// packets, and records the calls that it receives.
class TestGpu final : public arch::Gpu {
 public:
  struct Write {
    arch::Address address;
    uint64_t bytes;
  };

  void map(arch::ContextId context, arch::Address address, uint64_t bytes) override {
    memory_[context].map(address, bytes);
  }
  void unmap(arch::ContextId context, arch::Address address, uint64_t bytes) override {
    memory_[context].unmap(address, bytes);
  }
  void place(arch::ContextId context, arch::Address address, uint64_t bytes,
             arch::Placement placement) override {
    memory_[context].place(address, bytes, placement);
  }
  void bind(arch::ContextId context, arch::Address address, uint64_t bytes,
            std::optional<arch::Address> target) override {
    memory_[context].bind(address, bytes, target);
  }
  void write(arch::ContextId context, arch::Address address, std::span<const std::byte> bytes) override {
    writes.push_back({address, bytes.size()});
    memory_[context].write(address, bytes.data(), bytes.size());
  }
  void submit(const arch::Submission& submission) override {
    submissions.push_back(submission);
    run(memory_[submission.context], submission.commands, submission.words);
  }
  void host(const arch::HostStep& step) override { steps.push_back(step); }
  void annotate(std::string_view kind, uint64_t, std::span<const std::byte>) override {
    annotations.emplace_back(kind);
  }
  void wait() override {}
  const arch::Memory& memory(arch::ContextId context) const override { return memory_[context]; }
  bool fault(arch::Fault& fault) const override {
    fault = {submissions.size(), 0, fault_text};
    return !fault_text.empty();
  }

  std::vector<arch::Submission> submissions;
  std::vector<arch::HostStep> steps;
  std::vector<arch::Opcode> packets;
  std::vector<Write> writes;
  std::vector<std::string> annotations;
  std::string fault_text;  // set by a test: the GPU has stopped

 private:
  void run(arch::Memory& memory, arch::Address address, uint32_t words) {
    for (const arch::Address end = address + uint64_t{words} * 4; address < end;) {
      const auto header = memory.read_as<uint32_t>(address);
      std::vector<uint32_t> payload(arch::packet_payload(header));
      memory.read(address + 4, payload.data(), payload.size() * 4);
      address += 4 + payload.size() * 4;
      packets.push_back(arch::packet_opcode(header));
      execute(memory, arch::packet_opcode(header), payload);
    }
  }
  void execute(arch::Memory& memory, arch::Opcode opcode, const std::vector<uint32_t>& payload) {
    if (opcode == arch::Opcode::kCall) {
      const auto call = arch::packet_as<arch::CallPacket>(payload);
      run(memory, call.address, call.words);
    } else if (opcode == arch::Opcode::kCopyBuffer) {
      const auto copy = arch::packet_as<arch::CopyBufferPacket>(payload);
      std::vector<std::byte> bytes(copy.bytes);
      memory.read(copy.source, bytes.data(), bytes.size());
      memory.write(copy.destination, bytes.data(), bytes.size());
    } else if (opcode == arch::Opcode::kFillBuffer) {
      const auto fill = arch::packet_as<arch::FillBufferPacket>(payload);
      for (uint64_t i = 0; i < fill.bytes; i += 4) memory.write_as(fill.destination + i, fill.value);
    } else if (opcode == arch::Opcode::kWriteValue) {
      const auto value = arch::packet_as<arch::WriteValuePacket>(payload);
      memory.write_as<uint64_t>(value.address, value.value);
    }
  }

  mutable std::map<arch::ContextId, arch::Memory> memory_;
};

}  // namespace cutaway::host
