#include "compiler/translate/subgroups.h"

#include <spirv/unified1/spirv.hpp>

namespace cutaway::compiler {

bool Subgroups::translate(const Word& word) {
  switch (word.op) {
    case spv::OpGroupNonUniformElect:
    case spv::OpGroupNonUniformAllEqual:
    case spv::OpSubgroupAllEqualKHR:
      define(word.result, word.type, {literal(~0u)});
      return true;
    // What holds for the one invocation holds for all of them. The first operand of those of the core is a
    // scope.
    case spv::OpGroupNonUniformAll:
    case spv::OpGroupNonUniformAny:
      define(word.result, word.type, get(arg(word, 1)));
      return true;
    case spv::OpSubgroupAllKHR:
    case spv::OpSubgroupAnyKHR:
      define(word.result, word.type, get(arg(word, 0)));
      return true;
    default:
      return false;
  }
}

}  // namespace cutaway::compiler
