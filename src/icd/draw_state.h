#pragma once

#include <array>
#include <vector>

#include "icd/command_stream.h"
#include "icd/descriptor_set.h"
#include "icd/pipeline.h"
#include "icd/pipeline_layout.h"

namespace cutaway::icd {

constexpr uint32_t kMaxSets = 8;              // maxBoundDescriptorSets may be up to this
constexpr uint32_t kPushConstantBytes = 256;  // maxPushConstantsSize may be up to this

// The surfaces that a subpass draws to.
struct Targets {
  arch::Surface color[arch::kColorTargets];  // UNDEFINED format: unused
  arch::Surface depth{};
  uint32_t width = 0, height = 0, layers = 0;
  bool multiview = false;  // a draw goes to one layer, that of its view
};

// What an application has bound while it records a command buffer. resolve() turns it into packets before a
// draw. Descriptors are read then: Vulkan forbids to update a set between recording and execution.
class DrawState {
 public:
  void bind_pipeline(const Pipeline& pipeline);
  void bind_set(uint32_t index, const DescriptorSet* set, const uint32_t* dynamic_offsets);
  void bind_index_buffer(arch::Address address, uint64_t bytes, VkIndexType type);
  void bind_vertex_buffer(uint32_t binding, arch::Address address, uint64_t bytes);
  void push_constants(uint32_t offset, uint32_t bytes, const void* data);
  void set_targets(const Targets& targets);
  const Targets& targets() const { return targets_; }

  // Dynamic state (Vulkan "Dynamic State"); takes effect where the pipeline leaves it open.
  struct Dynamic {
    VkViewport viewport[arch::kViewports];
    VkRect2D scissor[arch::kViewports];
    float line_width = 1;
    uint32_t line_stipple = 0;  // as the register
    float depth_bias_constant = 0, depth_bias_clamp = 0, depth_bias_slope = 0;
    float blend_constants[4] = {};
    float bounds_min = 0, bounds_max = 1;
    struct Face {
      uint32_t read_mask = 0, write_mask = 0, reference = 0;
    } front, back;
  };
  Dynamic& change_dynamic();

  void set_view(uint32_t view);    // of a multiview subpass
  void count_samples(bool on);     // an occlusion query is active
  void count_statistics(bool on);  // one more query of pipeline statistics is, or one less
  void bind_feedback_buffer(uint32_t index, arch::Address address, uint64_t bytes);
  void capture_vertices(bool on);  // transform feedback is active
  // Something counts that a submission's end would set back.
  bool counts() const { return samples_counted_ || statistics_counted_ || captures_; }
  void touch() { changed_ = true; }  // the stream's registers were changed by others

  // Emits what a draw needs and books its caches. False: nothing would be drawn.
  bool resolve(CommandStream& stream, bool indexed);

 private:
  struct BoundSet {
    const DescriptorSet* set = nullptr;
    std::vector<uint32_t> dynamic_offsets;
  };
  struct BufferRange {
    arch::Address address = 0;
    uint64_t bytes = 0;
  };

  arch::Registers wanted_registers() const;
  void apply_targets(arch::Registers& registers) const;
  arch::Surface of_view(arch::Surface surface) const;  // the layer of an attachment that a draw works on
  void apply_feedback(arch::Registers& registers) const;
  void apply_dynamic(uint32_t dynamic, arch::Registers& registers) const;
  void resolve_stage(const StoredProgram& stored, CommandStream& stream);
  void resolve_constants(const StoredProgram& stored, CommandStream& stream);
  const Descriptor* descriptor(uint32_t set, uint32_t binding, uint32_t element) const;
  BufferRange buffer_range(uint32_t set, uint32_t binding, uint32_t element) const;
  arch::Surface resource(const isa::SlotBinding& slot) const;
  static void book_caches(const arch::Registers& registers, bool indexed, CommandStream& stream);

  const Pipeline* pipeline_ = nullptr;
  std::array<BoundSet, kMaxSets> sets_;
  std::array<BufferRange, arch::kVertexBindings> vertex_buffers_;
  BufferRange index_buffer_;
  uint32_t index_type_ = 0;
  std::array<std::byte, kPushConstantBytes> push_constants_{};
  arch::Address push_constants_address_ = 0;  // 0: not uploaded since they changed
  Targets targets_{};
  Dynamic dynamic_{};
  uint32_t view_ = 0;
  std::array<arch::Address, 32> view_constants_{};  // by view; 0: not uploaded yet
  std::array<BufferRange, arch::kFeedbackBuffers> feedback_buffers_;
  bool samples_counted_ = false, captures_ = false;
  uint32_t statistics_counted_ = 0;  // queries
  bool changed_ = true;
};

}  // namespace cutaway::icd
