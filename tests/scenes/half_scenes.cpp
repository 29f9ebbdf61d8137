#include "scenes/parts.h"
#include "scenes/scenes.h"

// Programs whose temporaries are halves of registers.
namespace cutaway::scenes {
namespace {

using arch::Stage;

// A bumpy surface, lit: texels, unit vectors and their products in halves, low and high ones of the same
// registers, one of which is read before it is written. Fragments in shadow take another branch.
constexpr const char* kLit = R"(
    TEX h0, i0, t0, s0, 2D
    TXB h1, i0.yxzw, c1.x, t0, s0, 2D
    MAD_SAT h2.xyz, h0, c0.x, -h9
    ADD h3.xyz, h1.zxyw, -h2
    ADD h3.z, |h3.z|, c0.y
    NRM h4.xyz, h3
    NRM h5.xyz, -c2
    DP3 h6.x, h4, h5
    SLT r5.x, h6.x, c0.z
    FLT r5.y, h6.x, c0.z
    IF r5.y
      MUL h6.xyz, h0, c0.w
      DDX h7, h1.wzyx
      SEL h6.w, r5.y, h7.y, h6.x
    ELSE
      POW h7.x, |h6.x|, c1.y
      MAD h6.yzw, h6.x, h2.xxyz, h7.x
    ENDIF
    FLT r5.z, h6.y, c1.z
    KIL r5.z
    MOV r5, h6.yzwx
    RSQ h8.x, h0.w
    MUL o0, r5, h8.x
    END
)";

}  // namespace

Scene halves() {
  Builder b("halves");
  const arch::Surface texture = b.surface(arch::Format::R8G8B8A8_UNORM, 32, 32, 2);
  Random random(31);
  for (uint32_t level = 0; level < 2; level++) {
    std::vector<uint32_t> texels(size_t{32u >> level} * (32 >> level));
    for (uint32_t& texel : texels) texel = 0xc0000000 | random.next();
    b.fill_level(texture, level, texels);
  }
  const arch::Sampler how = sampler(arch::Filter::kLinear, arch::MipMode::kLinear);
  b.clear(0.1f, 0.1f, 0.2f, 1);
  b.program(Stage::kVertex, kPassColor);
  b.interpolants({1});
  b.textures({&texture, 1}, {&how, 1});
  b.constants(Stage::kFragment, 0,
              {0.75f, 0.4f, 0.3f, 0.5f,  // c0
               0.5f, 8, 0.0625f, 0,      // c1
               -0.3f, 0.2f, -0.9f, 0});  // c2
  b.vertices({-0.9f, -0.9f, 0, 1, 0, 0, 0, 1, 0.9f,  -0.7f, 0, 1, 3, 0, 0, 1,
              -0.8f, 0.8f,  0, 1, 0, 3, 0, 1, 0.95f, 0.9f,  0, 1, 2, 3, 0, 1},
             {4, 4});
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
  b.registers.depth.mode = static_cast<uint32_t>(arch::DepthMode::kEarlyTestLateWrite);
  b.program(Stage::kFragment, kLit, arch::kShaderKills | arch::kShaderDerivatives);
  b.draw(4);
  b.end_frame();
  return b.take();
}

}  // namespace cutaway::scenes
