#include "icd/pipeline/pipeline_library.h"

namespace cutaway::icd {
namespace {

const VkPipelineLibraryCreateInfoKHR* libraries_of(const VkGraphicsPipelineCreateInfo& info) {
  return find_struct<VkPipelineLibraryCreateInfoKHR>(info.pNext,
                                                     VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
}

}  // namespace

bool has_libraries(const VkGraphicsPipelineCreateInfo& info) {
  const auto* libraries = libraries_of(info);
  return libraries && libraries->libraryCount;
}

PipelineLibrary::PipelineLibrary(const VkGraphicsPipelineCreateInfo& info) : parts_(collect(info)) {}

std::vector<std::shared_ptr<const KeptPipelineState>> PipelineLibrary::collect(
    const VkGraphicsPipelineCreateInfo& info) {
  std::vector<std::shared_ptr<const KeptPipelineState>> parts;
  if (const auto* libraries = libraries_of(info))
    for (uint32_t i = 0; i < libraries->libraryCount; i++) {
      const auto* library = dynamic_cast<const PipelineLibrary*>(object(libraries->pLibraries[i]));
      if (!library) invalid_usage("a pipeline that is linked of a pipeline that is no library");
      parts.insert(parts.end(), library->parts_.begin(), library->parts_.end());
    }
  if (const auto own = own_parts(info)) parts.push_back(std::make_shared<const KeptPipelineState>(info, own));
  return parts;
}

LinkedPipelineState::LinkedPipelineState(const VkGraphicsPipelineCreateInfo& info)
    : parts_(PipelineLibrary::collect(info)) {
  info_.flags = info.flags;
  for (const auto& part : parts_) {
    part->put(part->parts(), info_, stages_, dynamic_);
    if (part->layout()) layout_.add(*part->layout());
    if (part->parts() & VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT)
      subpass_ = part->subpass();
  }
  info_.stageCount = static_cast<uint32_t>(stages_.size());
  info_.pStages = stages_.data();
  dynamic_state_.dynamicStateCount = static_cast<uint32_t>(dynamic_.size());
  dynamic_state_.pDynamicStates = dynamic_.data();
  info_.pDynamicState = &dynamic_state_;
  info_.layout = info.layout ? info.layout : handle(&layout_);
}

}  // namespace cutaway::icd
