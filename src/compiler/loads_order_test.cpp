#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/testing/run_shader.h"

// Tests the order of loads for chips whose groups go on behind a load.
namespace cutaway::compiler {
namespace {

isa::Program compile_for(arch::LoadGathering loads, const std::string& body) {
  const auto spirv = glsl_to_spirv(arch::Stage::kFragment, R"(
    layout(location=0) in vec4 a; layout(location=0) out vec4 o; layout(binding=0) uniform sampler2D s[4];
    layout(binding=4, std430) buffer B { vec4 b[]; };
    void main() { )" + body + "}");
  return compile({.stage = arch::Stage::kFragment, .spirv = spirv, .entry = "main", .loads = loads});
}

// Opcodes in their order, without END: 'T' for texture instructions, 'L' for loads, 'K' for KIL, '.' for
// others.
std::string order_of(const isa::Program& program) {
  std::string order;
  for (const isa::Instruction& instruction : program.code) {
    const isa::OpClass kind = isa::info(instruction.op).op_class;
    if (instruction.op == isa::Opcode::kEnd) continue;
    order += kind == isa::OpClass::kTexture         ? 'T'
             : instruction.op == isa::Opcode::kLdb  ? 'L'
             : instruction.op == isa::Opcode::kKill ? 'K'
                                                    : '.';
  }
  return order;
}

constexpr arch::LoadGathering kFour{.under_way = 4, .temporaries = 16};
const std::string kSum = "o = vec4(0); for (int i = 0; i < 4; i++) o = o * 2.0 + texture(s[i], a.xy);";

TEST(LoadsOrder, IndependentLoadsComeTogether) {
  EXPECT_THAT(order_of(compile_for({}, kSum)), testing::MatchesRegex("TT\\.+T\\.+T\\.+"));
  EXPECT_THAT(order_of(compile_for(kFour, kSum)), testing::MatchesRegex("TTTT\\.*"));
}

TEST(LoadsOrder, NoMoreAreBroughtTogetherThanCanBeUnderWay) {
  EXPECT_THAT(order_of(compile_for({.under_way = 2, .temporaries = 16}, kSum)),
              testing::MatchesRegex("TT\\.+TT\\.*"));
}

TEST(LoadsOrder, ALoadWaitsForTheOneThatItsCoordinatesComeFrom) {
  const std::string chain = "vec4 t = texture(s[0], a.xy); o = texture(s[1], t.xy) + texture(s[2], a.zw);";
  EXPECT_THAT(order_of(compile_for(kFour, chain)), testing::MatchesRegex("\\.?TT\\.?T\\.*"));
}

TEST(LoadsOrder, CoordinatesMoveWithTheirLoad) {
  const std::string offset = "o = texture(s[0], a.xy) * a.z; o += texture(s[1], a.xy * 3.0 + 1.0);";
  EXPECT_THAT(order_of(compile_for({}, offset)), testing::MatchesRegex("T\\.+T\\.*"));
  EXPECT_THAT(order_of(compile_for(kFour, offset)), testing::MatchesRegex("\\.+TT\\.*"));
}

TEST(LoadsOrder, KilledLanesLoadNothing) {
  const std::string kill =
      "vec4 t = texture(s[0], a.xy); if (t.w < 0.5) discard; o = t * texture(s[1], a.xy);";
  EXPECT_THAT(order_of(compile_for(kFour, kill)), testing::MatchesRegex(".*T\\.*K\\.*T\\.*"));
}

TEST(LoadsOrder, LoadsStayBehindStoresToTheSameBuffer) {
  const std::string store = "vec4 t = b[0]; b[1] = t + a; o = t * b[1];";
  EXPECT_EQ(order_of(compile_for(kFour, store)), order_of(compile_for({}, store)));
}

// Four texels at once need four registers; one after the other two.
TEST(LoadsOrder, LoadsStayIfTheProgramWouldNeedMoreTemporariesThanItMay) {
  const isa::Program plain = compile_for({}, kSum), gathered = compile_for(kFour, kSum);
  EXPECT_LT(plain.temporaries, gathered.temporaries);
  const unsigned most = gathered.temporaries;
  EXPECT_EQ(order_of(compile_for({.under_way = 4, .temporaries = most}, kSum)), order_of(gathered));
  EXPECT_EQ(order_of(compile_for({.under_way = 4, .temporaries = most - 1}, kSum)), order_of(plain));
}

TEST(LoadsOrder, ResultsAreThoseOfTheProgramsOrder) {
  const std::string body =
      "o = a; for (int i = 0; i < 4; i++) { vec4 t = texture(s[i], o.xy * 0.0 + a.zw * float(i)); if (t.x > 0.5) o += "
      "t; else o -= texture(s[3 - i], a.yx + float(i)); }";
  for (const unsigned under_way : {0u, 2u, 4u, 16u}) {
    Execution run;
    run.set_lanes(0, {Vec4{0.25f, -0.5f, 2, 0}, {-3, 1, 0.75f, -0.125f}, {1, 2, 3, 4}, {-1, -2, -0.75f, 8}});
    run(compile_for({.under_way = under_way, .temporaries = 128}, body));
    Execution plain;
    plain.inputs = run.inputs;
    plain(compile_for({}, body));
    for (uint32_t lane = 0; lane < 4; lane++)
      EXPECT_EQ(run.output(0, lane), plain.output(0, lane)) << under_way;
  }
}

}  // namespace
}  // namespace cutaway::compiler
