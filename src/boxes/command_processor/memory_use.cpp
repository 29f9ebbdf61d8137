#include "boxes/command_processor/memory_use.h"

#include <algorithm>

namespace cutaway::boxes {

namespace {

bool any_meets(const std::vector<MemoryRange>& ranges, const MemoryRange& memory) {
  return std::any_of(ranges.begin(), ranges.end(), [&](const MemoryRange& r) { return r.meets(memory); });
}

}  // namespace

bool MemoryUse::reads(const MemoryRange& memory) const { return any_meets(read, memory); }

bool MemoryUse::writes(const MemoryRange& memory) const {
  return any_meets(written, memory) || any_meets(bound, memory);
}

bool MemoryUse::overlaps(const MemoryUse& other) const {
  const auto written_here = [this](const MemoryRange& memory) { return writes(memory); };
  const auto used_here = [this](const MemoryRange& memory) { return writes(memory) || reads(memory); };
  return std::any_of(other.written.begin(), other.written.end(), used_here) ||
         std::any_of(other.bound.begin(), other.bound.end(), used_here) ||
         std::any_of(other.read.begin(), other.read.end(), written_here);
}

MemoryUse MemoryUse::in_lines() const {
  MemoryUse use = *this;
  for (auto* ranges : {&use.read, &use.written, &use.bound})
    for (MemoryRange& range : *ranges) range = range.in_lines();
  return use;
}

void MemoryUse::clear() {
  read.clear();
  written.clear();
  bound.clear();
}

bool exists(const arch::Surface& surface) { return arch::format_info(surface.format).bytes != 0; }

namespace {

MemoryRange bytes_from(arch::Address begin, uint64_t bytes) { return {begin, begin + bytes}; }

void add_targets(const arch::Registers& registers, MemoryUse& use) {
  if (exists(registers.depth.surface)) use.bound.push_back(range_of(registers.depth.surface));
  for (const arch::ColorTarget& target : registers.color.target)
    if (exists(target.surface))
      (target.write_mask ? use.written : use.bound).push_back(range_of(target.surface));
}

void add_vertices(const arch::Registers& registers, bool indexed, MemoryUse& use) {
  const auto& assembly = registers.assembly;
  if (indexed) use.read.push_back(bytes_from(assembly.index_address, assembly.index_bytes));
  for (const arch::VertexAttribute& attribute : assembly.attribute) {
    if (!arch::format_info(attribute.format).bytes) continue;
    const arch::VertexBinding& binding = assembly.binding[attribute.binding];
    use.read.push_back(bytes_from(binding.address, binding.bytes));
  }
}

void add_captures(const arch::Registers& registers, MemoryUse& use) {
  if (!registers.feedback.on) return;
  for (const arch::FeedbackBuffer& buffer : registers.feedback.buffer)
    if (buffer.bytes) use.written.push_back(bytes_from(buffer.address, buffer.bytes));
}

// Programs read and store the words of a raw buffer whatever else its descriptor says.
bool may_be_accessed(const func::TextureView& view) {
  return view.valid || view.surface.surface_type() == arch::SurfaceType::kRawBuffer;
}

void add_slots(const messages::StageState& stage, const std::vector<uint32_t>& slots,
               std::vector<MemoryRange>& ranges) {
  for (const uint32_t slot : slots)
    if (const func::TextureView& view = stage.resources[slot]; may_be_accessed(view))
      ranges.push_back(range_of(view.surface));
}

void add_resources(const messages::StageState& stage, MemoryUse& use) {
  if (!stage.program) return;
  add_slots(stage, stage.program->resources, use.read);
  add_slots(stage, stage.program->stored, use.written);
}

}  // namespace

void use_of_draw(const messages::DrawState& state, EnumSet<arch::Stage> stages, bool indexed,
                 MemoryUse& use) {
  use.clear();
  add_targets(state.registers, use);
  add_vertices(state.registers, indexed, use);
  add_captures(state.registers, use);
  for (uint32_t i = 0; i < arch::kStages; i++)
    if (const auto stage = static_cast<arch::Stage>(i); stages.has(stage))
      add_resources(state.stage[stage], use);
}

void use_of_dispatch(const messages::DrawState& state, MemoryUse& use) {
  use.clear();
  add_resources(state.stage[arch::Stage::kCompute], use);
}

void use_of_copy(arch::Opcode opcode, std::span<const uint32_t> payload, MemoryUse& use) {
  use.clear();
  switch (opcode) {
    case arch::Opcode::kCopySurface: {
      const auto packet = arch::packet_as<arch::CopySurfacePacket>(payload);
      use.read.push_back(range_of(packet.source));
      use.written.push_back(range_of(packet.destination));
      break;
    }
    case arch::Opcode::kCopyBuffer: {
      const auto packet = arch::packet_as<arch::CopyBufferPacket>(payload);
      use.read.push_back(bytes_from(packet.source, packet.bytes));
      use.written.push_back(bytes_from(packet.destination, packet.bytes));
      break;
    }
    case arch::Opcode::kFillBuffer: {
      const auto packet = arch::packet_as<arch::FillBufferPacket>(payload);
      use.written.push_back(bytes_from(packet.destination, packet.bytes));
      break;
    }
    default: {  // kCopyQueries
      // Each query has up to 32 slots, and gives as many results and an availability of 64 bits each.
      const auto packet = arch::packet_as<arch::CopyQueriesPacket>(payload);
      const uint64_t queries = packet.queries;
      use.read.push_back(
          bytes_from(packet.source, queries * packet.source_stride + 32 * sizeof(arch::QuerySlot)));
      use.written.push_back(bytes_from(packet.destination, queries * packet.stride + 33 * 8));
      break;
    }
  }
}

}  // namespace cutaway::boxes
