#pragma once

#include <array>
#include <vector>

#include "icd/pipeline/graphics_pipeline.h"
#include "icd/resource/buffer.h"
#include "icd/stream/bindings.h"
#include "icd/stream/dynamic_state.h"

namespace cutaway::icd {

// The surfaces that a subpass draws to.
struct Targets {
  arch::Surface color[arch::kColorTargets];  // UNDEFINED format: unused
  arch::Surface depth{};
  uint32_t width = 0, height = 0, layers = 1;
  bool multiview = false;    // each draw writes only its view's layer
  bool reads_depth = false;  // depth is also an input attachment
};

// The application's bindings while it records a command buffer. resolve() turns them into packets before a
// draw.
class DrawState {
 public:
  void bind_pipeline(const GraphicsPipeline& pipeline);
  const GraphicsPipeline* pipeline() const { return pipeline_; }  // null: none is bound
  // True if the vertex program of the draw that was resolved last reads gl_DrawID.
  bool reads_draw_number() const { return programs_ && programs_->vertex->reads_draw_number; }
  Bindings& bindings() { return bindings_; }
  void bind_index_buffer(arch::Address address, uint64_t bytes, VkIndexType type);
  void bind_vertex_buffer(uint32_t binding, arch::Address address, uint64_t bytes);
  void set_vertex_stride(uint32_t binding, uint32_t bytes);  // for pipelines with dynamic strides
  void set_targets(const Targets& targets);
  const Targets& targets() const { return targets_; }

  DynamicState& change_dynamic();  // takes effect if the pipeline leaves it dynamic

  void set_view(uint32_t view);  // of a multiview subpass
  void count_samples(bool on);   // on: an occlusion query is active
  bool counts_statistics() const { return statistics_counted_; }
  void count_statistics(bool on);  // adds or removes an active query of pipeline statistics
  void bind_feedback_buffer(uint32_t index, arch::Address address, uint64_t bytes);
  void capture_vertices(bool on);  // on: transform feedback is active
  // True if a counter is active that the end of a submission would reset.
  bool counts() const { return samples_counted_ || statistics_counted_ || captures_; }
  // on: depths of float formats are not confined to [0, 1] (VK_EXT_depth_range_unrestricted).
  void allow_wide_depth(bool on) { wide_depth_ = on; }
  void touch() { changed_ = true; }  // call after others changed the stream's registers

  // Emits the state for a draw and books its caches. Returns false if nothing would be drawn.
  bool resolve(CommandStream& stream, bool indexed);

 private:
  arch::Registers wanted_registers(const ExtendedState& joined) const;
  void apply_targets(arch::Registers& registers) const;
  void apply_feedback(arch::Registers& registers) const;
  void widen_depth(arch::Registers& registers) const;
  static void book_caches(const arch::Registers& registers, bool indexed, CommandStream& stream);

  const GraphicsPipeline* pipeline_ = nullptr;
  const PipelinePrograms* programs_ = nullptr;  // the pipeline's for the state that was resolved last
  Bindings bindings_;
  std::array<BufferRange, arch::kVertexBindings> vertex_buffers_;
  std::array<uint32_t, arch::kVertexBindings> vertex_strides_{};  // bytes
  BufferRange index_buffer_;
  uint32_t index_type_ = 0;
  Targets targets_{};
  DynamicState dynamic_{};
  std::array<BufferRange, arch::kFeedbackBuffers> feedback_buffers_;
  bool samples_counted_ = false, captures_ = false;
  uint32_t statistics_counted_ = 0;  // number of active queries
  bool changed_ = true;
  bool wide_depth_ = false;
};

}  // namespace cutaway::icd
