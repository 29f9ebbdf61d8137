#include <algorithm>
#include <spirv/unified1/spirv.hpp>

#include "base/error.h"
#include "compiler/translate.h"

// Constants, and operations on them.
namespace cutaway::compiler {

Translator::Lanes Translator::constant(uint32_t id) {
  const Word& word = m_.constants.at(id);
  const Type& type = m_.type(word.type);
  if (type.components > (1u << 16)) user_error("shader: a constant has more than {} components", 1u << 16);
  work(type.components);
  switch (word.op) {
    case spv::OpConstantTrue:
    case spv::OpSpecConstantTrue:
      return {literal(~0u)};
    case spv::OpConstantFalse:
    case spv::OpSpecConstantFalse:
      return {literal(0)};
    case spv::OpConstant:
    case spv::OpSpecConstant:
      return {literal(arg(word, 0))};
    case spv::OpConstantNull:
      return Lanes(type.components, literal(0));
    case spv::OpUndef:
      return Lanes(type.components);
    case spv::OpConstantComposite:
    case spv::OpSpecConstantComposite: {
      Lanes all;
      for (uint32_t part : word.words) {
        const Lanes lanes = get(part);
        all.insert(all.end(), lanes.begin(), lanes.end());
      }
      all.resize(type.components);
      return all;
    }
    case spv::OpSpecConstantOp: {
      Lanes all;
      for (uint32_t bits : m_.evaluated.at(id)) all.push_back(literal(bits));
      return all;
    }
    default:
      unsupported(word);
  }
}

std::vector<uint32_t> Translator::evaluate(const Word& word) {
  Word operation = word;
  operation.op = static_cast<uint16_t>(arg(word, 0));
  operation.words = word.words.subspan(1);
  Lanes lanes;
  switch (operation.op) {
    case spv::OpCompositeExtract:
    case spv::OpCompositeInsert:
    case spv::OpVectorShuffle:
      lanes = composite(operation);
      break;
    default:
      if (!alu(operation, lanes))
        user_error("shader: OpSpecConstantOp of {} is not supported", op_name(operation.op));
  }
  if (lanes.size() != m_.type(word.type).components)
    unsupported(operation, "has operands that do not fit its type");
  std::vector<uint32_t> values;
  for (const Ref& lane : lanes) {
    if (!lane.is_literal() && !lane.is_undef())
      user_error("shader: OpSpecConstantOp of {} is not supported", op_name(operation.op));
    values.push_back(lane.index);
  }
  return values;
}

}  // namespace cutaway::compiler
