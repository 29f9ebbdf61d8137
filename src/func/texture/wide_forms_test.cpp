#include "func/texture/wide_for_test.h"

// Tests every dimension and form of texture instruction.
namespace cutaway::func::wide_forms_test {
namespace {

class WideFormsTest : public WideSampleTest {};

constexpr isa::Opcode kFiltered[] = {isa::Opcode::kTex, isa::Opcode::kTxb, isa::Opcode::kTxl,
                                     isa::Opcode::kTxd};

TEST_P(WideFormsTest, BiasExplicitLevelAndGradientsAgree) {
  for (const auto op : kFiltered)
    for (const auto mip : {arch::MipMode::kNearest, arch::MipMode::kLinear, arch::MipMode::kBase})
      for (const auto min : {arch::Filter::kNearest, arch::Filter::kLinear})
        for (const uint32_t anisotropy : {1u, 4u})
          check({.min = min, .mip = mip, .op = op, .anisotropy = anisotropy}, 4000);
}

TEST_P(WideFormsTest, CubesAgree) {
  using enum arch::Format;
  for (const auto op : kFiltered)
    for (const auto mag : {arch::Filter::kNearest, arch::Filter::kLinear})
      for (const auto min : {arch::Filter::kNearest, arch::Filter::kLinear})
        for (const bool separate : {false, true})
          for (const auto format : {R16G16B16A16_SFLOAT, R8G8B8A8_UNORM})
            check({.format = format,
                   .width = 32,
                   .height = 32,
                   .mag = mag,
                   .min = min,
                   .wrap_u = arch::Wrap::kClampToEdge,
                   .wrap_v = arch::Wrap::kMirroredRepeat,
                   .op = op,
                   .dim = isa::TextureDim::kCube,
                   .layers = 6,
                   .separate_faces = separate},
                  1500);
}

TEST_P(WideFormsTest, CubesOfAllSizesAgree) {
  for (const uint32_t size : {1u, 2u, 3u, 4u, 5u, 7u, 64u})
    for (const auto tiling : {arch::Tiling::kTiled, arch::Tiling::kLinear})
      for (const uint32_t anisotropy : {1u, 8u})
        check({.tiling = tiling,
               .width = size,
               .height = size,
               .levels = 1,
               .anisotropy = anisotropy,
               .dim = isa::TextureDim::kCube,
               .layers = 6},
              size < 3 ? 0 : 1500);
}

TEST_P(WideFormsTest, ArraysAgree) {
  using enum isa::TextureDim;
  for (const auto op : kFiltered)
    for (const auto tiling : {arch::Tiling::kTiled, arch::Tiling::kLinear}) {
      check({.tiling = tiling, .op = op, .dim = k2DArray, .layers = 5}, 4000);
      check({.tiling = tiling, .height = 1, .op = op, .dim = k1DArray, .layers = 7}, 4000);
      check({.tiling = tiling,
             .width = 16,
             .height = 16,
             .levels = 5,
             .op = op,
             .dim = kCubeArray,
             .layers = 18},
            1500);
    }
  check({.format = arch::Format::BC3_UNORM_BLOCK, .dim = k2DArray, .layers = 3}, 4000);
}

TEST_P(WideFormsTest, OneAndThreeDimensionsAgree) {
  using enum isa::TextureDim;
  for (const auto op :
       {isa::Opcode::kTex, isa::Opcode::kTxb, isa::Opcode::kTxl, isa::Opcode::kTxd, isa::Opcode::kTxp})
    for (const auto mag : {arch::Filter::kNearest, arch::Filter::kLinear})
      for (const auto min : {arch::Filter::kNearest, arch::Filter::kLinear})
        for (const auto mip : {arch::MipMode::kNearest, arch::MipMode::kLinear}) {
          check({.height = 1, .mag = mag, .min = min, .mip = mip, .op = op, .anisotropy = 4, .dim = k1D},
                4000);
          check({.mag = mag, .min = min, .mip = mip, .op = op, .anisotropy = 4, .dim = k3D, .depth = 11},
                4000);
        }
  for (int wrap = 0; wrap < 5; wrap++)
    check({.tiling = arch::Tiling::kLinear,
           .width = 24,
           .height = 20,
           .levels = 4,
           .wrap_v = static_cast<arch::Wrap>(wrap),
           .dim = k3D,
           .depth = 16},
          50);
}

TEST_P(WideFormsTest, OffsetsAgree) {
  for (int wrap = 0; wrap < 5; wrap++)
    for (const auto mag : {arch::Filter::kNearest, arch::Filter::kLinear})
      check({.mag = mag,
             .wrap_u = static_cast<arch::Wrap>(wrap),
             .wrap_v = static_cast<arch::Wrap>(wrap),
             .offset = {-8, 7, 0}},
            30);
  check({.dim = isa::TextureDim::k3D, .depth = 8, .offset = {1, 2, -3}}, 2000);
}

TEST_P(WideFormsTest, ComparisonsAgree) {
  using enum arch::Format;
  using enum isa::TextureDim;
  for (int compare = 0; compare < 8; compare++)
    for (const auto mag : {arch::Filter::kNearest, arch::Filter::kLinear})
      for (const auto format : {D16_UNORM, D32_SFLOAT, D24_UNORM_S8_UINT})
        check({.format = format, .mag = mag, .compare = static_cast<arch::Compare>(compare), .shadow = true},
              3000);
  for (const auto op : kFiltered) {
    check({.format = D16_UNORM, .op = op, .dim = k2DArray, .layers = 4, .shadow = true}, 3000);
    check({.format = D16_UNORM,
           .width = 16,
           .height = 16,
           .levels = 5,
           .op = op,
           .dim = kCubeArray,
           .layers = 12,
           .shadow = true},
          1500);
  }
  check({.format = D32_SFLOAT, .op = isa::Opcode::kTxp, .shadow = true}, 3000);
  check({.format = R8G8B8A8_UNORM, .shadow = true}, 3000);
}

TEST_P(WideFormsTest, FetchesFromBuffersAgree) {
  using enum arch::Format;
  for (const auto format : {R32G32_SFLOAT, R8_UNORM, R16G16B16A16_SFLOAT, R32_UINT})
    check({.format = format,
           .tiling = arch::Tiling::kLinear,
           .width = 1000,
           .height = 1,
           .levels = 1,
           .op = isa::Opcode::kTxf,
           .dim = isa::TextureDim::kBuffer},
          3000);
}

TEST_P(WideFormsTest, FetchesAgree) {
  using enum arch::Format;
  using enum isa::TextureDim;
  for (const auto format : {R8G8B8A8_UNORM, R16G16B16A16_SFLOAT, R32_UINT, R8G8_SINT, R32G32B32A32_SFLOAT,
                            BC1_RGBA_UNORM_BLOCK, D16_UNORM})
    for (const auto tiling : {arch::Tiling::kTiled, arch::Tiling::kLinear}) {
      const bool one_slice = arch::format_info(format).compressed || format == D16_UNORM;
      check({.format = format, .tiling = tiling, .op = isa::Opcode::kTxf}, 1000);
      check({.format = format, .tiling = tiling, .op = isa::Opcode::kTxf, .dim = k2DArray, .layers = 3},
            1000);
      if (one_slice) continue;
      check({.format = format, .tiling = tiling, .op = isa::Opcode::kTxf, .dim = k3D, .depth = 9}, 500);
      check({.format = format, .tiling = tiling, .height = 1, .op = isa::Opcode::kTxf, .dim = k1D}, 1000);
    }
  check({.op = isa::Opcode::kTxf, .offset = {-3, 5, 0}}, 500);
}

CUTAWAY_ALL_PATHS(WideFormsTest);

}  // namespace
}  // namespace cutaway::func::wide_forms_test
