#include "compiler/types.h"

#include <algorithm>
#include <spirv/unified1/spirv.hpp>

#include "compiler/refusal.h"

namespace cutaway::compiler {
namespace {

// Rejects more components than any variable or constant may have.
uint32_t limited(uint64_t components) {
  return static_cast<uint32_t>(std::min<uint64_t>(components, 1u << 24));
}

void sequence(const Module& module, Type& t, TypeKind kind, const Word& word, uint32_t count) {
  t.kind = kind;
  t.element = arg(word, 0);
  t.count = count;
  t.components = limited(uint64_t{count} * module.type(t.element).components);
}

bool has_size(const Type& t) {
  const bool integer = t.kind == TypeKind::kInt;
  return t.bits == 32 || t.bits == 16 || t.bits == 64 || (integer && t.bits == 8);
}

}  // namespace

Type declared_type(const Module& module, const Word& word) {
  Type t;
  switch (word.op) {
    case spv::OpTypeVoid:
      break;
    case spv::OpTypeBool:
      t.kind = TypeKind::kBool;
      t.components = 1;
      break;
    case spv::OpTypeInt:
    case spv::OpTypeFloat:
      t.kind = word.op == spv::OpTypeInt ? TypeKind::kInt : TypeKind::kFloat;
      t.bits = arg(word, 0);
      if (!has_size(t)) unsupported("{} of {} bits is not supported", op_name(word.op), t.bits);
      t.is_signed = word.op == spv::OpTypeInt && arg(word, 1) != 0;
      t.components = t.bits == 64 ? 2 : 1;
      break;
    case spv::OpTypeVector:
      sequence(module, t, TypeKind::kVector, word, arg(word, 1));
      break;
    case spv::OpTypeMatrix:
      sequence(module, t, TypeKind::kMatrix, word, arg(word, 1));
      break;
    case spv::OpTypeArray: {
      const std::optional<uint32_t> length = module.integer(arg(word, 1));
      if (!length) invalid("an array's length is no constant");
      sequence(module, t, TypeKind::kArray, word, *length);
      break;
    }
    case spv::OpTypeRuntimeArray:
      sequence(module, t, TypeKind::kRuntimeArray, word, 0);
      break;
    case spv::OpTypeStruct:
      t.kind = TypeKind::kStruct;
      t.members.assign(word.words.begin(), word.words.end());
      for (uint32_t member : t.members) {
        t.starts.push_back(t.components);
        t.components = limited(uint64_t{t.components} + module.type(member).components);
      }
      break;
    case spv::OpTypeForwardPointer:  // its OpTypePointer follows
    case spv::OpTypePointer: {
      const bool forward = word.op == spv::OpTypeForwardPointer;
      t.kind = TypeKind::kPointer;
      t.storage = arg(word, forward ? 1 : 0);
      t.element = forward ? 0 : arg(word, 1);
      if (t.storage == spv::StorageClassPhysicalStorageBuffer) t.components = 2;         // an address
      if (module.variable_pointers && is_variable_storage(t.storage)) t.components = 2;  // byte, buffer
      break;
    }
    case spv::OpTypeImage:
      t.kind = TypeKind::kImage;
      t.element = arg(word, 0);
      t.dim = arg(word, 1);
      t.arrayed = arg(word, 3) != 0;
      t.multisampled = arg(word, 4) != 0;
      t.sampled = arg(word, 5);
      break;
    case spv::OpTypeSampler:
      t.kind = TypeKind::kSampler;
      break;
    case spv::OpTypeSampledImage:
      t.kind = TypeKind::kSampledImage;
      t.element = arg(word, 0);
      break;
    case spv::OpTypeFunction:
      t.kind = TypeKind::kFunction;
      t.element = arg(word, 0);
      break;
    default:
      unsupported("{} is not supported", op_name(word.op));
  }
  return t;
}

}  // namespace cutaway::compiler
