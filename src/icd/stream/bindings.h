#pragma once

#include <array>
#include <memory>
#include <vector>

#include "icd/descriptor/descriptor_use.h"
#include "icd/device/limits.h"
#include "icd/pipeline/program_store.h"
#include "icd/resource/buffer.h"
#include "icd/stream/command_stream.h"

namespace cutaway::icd {

// The descriptor sets and push constants that programs read. resolve() reads the descriptors: Vulkan forbids
// updates of a set between recording and execution, except for live bindings, which are reported to the
// stream.
class Bindings {
 public:
  void bind_set(uint32_t index, const DescriptorSet* set, const uint32_t* dynamic_offsets);
  // The push descriptor set at an index; earlier pushes stay if the shape is the same.
  DescriptorSet& pushed_set(uint32_t index, const std::shared_ptr<const SetShape>& shape);
  void push_constants(uint32_t offset, uint32_t bytes, const void* data);
  void set_view(uint32_t view, bool multiview) { view_ = view, multiview_ = multiview; }
  uint32_t view() const { return view_; }
  arch::Surface of_view(arch::Surface surface) const;  // the layer of an attachment that a draw writes

  // Emits the constants, resources and samplers for a program's stage.
  void resolve(const StoredProgram& stored, CommandStream& stream);

 private:
  struct BoundSet {
    const DescriptorSet* set = nullptr;
    std::unique_ptr<DescriptorSet> pushed;
    std::vector<uint32_t> dynamic_offsets;
  };

  void resolve_constants(const StoredProgram& stored, CommandStream& stream);
  // The descriptor behind a slot; its set is null if nothing is bound.
  DescriptorUse use_of(uint32_t set, uint32_t binding, uint32_t element) const;

  std::array<BoundSet, kMaxBoundDescriptorSets> sets_;
  std::array<std::byte, kMaxPushConstantBytes> push_constants_{};
  arch::Address push_constants_address_ = 0;  // 0: not uploaded since the last change
  uint32_t view_ = 0;                         // of a multiview subpass
  bool multiview_ = false;
  std::array<arch::Address, kViewBits> view_constants_{};  // by view; 0: not uploaded yet
};

}  // namespace cutaway::icd
