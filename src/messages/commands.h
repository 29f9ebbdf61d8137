#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "arch/gpu.h"
#include "arch/packet.h"
#include "arch/registers.h"
#include "command_stream/draw.h"
#include "command_stream/query_counters.h"
#include "messages/memory_message.h"

// Messages between the command processor and the units that it commands. How draws end: messages/messages.h.
namespace cutaway::messages {

struct DrawState;  // messages/draw_state.h: all state of one version, unchanged while a draw uses it

struct DrawCommand {
  command_stream::Draw draw;
  uint32_t batch = 0;  // first of the draw's batches for this front end (structures/draw_batches.h)
  const DrawState* state = nullptr;
  Origin origin;
};

// From a color write unit: all fragments of this draw have reached its cache.
struct DrawDone {
  uint32_t draw = 0;
  uint64_t samples = 0;  // of it that passed here (Registers::query.samples_passed)
};

// From primitive assembly and each later geometry box: counts of a draw's batch, if pipeline statistics are
// counted.
struct DrawAssembled {
  uint32_t draw = 0;
  command_stream::QueryCounters counts;
};

// A query value on which GPUs of this contract may differ, as the emulator computed it.
struct QueryValue {
  uint64_t submission = 0;
  arch::Address address = 0;
  uint64_t value = 0;
};

// Orders to caches and engines outside the flow of draws, sent when the units are drained; each is answered
// by a ControlDone of the same kind. kClear precedes a clear of memory: caches are flushed and invalidated,
// and hierarchical Z takes the new depth.
struct Control {
  enum class Kind : uint8_t { kFlush, kInvalidate, kClear } kind = Kind::kFlush;
  Origin origin;
  std::shared_ptr<const arch::ClearPacket> clear;  // kClear
};
struct ControlDone {
  Control::Kind kind = Control::Kind::kFlush;
};

// Work of the constant loader: loads bytes from memory, 64 at a time, into state of the command processor.
struct LoadCommand {
  arch::Opcode kind = arch::Opcode::kLoadConstants;  // or resources, samplers, program
  arch::Stage stage{};
  uint32_t offset = 0;  // bytes into the array that it fills
  arch::Address address = 0;
  uint32_t bytes = 0;
  arch::QueueKind queue = arch::QueueKind::kGraphics;  // whose state it is
  Origin origin;
};
struct LoadedBlock {
  arch::Opcode kind = arch::Opcode::kLoadConstants;
  arch::Stage stage{};
  uint32_t offset = 0;
  uint32_t bytes = 0;  // valid bytes of data
  bool last = false;   // the command's last block
  arch::QueueKind queue = arch::QueueKind::kGraphics;
  Sector data{};
};

// Copies, fills and clears, as in the packet.
struct CopyCommand {
  arch::Opcode kind = arch::Opcode::kCopyBuffer;  // or kFillBuffer, kCopySurface, kCopyQueries, kClear
  std::shared_ptr<const std::vector<uint32_t>> payload;
  Origin origin;
};
struct CopyDone {};

struct PresentCommand {
  arch::Surface surface;
  Origin origin;
  arch::ContextId context = 0;
  uint32_t number = 0;  // counts the presents
};
// The surface has been scanned out, or its picture is left out because of a later one.
struct PresentDone {
  uint32_t number = 0;
  bool left_out = false;
};

// A dispatch of workgroups. No other draw or dispatch under way has its number.
struct DispatchCommand {
  arch::DispatchPacket dispatch{};
  uint32_t number = 0;
  const DrawState* state = nullptr;
  Origin origin;
};
struct DispatchDone {
  uint32_t dispatch = 0;  // DispatchCommand::number
};

// Compute distributor → shader unit: the workgroup's ids, and the number of workgroups.
struct Workgroup {
  uint32_t id[3] = {}, count[3] = {};
  uint32_t dispatch = 0;
  const DrawState* state = nullptr;
  Origin origin;
};
struct WorkgroupEnd {
  uint32_t dispatch = 0;
};

}  // namespace cutaway::messages
