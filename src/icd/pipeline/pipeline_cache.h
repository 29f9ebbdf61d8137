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

// Names all that a program was compiled from: two hashes.
using ProgramKey = std::pair<uint64_t, uint64_t>;

// Compiled programs by what they were compiled from. Its data is Vulkan's header and then, for each program
// in the order of their keys: key (16 bytes), length of the program's bytes, their hash (8 bytes each), the
// bytes (program_archive.h). Data from outside is not trusted: an entry that is damaged, and what follows it,
// is left out, and so is all data of another device or another build of the driver. Safe from any thread.
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

// Vulkan's pipelineCacheUUID: of this build of the driver, since each may compile otherwise.
void pipeline_cache_uuid(uint8_t uuid[VK_UUID_SIZE]);

}  // namespace cutaway::icd
