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
  bool multiview = false;    // a draw goes to one layer, that of its view
  bool reads_depth = false;  // depth is an input attachment too
};

// What an application has bound while it records a command buffer.
// resolve() turns it into packets before a draw.
class DrawState {
 public:
  void bind_pipeline(const GraphicsPipeline& pipeline);
  bool reads_draw_number() const { return pipeline_ && pipeline_->vertex().reads_draw_number; }
  Bindings& bindings() { return bindings_; }
  void bind_index_buffer(arch::Address address, uint64_t bytes, VkIndexType type);
  void bind_vertex_buffer(uint32_t binding, arch::Address address, uint64_t bytes);
  void set_vertex_stride(uint32_t binding, uint32_t bytes);  // for pipelines that leave it open
  void set_targets(const Targets& targets);
  const Targets& targets() const { return targets_; }

  DynamicState& change_dynamic();  // takes effect where the pipeline leaves it open

  void set_view(uint32_t view);  // of a multiview subpass
  void count_samples(bool on);   // an occlusion query is active
  bool counts_statistics() const { return statistics_counted_; }
  void count_statistics(bool on);  // one more query of pipeline statistics is, or one less
  void bind_feedback_buffer(uint32_t index, arch::Address address, uint64_t bytes);
  void capture_vertices(bool on);  // transform feedback is active
  // Something counts that a submission's end would set back.
  bool counts() const { return samples_counted_ || statistics_counted_ || captures_; }
  void touch() { changed_ = true; }  // the stream's registers were changed by others

  // Emits what a draw needs and books its caches. False: nothing would be drawn.
  bool resolve(CommandStream& stream, bool indexed);

 private:
  arch::Registers wanted_registers() const;
  void apply_targets(arch::Registers& registers) const;
  void apply_feedback(arch::Registers& registers) const;
  static void book_caches(const arch::Registers& registers, bool indexed, CommandStream& stream);

  const GraphicsPipeline* pipeline_ = nullptr;
  Bindings bindings_;
  std::array<BufferRange, arch::kVertexBindings> vertex_buffers_;
  std::array<uint32_t, arch::kVertexBindings> vertex_strides_{};  // bytes
  BufferRange index_buffer_;
  uint32_t index_type_ = 0;
  Targets targets_{};
  DynamicState dynamic_{};
  std::array<BufferRange, arch::kFeedbackBuffers> feedback_buffers_;
  bool samples_counted_ = false, captures_ = false;
  uint32_t statistics_counted_ = 0;  // queries
  bool changed_ = true;
};

}  // namespace cutaway::icd
