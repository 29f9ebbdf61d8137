#pragma once

#include "arch/gpu.h"

namespace cutaway::arch {

// Ignores all that crosses the boundary, for sinks that look for one kind of it.
class IgnoringSink : public CommandSink {
 public:
  void map(ContextId, Address, uint64_t) override {}
  void unmap(ContextId, Address, uint64_t) override {}
  void place(ContextId, Address, uint64_t, Placement) override {}
  void bind(ContextId, Address, uint64_t, std::optional<Address>) override {}
  void write(ContextId, Address, std::span<const std::byte>) override {}
  void submit(const Submission&) override {}
  void annotate(std::string_view, uint64_t, std::span<const std::byte>) override {}
};

}  // namespace cutaway::arch
