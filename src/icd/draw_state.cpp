#include "icd/draw_state.h"

#include <algorithm>
#include <cstring>

namespace cutaway::icd {
namespace {

constexpr uint64_t kVec4 = 16;

bool is_buffer(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER || type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER ||
         type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
         type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

uint32_t word_count(uint64_t bytes) { return static_cast<uint32_t>(std::min<uint64_t>(bytes, 0xffffffff)); }

// A buffer as LDB sees it: a raw range of bytes.
arch::Surface raw_buffer(arch::Address address, uint64_t bytes) {
  arch::Surface surface{};
  surface.address = address;
  surface.type = arch::Surface::make_type(arch::SurfaceType::kRawBuffer, arch::Tiling::kLinear);
  surface.width = word_count(bytes);
  surface.height = surface.depth = surface.levels = surface.layers = 1;
  surface.level_count = surface.layer_count = 1;
  surface.swizzle = arch::kSwizzleIdentity;
  return surface;
}

}  // namespace

void DrawState::bind_pipeline(const Pipeline& pipeline) {
  pipeline_ = &pipeline;
  changed_ = true;
}

void DrawState::bind_set(uint32_t index, const DescriptorSet* set, const uint32_t* dynamic_offsets) {
  if (index >= kMaxSets) return;
  sets_[index].set = set;
  if (set)
    sets_[index].dynamic_offsets.assign(dynamic_offsets, dynamic_offsets + set->shape().dynamic_offsets);
}

void DrawState::bind_index_buffer(arch::Address address, uint64_t bytes, VkIndexType type) {
  index_buffer_ = {address, bytes};
  index_type_ = static_cast<uint32_t>(type == VK_INDEX_TYPE_UINT16 ? arch::IndexType::kUint16
                                                                   : arch::IndexType::kUint32);
  changed_ = true;
}

void DrawState::bind_vertex_buffer(uint32_t binding, arch::Address address, uint64_t bytes) {
  if (binding >= vertex_buffers_.size()) return;
  vertex_buffers_[binding] = {address, bytes};
  changed_ = true;
}

void DrawState::push_constants(uint32_t offset, uint32_t bytes, const void* data) {
  if (offset > kPushConstantBytes || bytes > kPushConstantBytes - offset) return;
  if (std::memcmp(&push_constants_[offset], data, bytes) == 0) return;
  std::memcpy(&push_constants_[offset], data, bytes);
  push_constants_address_ = 0;
}

void DrawState::set_targets(const Targets& targets) {
  targets_ = targets;
  view_ = 0;
  changed_ = true;
}

void DrawState::set_view(uint32_t view) {
  changed_ |= view != view_;
  view_ = view;
}

DrawState::Dynamic& DrawState::change_dynamic() {
  changed_ = true;
  return dynamic_;
}

void DrawState::count_samples(bool on) {
  samples_counted_ = on;
  changed_ = true;
}

void DrawState::count_statistics(bool on) {
  statistics_counted_ += on ? 1 : -1u;
  changed_ = true;
}

void DrawState::bind_feedback_buffer(uint32_t index, arch::Address address, uint64_t bytes) {
  if (index >= feedback_buffers_.size()) return;
  feedback_buffers_[index] = {address, bytes};
  changed_ = true;
}

void DrawState::capture_vertices(bool on) {
  captures_ = on;
  changed_ = true;
}

bool DrawState::resolve(CommandStream& stream, bool indexed) {
  if (!pipeline_) return false;
  if (changed_) stream.set_registers(wanted_registers());
  changed_ = false;
  resolve_stage(pipeline_->vertex(), stream);
  if (pipeline_->fragment()) resolve_stage(*pipeline_->fragment(), stream);
  book_caches(stream.registers(), indexed, stream);
  return true;
}

arch::Registers DrawState::wanted_registers() const {
  arch::Registers registers = pipeline_->registers();
  registers.assembly.index_type = index_type_;
  registers.assembly.index_address = index_buffer_.address;
  registers.assembly.index_bytes = word_count(index_buffer_.bytes);
  for (uint32_t i = 0; i < arch::kVertexBindings; i++) {
    registers.assembly.binding[i].address = vertex_buffers_[i].address;
    registers.assembly.binding[i].bytes = word_count(vertex_buffers_[i].bytes);
  }
  apply_targets(registers);
  apply_dynamic(pipeline_->dynamic(), registers);
  registers.query.samples_passed = samples_counted_ ? 1 : 0;
  registers.query.statistics = statistics_counted_ ? 1 : 0;
  apply_feedback(registers);
  choose_depth_mode(registers);
  return registers;
}

void DrawState::apply_targets(arch::Registers& registers) const {
  registers.raster.width = targets_.width;
  registers.raster.height = targets_.height;
  registers.raster.layers = targets_.layers;  // 1 with multiview
  for (uint32_t i = 0; i < arch::kColorTargets; i++) {
    arch::ColorTarget& target = registers.color.target[i];
    target.surface = of_view(targets_.color[i]);
    if (!targets_.color[i].format) target.write_mask = 0;
  }
  registers.depth.surface = of_view(targets_.depth);
}

arch::Surface DrawState::of_view(arch::Surface surface) const {
  if (!targets_.multiview) return surface;
  surface.base_layer += view_;
  surface.layer_count = 1;
  return surface;
}

void DrawState::apply_feedback(arch::Registers& registers) const {
  auto& feedback = registers.feedback;
  if (!captures_ || !feedback.outputs) {
    feedback = {};
    return;
  }
  feedback.on = 1;
  for (uint32_t i = 0; i < arch::kFeedbackBuffers; i++) {
    feedback.buffer[i].address = feedback_buffers_[i].address;
    feedback.buffer[i].bytes = word_count(feedback_buffers_[i].bytes);
  }
}

void DrawState::apply_dynamic(uint32_t dynamic, arch::Registers& registers) const {
  auto& raster = registers.raster;
  for (uint32_t i = 0; i < raster.viewports; i++) {
    if (dynamic & kDynamicViewport) set_viewport(dynamic_.viewport[i], i, registers);
    if (dynamic & kDynamicScissor) set_scissor(dynamic_.scissor[i], i, registers);
  }
  if (dynamic & kDynamicLineWidth) raster.line_width = dynamic_.line_width;
  if (dynamic & kDynamicLineStipple && raster.line_stipple) raster.line_stipple = dynamic_.line_stipple;
  if (dynamic & kDynamicDepthBias) {
    raster.depth_bias_constant = dynamic_.depth_bias_constant;
    raster.depth_bias_clamp = dynamic_.depth_bias_clamp;
    raster.depth_bias_slope = dynamic_.depth_bias_slope;
  }
  if (dynamic & kDynamicBlendConstants)
    std::copy_n(dynamic_.blend_constants, 4, registers.color.blend_constant);
  auto& depth = registers.depth;
  if (dynamic & kDynamicDepthBounds) {
    depth.bounds_min = dynamic_.bounds_min;
    depth.bounds_max = dynamic_.bounds_max;
  }
  const auto apply_face = [dynamic](const Dynamic::Face& from, arch::StencilFace& to) {
    if (dynamic & kDynamicStencilReadMask) to.read_mask = from.read_mask;
    if (dynamic & kDynamicStencilWriteMask) to.write_mask = from.write_mask;
    if (dynamic & kDynamicStencilReference) to.reference = from.reference;
  };
  apply_face(dynamic_.front, depth.front);
  apply_face(dynamic_.back, depth.back);
}

void DrawState::resolve_stage(const StoredProgram& stored, CommandStream& stream) {
  const isa::Program& program = stored.program;
  resolve_constants(stored, stream);

  std::array<arch::Surface, arch::kResources> surfaces{};
  const size_t resources = std::min<size_t>(program.resources.size(), surfaces.size());
  for (size_t i = 0; i < resources; i++) surfaces[i] = resource(program.resources[i]);
  stream.load_resources(program.stage, {surfaces.data(), resources});
  if (resources) stream.caches().read(arch::kCacheTexture);

  std::array<arch::Sampler, arch::kSamplers> samplers{};
  const size_t sampler_count = std::min<size_t>(program.samplers.size(), samplers.size());
  for (size_t i = 0; i < sampler_count; i++) {
    const isa::SlotBinding& slot = program.samplers[i];
    if (const Descriptor* found = descriptor(slot.set, slot.binding, slot.element))
      samplers[i] = found->sampler;
  }
  stream.load_samplers(program.stage, {samplers.data(), sampler_count});
}

void DrawState::resolve_constants(const StoredProgram& stored, CommandStream& stream) {
  const arch::Stage stage = stored.program.stage;
  for (const isa::ConstantRange& range : stored.program.constants) {
    arch::Address address = 0;
    uint32_t readable = range.count;  // vec4
    switch (range.kind) {
      case isa::ConstantRange::Kind::kLiteral:
        address = stored.literals + range.offset;
        break;
      case isa::ConstantRange::Kind::kPushConstant:
        if (!push_constants_address_)
          push_constants_address_ = stream.uploads().put(push_constants_.data(), push_constants_.size());
        address = push_constants_address_ + range.offset;
        readable = range.offset < kPushConstantBytes ? (kPushConstantBytes - range.offset) / kVec4 : 0;
        break;
      case isa::ConstantRange::Kind::kUniformBuffer: {
        const BufferRange buffer = buffer_range(range.set, range.binding, range.element);
        address = buffer.address + range.offset;
        readable =
            word_count(buffer.bytes > range.offset ? (buffer.bytes - range.offset + kVec4 - 1) / kVec4 : 0);
        break;
      }
      case isa::ConstantRange::Kind::kView: {
        const uint32_t constant[4] = {view_, 0, 0, 0};
        if (!view_constants_[view_]) view_constants_[view_] = stream.uploads().put(constant, sizeof constant);
        address = view_constants_[view_];
        break;
      }
    }
    const uint32_t loaded = std::min(readable, range.count);
    if (loaded) stream.load_constants(stage, range.first, loaded, address);
    // Constants beyond the end of a buffer read as zero.
    if (loaded < range.count) stream.load_zeros(stage, range.first + loaded, range.count - loaded);
  }
}

const Descriptor* DrawState::descriptor(uint32_t set, uint32_t binding, uint32_t element) const {
  if (set >= kMaxSets || !sets_[set].set) return nullptr;
  return sets_[set].set->find(binding, element);
}

DrawState::BufferRange DrawState::buffer_range(uint32_t set, uint32_t binding, uint32_t element) const {
  const Descriptor* found = descriptor(set, binding, element);
  if (!found || !found->address) return {};
  const SetShape::Binding& shape = *sets_[set].set->shape().find(binding);
  uint64_t offset = 0;
  if (shape.dynamic() && shape.first_dynamic + element < sets_[set].dynamic_offsets.size())
    offset = sets_[set].dynamic_offsets[shape.first_dynamic + element];
  return {found->address + offset, found->bytes};
}

arch::Surface DrawState::resource(const isa::SlotBinding& slot) const {
  const Descriptor* found = descriptor(slot.set, slot.binding, slot.element);
  if (!found) return {};
  const VkDescriptorType type = sets_[slot.set].set->shape().find(slot.binding)->type;
  // "a view of an input attachment": the layer that is drawn to.
  if (type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT) return of_view(found->surface);
  if (!is_buffer(type)) return found->surface;
  const BufferRange buffer = buffer_range(slot.set, slot.binding, slot.element);
  return buffer.address ? raw_buffer(buffer.address, buffer.bytes) : arch::Surface{};
}

void DrawState::book_caches(const arch::Registers& registers, bool indexed, CommandStream& stream) {
  uint32_t read = 0, written = 0;
  if (indexed || registers.shader[static_cast<uint32_t>(arch::Stage::kVertex)].inputs)
    read |= arch::kCacheVertex;
  for (const arch::ColorTarget& target : registers.color.target)
    if (target.write_mask) written |= arch::kCacheColor;
  const auto& depth = registers.depth;
  if (depth.depth_test || depth.stencil_test || depth.bounds_test) {
    const bool writes =
        depth.depth_write || (depth.stencil_test && (depth.front.write_mask | depth.back.write_mask));
    (writes ? written : read) |= arch::kCacheDepth;
  }
  stream.caches().draw(read, written);
  if (registers.feedback.on) stream.caches().copy();  // captured vertices go past every cache
}

}  // namespace cutaway::icd
