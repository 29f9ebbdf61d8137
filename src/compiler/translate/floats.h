#pragma once

#include "compiler/builder.h"

namespace cutaway::compiler {

// Arithmetic of floats of one size, for vectors and matrices. Unless stated otherwise, operands have equally
// many elements; an element is words() consecutive lanes.
class Floats {
 public:
  using Lanes = Builder::Lanes;
  virtual ~Floats() = default;

  virtual size_t words() const = 0;
  virtual Lanes add(const Lanes& x, const Lanes& y) = 0;
  virtual Lanes mul(const Lanes& x, const Lanes& y) = 0;
  virtual Lanes mad(const Lanes& x, const Lanes& y, const Lanes& z) = 0;  // the product is rounded
  virtual Lanes divide(const Lanes& x, const Lanes& y) = 0;
  virtual Lanes max(const Lanes& x, const Lanes& y) = 0;
  virtual Lanes trunc(const Lanes& x) = 0;
  virtual Lanes sqrt(const Lanes& x) = 0;
  virtual Lanes inverse_sqrt(const Lanes& x) = 0;
  virtual Lanes reciprocal(const Lanes& x) = 0;
  virtual Lanes sign(const Lanes& x) = 0;  // -1, 0 or 1
  virtual Lanes negate(const Lanes& x) = 0;
  virtual Lanes absolute(const Lanes& x) = 0;
  virtual Lanes dot(const Lanes& x, const Lanes& y) = 0;  // one element
  virtual Lanes if_negative(const Lanes& x, const Lanes& yes, const Lanes& no) = 0;
  virtual Lanes constant(double value, size_t elements) = 0;

  Lanes sub(const Lanes& x, const Lanes& y) { return add(x, negate(y)); }
  size_t elements(const Lanes& x) const { return x.size() / words(); }
  // `count` elements from `first` on.
  Lanes part(const Lanes& x, size_t first, size_t count) const {
    const auto begin = x.begin() + static_cast<ptrdiff_t>(first * words());
    return Lanes(begin, begin + static_cast<ptrdiff_t>(count * words()));
  }
  // One element, repeated `count` times.
  Lanes splat(const Lanes& element, size_t count) const {
    Lanes all;
    for (size_t i = 0; i < count; ++i) all.insert(all.end(), element.begin(), element.end());
    return all;
  }
};

// Floats of one word each.
class Singles final : public Floats {
 public:
  explicit Singles(Builder& builder) : b(builder) {}

  size_t words() const override { return 1; }
  Lanes add(const Lanes& x, const Lanes& y) override { return b.op2(Opcode::kAdd, x, y); }
  Lanes mul(const Lanes& x, const Lanes& y) override { return b.op2(Opcode::kMul, x, y); }
  Lanes mad(const Lanes& x, const Lanes& y, const Lanes& z) override { return b.op3(Opcode::kMad, x, y, z); }
  Lanes divide(const Lanes& x, const Lanes& y) override { return mul(x, reciprocal(y)); }
  Lanes max(const Lanes& x, const Lanes& y) override { return b.op2(Opcode::kMax, x, y); }
  Lanes trunc(const Lanes& x) override { return b.op1(Opcode::kTrunc, x); }
  Lanes sqrt(const Lanes& x) override { return b.scalar(Opcode::kSqrt, x); }
  Lanes inverse_sqrt(const Lanes& x) override { return b.scalar(Opcode::kRsq, x); }
  Lanes reciprocal(const Lanes& x) override { return b.scalar(Opcode::kRcp, x); }
  Lanes sign(const Lanes& x) override { return b.op1(Opcode::kSgn, x); }
  Lanes negate(const Lanes& x) override { return Builder::negate(x); }
  Lanes absolute(const Lanes& x) override { return Builder::absolute(x); }
  Lanes dot(const Lanes& x, const Lanes& y) override { return {b.dot(x, y)}; }
  Lanes if_negative(const Lanes& x, const Lanes& yes, const Lanes& no) override {
    return b.op3(Opcode::kCmp, x, yes, no);
  }
  Lanes constant(double value, size_t elements) override {
    return Builder::splat(literal_float(static_cast<float>(value)), elements);
  }

 private:
  Builder& b;
};

}  // namespace cutaway::compiler
