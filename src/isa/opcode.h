#pragma once

#include <cstdint>
#include <string_view>

namespace cutaway::isa {

// The unit that executes an instruction (ATT-8): the four-component SIMD ALU, the scalar ALU, the texture
// unit, the memory path, or the fetch stage.
enum class OpClass : uint8_t { kSimd, kScalar, kTexture, kMemory, kFlow };

// X(enumerator, mnemonic, class, sources). Semantics: docs/isa.md. Component-wise unless said otherwise;
// scalar operations read component x of their swizzled source and write the result to every component in the
// mask.
// clang-format off
#define CUTAWAY_OPCODES(X)                                                                              \
  X(kNop, "NOP", kFlow, 0)                                                                              \
  /* Moves and float arithmetic. */                                                                     \
  X(kMov, "MOV", kSimd, 1)      /* bits pass unchanged; modifiers act on floats */                      \
  X(kAdd, "ADD", kSimd, 2)                                                                              \
  X(kMul, "MUL", kSimd, 2)                                                                              \
  X(kMad, "MAD", kSimd, 3)      /* round(round(a b) + c) */                                             \
  X(kDp2, "DP2", kSimd, 2)      /* round(round(ax bx) + round(ay by)) to all components */              \
  X(kDp3, "DP3", kSimd, 2)      /* left to right, each step rounded */                                  \
  X(kDp4, "DP4", kSimd, 2)                                                                              \
  X(kLrp, "LRP", kSimd, 3)      /* round(round(a b) + round(round(1 - a) c)) */                         \
  X(kMin, "MIN", kSimd, 2)      /* of a number and NaN: the number */                                   \
  X(kMax, "MAX", kSimd, 2)                                                                              \
  X(kFlr, "FLR", kSimd, 1)                                                                              \
  X(kCeil, "CEIL", kSimd, 1)                                                                            \
  X(kTrunc, "TRUNC", kSimd, 1)                                                                          \
  X(kRne, "RNE", kSimd, 1)      /* to the nearest integer, ties to even */                              \
  X(kFrc, "FRC", kSimd, 1)      /* a - floor(a) */                                                      \
  X(kSgn, "SGN", kSimd, 1)      /* -1, 0 or 1 */                                                        \
  X(kSlt, "SLT", kSimd, 2)      /* a < b ? 1.0 : 0.0 */                                                 \
  X(kSge, "SGE", kSimd, 2)                                                                              \
  X(kSeq, "SEQ", kSimd, 2)                                                                              \
  X(kSne, "SNE", kSimd, 2)                                                                              \
  X(kCmp, "CMP", kSimd, 3)      /* float: a < 0 ? b : c */                                              \
  X(kDdx, "DDX", kSimd, 1)      /* within the quad: right minus left of the own row */                  \
  X(kDdy, "DDY", kSimd, 1)      /* lower minus upper of the own column */                               \
  X(kDdxCoarse, "DDXC", kSimd, 1) /* of the quad's first row */                                         \
  X(kDdyCoarse, "DDYC", kSimd, 1) /* of the quad's first column */                                      \
  /* Comparisons to booleans: all ones or zero. */                                                      \
  X(kFlt, "FLT", kSimd, 2)                                                                              \
  X(kFge, "FGE", kSimd, 2)                                                                              \
  X(kFeq, "FEQ", kSimd, 2)                                                                              \
  X(kFne, "FNE", kSimd, 2)      /* unordered: true with NaN */                                          \
  X(kIlt, "ILT", kSimd, 2)                                                                              \
  X(kIge, "IGE", kSimd, 2)                                                                              \
  X(kUlt, "ULT", kSimd, 2)                                                                              \
  X(kUge, "UGE", kSimd, 2)                                                                              \
  X(kIeq, "IEQ", kSimd, 2)                                                                              \
  X(kIne, "INE", kSimd, 2)                                                                              \
  X(kSel, "SEL", kSimd, 3)      /* a != 0 (bits) ? b : c; modifiers of b and c act on floats */         \
  /* Integers, 32 bits, wrapping. The negate modifier means two's complement, in AND to NOT: inversion. */ \
  X(kIadd, "IADD", kSimd, 2)                                                                            \
  X(kImul, "IMUL", kSimd, 2)                                                                            \
  X(kImulh, "IMULH", kSimd, 2)  /* high 32 bits of the signed product */                                \
  X(kUmulh, "UMULH", kSimd, 2)                                                                          \
  X(kImin, "IMIN", kSimd, 2)                                                                            \
  X(kImax, "IMAX", kSimd, 2)                                                                            \
  X(kUmin, "UMIN", kSimd, 2)                                                                            \
  X(kUmax, "UMAX", kSimd, 2)                                                                            \
  X(kAnd, "AND", kSimd, 2)                                                                              \
  X(kOr, "OR", kSimd, 2)                                                                                \
  X(kXor, "XOR", kSimd, 2)                                                                              \
  X(kNot, "NOT", kSimd, 1)                                                                              \
  X(kShl, "SHL", kSimd, 2)      /* shift counts modulo 32 */                                            \
  X(kShr, "SHR", kSimd, 2)                                                                              \
  X(kAsr, "ASR", kSimd, 2)                                                                              \
  X(kUbfe, "UBFE", kSimd, 3)    /* bits [b, b + c) of a */                                              \
  X(kIbfe, "IBFE", kSimd, 3)    /* sign-extended */                                                     \
  X(kBrev, "BREV", kSimd, 1)                                                                            \
  X(kPopc, "POPC", kSimd, 1)                                                                            \
  X(kFfs, "FFS", kSimd, 1)      /* index of the lowest one, -1 if none */                               \
  X(kUfls, "UFLS", kSimd, 1)    /* of the highest one, -1 if none */                                    \
  X(kIfls, "IFLS", kSimd, 1)    /* of the highest bit unlike the sign, -1 if none */                    \
  X(kF2i, "F2I", kSimd, 1)      /* toward zero, saturating; NaN gives 0 */                              \
  X(kF2u, "F2U", kSimd, 1)                                                                              \
  X(kI2f, "I2F", kSimd, 1)                                                                              \
  X(kU2f, "U2F", kSimd, 1)                                                                              \
  X(kPackHalf, "PK2H", kSimd, 1)   /* all components: half(ax) | half(ay) << 16 */                      \
  X(kUnpackHalf, "UP2H", kSimd, 1) /* (low, high, low, high) halves of ax as floats */                  \
  /* Scalar. */                                                                                         \
  X(kRcp, "RCP", kScalar, 1)                                                                            \
  X(kRsq, "RSQ", kScalar, 1)    /* round(1 / round(sqrt(a))) */                                         \
  X(kSqrt, "SQRT", kScalar, 1)                                                                          \
  X(kEx2, "EX2", kScalar, 1)                                                                            \
  X(kLg2, "LG2", kScalar, 1)                                                                            \
  X(kPow, "POW", kScalar, 2)    /* EX2(round(b LG2 a)) */                                               \
  X(kSin, "SIN", kScalar, 1)                                                                            \
  X(kCos, "COS", kScalar, 1)                                                                            \
  X(kUdiv, "UDIV", kScalar, 2)  /* by zero: all ones */                                                 \
  X(kUmod, "UMOD", kScalar, 2)  /* by zero: all ones */                                                 \
  X(kIdiv, "IDIV", kScalar, 2)  /* toward zero; by zero: -1 */                                          \
  X(kIrem, "IREM", kScalar, 2)  /* sign of a; by zero: -1 */                                            \
  /* Texture: src0 coordinates (array layer after the last one; depth reference in w, cube arrays src1.y), */ \
  /* then as named. dst receives the swizzled texel. */                                                 \
  X(kTex, "TEX", kTexture, 1)   /* implicit level of detail */                                          \
  X(kTxp, "TXP", kTexture, 1)   /* coordinates and reference divided by src0.w; reference in z */       \
  X(kTxb, "TXB", kTexture, 2)   /* src1.x: bias */                                                      \
  X(kTxl, "TXL", kTexture, 2)   /* src1.x: level of detail */                                           \
  X(kTxd, "TXD", kTexture, 3)   /* src1, src2: d/dx, d/dy */                                            \
  X(kTxf, "TXF", kTexture, 2)   /* integer texel coordinates, src1.x: level, src1.y: sample */          \
  X(kTxg, "TXG", kTexture, 1)   /* gather of component `gather` */                                      \
  X(kTxq, "TXQ", kTexture, 1)   /* size of level src0.x: width, height, depth or layers; w: levels */   \
  X(kTxqlod, "TXQLOD", kTexture, 1) /* x: clamped level, y: computed level of detail */                 \
  X(kTxqs, "TXQS", kTexture, 0) /* x: samples */                                                        \
  /* Memory. */                                                                                         \
  X(kLdb, "LDB", kMemory, 1)    /* 1 to 4 words of a raw buffer at byte src0.x (by mask: x from +0 …) */ \
  X(kStb, "STB", kMemory, 2)    /* src1's words in the mask to byte src0.x */                           \
  X(kLdi, "LDI", kMemory, 1)    /* image load at integer src0 */                                        \
  X(kSti, "STI", kMemory, 2)    /* image store of src1 at src0 */                                       \
  X(kAtomic, "ATOM", kMemory, 3) /* `atomic` on the buffer word at byte src0.x; dst: the old one */               \
  X(kLds, "LDS", kMemory, 1)    /* per-thread scratch at byte src0.x */                                 \
  X(kSts, "STS", kMemory, 2)                                                                            \
  /* Flow; `target` is an instruction number. Masks: docs/isa.md. */                                    \
  X(kIf, "IF", kFlow, 1)        /* lanes with src0.x != 0 go on; none: to target (its ELSE or ENDIF) */  \
  X(kElse, "ELSE", kFlow, 0)    /* the others; none: to target (its ENDIF) */                           \
  X(kEndif, "ENDIF", kFlow, 0)                                                                          \
  X(kLoop, "LOOP", kFlow, 0)    /* target: its ENDLOOP */                                               \
  X(kBreak, "BRK", kFlow, 1)    /* lanes with src0.x != 0 leave the loop; target: its NEXT, after it ENDLOOP */ \
  X(kContinue, "CONT", kFlow, 1) /* lanes with src0.x != 0 wait at NEXT, the target */ \
  X(kNext, "NEXT", kFlow, 0)    /* continued lanes rejoin; before ENDLOOP */                            \
  X(kEndLoop, "ENDLOOP", kFlow, 0) /* lanes that did not leave go to target (after LOOP) */             \
  X(kKill, "KIL", kFlow, 1)     /* lanes with src0.x != 0 become helpers */                             \
  X(kBarrier, "BAR", kFlow, 0)                                                                          \
  X(kEnd, "END", kFlow, 0)                                                                              \
  /* Memory, continued. */                                                                              \
  X(kLdw, "LDW", kMemory, 1)    /* like LDB, from the memory of the workgroup */                        \
  X(kStw, "STW", kMemory, 2)    /* like STB, to the memory of the workgroup */                          \
  X(kAtomicWorkgroup, "ATOMW", kMemory, 3) /* like ATOM, in the memory of the workgroup */              \
  X(kAtomicImage, "ATOMI", kMemory, 3) /* like ATOM, on the texel at integer src0 */                    \
  /* Vertices of primitives. */                                                                         \
  X(kLdv, "LDV", kMemory, 1)    /* register `slot` of vertex src0.x of the primitive */                 \
  X(kEmit, "EMIT", kMemory, 0)  /* the outputs are a vertex of stream `slot` */                         \
  X(kCut, "CUT", kMemory, 0)    /* ends the strip of stream `slot` */                                   \
  /* Halves; lanes of a quad. */                                                                        \
  X(kRoundHalf, "RNDH", kSimd, 1) /* the nearest half, as a float */                                    \
  X(kQuadRead, "QREAD", kSimd, 2) /* a of lane b & 3 of the quad, 0 if it is off */                     \
  X(kQuadVote, "QVOTE", kSimd, 1) /* bit n: lane n of the quad is on and has a != 0; helpers if alone */ \
  /* Flow, continued. */                                                                                \
  X(kMemoryBarrier, "MEMBAR", kFlow, 0)                                                                 \
  /* Pull-model interpolation. */                                                                       \
  X(kPull, "PULL", kMemory, 1)  /* interpolant `slot` at src0.xy pixels from the pixel's centre */       \
  /* Doubles: operands are the words x (low) and y (high) of a swizzled source; a result is (low, high,   */ \
  /* low, high). Denormals are kept. */                                                                 \
  X(kDadd, "DADD", kSimd, 2)                                                                            \
  X(kDmul, "DMUL", kSimd, 2)                                                                            \
  X(kDfma, "DFMA", kSimd, 3)    /* round(a b + c) */                                                    \
  X(kDdiv, "DDIV", kScalar, 2)                                                                          \
  X(kDsqrt, "DSQRT", kScalar, 1)                                                                        \
  X(kDmin, "DMIN", kSimd, 2)    /* of a number and NaN: the number */                                   \
  X(kDmax, "DMAX", kSimd, 2)                                                                            \
  X(kDflr, "DFLR", kSimd, 1)                                                                            \
  X(kDceil, "DCEIL", kSimd, 1)                                                                          \
  X(kDtrunc, "DTRUNC", kSimd, 1)                                                                        \
  X(kDrne, "DRNE", kSimd, 1)                                                                            \
  X(kF2d, "F2D", kSimd, 1)      /* of component x, as are I2D and U2D */                                \
  X(kI2d, "I2D", kSimd, 1)                                                                              \
  X(kU2d, "U2D", kSimd, 1)                                                                              \
  X(kDlt, "DLT", kSimd, 2)      /* this and those below: one value to all components */                 \
  X(kDge, "DGE", kSimd, 2)                                                                              \
  X(kDeq, "DEQ", kSimd, 2)                                                                              \
  X(kDne, "DNE", kSimd, 2)      /* unordered: true with NaN */                                          \
  X(kD2f, "D2F", kSimd, 1)                                                                              \
  X(kD2i, "D2I", kSimd, 1)      /* toward zero, saturating; NaN gives 0 */                              \
  X(kD2u, "D2U", kSimd, 1)                                                                              \
  X(kNrm, "NRM", kSimd, 1)      /* MUL of a and RSQ of DP3 of a with itself, each step rounded */       \
  /* Functions. */                                                                                      \
  X(kCall, "CALL", kFlow, 0)    /* goes on at target, the first instruction of a function */            \
  X(kReturn, "RET", kFlow, 0)   /* the end of a function: goes on after its CALL */                     \
  /* Constants by index. */                                                                             \
  X(kLdc, "LDC", kSimd, 2)      /* the constant src1.x registers behind src0; 0 outside `window` */     \
  /* Fog. */                                                                                            \
  X(kFog, "FOG", kSimd, 3)      /* round(round(b round(a - c)) + c): color a, visible share b, fog c */
// clang-format on

enum class Opcode : uint8_t {
#define X(name, mnemonic, op_class, sources) name,
  CUTAWAY_OPCODES(X)
#undef X
};

struct OpInfo {
  std::string_view mnemonic;
  OpClass op_class;
  uint8_t sources;
};

constexpr OpInfo kOpInfo[] = {
#define X(name, mnemonic, op_class, sources) {mnemonic, OpClass::op_class, sources},
    CUTAWAY_OPCODES(X)
#undef X
};
constexpr uint32_t kOpcodes = sizeof(kOpInfo) / sizeof(kOpInfo[0]);

constexpr const OpInfo& info(Opcode op) { return kOpInfo[static_cast<uint8_t>(op)]; }

}  // namespace cutaway::isa
