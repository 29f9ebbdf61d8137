#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arch/memory.h"

// The boundary between host and GPU: everything that a host knows of a GPU, and everything that a capture
// records.
namespace cutaway::arch {

constexpr uint32_t kContractVersion = 2;  // version of packets, registers, descriptors, layouts and
                                          // instructions

// A queue of a context. Submissions of a queue run in order; those of two queues may run side by side.
enum class QueueKind : uint8_t {
  kGraphics,
  kCompute,  // without draws and presents
};
constexpr uint32_t kQueues = 2;

// Work for the GPU: a range of packets in memory. Registers, constants, resource slots and instruction memory
// are empty at its start. A GPU that runs all submissions of a context in the order of their ids is right.
struct Submission {
  uint64_t id = 0;  // counts from 1
  ContextId context = 0;
  Address commands = 0;
  uint32_t words = 0;
  bool presents = false;  // contains one PRESENT packet: the frame ends with the submission
  // Submissions before this one whose end the host had not seen when it wrote memory for this one and handed
  // it over: they may still be under way. 0: all had ended.
  uint32_t ahead = 0;
  QueueKind queue = QueueKind::kGraphics;
  // All submissions of the other queue up to this one end before this one begins; 0: none has to.
  uint64_t after = 0;
};

// A displayed frame: rows from the top, 4 bytes a pixel (R, G, B, A).
struct Picture {
  uint32_t width = 0, height = 0;
  std::vector<uint8_t> rgba;
};

// A step of the program and its driver between two submissions: they computed, then waited.
struct HostStep {
  ContextId context = 0;
  uint64_t nanoseconds = 0;  // of computing, since the submission or step before
  uint64_t awaited = 0;      // the program went on when this submission had ended; 0: it did not wait
};

// Receives everything that crosses the boundary, in order.
class CommandSink {
 public:
  virtual ~CommandSink() = default;
  virtual void map(ContextId context, Address address, uint64_t bytes) = 0;
  virtual void unmap(ContextId context, Address address, uint64_t bytes) = 0;
  // Places mapped pages in video or system memory: page-aligned ranges.
  virtual void place(ContextId context, Address address, uint64_t bytes, Placement placement) = 0;
  // Makes a page-aligned range sparse, and binds it to mapped memory or to none: Memory::bind.
  virtual void bind(ContextId context, Address address, uint64_t bytes, std::optional<Address> target) = 0;
  virtual void write(ContextId context, Address address, std::span<const std::byte> bytes) = 0;
  virtual void submit(const Submission& submission) = 0;
  // Receives the host's time. Sinks without a clock ignore it.
  virtual void host(const HostStep& /*step*/) {}
  // Receives text that is not executed: shader sources, debug labels, names of surfaces. kind is a short word
  // such as "spirv", "program", "label", "surface"; id is unique within its kind.
  virtual void annotate(std::string_view kind, uint64_t id, std::span<const std::byte> text) = 0;
};

// The reason that the GPU stopped: an illegal packet, or a program that does not end.
struct Fault {
  uint64_t submission = 0;
  Address address = 0;  // of the packet
  std::string text;     // one line: what and why
};

class Gpu : public CommandSink {
 public:
  // Returns when every submission so far has ended and its results are in memory().
  virtual void wait() = 0;
  virtual const Memory& memory(ContextId context) const = 0;
  virtual bool fault(Fault& fault) const = 0;  // false: no fault so far
};

}  // namespace cutaway::arch
