#pragma once

#include <compare>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "icd/object.h"
#include "isa/program.h"

namespace cutaway::icd {

// Identifies all inputs of a program's compilation: two hashes.
using ProgramKey = std::pair<uint64_t, uint64_t>;

// Compiled programs by the inputs of their compilation. Its data is Vulkan's header, followed for each
// program in the order of keys by the key (16 bytes), the length of the program's bytes, their hash (8 bytes
// each) and the bytes (program_archive.h). External data is untrusted: a damaged entry and everything after
// it is ignored, as is all data of another device or another build of the driver. Callable from any thread.
class PipelineCache {
 public:
  PipelineCache(Device& device, const VkPipelineCacheCreateInfo& info);

  std::optional<isa::Program> find(const ProgramKey& key) const;
  void add(const ProgramKey& key, const isa::Program& program);
  void merge(const PipelineCache& from);
  VkResult data(size_t* bytes, void* to) const;

 private:
  using Bytes = std::shared_ptr<const std::vector<std::byte>>;
  void read(std::span<const std::byte> data);

  VkPipelineCacheHeaderVersionOne header_{};
  mutable std::mutex mutex_;
  std::map<ProgramKey, Bytes> programs_;
};

// Vulkan's pipelineCacheUUID: identifies this build of the driver, since builds may compile differently.
void pipeline_cache_uuid(uint8_t uuid[VK_UUID_SIZE]);

}  // namespace cutaway::icd
