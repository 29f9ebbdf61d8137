#pragma once

#include <optional>
#include <vector>

#include "arch/memory.h"
#include "arch/surface.h"
#include "icd/object.h"

// Sparse resources. Memory is bound in blocks of a page: a page of an image holds tiles of one row of one
// level, so a block is a row of tiles, which is none of Vulkan's standard shapes, and no level needs a mip
// tail.
namespace cutaway::icd {

constexpr VkDeviceSize kSparseBlockBytes = arch::kPageBytes;
constexpr VkDeviceSize kMaxSparseBytes = VkDeviceSize{1} << 34;  // of a resource

// The texels of a block of a surface in pages.
VkExtent3D sparse_block(const arch::Surface& surface);

// True if images may have the sparse flags among `flags`. The format has image features.
bool can_be_sparse(const VkPhysicalDeviceImageFormatInfo2& info);

// The binds of a batch, in order. Throws ApiError for ranges that are not in their resource or memory, or are
// not whole blocks.
std::vector<arch::Memory::Binding> sparse_binds(const VkBindSparseInfo& info);

}  // namespace cutaway::icd
