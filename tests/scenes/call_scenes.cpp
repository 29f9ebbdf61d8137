#include "scenes/parts.h"
#include "scenes/scenes.h"

// Programs with functions.
namespace cutaway::scenes {
namespace {

using arch::Stage;

constexpr const char* kRaised = R"(
    MOV r1, i1
    CALL weigh
    MAD r0.xyz, r2, c0.x, i0
    MOV r0.w, i0.w
    MOV o0, r0
    MOV o1, i1
    END
  weigh:                       ; r2: r1 by the squares of its components
    MUL r2, r1, r1
    RET
)";

// A surface in stripes of two patterns: fragments of the two stripes call different functions; one function
// is called from three places and calls another in a loop of its own; one function kills fragments.
constexpr const char* kStriped = R"(
    MOV r0, i0
    FRC r1.x, i0.x
    FLT r1.x, r1.x, c0.x
    IF r1.x
      CALL spots
      CALL shade
    ELSE
      MUL r0.xy, i0.yxzw, c0.y
      CALL shade
    ENDIF
    MAD r4, r3, c0.x, r4
    CALL shade
    MOV o0, r4
    END
  spots:                       ; none of what is outside
    FRC r5.xy, i0
    ADD r5.xy, r5, -c0.x
    DP2 r5.z, r5, r5
    FLT r5.w, c0.z, r5.z
    KIL r5.w
    RET
  shade:                       ; adds a wave of r0 to r3, and another one to r4, in as many rounds as r0.x says
    MOV r6.x, c0.w
    LOOP
      CALL wave
      ADD r6.x, r6.x, c1.x
      FLT r6.y, r0.x, r6.x
      BRK r6.y
      NEXT
    ENDLOOP
    MOV r4.w, c1.x
    RET
  wave:
    MAD r6.z, r6.x, c1.y, r0.y
    SIN r6.w, r6.z
    MAD r3.xyz, r6.w, c1.zzyy, r3
    FLT r7.x, r6.w, c0.w
    IF r7.x
      MAD r4.yz, r6.w, -c1.yzzz, r4
    ELSE
      MAD r4.x, r6.w, c1.z, r4.x
    ENDIF
    RET
)";

}  // namespace

Scene calls() {
  Builder b("calls");
  b.clear(0.1f, 0.1f, 0.2f, 1);
  b.program(Stage::kVertex, kRaised);
  b.constants(Stage::kVertex, 0, {0.01f, 0, 0, 0});
  b.interpolants({1});
  b.constants(Stage::kFragment, 0,
              {0.5f, 2, 0.2f, 0,        // c0
               1, 0.7f, 0.25f, 0.5f});  // c1
  b.vertices({-0.9f, -0.9f, 0, 1, 0, 0, 0, 1, 0.9f,  -0.7f, 0, 1, 4, 0, 0, 1,
              -0.8f, 0.8f,  0, 1, 0, 4, 0, 1, 0.95f, 0.9f,  0, 1, 4, 4, 0, 1},
             {4, 4});
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
  b.registers.depth.mode = static_cast<uint32_t>(arch::DepthMode::kEarlyTestLateWrite);
  b.program(Stage::kFragment, kStriped, arch::kShaderKills);
  b.draw(4);
  b.end_frame();
  return b.take();
}

}  // namespace cutaway::scenes
