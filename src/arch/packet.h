#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "arch/registers.h"

// Command packets. A packet is a header word (bits 31..24 opcode, 15..0 payload words, others zero) and its
// payload. If the payload's length is not the opcode's, that is a fault: the GPU stops at that packet.
namespace cutaway::arch {

enum class Opcode : uint8_t {
  kNop = 0,            // any payload
  kSetRegisters = 1,   // first register, then one to 4096 values
  kLoadConstants = 2,  // LoadPacket: count vec4 from memory into a stage's constant registers
  kLoadResources = 3,  // LoadPacket: count Surface descriptors into a stage's resource slots
  kLoadSamplers = 4,   // LoadPacket: count Sampler descriptors into a stage's sampler slots
  kLoadProgram = 5,    // LoadProgramPacket: the program that shader[stage] names, into instruction memory

  kDraw = 16,                 // DrawPacket
  kDrawIndexed = 17,          // DrawIndexedPacket
  kDrawIndirect = 18,         // IndirectPacket
  kDrawIndexedIndirect = 19,  // IndirectPacket
  kDispatch = 20,             // DispatchPacket
  kDispatchIndirect = 21,     // DispatchIndirectPacket
  kDrawByteCount = 22,        // DrawByteCountPacket

  kCopyBuffer = 32,   // CopyBufferPacket
  kFillBuffer = 33,   // FillBufferPacket
  kCopySurface = 34,  // CopySurfacePacket
  kCopyQueries = 35,  // CopyQueriesPacket
  kClear = 36,        // ClearPacket

  kFlush = 48,          // CacheBits; ends when the dirty lines are in memory
  kInvalidate = 49,     // CacheBits
  kWaitIdle = 50,       // no payload; every draw and copy before it has ended
  kWriteQuery = 51,     // QueryPacket: writes running counters
  kWriteValue = 52,     // WriteValuePacket: fence
  kWaitValue = 53,      // WaitValuePacket
  kLoadFeedback = 54,   // FeedbackPacket: sets the fill level of a transform feedback buffer
  kStoreFeedback = 55,  // FeedbackPacket: writes that level to memory
  kPredicate = 56,      // PredicatePacket: enables or skips the draws and dispatches that follow
  kCall = 64,           // CallPacket: runs other commands, then continues
  kMarker = 65,         // 1 word: id in the capture's annotations; no effect
  kPresent = 66,        // Surface: the DAC scans it out and the frame ends
};

struct LoadPacket {
  uint32_t stage, first, count;  // units: vec4 or descriptors
  Word64 address;                // a multiple of 16
};

struct LoadProgramPacket {
  uint32_t stage;
};

struct DrawPacket {
  uint32_t vertices, instances, first_vertex, first_instance;
};

struct DrawIndexedPacket {
  uint32_t indices, instances, first_index;
  int32_t vertex_offset;
  uint32_t first_instance;
};

struct IndirectPacket {
  Word64 address;  // of Vulkan's Vk*IndirectCommand structures
  uint32_t draws, stride;
  Word64 count_address;  // 0: draws is the count; else a 32-bit count, at most draws
};

// A draw of the vertices captured by transform feedback: their number is (the 32-bit value at `counter` minus
// `offset`) / `stride`.
struct DrawByteCountPacket {
  Word64 counter;
  uint32_t offset, stride;  // bytes
  uint32_t instances, first_instance;
};

// The number of bytes of captured vertices in a transform feedback buffer, a 32-bit value.
struct FeedbackPacket {
  uint32_t buffer;
  Word64 address;  // a multiple of 4. LOAD_FEEDBACK: 0 means no bytes
};

struct PredicatePacket {
  Word64 address;     // of a 32-bit value, a multiple of 4; 0: no predicate, everything is executed
  uint32_t inverted;  // 0: execute if the value is not 0; 1: execute if it is 0
};

struct DispatchPacket {
  uint32_t groups[3];  // x, y, z
  uint32_t base[3];    // added to the workgroups' ids
};

struct DispatchIndirectPacket {
  Word64 address;  // of Vulkan's VkDispatchIndirectCommand: groups; their ids start at 0
};

struct CopyBufferPacket {
  Word64 source, destination, bytes;  // ranges do not overlap
};

struct FillBufferPacket {
  Word64 destination, bytes;  // multiples of 4
  uint32_t value;
};

// Copies texels without conversion between surfaces of equal element size; buffers are linear surfaces with a
// pitch. Offsets and extent are in elements (BC: blocks) of the level base_level; z counts depth slices of 3D
// surfaces and layers from base_layer of others. Aspects: kDepth and kStencil move one aspect; the other side
// may hold that aspect alone (D16, X8D24, D32, S8), and the other aspect keeps its bits.
struct CopySurfacePacket {
  Surface source, destination;
  uint32_t source_x, source_y, source_z, destination_x, destination_y, destination_z;
  uint32_t width, height, depth;
  uint32_t aspect;  // CopyAspect
};

// Fills whole tiles of a tiled surface with one value, ordered like draws. It clears the level base_level as
// far as the surface's view shows it: the layers (of 3D surfaces the depth slices) from base_layer on, all
// samples. The rectangle's edges lie between tiles or at the level's edge; elements of the last tiles beyond
// the level are cleared too.
struct ClearPacket {
  Surface surface;               // a legal color target, or depth and stencil target
  uint32_t x, y, width, height;  // pixels
  uint32_t aspect;               // CopyAspect: one aspect, or all bits of the elements
  uint32_t value[4];             // a color, in a fragment output's encoding; otherwise a depth (float), a
                                 // stencil
};

struct QueryPacket {
  uint32_t kind;   // QueryKind
  Word64 address;  // a multiple of 8; of query slots: of 32
  uint32_t point;  // QueryPoint
};

// A query's slot: one counter's value at the query's begin and at its end. A query of several counters takes
// as many consecutive slots.
struct QuerySlot {
  uint64_t begin, end, available;  // available: 1 when the end has been written
  uint64_t unused;
};
static_assert(sizeof(QuerySlot) == 32);

// Writes the results of queries. Each result is the difference end - begin of a counter selected by `values`;
// the results of a query are consecutive. The first slot of query i is at source + i × source_stride, its
// results are at destination + i × stride.
struct CopyQueriesPacket {
  Word64 source, destination, stride;
  uint32_t queries, source_stride;
  uint32_t values;  // bit i: counter i, in slot i
  uint32_t flags;   // CopyQueriesFlags
};

enum CopyQueriesFlags : uint32_t {
  kQueries64Bit = 1 << 0,         // results of 64 bits, else the low 32
  kQueriesAvailability = 1 << 1,  // appends the availability of the first selected counter
  kQueriesPartial = 1 << 2,       // unavailable results are written as 0; otherwise they are not written
};

struct WriteValuePacket {
  Word64 address, value;  // address a multiple of 8; 64 bits are written once all earlier work has ended and
                          // is in memory
};

struct WaitValuePacket {
  Word64 address, value;  // address a multiple of 8; waits until the 64-bit value there is >= value
};

struct CallPacket {
  Word64 address;
  uint32_t words;
};

constexpr uint32_t kCallDepth = 4;
constexpr uint32_t kMaxPayload = 0xffff;

constexpr uint32_t packet_header(Opcode opcode, uint32_t payload_words) {
  return static_cast<uint32_t>(opcode) << 24 | payload_words;
}
constexpr Opcode packet_opcode(uint32_t header) { return static_cast<Opcode>(header >> 24); }
constexpr uint32_t packet_payload(uint32_t header) { return header & 0xffff; }

// The least and greatest number of payload words of an opcode. Unknown opcodes give {1, 0}.
struct PayloadRange {
  uint32_t least, most;
};
PayloadRange payload_range(Opcode opcode);
const char* opcode_name(Opcode opcode);  // "DRAW_INDEXED"; "?" for unknown ones
// True if the header names an opcode and its reserved bits are zero.
bool is_header(uint32_t word);

// Appends packets to a vector of words.
class CommandWriter {
 public:
  template <class Packet>
  void packet(Opcode opcode, const Packet& payload) {
    static_assert(sizeof(Packet) % 4 == 0 && std::is_trivially_copyable_v<Packet>);
    words(opcode, {reinterpret_cast<const uint32_t*>(&payload), sizeof(Packet) / 4});
  }
  void packet(Opcode opcode) { words(opcode, {}); }
  void words(Opcode opcode, std::span<const uint32_t> payload);
  void set_registers(uint32_t first, std::span<const uint32_t> values);
  template <class T>
  void set(uint32_t first, const T& value) {  // first from CUTAWAY_REGISTER
    static_assert(sizeof(T) % 4 == 0 && std::is_trivially_copyable_v<T>);
    set_registers(first, {reinterpret_cast<const uint32_t*>(&value), sizeof(T) / 4});
  }

  const std::vector<uint32_t>& commands() const { return commands_; }
  std::vector<uint32_t> take() { return std::move(commands_); }
  bool empty() const { return commands_.empty(); }

 private:
  std::vector<uint32_t> commands_;
};

// Copies a packet's payload into its structure; the caller has checked the length by payload_range.
template <class Packet>
Packet packet_as(std::span<const uint32_t> payload) {
  Packet packet;
  __builtin_memcpy(static_cast<void*>(&packet), payload.data(), sizeof(Packet));
  return packet;
}

}  // namespace cutaway::arch
