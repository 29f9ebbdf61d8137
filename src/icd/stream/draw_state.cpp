#include "icd/stream/draw_state.h"

#include <algorithm>

#include "arch/depth_clamp.h"
#include "arch/format.h"

namespace cutaway::icd {

void DrawState::bind_pipeline(const GraphicsPipeline& pipeline) {
  pipeline_ = &pipeline;
  changed_ = true;
}

void DrawState::bind_index_buffer(arch::Address address, uint64_t bytes, VkIndexType type) {
  index_buffer_ = {address, bytes};
  index_type_ = static_cast<uint32_t>(type == VK_INDEX_TYPE_UINT16      ? arch::IndexType::kUint16
                                      : type == VK_INDEX_TYPE_UINT8_EXT ? arch::IndexType::kUint8
                                                                        : arch::IndexType::kUint32);
  changed_ = true;
}

void DrawState::bind_vertex_buffer(uint32_t binding, arch::Address address, uint64_t bytes) {
  if (binding >= vertex_buffers_.size()) return;
  vertex_buffers_[binding] = {address, bytes};
  changed_ = true;
}

void DrawState::set_vertex_stride(uint32_t binding, uint32_t bytes) {
  if (binding >= vertex_strides_.size()) return;
  vertex_strides_[binding] = bytes;
  changed_ = true;
}

void DrawState::set_targets(const Targets& targets) {
  targets_ = targets;
  bindings_.set_view(0, targets.multiview);
  changed_ = true;
}

void DrawState::set_view(uint32_t view) {
  changed_ |= view != bindings_.view();
  bindings_.set_view(view, targets_.multiview);
}

DynamicState& DrawState::change_dynamic() {
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
  if (changed_) {
    const PipelineState& state = pipeline_->state();
    const ExtendedState joined = join(state.extended, dynamic_.extended, state.dynamic);
    programs_ = &pipeline_->programs_for(joined, dynamic_.topology);
    stream.set_registers(wanted_registers(joined));
  }
  changed_ = false;
  for (const StoredProgram* stored : programs_->all())
    if (stored) bindings_.resolve(*stored, stream);
  book_caches(stream.registers(), indexed, stream);
  return true;
}

arch::Registers DrawState::wanted_registers(const ExtendedState& joined) const {
  arch::Registers registers = programs_->registers;
  registers.assembly.index_type = index_type_;
  registers.assembly.index_address = index_buffer_.address;
  registers.assembly.index_bytes = word_of(index_buffer_.bytes);
  for (uint32_t i = 0; i < arch::kVertexBindings; i++) {
    registers.assembly.binding[i].address = vertex_buffers_[i].address;
    registers.assembly.binding[i].bytes = word_of(vertex_buffers_[i].bytes);
    if (pipeline_->dynamic() & kDynamicVertexStride)
      registers.assembly.binding[i].stride = vertex_strides_[i];
  }
  apply_dynamic(dynamic_, joined, pipeline_->state(), registers);
  apply_targets(registers);
  registers.query.samples_passed = samples_counted_ ? 1 : 0;
  registers.query.statistics = statistics_counted_ ? 1 : 0;
  apply_feedback(registers);
  choose_depth_mode(registers, (targets_.reads_depth || pipeline_->loops_depth()) && programs_->fragment &&
                                   !programs_->fragment->program.resources.empty());
  widen_depth(registers);
  return registers;
}

// Without depth clamp, nothing bounds the depths of a float format.
void DrawState::widen_depth(arch::Registers& registers) const {
  if (!wide_depth_ || !arch::format_info(registers.depth.surface.format).depth_float) return;
  set_wide_depth(registers, registers.raster.depth_clamp == static_cast<uint32_t>(arch::DepthClamp::kUnit));
  registers.depth.hierarchical_z = 0;
}

void DrawState::apply_targets(arch::Registers& registers) const {
  registers.raster.width = targets_.width;
  registers.raster.height = targets_.height;
  // Without a stage that writes a layer, all primitives go to the first.
  const bool layered = registers.vertex_out.layer != arch::kNoOutput && !targets_.multiview;
  registers.raster.layers = layered ? std::max(1u, targets_.layers) : 1;
  for (uint32_t i = 0; i < arch::kColorTargets; i++) {
    arch::ColorTarget& target = registers.color.target[i];
    target.surface = bindings_.of_view(targets_.color[i]);
    if (!targets_.color[i].format) target.write_mask = 0;
  }
  registers.depth.surface = bindings_.of_view(targets_.depth);
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
    feedback.buffer[i].bytes = word_of(feedback_buffers_[i].bytes);
  }
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
  if (registers.feedback.on) stream.caches().copy();  // captured vertices bypass every cache
  for (const arch::ShaderRegisters& shader : registers.shader)
    if (shader.instructions && (shader.flags & arch::kShaderWritesMemory)) stream.caches().storage_write();
}

}  // namespace cutaway::icd
