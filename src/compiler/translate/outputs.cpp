#include "compiler/translate/outputs.h"

#include <algorithm>
#include <map>
#include <spirv/unified1/spirv.hpp>

#include "base/round_up.h"
#include "compiler/translate/inputs.h"

namespace cutaway::compiler {
namespace {

constexpr uint32_t kDropped = ~0u;

// Target of a built-in output: {register, component}.
std::array<uint32_t, 2> builtin_target(arch::Stage stage, uint32_t builtin) {
  if (stage != arch::Stage::kFragment) {
    if (builtin == spv::BuiltInPrimitiveId && stage == arch::Stage::kGeometry) return {kOutPrimitiveId, 0};
    switch (builtin) {
      case spv::BuiltInPosition:
        return {kOutPosition, 0};
      case spv::BuiltInPointSize:
        return {kOutPointSize, 0};
      case spv::BuiltInLayer:
        return {kOutLayer, 0};
      case spv::BuiltInViewportIndex:
        return {kOutViewport, 0};
      case spv::BuiltInClipDistance:
      case spv::BuiltInCullDistance:
        return {kOutClip, 0};
      default:
        break;
    }
  } else {
    switch (builtin) {
      case spv::BuiltInFragDepth:
        return {arch::kOutputDepth, 0};
      case spv::BuiltInSampleMask:
        return {arch::kOutputDepth, 1};
      case spv::BuiltInFragStencilRefEXT:
        return {arch::kOutputDepth, 2};
      default:
        break;
    }
  }
  unsupported("built-in output {} is not supported", builtin_name(builtin));
}

}  // namespace

// Appends the components of an output from a location on.
void Outputs::output_targets(uint32_t type_id, uint32_t location, uint32_t component, const Decorations& d,
                             uint32_t& slot, std::vector<OutputTarget>& targets) {
  const Type& type = m_.type(type_id);
  if (type.components == 0) return;
  if (d.builtin) {
    const auto [reg, first] = builtin_target(request_.stage, *d.builtin);
    uint32_t start = first, from = reg;
    if (*d.builtin == spv::BuiltInCullDistance && emits()) from = kOutCull;
    else if (*d.builtin == spv::BuiltInCullDistance) start += interface.clip_distances;
    for (uint32_t i = 0; i < type.components; ++i, ++slot) {
      const bool extra = reg == arch::kOutputDepth && request_.stage == arch::Stage::kFragment && i > 0;
      targets.push_back({extra ? kDropped : from + (start + i) / 4, (start + i) % 4, slot, {}});
    }
    return;
  }
  switch (type.kind) {
    case TypeKind::kInt:
    case TypeKind::kFloat:
    case TypeKind::kVector: {
      const bool vertex = gives_vertices();
      // Only varyings that the rasteriser interpolates occupy interpolants.
      const uint32_t limit = vertex ? isa::kVaryingLocations : arch::kColorTargets;
      const bool second = d.index.value_or(0) == 1 && !vertex;
      if (second && location != 0)
        unsupported("decoration Index 1 at location {} is not supported", location);
      interface.second_source |= second;
      for (uint32_t i = 0; i < type.components; ++i, ++slot) {
        const uint32_t at = location + (component + i) / 4;
        if (location >= limit || at >= limit)
          unsupported("output location {} is beyond the {} there are", at, limit);
        if (at != location && m_.scalar(type_id).bits != 64)
          invalid("an output at location {} has too many components", location);
        const bool dropped = !vertex && !second && !(request_.live_outputs >> at & 1);
        const uint32_t reg = vertex ? kOutVarying + at : second ? 1 : at;
        targets.push_back({dropped ? kDropped : reg, (component + i) % 4, slot, {}});
      }
      return;
    }
    case TypeKind::kMatrix:
    case TypeKind::kArray: {
      const uint32_t step = locations(m_, type.element);
      for (uint32_t i = 0; i < type.count; ++i) {
        const size_t first = targets.size();
        output_targets(type.element, location + i * step, component, d, slot, targets);
        capture_after(i * blocks(type.element), std::span(targets).subspan(first));
      }
      return;
    }
    case TypeKind::kStruct:
      for (uint32_t i = 0; i < type.members.size(); ++i) {
        Decorations member = m_.member(type_id, i);
        if (!member.xfb_buffer) member.xfb_buffer = d.xfb_buffer;
        if (!member.xfb_stride) member.xfb_stride = d.xfb_stride;
        if (!member.stream) member.stream = d.stream;
        const uint32_t at = member.location.value_or(location);
        const size_t first = targets.size();
        output_targets(type.members[i], at, member.component.value_or(0), member, slot, targets);
        capture_targets(member, type.members[i], std::span(targets).subspan(first));
        location = at + locations(m_, type.members[i]);
      }
      return;
    default:
      unsupported("an output is of a type that is not supported");
  }
}

// True if a type is or holds a number of 64 bits.
bool Outputs::holds_wide(uint32_t type_id) const {
  const Type& type = m_.type(type_id);
  if (type.kind == TypeKind::kStruct)
    return std::ranges::any_of(type.members, [&](uint32_t member) { return holds_wide(member); });
  return type.kind == TypeKind::kArray ? holds_wide(type.element) : m_.scalar(type_id).bits == 64;
}

// Appends the byte offsets of the components of a captured object from `at` on. They follow each other
// without gaps, but an object with numbers of 64 bits begins and ends at a multiple of 8 (GLSL, "Transform
// Feedback Layout Qualifiers").
void Outputs::captured_bytes(uint32_t type_id, uint64_t& at, std::vector<uint64_t>& bytes) const {
  const Type& type = m_.type(type_id);
  if (type.components == 0) return;
  const uint64_t alignment = holds_wide(type_id) ? 8 : 4;
  const auto align = [&] { at = round_up(at, alignment); };
  align();
  if (type.kind == TypeKind::kStruct) {
    for (const uint32_t member : type.members) captured_bytes(member, at, bytes);
  } else if (type.kind == TypeKind::kArray) {
    for (uint32_t i = 0; i < type.count; ++i) captured_bytes(type.element, at, bytes);
  } else {
    for (uint32_t i = 0; i < type.components; ++i, at += 4) bytes.push_back(at);
  }
  align();
}

// Captures the components of a variable or member with an Offset from there on.
void Outputs::capture_targets(const Decorations& d, uint32_t type, std::span<OutputTarget> targets) {
  if (!gives_vertices() || !d.xfb_buffer) return;
  const uint32_t buffer = *d.xfb_buffer;
  if (buffer >= arch::kFeedbackBuffers)
    unsupported("decoration XfbBuffer {} is beyond the {} there are", buffer, arch::kFeedbackBuffers);
  if (d.xfb_stride) interface.feedback_stride[buffer] = *d.xfb_stride;
  if (!d.offset) return;
  uint64_t at = *d.offset;
  std::vector<uint64_t> bytes;
  captured_bytes(type, at, bytes);
  for (size_t i = 0; i < std::min(targets.size(), bytes.size()); ++i) {
    const uint64_t offset = bytes[i];
    if (offset % 4 || *d.offset % 4 || offset > 0xfffc)
      unsupported("decoration Offset {} of captured output is not supported", *d.offset);
    targets[i].captured =
        arch::FeedbackOutput::make(targets[i].reg & 0xff, targets[i].component, buffer,
                                   static_cast<uint32_t>(offset), d.stream.value_or(0) % arch::kStreams);
  }
}

// Number of blocks in an array; 1 for a single block.
uint32_t Outputs::blocks(uint32_t type_id) const {
  const Type& type = m_.type(type_id);
  if (type.kind == TypeKind::kArray) return type.count * blocks(type.element);
  return type.kind == TypeKind::kStruct && m_.decoration(type_id).block;
}

// Captures the blocks of an array into consecutive buffers.
void Outputs::capture_after(uint32_t buffers, std::span<OutputTarget> targets) {
  if (buffers == 0) return;
  for (OutputTarget& target : targets) {
    if (!target.captured) continue;
    const arch::FeedbackOutput from = *target.captured;
    const uint32_t buffer = from.buffer() + buffers;
    if (buffer >= arch::kFeedbackBuffers)
      unsupported("an array of blocks is captured by more than the {} buffers there are",
                  arch::kFeedbackBuffers);
    target.captured =
        arch::FeedbackOutput::make(from.source(), from.component(), buffer, from.offset(), from.stream());
    interface.feedback_stride[buffer] = interface.feedback_stride[from.buffer()];
  }
}

// Makes distances that the next stage reads varyings too.
void Outputs::repeat_distances(std::vector<OutputTarget>& targets) const {
  if (!gives_vertices()) return;
  for (size_t i = 0, count = targets.size(); i < count; ++i) {
    const uint32_t reg = targets[i].reg;
    if (reg < kOutClip || reg == kOutPrimitiveId || reg == kDropped) continue;
    bool cull = reg >= kOutCull;
    uint32_t component = (reg - (cull ? kOutCull : kOutClip)) * 4 + targets[i].component;
    if (!emits() && component >= interface.clip_distances) {
      cull = true;
      component -= interface.clip_distances;
    }
    const uint32_t location = (cull ? isa::kCullLocation : isa::kClipLocation) + component / 4;
    if (component < 8) targets.push_back({kOutVarying + location, component % 4, targets[i].slot, {}});
  }
}

// Counts the written or captured clip distances first, because cull distances follow them.
void Outputs::count_distances() {
  auto written = [&](uint32_t builtin) {
    uint32_t count = 0;
    auto look = [&](const Decorations& d, uint32_t type, uint32_t slot) {
      if (d.builtin != builtin) return;
      for (uint32_t i = 0; i < m_.type(type).components; ++i)
        if (d.offset || !b.read(slot + i).is_undef()) count = std::max(count, i + 1);
    };
    for (const Word& word : m_.variables) {
      if (arg(word, 0) != spv::StorageClassOutput) continue;
      const uint32_t type = m_.type(word.type).element;
      look(m_.decoration(word.result), type, values_.slot_of(word.result));
      for (uint32_t i = 0; i < m_.type(type).members.size(); ++i)
        look(m_.member(type, i), m_.type(type).members[i],
             values_.slot_of(word.result) + m_.type(type).starts[i]);
    }
    return count;
  };
  interface.clip_distances = std::max(interface.clip_distances, written(spv::BuiltInClipDistance));
  interface.cull_distances = std::max(interface.cull_distances, written(spv::BuiltInCullDistance));
  if (interface.clip_distances + interface.cull_distances > 8)
    unsupported("{} clip and {} cull distances, but there are at most 8", interface.clip_distances,
                interface.cull_distances);
}

bool Outputs::is_live(uint32_t reg) const {
  if (!gives_vertices()) return true;
  if (reg == kOutPointSize) return request_.live_point_size;
  return reg < kOutVarying || reg >= kOutPointSize || (request_.live_outputs >> (reg - kOutVarying) & 1);
}

bool Outputs::is_captured(const arch::FeedbackOutput& output) const {
  return std::any_of(interface.feedback.begin(), interface.feedback.end(),
                     [&](const arch::FeedbackOutput& other) { return other.word == output.word; });
}

std::vector<Outputs::OutputTarget> Outputs::targets_of(uint32_t stream) {
  std::vector<OutputTarget> targets;
  for (const Word& word : m_.variables) {
    if (arg(word, 0) != spv::StorageClassOutput) continue;
    const Decorations& d = m_.decoration(word.result);
    if (emits() && d.stream.value_or(0) != stream) continue;
    uint32_t slot = values_.slot_of(word.result);
    const size_t first = targets.size();
    output_targets(m_.type(word.type).element, d.location.value_or(0), d.component.value_or(0), d, slot,
                   targets);
    capture_targets(d, m_.type(word.type).element, std::span(targets).subspan(first));
  }
  return targets;
}

void Outputs::write(uint32_t stream) {
  count_distances();
  std::vector<OutputTarget> targets = targets_of(stream);
  repeat_distances(targets);
  // Outputs that are written come first: where an unwritten one shares their component, theirs is moved.
  const auto is_written = [&](const OutputTarget& target) { return !b.read(target.slot).is_undef(); };
  std::stable_partition(targets.begin(), targets.end(), is_written);
  std::map<std::pair<uint32_t, uint32_t>, Inst> moves;  // by register; cull distances separately
  for (const auto& [reg, component, slot, captured] : targets) {
    if (reg == kDropped || (!captured && !is_live(reg))) continue;
    Ref value = b.read(slot);
    const bool written = !value.is_undef();
    if (!written && !captured) continue;
    if (captured && !(emits() && is_captured(*captured))) interface.feedback.push_back(*captured);
    Inst& move = moves[{reg, reg >= kOutCull ? component : 0}];
    const bool shared = std::count(move.channel.begin(), move.channel.begin() + move.width, component) != 0;
    // Outputs that are not read may share a component.
    if (shared && written)
      invalid("two outputs share component {} of a location that is read or captured", component);
    if (shared) continue;
    // Captured outputs have room in their buffers and count as captured, also where no path writes them.
    if (!written) value = literal(0);
    move.channel[move.width] = static_cast<uint8_t>(component);
    move.src[0].ref[move.width++] = value;
  }
  for (auto& [place, move] : moves) {
    move.op = Opcode::kMov;
    move.sources = 1;
    move.src[0].width = move.width;
    move.output = static_cast<uint8_t>(place.first);
    b.append(move);
  }
}

void Outputs::finish() {
  if (!emits()) return;
  const auto behind = [&](uint32_t reg, uint32_t component) {
    return interface.clip_distances + (reg - kOutCull) * 4 + component;
  };
  for (Inst& inst : b.ir.insts) {
    if (inst.output == 0xff || inst.output < kOutCull) continue;
    const uint32_t at = behind(inst.output, inst.channel[0]);
    inst.output = static_cast<uint8_t>(kOutClip + at / 4);
    inst.channel[0] = static_cast<uint8_t>(at % 4);
  }
  for (arch::FeedbackOutput& output : interface.feedback) {
    if (output.source() < kOutCull) continue;
    const uint32_t at = behind(output.source(), output.component());
    output = arch::FeedbackOutput::make(kOutClip + at / 4, at % 4, output.buffer(), output.offset(),
                                        output.stream());
  }
}

}  // namespace cutaway::compiler
