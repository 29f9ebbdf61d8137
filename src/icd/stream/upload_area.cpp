#include "icd/stream/upload_area.h"

#include <algorithm>

#include "base/round_up.h"
#include "icd/device/limits.h"

namespace cutaway::icd {

UploadArea::Place UploadArea::place(const void* data, uint64_t bytes) {
  const Place place = reserve(bytes);
  place.memory->write(place.offset, data, bytes);
  return place;
}

UploadArea::Place UploadArea::reserve(uint64_t bytes) {
  while (chunk_ < chunks_.size() && used_ + bytes > chunks_[chunk_]->bytes()) chunk_++, used_ = 0;
  if (chunk_ == chunks_.size()) chunks_.push_back(device_.allocate(std::max(bytes, kChunkBytes)));
  host::Allocation& chunk = *chunks_[chunk_];
  const uint64_t offset = used_;
  used_ = round_up(offset + bytes, kMemoryAlignment);
  return {&chunk, offset};
}

void UploadArea::release() {
  chunks_.clear();
  reset();
}

}  // namespace cutaway::icd
