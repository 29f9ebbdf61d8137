#include "compiler/translate/matrices.h"

#include <spirv/unified1/spirv.hpp>

namespace cutaway::compiler {
namespace {

// columns · factors: one MUL and a MAD for each further column.
Lanes linear_combination(Floats& f, const Lanes& columns, const Lanes& factors) {
  const size_t rows = f.elements(columns) / f.elements(factors);
  Lanes sum;
  for (size_t c = 0; c < f.elements(factors); ++c) {
    const Lanes column = f.part(columns, c * rows, rows);
    const Lanes product = f.mul(column, f.splat(f.part(factors, c, 1), rows));
    sum = c == 0 ? product : f.add(product, sum);
  }
  return sum;
}

void append(Lanes& all, const Lanes& more) { all.insert(all.end(), more.begin(), more.end()); }

}  // namespace

bool Matrices::translate(const Word& word, Floats& f, Lanes& result) {
  const auto operand = [&](size_t i) {
    const Lanes lanes = get(arg(word, i));
    if (lanes.empty() || lanes.size() % f.words()) invalid(word, "has an operand that does not fit");
    return lanes;
  };
  switch (word.op) {
    case spv::OpTranspose: {
      const Lanes m = operand(0);
      const Type& type = m_.type(word.type);  // the result: its columns are m's rows
      const uint32_t rows = m_.type(type.element).count, columns = type.count;
      if (f.elements(m) < size_t{rows} * columns) invalid(word, "has an operand that does not fit");
      for (uint32_t c = 0; c < columns; ++c)
        for (uint32_t r = 0; r < rows; ++r) append(result, f.part(m, r * columns + c, 1));
      return true;
    }
    case spv::OpMatrixTimesScalar:
    case spv::OpVectorTimesScalar: {
      const Lanes m = operand(0), scalar = f.part(operand(1), 0, 1);
      const size_t columns = word.op == spv::OpMatrixTimesScalar ? m_.type(word.type).count : 1;
      const size_t rows = f.elements(m) / columns;
      for (size_t c = 0; c < columns; ++c)
        append(result, f.mul(f.part(m, c * rows, rows), f.splat(scalar, rows)));
      return true;
    }
    case spv::OpMatrixTimesVector:
      result = linear_combination(f, operand(0), operand(1));
      return true;
    case spv::OpVectorTimesMatrix: {
      const Lanes v = operand(0), m = operand(1);
      const size_t rows = f.elements(v);
      for (size_t c = 0; c < f.elements(m); c += rows) append(result, f.dot(v, f.part(m, c, rows)));
      return true;
    }
    case spv::OpMatrixTimesMatrix: {
      const Lanes x = operand(0), y = operand(1);
      const size_t rows = m_.type(m_.type(word.type).element).count, inner = f.elements(x) / rows;
      for (size_t c = 0; c < f.elements(y); c += inner)
        append(result, linear_combination(f, x, f.part(y, c, inner)));
      return true;
    }
    case spv::OpOuterProduct: {
      const Lanes x = operand(0), y = operand(1);
      for (size_t c = 0; c < f.elements(y); ++c)
        append(result, f.mul(x, f.splat(f.part(y, c, 1), f.elements(x))));
      return true;
    }
    case spv::OpDot:
      result = f.dot(operand(0), operand(1));
      return true;
    default:
      return false;
  }
}

}  // namespace cutaway::compiler
