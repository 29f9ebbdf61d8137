#include "compiler/translate/spec_constants.h"

#include <algorithm>
#include <spirv/unified1/spirv.hpp>

namespace cutaway::compiler {

std::vector<uint32_t> SpecConstants::evaluate(const Word& word) {
  Word operation = word;
  operation.op = static_cast<uint16_t>(arg(word, 0));
  operation.words = word.words.subspan(1);
  Lanes lanes;
  switch (operation.op) {
    case spv::OpCompositeExtract:
    case spv::OpCompositeInsert:
    case spv::OpVectorShuffle:
      lanes = composites_.rearrange(operation);
      break;
    default:
      if (!arithmetic_.translate(operation, lanes))
        unsupported("OpSpecConstantOp of {} is not supported", op_name(operation.op));
  }
  if (lanes.size() != t_.module.type(word.type).components)
    invalid(operation, "has operands that do not fit its type");
  std::vector<uint32_t> values;
  for (const Ref& lane : lanes) {
    if (!lane.is_literal() && !lane.is_undef())
      unsupported("OpSpecConstantOp of {} is not supported", op_name(operation.op));
    values.push_back(lane.index);
  }
  return values;
}

}  // namespace cutaway::compiler
