#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "arch/registers.h"

// Command packets. A packet is a header word (bits 31..24 opcode, 15..0 payload words, others zero) and its
// payload. A payload of another length than its opcode's is a fault: the GPU stops at that packet.
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
  kDispatch = 20,             // 3 words: groups in x, y, z
  kDispatchIndirect = 21,     // Word64 address

  kCopyBuffer = 32,   // CopyBufferPacket
  kFillBuffer = 33,   // FillBufferPacket
  kCopySurface = 34,  // CopySurfacePacket

  kFlush = 48,       // CacheBits; ends when the dirty lines are in memory
  kInvalidate = 49,  // CacheBits
  kWaitIdle = 50,    // no payload; every draw and copy before it has ended
  kWriteQuery = 51,  // QueryPacket: writes a running counter
  kWriteValue = 52,  // WriteValuePacket: fence
  kWaitValue = 53,   // WaitValuePacket
  kCall = 64,        // CallPacket: runs other commands, then goes on
  kMarker = 65,      // 1 word: id in the capture's annotations; no effect
  kPresent = 66,     // Surface: the DAC scans it out and the frame ends
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
// may hold it alone (D16, X8D24, D32, S8), and the aspect not named keeps its bits.
struct CopySurfacePacket {
  Surface source, destination;
  uint32_t source_x, source_y, source_z, destination_x, destination_y, destination_z;
  uint32_t width, height, depth;
  uint32_t aspect;  // CopyAspect
};

struct QueryPacket {
  uint32_t kind;  // QueryKind
  Word64 address;
};

struct WriteValuePacket {
  Word64 address, value;  // 64 bits are written after all work before it has ended and is in memory
};

struct WaitValuePacket {
  Word64 address, value;  // waits until the 64-bit value there is >= value
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

// Payload words that an opcode demands: the least and the most. Unknown opcodes give {1, 0}.
struct PayloadRange {
  uint32_t least, most;
};
PayloadRange payload_range(Opcode opcode);
const char* opcode_name(Opcode opcode);  // "DRAW_INDEXED"; "?" for unknown ones

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
