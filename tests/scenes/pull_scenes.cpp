#include <string>

#include "scenes/parts.h"
#include "scenes/scenes.h"

// Fragment programs that evaluate interpolants on demand.
namespace cutaway::scenes {
namespace {

using arch::Interpolation;
using arch::Stage;

// The color of each vertex three times: with perspective, linear and flat.
void three_modes(Builder& b) {
  b.program(Stage::kVertex, "MOV o0, i0\nMOV o1, i1\nMOV o2, i1\nMOV o3, i1\nEND\n");
  b.interpolants({1, 2, 3});
  b.registers.vertex_out.interpolant[1].mode = static_cast<uint32_t>(Interpolation::kLinear);
  b.registers.vertex_out.interpolant[2].mode = static_cast<uint32_t>(Interpolation::kFlat);
}

// Two triangles in depth, one of which extends beyond the target, and a few more corners for lines and
// points.
void corners(Builder& b) {
  b.vertices({-0.9f, -0.9f, 0, 1,    1, 0, 0, 1,     //
              1.8f,  -1.6f, 0, 2,    0, 1, 0, 0.5f,  //
              -0.1f, 0.45f, 0, 0.5f, 0, 0, 1, 1,     //
              -3,    0.6f,  0, 3,    1, 1, 0, 1,     //
              0.9f,  0.2f,  0, 1,    0, 1, 1, 1,     //
              2,     3.6f,  0, 4,    1, 0, 1, 0.25f},
             {4, 4});
}

// At a different place in each pixel: i1 and i2 only by PULL, i0 both ways.
constexpr const char* kAnywhere = R"(
    MUL r1.xy, i32, c0.xyxx
    FRC r1.xy, r1
    ADD r1.xy, r1, -c0.z
    PULL r2, r1.xyyy, i0
    PULL r3.yzw, -r1.yxxx, i1
    PULL r4.z, c1, i2
    ADD o0.x, r2.x, i0.w
    MOV o0.y, r3.z
    MOV o0.z, r4.z
    MOV o0.w, r2.w
    END
)";

// Lanes of odd columns and rows ask in rounds of a loop, the others once, beyond the pixel; differences in
// the quad need what helpers have asked for.
constexpr const char* kInBranches = R"(
    MUL r0.xy, i32, c0.z
    FRC r0.xy, r0
    SLT r0.xy, r0, c0.z
    ADD r0.z, r0.x, r0.y
    SEQ r0.z, r0.z, c2.x
    PULL r5, c1.yxxx, i0
    DDX r5.x, r5.x
    DDY r5.y, r5.y
    IF r0.z
      LOOP
        PULL r1, r2.xxxx, i0
        ADD r3, r3, r1
        ADD r2.x, r2.x, c2.y
        SGE r2.y, r2.x, i0.x
        BRK r2.y
        SGE r2.y, r2.x, c2.z
        BRK r2.y
      NEXT
      ENDLOOP
      MUL r3, r3, c2.w
    ELSE
      PULL r3.xw, c3.xyzw, i1
      PULL _.xy, r0, i1
      PULL r3.yz, c3.wzyx, i0
      PULL r6, r0, i9
      ADD r3, r3, r6
    ENDIF
    ADD o0.xyz, r3, |r5|
    MOV o0.w, r3.w
    END
)";

// A discarded lane leaves the other lanes of its quad active.
constexpr const char* kAmongHelpers = R"(
    SLT r0.x, i0.x, c0.z
    KIL r0.x
    PULL r1, c1.zwww, i0
    DDX r2, r1
    ADD o0, r1, |r2|
    END
)";

void draw_all(Builder& b, bool samples) {
  three_modes(b);
  corners(b);
  b.constants(Stage::kFragment, 0,
              {0.37f, 0.59f, 0.5f, 0,               // c0
               0.25f, -0.375f, 0.4375f, -0.5f,      // c1
               1, 0.0625f, 0.25f, 0.25f,            // c2
               -0.75f, 4, 0.0013f, -0.01171875f});  // c3
  b.program(Stage::kFragment, kAnywhere, arch::kShaderReadsFragCoord);
  b.draw(6);
  b.program(Stage::kFragment, kInBranches, arch::kShaderReadsFragCoord | arch::kShaderDerivatives);
  b.draw(3, 1, 3);
  b.registers.depth.mode = static_cast<uint32_t>(arch::DepthMode::kEarlyTestLateWrite);
  b.program(Stage::kFragment, kAmongHelpers, arch::kShaderKills | arch::kShaderDerivatives);
  b.draw(3);
  b.registers.depth.mode = static_cast<uint32_t>(arch::DepthMode::kEarly);
  b.program(Stage::kFragment, kAnywhere, arch::kShaderReadsFragCoord);
  for (const arch::Topology topology : {arch::Topology::kLineStrip, arch::Topology::kPointList}) {
    b.registers.assembly.topology = static_cast<uint32_t>(topology);
    b.draw(6);
  }
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleList);
  if (!samples) return;
  b.registers.raster.sample_shading = 1;
  b.draw(3, 1, 3);
  b.registers.raster.sample_shading = 0;
}

Scene pulled_interpolants(Builder b, uint32_t samples) {
  const arch::Surface resolved = b.color_target();
  arch::Surface drawn = resolved;
  if (samples > 1) {
    drawn = b.surface(arch::Format::R8G8B8A8_UNORM, 64, 64, 1, arch::Tiling::kTiled, 1, samples);
    b.target(drawn);
    b.depth(b.surface(arch::Format::D24_UNORM_S8_UINT, 64, 64, 1, arch::Tiling::kTiled, 1, samples));
    b.registers.raster.samples = samples, b.registers.raster.sample_mask = ~0u;
  }
  b.clear(0.1f, 0.1f, 0.2f, 1);
  draw_all(b, samples > 1);
  if (samples > 1) {
    b.flush();
    resolve_samples(b, drawn, resolved);
  }
  b.end_frame();
  return b.take();
}

}  // namespace

std::vector<Scene> pull_scenes() {
  std::vector<Scene> scenes;
  scenes.push_back(pulled_interpolants(Builder("pulled-interpolants"), 1));
  scenes.push_back(pulled_interpolants(Builder("pulled-interpolants-samples"), 4));
  return scenes;
}

}  // namespace cutaway::scenes
