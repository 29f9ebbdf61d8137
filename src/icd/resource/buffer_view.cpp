#include "icd/resource/buffer_view.h"

#include "icd/resource/buffer.h"
#include "icd/resource/image.h"

namespace cutaway::icd {

BufferView::BufferView(const VkBufferViewCreateInfo& info) {
  // Invalid, but Zink requests it when OpenGL has a format that Vulkan lacks, and needs a view: it behaves
  // like a null descriptor.
  if (info.format == VK_FORMAT_UNDEFINED) return;
  const Buffer& buffer = *object(info.buffer);
  const arch::FormatInfo& format = arch::format_info(arch_format(info.format));
  if (format.bytes == 0) unsupported("a buffer view of format {}", static_cast<int>(info.format));
  memory_ = buffer.memory();
  surface_ = raw_surface({buffer.address() + info.offset, buffer.range(info.offset, info.range)});
  surface_.type = arch::Surface::make_type(arch::SurfaceType::kTexelBuffer, arch::Tiling::kLinear);
  surface_.format = static_cast<uint32_t>(arch_format(info.format));
  surface_.width /= format.bytes;
}

VkResult CreateBufferView(VkDevice, const VkBufferViewCreateInfo* info, const VkAllocationCallbacks*,
                          VkBufferView* view) {
  return create(view, *info);
}

void DestroyBufferView(VkDevice, VkBufferView view, const VkAllocationCallbacks*) { destroy(view); }

}  // namespace cutaway::icd
