#pragma once

#include <array>

#include "arch/packet.h"
#include "arch/registers.h"

namespace cutaway::command_stream {

// A draw, decoded from any kind of draw packet.
struct Draw {
  bool indexed = false;
  uint32_t count = 0, instances = 0;  // count: vertices or indices
  uint32_t first = 0;                 // vertex, or position in the index buffer
  uint32_t vertex_offset = 0;         // added to indices, modulo 2^32
  uint32_t first_instance = 0;
  uint32_t number = 0;  // its number in its indirect packet
};

constexpr Draw make_draw(const arch::DrawPacket& packet, uint32_t number = 0) {
  return {.count = packet.vertices,
          .instances = packet.instances,
          .first = packet.first_vertex,
          .first_instance = packet.first_instance,
          .number = number};
}
constexpr Draw make_draw(const arch::DrawIndexedPacket& packet, uint32_t number = 0) {
  return {.indexed = true,
          .count = packet.indices,
          .instances = packet.instances,
          .first = packet.first_index,
          .vertex_offset = static_cast<uint32_t>(packet.vertex_offset),
          .first_instance = packet.first_instance,
          .number = number};
}
// filled: the 32-bit value at the packet's counter.
constexpr Draw make_draw(const arch::DrawByteCountPacket& packet, uint32_t filled) {
  return {.count = filled > packet.offset ? (filled - packet.offset) / packet.stride : 0,
          .instances = packet.instances,
          .first_instance = packet.first_instance};
}

// Number of words of a draw's argument in memory, or of a payload.
constexpr uint32_t draw_words(bool indexed) {
  return (indexed ? sizeof(arch::DrawIndexedPacket) : sizeof(arch::DrawPacket)) / 4;
}
inline Draw make_draw(bool indexed, std::span<const uint32_t> words, uint32_t number = 0) {
  return indexed ? make_draw(arch::packet_as<arch::DrawIndexedPacket>(words), number)
                 : make_draw(arch::packet_as<arch::DrawPacket>(words), number);
}

using InputRegister = std::array<uint32_t, 4>;

// Contents of arch::kInputVertexId for an index (vertex offset included) and an instance (from 0).
inline InputRegister vertex_id_input(const arch::Registers& registers, const Draw& draw, uint32_t index,
                                     uint32_t instance) {
  const uint32_t base = draw.indexed ? draw.vertex_offset : draw.first;
  if (registers.assembly.vertex_base_in_id)
    return {index, instance + draw.first_instance, base, draw.first_instance};
  return {index - base, instance, base, draw.first_instance};
}
// Contents of arch::kInputDraw.
constexpr InputRegister draw_input(const Draw& draw) { return {draw.number, 0, 0, 0}; }

}  // namespace cutaway::command_stream
