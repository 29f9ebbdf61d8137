#include "func/jit/vectors.h"

namespace cutaway::func::jit {
namespace {

class Avx512 final : public Vectors {
 public:
  explicit Avx512(Assembler& out) : Vectors(out) {}

  uint32_t lanes() const override { return 16; }
  int registers() const override { return 32; }
  Vector at(int n) const override { return Xbyak::Zmm(n); }

  void next_lanes() override {
    out_.kmovw(lane_mask_, kLanesArgument.cvt32());
    out_.shr(kLanesArgument, lanes());
  }
  void merge(Vector old, Vector value) override { out_.vmovaps(old | lane_mask_, value); }
  void canonicalize(Vector value) override {
    out_.vcmpunordps(nans_, value, value);
    out_.vmovaps(value | nans_, in_pool(out_, &Pool::nan));
  }

  void compare(Vector a, const Xbyak::Operand& b, Compare predicate) override {
    out_.vcmpps(condition_, a, b, static_cast<uint8_t>(predicate));
  }
  void compare_integers(Vector a, Vector b, CompareIntegers predicate) override {
    constexpr uint8_t kLess = 1, kNotLess = 5;
    switch (predicate) {
      case CompareIntegers::kEqual:
        return out_.vpcmpeqd(condition_, a, b);
      case CompareIntegers::kUnequal:
        return out_.vpcmpd(condition_, a, b, 4);
      case CompareIntegers::kLess:
        return out_.vpcmpd(condition_, a, b, kLess);
      case CompareIntegers::kGreaterEqual:
        return out_.vpcmpd(condition_, a, b, kNotLess);
      case CompareIntegers::kBelow:
        return out_.vpcmpud(condition_, a, b, kLess);
      case CompareIntegers::kAboveEqual:
        return out_.vpcmpud(condition_, a, b, kNotLess);
    }
  }
  void compare_with_zero(Vector a) override { out_.vptestnmd(condition_, a, a); }

  void select(Vector r, const Xbyak::Operand& yes, Vector no) override {
    out_.vblendmps(r | condition_, no, yes);
  }
  void truth(Vector r) override { out_.vpmovm2d(r, condition_); }

  void round(Vector r, Vector a, Rounding mode) override {
    out_.vrndscaleps(r, a, static_cast<uint8_t>(mode));
  }
  void unsigned_to_float(Vector r, Vector a) override { out_.vcvtudq2ps(r, a); }
  void float_to_unsigned(Vector r, Vector a) override {
    out_.vcvttps2udq(r, a);  // gives all ones for all that is out of range
    compare(a, in_pool(out_, &Pool::zero), Compare::kGreater);
    out_.vmovaps(r | condition_ | Xbyak::EvexModifierZero(), r);
  }

 private:
  const Xbyak::Opmask condition_{1}, nans_{2}, lane_mask_{7};
};

class Avx2 final : public Vectors {
 public:
  explicit Avx2(Assembler& out) : Vectors(out) {}

  uint32_t lanes() const override { return 8; }
  int registers() const override { return 13; }
  Vector at(int n) const override { return Xbyak::Ymm(n); }

  void next_lanes() override {
    const auto bits = in_pool(out_, &Pool::lane_bit);
    out_.vmovd(Xbyak::Xmm(lane_mask_.getIdx()), kLanesArgument.cvt32());
    out_.vpbroadcastd(lane_mask_, Xbyak::Xmm(lane_mask_.getIdx()));
    out_.vpand(lane_mask_, lane_mask_, bits);
    out_.vpcmpeqd(lane_mask_, lane_mask_, bits);
    out_.shr(kLanesArgument, lanes());
  }
  void merge(Vector old, Vector value) override { out_.vblendvps(old, old, value, lane_mask_); }
  void canonicalize(Vector value) override {
    out_.vcmpunordps(scratch_, value, value);
    out_.vblendvps(value, value, in_pool(out_, &Pool::nan), scratch_);
  }

  void compare(Vector a, const Xbyak::Operand& b, Compare predicate) override {
    out_.vcmpps(condition_, a, b, static_cast<uint8_t>(predicate));
  }
  void compare_integers(Vector a, Vector b, CompareIntegers predicate) override {
    const auto sign = in_pool(out_, &Pool::sign);
    switch (predicate) {
      case CompareIntegers::kEqual:
      case CompareIntegers::kUnequal:
        out_.vpcmpeqd(condition_, a, b);
        break;
      case CompareIntegers::kLess:
      case CompareIntegers::kGreaterEqual:
        out_.vpcmpgtd(condition_, b, a);
        break;
      case CompareIntegers::kBelow:
      case CompareIntegers::kAboveEqual:
        out_.vpxor(scratch_, a, sign);
        out_.vpxor(condition_, b, sign);
        out_.vpcmpgtd(condition_, condition_, scratch_);
        break;
    }
    if (predicate == CompareIntegers::kUnequal || predicate == CompareIntegers::kGreaterEqual ||
        predicate == CompareIntegers::kAboveEqual)
      out_.vpxor(condition_, condition_, in_pool(out_, &Pool::ones));
  }
  void compare_with_zero(Vector a) override { out_.vpcmpeqd(condition_, a, in_pool(out_, &Pool::zero)); }

  void select(Vector r, const Xbyak::Operand& yes, Vector no) override {
    out_.vblendvps(r, no, yes, condition_);
  }
  void truth(Vector r) override { out_.vmovaps(r, condition_); }

  void round(Vector r, Vector a, Rounding mode) override { out_.vroundps(r, a, static_cast<uint8_t>(mode)); }
  // Both halves convert exactly, so only the sum rounds.
  void unsigned_to_float(Vector r, Vector a) override {
    out_.vpand(scratch_, a, in_pool(out_, &Pool::low_half));
    out_.vpsrld(r, a, 16);
    out_.vcvtdq2ps(scratch_, scratch_);
    out_.vcvtdq2ps(r, r);
    out_.vmulps(r, r, in_pool(out_, &Pool::two_to_16));
    out_.vaddps(r, r, scratch_);
  }
  // From 2^31 on, the integer of the value less 2^31, with the highest bit. The conversion of smaller values
  // gives 0x80000000 for NaNs and all that is out of range.
  void float_to_unsigned(Vector r, Vector a) override {
    const auto limit = in_pool(out_, &Pool::two_to_31);
    out_.vsubps(scratch_, a, limit);
    out_.vcvttps2dq(r, scratch_);  // of values from 2^32 on: 0x80000000
    out_.vpsrad(scratch_, r, 31);  // and of those: all ones
    out_.vpxor(r, r, in_pool(out_, &Pool::sign));
    out_.vpor(r, r, scratch_);
    compare(a, limit, Compare::kGreaterEqual);
    out_.vcvttps2dq(scratch_, a);
    out_.vblendvps(r, scratch_, r, condition_);
    compare(a, in_pool(out_, &Pool::zero), Compare::kGreater);
    out_.vpand(r, r, condition_);
  }

 private:
  const Xbyak::Ymm condition_{13}, scratch_{14}, lane_mask_{15};
};

}  // namespace

std::unique_ptr<Vectors> make_vectors(Assembler& out, AluPath path) {
  if (path == AluPath::kAvx512) return std::make_unique<Avx512>(out);
  return std::make_unique<Avx2>(out);
}

}  // namespace cutaway::func::jit
