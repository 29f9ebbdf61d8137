#include "app/parameter_formula.h"

#include <gtest/gtest.h>

namespace cutaway::app {
namespace {

const std::vector<TriedParameter> kParameters = {
    {"a", 16, {32, 8, 4, 1}}, {"b", 4, {8, 2, 1}}, {"c", 3, {6, 1}}, {"unheard", 5, {10}}};

// The formula that is found for a number of a, b and c.
template <class F>
std::string found(const F& number) {
  return formula_of(kParameters, [&](const ParameterChanges& changes) -> std::optional<long> {
    const auto value = [&](size_t i) {
      const auto changed = changes.find(i);
      return changed == changes.end() ? kParameters[i].value : changed->second;
    };
    return number(value(0), value(1), value(2));
  });
}

TEST(ParameterFormula, ANumberOfNoParameterIsItself) {
  EXPECT_EQ(found([](long, long, long) { return 4; }), "4");
}

TEST(ParameterFormula, SumsAndProducts) {
  EXPECT_EQ(found([](long a, long, long) { return a; }), "`a`");
  EXPECT_EQ(found([](long a, long, long) { return 4 * a + 1; }), "1 + 4 × `a`");
  EXPECT_EQ(found([](long a, long b, long) { return a + b; }), "`a` + `b`");
  EXPECT_EQ(found([](long a, long b, long c) { return a + b * c; }), "`a` + `b` × `c`");
  EXPECT_EQ(found([](long a, long b, long c) { return a + 16 * b * c + b; }), "`a` + `b` + 16 × `b` × `c`");
}

TEST(ParameterFormula, QuotientsThatHaveALeast) {
  EXPECT_EQ(found([](long a, long b, long) { return a / b; }), "`a` / `b`");
  EXPECT_EQ(found([](long a, long b, long) { return std::max(2l, a / b); }), "max(2, `a` / `b`)");
}

// A formula that one trial contradicts is none.
TEST(ParameterFormula, OtherNumbersAreTheirValueWithTheParameters) {
  EXPECT_EQ(found([](long a, long, long) { return a * a; }), "256, by `a`");
  EXPECT_EQ(found([](long a, long, long) { return a == 8 ? 7 : a; }), "16, by `a`");
  EXPECT_EQ(found([](long a, long b, long c) { return a * b * c; }), "192, by `a`, `b`, `c`");
}

TEST(ParameterFormula, ValuesThatNoMachineHasAreLeftOut) {
  const auto text = formula_of(kParameters, [](const ParameterChanges& changes) -> std::optional<long> {
    const auto a = changes.find(0);
    if (a != changes.end() && a->second > 16) return {};
    return a == changes.end() ? 16 : a->second;
  });
  EXPECT_EQ(text, "`a`");
}

}  // namespace
}  // namespace cutaway::app
