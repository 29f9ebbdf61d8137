#pragma once

#include "icd/object.h"

namespace cutaway::icd {

// Its data is a header and nothing else: programs are shared within a device by ProgramStore, with or without
// a cache object, and none are kept over runs.
class PipelineCache {
 public:
  explicit PipelineCache(Device& device);
  const VkPipelineCacheHeaderVersionOne& header() const { return header_; }

 private:
  VkPipelineCacheHeaderVersionOne header_{};
};

}  // namespace cutaway::icd
