#include <bit>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <memory>
#include <random>

#include "compiler/builder.h"
#include "compiler/pipeline.h"
#include "compiler/testing/run_shader.h"

// Runs random structured programs of floats, half floats and doubles, as GLSL through the compiler and the
// interpreter, and compares them with direct evaluation.
namespace cutaway::compiler::random_program_test {
namespace {

constexpr int kVariables = 5;
template <class T>
using State = std::array<T, kVariables>;
constexpr int kKinds = 7, kDoubleKinds = 14;  // kinds of expressions: the first ones apply to both

struct Expression {
  int kind = 0, a = 0, b = 0;
  float constant = 0;
};

struct Statement {
  enum Kind { kAssign, kIf, kLoop, kSwitch, kBreak, kContinue, kReturn, kDynamic } kind = kAssign;
  int variable = 0, count = 0;
  Expression value, left, right;
  std::vector<std::vector<Statement>> bodies;
  std::vector<bool> falls;  // switch: case i falls through
};

class Generator {
 public:
  Generator(uint32_t seed, int kinds) : random_(seed), kinds_(kinds) {}

  std::vector<Statement> body(int depth, bool in_loop) {
    std::vector<Statement> list(1 + pick(3));
    for (Statement& s : list) s = statement(depth, in_loop);
    return list;
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<uint32_t>(n)); }
  Expression expression() {
    return {pick(kinds_), pick(kVariables), pick(kVariables), static_cast<float>(pick(17) - 8) * 0.25f};
  }
  Statement statement(int depth, bool in_loop) {
    Statement s;
    s.variable = pick(kVariables);
    s.value = expression();
    s.left = expression();
    s.right = expression();
    const int roll = pick(16);
    if (depth == 0 || roll < 6) s.kind = roll == 0 ? Statement::kDynamic : Statement::kAssign;
    else if (roll < 9) s.kind = Statement::kIf;
    else if (roll < 11) s.kind = Statement::kLoop;
    else if (roll < 13) s.kind = Statement::kSwitch;
    else if (roll == 13) s.kind = Statement::kReturn;
    else if (in_loop) s.kind = roll == 14 ? Statement::kBreak : Statement::kContinue;
    const bool loop = s.kind == Statement::kLoop;
    const int bodies = s.kind == Statement::kIf ? 2 : (loop ? 1 : (s.kind == Statement::kSwitch ? 3 : 0));
    for (int i = 0; i < bodies; ++i) {
      s.bodies.push_back(body(depth - 1, in_loop || loop));
      s.falls.push_back(pick(3) == 0);
    }
    s.count = 1 + pick(4);
    return s;
  }
  std::mt19937 random_;
  int kinds_;
};

// A float that records whether a half holds it exactly: if all do, computing in halves must give the floats'
// results.
class Exact {
 public:
  Exact(float value = 0) : value_(value) {  // NOLINT: as a float
    const uint32_t bits = std::bit_cast<uint32_t>(value);
    all = all && float_of_half(nearest_half(bits)) == bits;
  }
  operator float() const { return value_; }  // NOLINT
  Exact operator-() const { return -value_; }
  friend Exact operator+(Exact a, Exact b) { return a.value_ + b.value_; }
  friend Exact operator-(Exact a, Exact b) { return a.value_ - b.value_; }
  friend Exact operator*(Exact a, Exact b) { return a.value_ * b.value_; }
  friend bool operator<(Exact a, Exact b) { return a.value_ < b.value_; }
  friend bool operator>(Exact a, Exact b) { return a.value_ > b.value_; }

  static inline bool all = true;

 private:
  float value_;
};

enum class Of { kFloats, kHalves, kDoubles };

// The text of an expression; the suffix gives the type of constants.
std::string text(const Expression& e, const std::string& suffix) {
  const std::string a = "x" + std::to_string(e.a), b = "x" + std::to_string(e.b),
                    k = "(" + std::to_string(e.constant) + suffix + ")";
  switch (e.kind) {
    case 0:
      return "(" + a + " + " + b + ") * 0.5" + suffix;
    case 1:
      return a + " - " + k;
    case 2:
      return "min(" + a + ", " + b + ")";
    case 3:
      return "max(" + a + ", " + k + ")";
    case 4:
      return "floor(" + a + " * 0.75" + suffix + ")";
    case 5:
      return "-" + b;
    case 7:
      return a + " / (abs(" + b + ") + 1.0lf)";
    case 8:
      return "sqrt(abs(" + a + "))";
    case 9:
      return "fma(" + a + ", 0.1lf, -" + b + " * 0.3lf)";
    case 10:
      return "double(float(" + a + " * 0.7lf))";
    case 11:
      return "double(int(" + a + ")) - fract(" + b + ")";
    case 12:
      return "(" + a + " < " + b + " ? abs(" + b + ") : " + k + ")";
    case 13:
      return "dot(dvec2(" + a + ", 0.6lf), dvec2(0.3lf, " + b + "))";
    default:
      return k;
  }
}

// Additional operations of doubles.
double more(const Expression& e, double a, double b) {
  switch (e.kind) {
    case 7:
      return a / (std::fabs(b) + 1);
    case 8:
      return std::sqrt(std::fabs(a));
    case 9:
      return std::fma(a, 0.1, -b * 0.3);
    case 10:
      return static_cast<float>(a * 0.7);
    case 11:
      return static_cast<int>(a) - (b - std::floor(b));
    case 12:
      return a < b ? std::fabs(b) : e.constant;
    case 13:
      return a * 0.3 + 0.6 * b;
    default:
      return e.constant;
  }
}

template <class T>
T value(const Expression& e, const State<T>& x) {
  const T constant = e.constant;
  switch (e.kind) {
    case 0:
      return (x[e.a] + x[e.b]) * T(0.5);
    case 1:
      return x[e.a] - constant;
    case 2:
      return x[e.a] < x[e.b] ? x[e.a] : x[e.b];
    case 3:
      return x[e.a] > constant ? x[e.a] : constant;
    case 4:
      return std::floor(x[e.a] * T(0.75));
    case 5:
      return -x[e.b];
    default:
      return static_cast<T>(more(e, x[e.a], x[e.b]));
  }
}

class Writer {
 public:
  explicit Writer(std::string suffix) : suffix_(std::move(suffix)) {}

  std::string list(const std::vector<Statement>& statements) {
    std::string all;
    for (const Statement& s : statements) all += one(s);
    return all;
  }

 private:
  std::string one(const Statement& s) {
    const std::string condition = "(" + text(s.left, suffix_) + " < " + text(s.right, suffix_) + ")";
    switch (s.kind) {
      case Statement::kAssign:
        return "x" + std::to_string(s.variable) + " = " + text(s.value, suffix_) + ";\n";
      case Statement::kDynamic:
        return "t[int(abs(" + text(s.left, suffix_) + ")) & 3] = " + text(s.value, suffix_) + "; x" +
               std::to_string(s.variable) + " = t[int(abs(" + text(s.right, suffix_) + ")) & 3];\n";
      case Statement::kIf:
        return "if " + condition + " {\n" + list(s.bodies[0]) + "} else {\n" + list(s.bodies[1]) + "}\n";
      case Statement::kLoop: {
        const std::string i = "i" + std::to_string(loops_++);
        return "for (int " + i + " = 0; " + i + " < " + std::to_string(s.count) + " + (int(abs(" +
               text(s.left, suffix_) + ")) & 1); ++" + i + ") {\n" + list(s.bodies[0]) + "}\n";
      }
      case Statement::kSwitch: {
        std::string all = "switch (int(abs(" + text(s.left, suffix_) + ")) & 3) {\n";
        const char* labels[] = {"case 1:\n", "default:\n", "case 2: case 7:\n"};
        for (size_t i = 0; i < 3; ++i)
          all += labels[i] + list(s.bodies[i]) + (s.falls[i] && i < 2 ? "" : "break;\n");
        return all + "}\n";
      }
      case Statement::kBreak:
        return "if " + condition + " break;\n";
      case Statement::kContinue:
        return "if " + condition + " continue;\n";
      default:
        return "if " + condition + " return;\n";
    }
  }
  int loops_ = 0;
  std::string suffix_;
};

enum class Leave { kNo, kBreak, kContinue, kReturn };

template <class T>
struct World {
  State<T> x;
  std::array<T, 4> t{};
};

template <class T>
int whole(T v) {
  return static_cast<int>(std::fabs(v));
}

template <class T>
Leave run(const std::vector<Statement>& list, World<T>& w);

template <class T>
Leave run_switch(const Statement& s, World<T>& w) {
  const int selector = whole(value(s.left, w.x)) & 3;
  size_t at = selector == 1 ? 0 : (selector == 2 ? 2 : 1);
  for (; at < 3; ++at) {
    const Leave leave = run(s.bodies[at], w);
    if (leave == Leave::kBreak) return Leave::kNo;
    if (leave != Leave::kNo) return leave;
    if (!(s.falls[at] && at < 2)) break;
  }
  return Leave::kNo;
}

template <class T>
Leave run(const std::vector<Statement>& list, World<T>& w) {
  for (const Statement& s : list) {
    Leave leave = Leave::kNo;
    switch (s.kind) {
      case Statement::kAssign:
        w.x[s.variable] = value(s.value, w.x);
        break;
      case Statement::kDynamic:
        w.t[whole(value(s.left, w.x)) & 3] = value(s.value, w.x);
        w.x[s.variable] = w.t[whole(value(s.right, w.x)) & 3];
        break;
      case Statement::kIf:
        leave = run(s.bodies[value(s.left, w.x) < value(s.right, w.x) ? 0 : 1], w);
        break;
      case Statement::kLoop:
        for (int i = 0; i < s.count + (whole(value(s.left, w.x)) & 1); ++i) {
          const Leave inner = run(s.bodies[0], w);
          if (inner == Leave::kBreak) break;
          if (inner == Leave::kReturn) {
            leave = inner;
            break;
          }
        }
        break;
      case Statement::kSwitch:
        leave = run_switch(s, w);
        break;
      case Statement::kBreak:
      case Statement::kContinue:
      case Statement::kReturn:
        if (value(s.left, w.x) < value(s.right, w.x))
          leave = s.kind == Statement::kBreak
                      ? Leave::kBreak
                      : (s.kind == Statement::kContinue ? Leave::kContinue : Leave::kReturn);
        break;
    }
    if (leave != Leave::kNo) return leave;
  }
  return Leave::kNo;
}

// The programs' inputs, by lane.
std::array<Vec4, 4> random_input(std::mt19937& random) {
  std::array<Vec4, 4> in;
  for (Vec4& lane : in)
    for (float& v : lane) v = static_cast<float>(static_cast<int>(random() % 33) - 16) * 0.5f;
  return in;
}

template <class T>
World<T> evaluated(const std::vector<Statement>& statements, const Vec4& in) {
  World<T> w;
  for (int i = 0; i < 4; ++i) w.x[i] = in[i];
  w.x[4] = w.x[0] * w.x[1];
  run(statements, w);
  return w;
}

template <class T>
void expect_floats(Execution& execution, uint32_t lane, const World<T>& w) {
  EXPECT_EQ(execution.output(0, lane), (Vec4{w.x[0], w.x[1], w.x[2], w.x[3]}));
  EXPECT_EQ(execution.output(1, lane), (Vec4{w.x[4], w.t[0], w.t[1], w.t[2] + w.t[3]}));
}

void expect_doubles(Execution& execution, uint32_t lane, const World<double>& w) {
  const double expected[] = {w.x[0], w.x[1], w.x[2], w.x[3], w.x[4], w.t[0], w.t[1], w.t[2] + w.t[3]};
  for (uint32_t n = 0; n < 8; ++n) {
    const Bits4& words = execution.outputs.at(n / 2)[lane];
    EXPECT_EQ(uint64_t{words[n % 2 * 2 + 1]} << 32 | words[n % 2 * 2], std::bit_cast<uint64_t>(expected[n]))
        << "double " << n << ": " << std::hexfloat << expected[n];
  }
}

// True if half precision was sufficient.
bool expect_halves(Execution& execution, uint32_t lane, const std::vector<Statement>& statements,
                   const Vec4& in) {
  Exact::all = true;
  const World<Exact> w = evaluated<Exact>(statements, in);
  if (!Exact::all) return false;
  expect_floats(execution, lane, w);
  return true;
}

// Returns the number of compared half results.
uint32_t expect_direct_evaluation(const isa::Program& program, const std::vector<Statement>& statements,
                                  uint32_t seed, Of kind) {
  uint32_t compared = 0;
  std::mt19937 random(seed);
  for (int round = 0; round < 6 && !testing::Test::HasFailure(); ++round) {
    Execution execution;
    const std::array<Vec4, 4> in = random_input(random);
    execution.set_lanes(0, in);
    execution(program);
    for (uint32_t lane = 0; lane < 4; ++lane)
      if (kind == Of::kHalves) compared += expect_halves(execution, lane, statements, in[lane]);
      else if (kind == Of::kDoubles) expect_doubles(execution, lane, evaluated<double>(statements, in[lane]));
      else expect_floats(execution, lane, evaluated<float>(statements, in[lane]));
  }
  return compared;
}

std::string source_of_floats(const std::string& body, const std::string& precision) {
  return R"(
      layout(location=0) in vec4 a; layout(location=0) out vec4 o; layout(location=1) out vec4 p;
      )" +
         precision +
         R"( float x0, x1, x2, x3, x4, t[4];
      void f() {
)" + body +
         R"(}
      void main() { x0 = a.x; x1 = a.y; x2 = a.z; x3 = a.w; x4 = a.x * a.y; 
        t[0] = t[1] = t[2] = t[3] = 0.0;
        f(); o = vec4(x0, x1, x2, x3); p = vec4(x4, t[0], t[1], t[2] + t[3]); })";
}

std::string source_of_doubles(const std::string& body) {
  return R"(
      layout(location=0) in vec4 a; layout(location=0) out uvec4 o; layout(location=1) out uvec4 p;
      layout(location=2) out uvec4 q; layout(location=3) out uvec4 r;
      double x0, x1, x2, x3, x4, t[4];
      uvec4 words(double v, double w) { return uvec4(unpackDouble2x32(v), unpackDouble2x32(w)); }
      void f() {
)" + body +
         R"(}
      void main() { x0 = a.x; x1 = a.y; x2 = a.z; x3 = a.w; x4 = x0 * x1; t = double[](0.0lf, 0.0lf, 0.0lf, 0.0lf);
        f(); o = words(x0, x1); p = words(x2, x3); q = words(x4, t[0]); r = words(t[1], t[2] + t[3]); })";
}

// With all registers, and with few.
void expect_random_programs(Of kind) {
  const bool doubles = kind == Of::kDoubles, halves = kind == Of::kHalves;
  const char* more = std::getenv("CUTAWAY_FUZZ_ROUNDS");
  const uint32_t rounds = more ? static_cast<uint32_t>(std::atoi(more)) : 150;
  uint32_t spilled = 0, compared = 0, programs = 0;
  for (uint32_t seed = 0; seed < rounds; ++seed) {
    const std::vector<Statement> statements =
        Generator(seed, doubles ? kDoubleKinds : kKinds).body(1 + static_cast<int>(seed % 3), false);
    const std::string body = Writer(doubles ? "lf" : "").list(statements);
    const std::string source =
        doubles ? source_of_doubles(body) : source_of_floats(body, halves ? "mediump" : "highp");
    const auto spirv = glsl_to_spirv(arch::Stage::kFragment, source);
    for (uint32_t live_lanes : {0u, doubles ? 16u : 8u}) {
      if (live_lanes && seed % 2) continue;
      const isa::Program program =
          compile({.stage = arch::Stage::kFragment, .spirv = spirv, .entry = "main", .halves = halves},
                  {.live_lanes = live_lanes});
      spilled += program.scratch_bytes > 0;
      compared += expect_direct_evaluation(program, statements, seed, kind);
      ++programs;
      ASSERT_FALSE(testing::Test::HasFailure())
          << "seed " << seed << source << isa::disassemble(program.code);
    }
  }
  EXPECT_GE(spilled, rounds / 8);
  EXPECT_GE(compared, halves ? programs * 6 : 0);  // of 24 each
}

TEST(RandomProgram, EqualsItsDirectEvaluation) { expect_random_programs(Of::kFloats); }

TEST(RandomProgram, InHalvesEqualsItsDirectEvaluation) { expect_random_programs(Of::kHalves); }

TEST(RandomProgram, OfDoublesEqualsItsDirectEvaluation) { expect_random_programs(Of::kDoubles); }

}  // namespace
}  // namespace cutaway::compiler::random_program_test
