#pragma once

#include "compiler/translate/part.h"

namespace cutaway::compiler {

// Construction, extraction and insertion: rearrange components.
class Composites final : Part {
 public:
  explicit Composites(Translation& t) : Part(t) {}

  // OpCompositeConstruct, OpCompositeExtract, OpCompositeInsert or OpVectorShuffle.
  Lanes rearrange(const Word& word);
  // OpVectorExtractDynamic or OpVectorInsertDynamic, by selects.
  Lanes vector_dynamic(const Word& word);

 private:
  std::pair<uint32_t, uint32_t> member(uint32_t type, const std::span<const uint32_t>& path);
};

}  // namespace cutaway::compiler
