#include "compiler/translate/square_matrix.h"

#include <algorithm>
#include <array>

#include "compiler/refusal.h"

namespace cutaway::compiler {

using Lanes = Builder::Lanes;

namespace {

// Order of a square matrix.
uint32_t order(size_t elements) {
  if (elements != 4 && elements != 9 && elements != 16) invalid("a matrix of {} components", elements);
  return elements == 4 ? 2 : elements == 9 ? 3 : 4;
}

}  // namespace

Lanes determinant(const Lanes& m, Floats& f) {
  const uint32_t n = order(f.elements(m));
  auto at = [&](uint32_t column, uint32_t row) { return f.part(m, column * n + row, 1); };
  auto minor2 = [&](uint32_t c0, uint32_t c1, uint32_t r0, uint32_t r1) {
    return f.sub(f.mul(at(c0, r0), at(c1, r1)), f.mul(at(c1, r0), at(c0, r1)));
  };
  if (n == 2) return minor2(0, 1, 0, 1);
  auto minor3 = [&](const std::array<uint32_t, 3>& c, const std::array<uint32_t, 3>& r) {
    Lanes sum = f.mul(at(c[0], r[0]), minor2(c[1], c[2], r[1], r[2]));
    sum = f.sub(sum, f.mul(at(c[1], r[0]), minor2(c[0], c[2], r[1], r[2])));
    return f.add(f.mul(at(c[2], r[0]), minor2(c[0], c[1], r[1], r[2])), sum);
  };
  if (n == 3) return minor3({0, 1, 2}, {0, 1, 2});
  Lanes sum = f.mul(at(0, 0), minor3({1, 2, 3}, {1, 2, 3}));
  sum = f.sub(sum, f.mul(at(1, 0), minor3({0, 2, 3}, {1, 2, 3})));
  sum = f.add(f.mul(at(2, 0), minor3({0, 1, 3}, {1, 2, 3})), sum);
  return f.sub(sum, f.mul(at(3, 0), minor3({0, 1, 2}, {1, 2, 3})));
}

Lanes inverse(const Lanes& m, Floats& f) {
  const uint32_t n = order(f.elements(m));
  const size_t words = f.words();
  Lanes adjugate(n * n * words);
  auto without = [&](uint32_t column, uint32_t row) {
    Lanes part;
    for (uint32_t c = 0; c < n; ++c)
      for (uint32_t r = 0; r < n; ++r) {
        if (c == column || r == row) continue;
        const Lanes one = f.part(m, c * n + r, 1);
        part.insert(part.end(), one.begin(), one.end());
      }
    return part;
  };
  for (uint32_t c = 0; c < n; ++c)
    for (uint32_t r = 0; r < n; ++r) {
      const Lanes part = without(c, r);
      Lanes cofactor = n == 2 ? part : determinant(part, f);
      if ((c + r) & 1) cofactor = f.negate(cofactor);
      std::copy(cofactor.begin(), cofactor.end(),
                adjugate.begin() + static_cast<ptrdiff_t>((r * n + c) * words));
    }
  // Expands along the first row, whose cofactors are computed already.
  Lanes sum;
  for (uint32_t c = 0; c < n; ++c) {
    const Lanes term = f.mul(f.part(m, c * n, 1), f.part(adjugate, c, 1));
    sum = c == 0 ? term : f.add(term, sum);
  }
  return f.mul(adjugate, f.splat(f.reciprocal(sum), n * n));
}

}  // namespace cutaway::compiler
