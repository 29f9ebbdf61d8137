#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "base/error.h"
#include "isa/flow.h"
#include "isa/instruction.h"
#include "isa/operands.h"
#include "isa/testing/random_program.h"
#include "isa/validate.h"

namespace cutaway::isa {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr uint32_t kTemporaries = 9;

std::vector<EncodedInstruction> encode_all(const std::vector<Instruction>& program) {
  std::vector<EncodedInstruction> words;
  for (const Instruction& i : program) words.push_back(encode(i));
  return words;
}

std::string assembly_error(std::string_view text) {
  try {
    assemble(text);
  } catch (const UserError& error) { return error.what(); }
  return "no error";
}

TEST(IsaTest, EveryRandomInstructionSurvivesItsEncoding) {
  std::mt19937 random(1);
  for (int n = 0; n < 200000; ++n) {
    const Instruction i = random_instruction(random, arch::kTemporaries);
    Instruction back;
    std::string error;
    ASSERT_TRUE(decode(encode(i), back, error)) << disassemble(i) << ": " << error;
    ASSERT_EQ(i, back) << disassemble(i) << " became " << disassemble(back);
  }
}

TEST(IsaTest, RandomProgramsSurviveEncodingAndAssembly) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    const std::vector<Instruction> program = random_program(random, {.temporaries = kTemporaries});
    std::vector<Instruction> decoded;
    std::string error;
    ASSERT_TRUE(decode_program(encode_all(program), kTemporaries, decoded, error)) << error;
    EXPECT_EQ(decoded, program);
    EXPECT_EQ(assemble(disassemble(program)), program) << disassemble(program);
  }
}

TEST(IsaTest, RandomBitsDecodeSafelyAndRoundTrip) {
  std::mt19937 random(7);
  std::vector<Instruction> program;
  std::string error;
  uint32_t taken = 0;
  for (int n = 0; n < 300000; ++n) {
    EncodedInstruction words;
    for (uint32_t& word : words) word = static_cast<uint32_t>(random());
    // Some without reserved bits and with small register numbers, so that the decoder accepts many of them.
    if (n % 3 != 0)
      for (int w = 1; w < 4; ++w) words[w] &= 0x3ff07f;
    if (n % 5 != 0) words[3] = 0;
    if (n % 7 > 2) words[2] = 0;
    if (n % 11 > 2) words[0] &= 0x1ffff | 15 << 17;
    words[0] = (words[0] & ~255u) | static_cast<uint32_t>(n) % (kOpcodes + 2);
    Instruction i;
    if (decode(words, i, error)) {
      ++taken;
      EXPECT_EQ(encode(i), words);
      EXPECT_EQ(assemble(disassemble(i)).at(0), i) << disassemble(i);
    }
    decode_program({words, encode({.op = Opcode::kEnd})}, 4, program, error);
  }
  EXPECT_GT(taken, 1000u);
}

TEST(IsaTest, FlippedBitsOfProgramsNeverCrashTheDecoder) {
  std::mt19937 random(3);
  const std::vector<EncodedInstruction> words =
      encode_all(random_program(random, {.temporaries = kTemporaries, .length = 60}));
  std::vector<Instruction> program;
  std::string error;
  for (size_t n = 0; n < words.size(); ++n)
    for (uint32_t b = 0; b < 128; ++b) {
      std::vector<EncodedInstruction> flipped = words;
      flipped[n][b / 32] ^= 1u << b % 32;
      if (!decode_program(flipped, kTemporaries, program, error)) {
        EXPECT_THAT(error, StartsWith("instruction "));
      }
    }
}

TEST(IsaTest, EncodingIsTheDocumentedOne) {
  EXPECT_EQ(encode({}), (EncodedInstruction{}));
  const Instruction mad = assemble("MAD_SAT r1.xyz, i2, -c4.x, |r3.wzyx|").at(0);
  const uint32_t op = static_cast<uint32_t>(Opcode::kMad);
  EXPECT_EQ(encode(mad),
            (EncodedInstruction{op | 1 << 8 | 1 << 10 | 7 << 17 | 1 << 21, 2 | 2 << 2 | 0xe4 << 12,
                                3 | 4 << 2 | 1 << 21, 1 | 3 << 2 | 0x1b << 12 | 1 << 20}));
  const Instruction tex = assemble("TXG o2, i1, t63, s31, 2DARRAY, GATHER(w), OFFSET(-8, 7, -1)").at(0);
  EXPECT_EQ(encode(tex),
            (EncodedInstruction{
                static_cast<uint32_t>(Opcode::kTxg) | 2 << 8 | 2 << 10 | 15 << 17 | 63 << 22 | 5u << 28,
                2 | 1 << 2 | 0xe4 << 12 | 31 << 22 | 3 << 28, 8 << 22 | 7 << 26, 15 << 22}));
  EXPECT_EQ(encode(assemble("LDV r1, r2.x, v39").at(0)),
            (EncodedInstruction{109 | 1 << 8 | 1 << 10 | 15 << 17 | 39 << 22, 1 | 2 << 2, 0, 0}));
  EXPECT_EQ(encode(assemble("EMIT 3").at(0)), (EncodedInstruction{110 | 3 << 22, 0, 0, 0}));
  EXPECT_EQ(encode(assemble("CUT 1").at(0)), (EncodedInstruction{111 | 1 << 22, 0, 0, 0}));
  EXPECT_EQ(encode(assemble("LDB r1, r2.x, t5, CACHED").at(0)),
            (EncodedInstruction{87 | 1 << 8 | 1 << 10 | 15 << 17 | 5 << 22, 1 | 2 << 2 | 1 << 30, 0, 0}));
  EXPECT_EQ(encode(assemble("BAR").at(0)), (EncodedInstruction{103, 0, 0, 0}));
  EXPECT_EQ(encode(assemble("BAR SHARED").at(0)), (EncodedInstruction{103 | 1 << 22, 0, 0, 0}));
  EXPECT_EQ(encode(assemble("MEMBAR DEVICE").at(0)), (EncodedInstruction{115 | 2 << 22, 0, 0, 0}));
  EXPECT_EQ(encode(assemble("MEMBAR SHARED, DEVICE").at(0)), (EncodedInstruction{115 | 3 << 22, 0, 0, 0}));
  EXPECT_EQ(encode(assemble("PULL r1.xy, r2, i31").at(0)),
            (EncodedInstruction{116 | 1 << 8 | 1 << 10 | 3 << 17 | 31 << 22, 1 | 2 << 2 | 0xe4 << 12, 0, 0}));
  const Instruction loop = {.op = Opcode::kLoop, .target = 0xabcd};
  EXPECT_EQ(encode(loop), (EncodedInstruction{static_cast<uint32_t>(Opcode::kLoop) | (0xabcdu & 0x3ff) << 22,
                                              (0xabcd >> 10) << 22, 0, 0}));
}

TEST(IsaTest, DisassemblyReadsLikeTheManual) {
  for (const char* line : {"MAD_SAT r1.xyz, i0, -c4.x, |r2|",
                           "MOV o0, -|r3.xxyz|",
                           "DP4 o0.x, i0, c12",
                           "AND r0.x, r1.x, ~r2.x",
                           "TEX r0, i1, t3, s2, 2D",
                           "TXG r0, i1, t3, s2, CUBE, SHADOW, GATHER(y)",
                           "TEX r0.x, i1, r5, t3, s2, CUBEARRAY, SHADOW",
                           "TXF r1, r0, r2, t0, 2D, OFFSET(-1, 0, 3)",
                           "TXQS r0.x, t1, 2DMS",
                           "TXF r0, r1, r2, t1, 2DMSARRAY",
                           "TXQS r0.x, t1, 2DMSARRAY",
                           "LDB r0.xyz, r1.x, t7",
                           "STB _.xy, r1.x, r2, t7",
                           "ATOM _.x, r0, r1, r2, t1, OP(4)",
                           "LDS r0, r1.x",
                           "STW _.xy, r1.x, r2",
                           "ATOMW r0.x, r1, r2, r3, OP(9)",
                           "ATOMI r0.x, r1, r2, r3, t4, 2DARRAY, OP(1)",
                           "LDV r1.xyz, i32.y, v39",
                           "LDV r1, -r2.x, v0",
                           "EMIT 3",
                           "CUT 0",
                           "PULL r1.xyz, -|r2.yxxx|, i31",
                           "PULL o0, c1, i0",
                           "KIL ~r0.x",
                           "END",
                           "IF r0.x, 12",
                           "CALL 12",
                           "RET",
                           "SEL r0, r1, -r2, c3"})
    EXPECT_EQ(disassemble(assemble(line).at(0)), line);
}

TEST(IsaTest, TargetsLeftOutFollowFromNesting) {
  const std::vector<Instruction> program = assemble(R"(
      LOOP              ; 0
        IF r0.x         // 1
          BRK r0.y      # 2
        ELSE            ; 3
          CONT r0.z     ; 4
        ENDIF           ; 5
        NEXT            ; 6
        BRK r0.w        ; 7
      ENDLOOP           ; 8
      END)");
  const uint16_t expected[] = {8, 3, 6, 5, 6, 0, 0, 8, 1, 0};
  ASSERT_EQ(program.size(), 10u);
  for (size_t n = 0; n < program.size(); ++n) EXPECT_EQ(program[n].target, expected[n]) << n;
  EXPECT_EQ(assemble(disassemble(program)), program);
}

TEST(IsaTest, AssemblerErrorsNameLineAndColumn) {
  EXPECT_EQ(assembly_error("MOV r0, r1\n  FOO r0"), "line 2, column 3: expected an operation, found 'FOO'");
  EXPECT_EQ(assembly_error("MOV r0 r1"), "line 1, column 8: expected ',', found 'r1'");
  EXPECT_EQ(assembly_error("MOV r0,"),
            "line 1, column 8: expected a source (r, h, i or c), found the end of the line");
  EXPECT_EQ(assembly_error("MOV r128, r1"),
            "line 1, column 6: a temporary register number must be within 0 to 127, found 128");
  EXPECT_EQ(assembly_error("MOV r0.yx, r1"),
            "line 1, column 9: expected a write mask (some of xyzw, in this order), found 'x'");
  EXPECT_EQ(assembly_error("MOV r0, r1.xy"),
            "line 1, column 12: expected a swizzle (one or four of xyzw), found 'xy'");
  EXPECT_EQ(assembly_error("MOV c0, r1"),
            "line 1, column 5: expected a destination (r, h, o or _), found 'c0'");
  EXPECT_EQ(assembly_error("IADD_SAT r0, r1, r1"), "line 1, column 1: IADD has no _SAT form");
  EXPECT_EQ(assembly_error("TXP r0, r1, t0, s0, CUBE"),
            "line 1, column 1: TXP: cannot access texture dimension 3");
  EXPECT_EQ(assembly_error("LDV r0, r1.x, v40"),
            "line 1, column 16: a register of a vertex must be within 0 to 39, found 40");
  EXPECT_EQ(assembly_error("PULL r0, r1, i32"),
            "line 1, column 15: an interpolant must be within 0 to 31, found 32");
  EXPECT_EQ(assembly_error("PULL r0, r1, v1"), "line 1, column 14: expected 'i', found 'v1'");
  EXPECT_EQ(assembly_error("EMIT 4"), "line 1, column 6: a stream must be within 0 to 3, found 4");
  EXPECT_EQ(assembly_error("END r0"), "line 1, column 5: expected the end of the line, found 'r0'");
  EXPECT_EQ(assembly_error("CALL"),
            "line 1, column 5: expected an instruction number, found the end of the line");
  EXPECT_EQ(assembly_error("NOP\nCALL far\nEND"), "line 2, column 1: no instruction is called 'far'");
  EXPECT_EQ(assembly_error("END\nfar: RET\nfar: RET"), "line 3, column 1: there is a 'far' already");
  EXPECT_EQ(assembly_error("IF r0.x\nMOV r0, r1\nELSE\nELSE\nENDIF\nEND"),
            "line 4, column 1: ELSE: second ELSE of an IF");
}

struct Broken {
  const char* text;
  const char* error;
};

TEST(IsaTest, ProgramsThatDoNotNestAreRefused) {
  for (const Broken& b : std::initializer_list<Broken>{
           {"MOV r0, r0", "instruction 0: the last instruction is not END"},
           {"END\nEND", "instruction 1: END: second END of the program"},
           {"END\nNOP", "instruction 1: the last instruction is not RET"},
           {"NOP\nRET\nEND", "instruction 1: RET: before the END"},
           {"END\nIF r0.x, 2\nRET", "instruction 2: RET: within an IF or LOOP"},
           {"CALL 1\nEND", "instruction 0: CALL: no function begins at its target"},
           {"CALL 0\nEND\nRET", "instruction 0: CALL: no function begins at its target"},
           {"CALL 3\nEND\nNOP\nRET", "instruction 0: CALL: no function begins at its target"},
           {"END\nCALL 1\nRET",
            "instruction 1: CALL: a function that does not stand behind the one that calls"},
           {"END\nRET\nCALL 1\nRET",
            "instruction 2: CALL: a function that does not stand behind the one that calls"},
           {"CALL 2\nEND\nCALL 4\nRET\nCALL 6\nRET\nCALL 8\nRET\nCALL 10\nRET\nRET",
            "instruction 0: CALL: too many calls, one within the other"},
           {"IF r0.x, 1\nEND", "instruction 1: END: within an IF or LOOP"},
           {"ELSE 0\nEND", "instruction 0: ELSE: without an open IF"},
           {"ENDIF\nEND", "instruction 0: ENDIF: without an open IF"},
           {"ENDLOOP 0\nEND", "instruction 0: ENDLOOP: without an open LOOP"},
           {"LOOP 1\nENDLOOP 1\nEND", "instruction 1: ENDLOOP: its LOOP has no NEXT"},
           {"LOOP 3\nNEXT\nNEXT\nENDLOOP 1\nEND", "instruction 2: NEXT: second NEXT of a LOOP"},
           {"LOOP 3\nIF r0.x, 3\nNEXT\nENDIF\nENDLOOP 1\nEND",
            "instruction 2: NEXT: must stand in a LOOP, outside its IFs"},
           {"LOOP 3\nNEXT\nCONT r0.x, 1\nENDLOOP 1\nEND", "instruction 2: CONT: after its loop's NEXT"},
           {"BRK r0.x, 1\nEND", "instruction 0: BRK: outside a LOOP"},
           {"IF r0.x, 3\nNOP\nENDIF\nEND", "instruction 0: IF: target 3, but its construct needs 2"},
           {"MOV r9, r0\nEND", "instruction 0: MOV: writes r9, but the program has 9 temporaries"},
           {"MOV r8, r10\nEND", "instruction 0: MOV: reads r10, but the program has 9 temporaries"},
       }) {
    std::vector<Instruction> program;
    std::string error;
    EXPECT_FALSE(decode_program(encode_all(assemble(b.text)), kTemporaries, program, error)) << b.text;
    EXPECT_EQ(error, b.error);
  }
}

TEST(IsaTest, NestingHasALimit) {
  std::vector<Instruction> program;
  for (uint32_t n = 0; n <= kFlowDepth; ++n)
    program.push_back({.op = Opcode::kIf, .src = {Source{.file = File::kTemporary}}});
  for (uint32_t n = 0; n <= kFlowDepth; ++n) program.push_back({.op = Opcode::kEndif});
  program.push_back({.op = Opcode::kEnd});
  std::vector<uint16_t> targets;
  size_t where = 0;
  std::string error;
  EXPECT_FALSE(flow_targets(program, targets, where, error));
  EXPECT_EQ(where, kFlowDepth);
  program.erase(program.begin());
  program.erase(program.end() - 2);
  EXPECT_TRUE(flow_targets(program, targets, where, error)) << error;
}

// A function's constructs are nested in its caller's.
TEST(IsaTest, CalleeConstructsNestInTheCaller) {
  for (const uint32_t around : {kFlowDepth - 2, kFlowDepth - 1}) {
    std::string text;
    for (uint32_t n = 0; n < around; ++n) text += "IF r0.x\n";
    text += "CALL first\n";
    for (uint32_t n = 0; n < around; ++n) text += "ENDIF\n";
    text += "END\nfirst: CALL second\nRET\nsecond:\nIF r0.x\nIF r0.x\nENDIF\nENDIF\nRET\n";
    if (around + 2 <= kFlowDepth) EXPECT_NO_THROW(assemble(text));
    else
      EXPECT_EQ(assembly_error(text), fmt::format("line {}, column 1: CALL: nested too deeply", around + 1));
  }
}

TEST(IsaTest, FunctionsHaveNames) {
  const std::vector<Instruction> program = assemble(R"(
      CALL light        ; 0
      CALL 5            ; 1
      IF r0.x           ; 2
      ENDIF             ; 3
      END               ; 4
    light:
      CALL far          ; 5
      RET               ; 6
    far: RET            ; 7
  )");
  EXPECT_EQ(program[0].target, 5);
  EXPECT_EQ(program[1].target, 5);
  EXPECT_EQ(program[2].target, 3);
  EXPECT_EQ(program[5].target, 7);
  EXPECT_EQ(assemble(disassemble(program)), program);
}

TEST(IsaTest, TheManualNumbersEveryOperation) {
  std::ifstream file(CUTAWAY_DOCS "/isa.md");
  const std::string manual((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const char* const kSources[] = {"", " a", " a, b", " a, b, c"};
  const char* const kOperands[] = {"", " src0", " src0, src1", " src0, src1, src2"};
  for (uint32_t op = 0; op < kOpcodes; ++op) {
    const OpInfo& i = kOpInfo[op];
    const bool alu = i.op_class == OpClass::kSimd || i.op_class == OpClass::kScalar;
    const std::string row =
        fmt::format("| {} | `{}{}` |", op, i.mnemonic, (alu ? kSources : kOperands)[i.sources]);
    EXPECT_THAT(manual, HasSubstr(op == 0 ? "0 is `NOP`" : row));
  }
}

TEST(IsaTest, BadFieldsAreInternalErrorsOfTheEncoder) {
  Instruction mov = assemble("MOV r0, r1").at(0);
  mov.src[1].file = File::kTemporary;
  EXPECT_THROW(encode(mov), InternalError);
  mov = assemble("MOV r0, r1").at(0);
  mov.dst.mask = 0;
  EXPECT_THROW(encode(mov), InternalError);
}

}  // namespace
}  // namespace cutaway::isa
