#include "compiler/translate/pointer_layout.h"

namespace cutaway::compiler {

uint32_t PointerLayout::step(const Module& module, uint32_t type_id, std::optional<uint32_t> member) {
  const Type& type = module.type(type_id);
  array_stride = 0;
  switch (type.kind) {
    case TypeKind::kStruct: {
      const Decorations& d = module.member(type_id, member.value_or(0));
      if (d.matrix_stride) matrix_stride = *d.matrix_stride;
      row_major = d.row_major;
      component_stride = 0;
      return 0;
    }
    case TypeKind::kVector: {
      const uint32_t stride = component_stride ? component_stride : module.scalar(type_id).bits / 8;
      component_stride = 0;
      return stride;
    }
    case TypeKind::kMatrix:
      component_stride = row_major || matrix_stride == kMixed ? matrix_stride : 0;
      return row_major ? module.scalar(type_id).bits / 8 : matrix_stride;
    default:
      array_stride = module.decoration(type_id).array_stride.value_or(0);
      return array_stride;
  }
}

bool PointerLayout::join(const PointerLayout& other) {
  const PointerLayout before = *this;
  const auto join = [](uint32_t& mine, uint32_t theirs) {
    if (mine != theirs) mine = kMixed;
  };
  join(matrix_stride, other.matrix_stride);
  join(component_stride, other.component_stride);
  join(array_stride, other.array_stride);
  if (row_major != other.row_major) matrix_stride = kMixed;
  return *this != before;
}

}  // namespace cutaway::compiler
