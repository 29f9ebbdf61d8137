#include "replay/frame_steps.h"

#include <bit>

#include "arch/format.h"
#include "base/error.h"
#include "command_stream/query.h"
#include "replay/packet_walk.h"

namespace cutaway::replay {
namespace {

using arch::Opcode;

Target surface_target(Target::Kind kind, const arch::Surface& surface, uint32_t index = 0) {
  return {kind, index, surface, surface.address, arch::surface_bytes(surface)};
}

std::vector<Target> targets_of_draw(const arch::Registers& registers) {
  std::vector<Target> targets;
  for (uint32_t i = 0; i < arch::kColorTargets; i++) {
    const arch::ColorTarget& color = registers.color.target[i];
    if (color.write_mask && arch::format_info(color.surface.format).bytes)
      targets.push_back(surface_target(Target::Kind::kColor, color.surface, i));
  }
  if (arch::format_info(registers.depth.surface.format).bytes)
    targets.push_back(surface_target(Target::Kind::kDepth, registers.depth.surface));
  return targets;
}

std::vector<Target> targets_of(const Packet& packet) {
  switch (packet.opcode) {
    case Opcode::kCopyBuffer: {
      const auto copy = arch::packet_as<arch::CopyBufferPacket>(packet.payload);
      return {{Target::Kind::kCopyBuffer, 0, {}, copy.destination, copy.bytes}};
    }
    case Opcode::kFillBuffer: {
      const auto fill = arch::packet_as<arch::FillBufferPacket>(packet.payload);
      return {{Target::Kind::kCopyBuffer, 0, {}, fill.destination, fill.bytes}};
    }
    case Opcode::kCopySurface:
      return {surface_target(Target::Kind::kCopySurface,
                             arch::packet_as<arch::CopySurfacePacket>(packet.payload).destination)};
    case Opcode::kClear: {
      const auto clear = arch::packet_as<arch::ClearPacket>(packet.payload);
      const bool color = arch::format_info(clear.surface.format).is_color();
      return {surface_target(color ? Target::Kind::kColor : Target::Kind::kDepth, clear.surface)};
    }
    case Opcode::kWriteValue:
      return {
          {Target::Kind::kValue, 0, {}, arch::packet_as<arch::WriteValuePacket>(packet.payload).address, 8}};
    case Opcode::kCopyQueries: {
      const auto copy = arch::packet_as<arch::CopyQueriesPacket>(packet.payload);
      const uint64_t results = static_cast<uint64_t>(std::popcount(copy.values)) + 1;
      return {{Target::Kind::kCopyBuffer,
               0,
               {},
               copy.destination,
               (copy.queries ? copy.queries - 1 : 0) * uint64_t{copy.stride} + 8 * results}};
    }
    case Opcode::kWriteQuery: {
      const auto query = arch::packet_as<arch::QueryPacket>(packet.payload);
      return {{Target::Kind::kValue,
               0,
               {},
               query.address,
               arch::query_values(query.kind) * uint64_t{sizeof(arch::QuerySlot)}}};
    }
    case Opcode::kDispatch:
    case Opcode::kDispatchIndirect:
      return {};
    default:
      return targets_of_draw(*packet.registers);
  }
}

}  // namespace

bool writes_memory(Opcode opcode) {
  return is_draw(opcode) || is_dispatch(opcode) || opcode == Opcode::kCopyBuffer ||
         opcode == Opcode::kFillBuffer || opcode == Opcode::kCopySurface || opcode == Opcode::kCopyQueries ||
         opcode == Opcode::kClear || opcode == Opcode::kWriteValue || opcode == Opcode::kWriteQuery;
}

std::string Step::text() const {
  const char* const name = arch::opcode_name(opcode);
  if (is_draw(opcode)) return fmt::format("submission {}, draw {} ({})", submission, draw, name);
  if (is_dispatch(opcode)) return fmt::format("submission {}, dispatch {} ({})", submission, dispatch, name);
  return fmt::format("submission {}, {} after draw {}", submission, name, draw);
}

std::vector<Step> steps_of_frame(const capture::Reader& reader, uint64_t frame, const arch::Memory& start) {
  std::vector<Step> steps;
  PacketWalker walker(start, [&](const Packet& packet) {
    if (writes_memory(packet.opcode))
      steps.push_back(
          {packet.submission, packet.draw, packet.draws, packet.opcode, targets_of(packet), packet.dispatch});
  });
  reader.play(frame, walker);
  return steps;
}

bool element_at(const arch::Surface& surface, arch::Address address, Element& element) {
  const uint32_t bytes = arch::format_info(surface.format).bytes;
  if (!bytes || surface.base_level >= surface.levels) return false;
  const arch::LevelLayout level = arch::level_layout(surface, surface.base_level);
  const uint32_t layers = std::max(surface.layers, 1u);
  for (uint32_t layer = 0; layer < layers; layer++) {
    const arch::Address first = surface.address + layer * arch::layer_pitch(surface) + level.offset;
    if (address < first || address - first >= level.slice_pitch * std::max(level.depth, 1u)) continue;
    const auto z = static_cast<uint32_t>((address - first) / level.slice_pitch);
    for (uint32_t sample = 0; sample < surface.samples(); sample++)
      for (uint32_t y = 0; y < level.rows; y++)
        for (uint32_t x = 0; x < level.columns; x++) {
          const arch::Address at = arch::element_address(surface, level, x, y, z, layer, sample);
          if (address < at || address - at >= bytes) continue;
          element = {x, y, z, layer, sample};
          return true;
        }
  }
  return false;
}

std::string describe(const Target& target) {
  const arch::Surface& s = target.surface;
  const auto surface = [&](std::string what) {
    return fmt::format("{}, {}x{} {}, {}, at {:#x}", what, s.width, s.height,
                       arch::format_info(s.format).name,
                       s.tiling() == arch::Tiling::kLinear ? "linear" : "tiled", target.address);
  };
  switch (target.kind) {
    case Target::Kind::kColor:
      return surface(fmt::format("color target {}", target.index));
    case Target::Kind::kDepth:
      return surface("depth and stencil surface");
    case Target::Kind::kCopySurface:
      return surface("surface that a copy writes");
    case Target::Kind::kCopyBuffer:
      return fmt::format("buffer range of {} bytes at {:#x}", target.bytes, target.address);
    case Target::Kind::kValue:
      return fmt::format("value at {:#x}", target.address);
  }
  return "";
}

}  // namespace cutaway::replay
