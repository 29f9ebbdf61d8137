#pragma once

#include "capture/writer.h"

namespace cutaway::capture {

// A GPU that records every command before passing it on. Both arguments must outlive it.
class RecordingGpu final : public arch::Gpu {
 public:
  RecordingGpu(arch::Gpu& gpu, Writer& writer) : gpu_(gpu), writer_(writer) {}

  void map(arch::ContextId context, arch::Address address, uint64_t bytes) override {
    writer_.map(context, address, bytes);
    gpu_.map(context, address, bytes);
  }
  void unmap(arch::ContextId context, arch::Address address, uint64_t bytes) override {
    writer_.unmap(context, address, bytes);
    gpu_.unmap(context, address, bytes);
  }
  void place(arch::ContextId context, arch::Address address, uint64_t bytes,
             arch::Placement placement) override {
    writer_.place(context, address, bytes, placement);
    gpu_.place(context, address, bytes, placement);
  }
  void bind(arch::ContextId context, arch::Address address, uint64_t bytes,
            std::optional<arch::Address> target) override {
    writer_.bind(context, address, bytes, target);
    gpu_.bind(context, address, bytes, target);
  }
  void write(arch::ContextId context, arch::Address address, std::span<const std::byte> bytes) override {
    writer_.write(context, address, bytes);
    gpu_.write(context, address, bytes);
  }
  void submit(const arch::Submission& submission) override {
    writer_.submit(submission);
    gpu_.submit(submission);
  }
  void host(const arch::HostStep& step) override {
    writer_.host(step);
    gpu_.host(step);
  }
  void annotate(std::string_view kind, uint64_t id, std::span<const std::byte> text) override {
    writer_.annotate(kind, id, text);
    gpu_.annotate(kind, id, text);
  }
  void wait() override { gpu_.wait(); }
  const arch::Memory& memory(arch::ContextId context) const override { return gpu_.memory(context); }
  bool fault(arch::Fault& fault) const override { return gpu_.fault(fault); }

 private:
  arch::Gpu& gpu_;
  Writer& writer_;
};

// For WriterOptions::memory: a GPU's memory once all its work so far has ended.
inline std::function<const arch::Memory&(arch::ContextId)> memory_of(arch::Gpu& gpu) {
  return [&gpu](arch::ContextId context) -> const arch::Memory& {
    gpu.wait();
    return gpu.memory(context);
  };
}

}  // namespace cutaway::capture
