#include "func/texture/wide_for_test.h"

// Tests cubes as large as images may be, at the edges of their faces. Places are those of the table of Vulkan
// "Cube Map Face Selection", in doubles; texels across an edge are found by where they lie on the cube.
namespace cutaway::func::large_cube_test {
namespace {

using isa::Opcode;
using isa::TextureDim;

using Direction = std::array<double, 3>;

// The direction of s and t, each from -1 to 1, of a face.
Direction direction_of(uint32_t face, double s, double t) {
  switch (face) {
    case 0:
      return {1, -t, -s};
    case 1:
      return {-1, -t, s};
    case 2:
      return {s, 1, t};
    case 3:
      return {s, -1, -t};
    case 4:
      return {s, -t, 1};
    default:
      return {-s, -t, -1};
  }
}

struct Texel {
  uint32_t face = 0, i = 0, j = 0;
};

// The texel that a direction meets, whose largest part is 1.
Texel texel_of(const Direction& d, uint32_t size) {
  const uint32_t axis = std::abs(d[0]) == 1 ? 0 : std::abs(d[1]) == 1 ? 1 : 2;
  const uint32_t face = 2 * axis + (d[axis] < 0);
  const double s = face == 0 ? -d[2] : face == 1 ? d[2] : face == 5 ? -d[0] : d[0];
  const double t = face == 2 ? d[2] : face == 3 ? -d[2] : -d[1];
  return {face, static_cast<uint32_t>((s + 1) / 2 * size), static_cast<uint32_t>((t + 1) / 2 * size)};
}

double center(uint32_t i, uint32_t size) { return (2.0 * i + 1) / size - 1; }

// Edges of a face: at s of -1 and 1, at t of -1 and 1. The n-th texel along one, `deep` texels inside.
Texel at_edge(uint32_t face, uint32_t edge, uint32_t n, uint32_t deep, uint32_t size) {
  const uint32_t across = edge % 2 ? size - 1 - deep : deep;
  return edge < 2 ? Texel{face, across, n} : Texel{face, n, across};
}

// The texel beyond the edge: the plane of the face beside it is that of s or t, and its row next to the edge
// lies half a texel below the face.
Texel beyond(const Texel& texel, uint32_t edge, uint32_t size) {
  const double out = edge % 2 ? 1 : -1, s = edge < 2 ? out : center(texel.i, size),
               t = edge < 2 ? center(texel.j, size) : out;
  Direction d = direction_of(texel.face, s, t);
  d[texel.face / 2] *= 1 - 1.0 / size;
  return texel_of(d, size);
}

class LargeCubeTest : public WideSampleTest {
 protected:
  static uint8_t value(const Texel& texel, uint32_t level, uint32_t cube) {
    uint32_t mixed =
        texel.face * 40503u + texel.i * 2654435761u + texel.j * 2246822519u + level * 77u + cube * 131u;
    mixed ^= mixed >> 15;
    return static_cast<uint8_t>(mixed % 255 + 1);
  }

  static void put(TestImage& image, const Texel& texel, uint32_t level, uint32_t cube) {
    const uint8_t byte = value(texel, level, cube);
    image.memory.write(arch::element_address(image.surface, arch::level_layout(image.surface, level), texel.i,
                                             texel.j, 0, 6 * cube + texel.face),
                       &byte, 1);
  }

  static float sampled(const TestImage& image, arch::Filter filter, const Direction& d, uint32_t level,
                       uint32_t cube) {
    TestQuad quad;
    for (uint32_t k = 0; k < 3; k++) quad.set_all(0, k, static_cast<float>(d[k]));
    quad.set_all(0, 3, static_cast<float>(cube));
    quad.set_all(1, 0, static_cast<float>(level));
    isa::Access access;
    access.dim = TextureDim::kCubeArray;
    return access_image(image, test_sampler(filter, arch::MipMode::kNearest, arch::Wrap::kRepeat),
                        Opcode::kTxl, quad, access)
        .value(0, 0);
  }

  static TestImage image_of(uint32_t size, uint32_t cubes) {
    TestImage image(arch::Format::R8_UNORM, arch::Tiling::kTiled, size, size,
                    static_cast<uint32_t>(std::bit_width(size)), 6 * cubes);
    image.surface.type = arch::Surface::make_type(arch::SurfaceType::kCube, arch::Tiling::kTiled);
    return image;
  }

  static void check_edge(TestImage& image, uint32_t face, uint32_t edge, uint32_t level, uint32_t cube) {
    const uint32_t size = image.surface.width >> level;
    for (const uint32_t n : {0u, 1u, size / 2 - 1, size / 2, size - 2, size - 1}) {
      for (const uint32_t deep : {0u, 1u, 7u, 8u}) {
        const Texel texel = at_edge(face, edge, n, deep, size);
        put(image, texel, level, cube);
        const Direction d = direction_of(face, center(texel.i, size), center(texel.j, size));
        ASSERT_EQ(sampled(image, arch::Filter::kNearest, d, level, cube),
                  static_cast<float>(value(texel, level, cube)) / 255)
            << "face " << face << " texel " << texel.i << ", " << texel.j << " level " << level;
      }
      const Texel inside = at_edge(face, edge, n, 0, size), outside = beyond(inside, edge, size);
      put(image, outside, level, cube);
      const double end = edge % 2 ? 1 : -1;
      const Direction d =
          edge < 2 ? direction_of(face, end, center(n, size)) : direction_of(face, center(n, size), end);
      ASSERT_NEAR(sampled(image, arch::Filter::kLinear, d, level, cube),
                  (value(inside, level, cube) + value(outside, level, cube)) / 510.0, 1e-6)
          << "edge " << edge << " of face " << face << " at " << n << " level " << level << ": face "
          << outside.face << " texel " << outside.i << ", " << outside.j;
    }
  }
};

TEST_P(LargeCubeTest, TexelsAtEdgesAreThoseOfTheFaces) {
  if (GetParam() != AluPath::kPortable) GTEST_SKIP() << "quads have one translation";
  for (const auto& [size, cubes] : {std::pair{8192u, 2u}, {16384u, 1u}}) {
    TestImage image = image_of(size, cubes);
    for (uint32_t cube = 0; cube < cubes; cube++)
      for (const uint32_t level : {0u, 1u, 5u})
        for (uint32_t face = 0; face < 6; face++)
          for (uint32_t edge = 0; edge < 4; edge++) check_edge(image, face, edge, level, cube);
  }
}

// A cube of 16384 has bytes beyond 2^30, one of 8192 in an array of 4 beyond 2^31.
TEST_P(LargeCubeTest, WholeGroupsAgreeAtEdges) {
  for (const auto& [size, cubes] : {std::pair{8192u, 4u}, {16384u, 1u}}) {
    TestImage image = image_of(size, cubes);
    Case c{.format = arch::Format::R8_UNORM,
           .width = size,
           .height = size,
           .op = Opcode::kTxl,
           .dim = TextureDim::kCubeArray,
           .layers = 6 * cubes};
    const arch::Sampler sampler =
        test_sampler(arch::Filter::kLinear, arch::MipMode::kLinear, arch::Wrap::kRepeat);
    for (uint32_t round = 0; round < 60; round++) {
      Group group;
      const uint32_t cube = static_cast<uint32_t>(random_() % cubes);
      for (uint32_t lane = 0; lane < kWideLanes; lane++) {
        const uint32_t face = static_cast<uint32_t>(random_() % 6),
                       edge = static_cast<uint32_t>(random_() % 4),
                       n = static_cast<uint32_t>(random_() % size);
        const Texel texel = at_edge(face, edge, n, 0, size);
        put(image, texel, 0, cube), put(image, beyond(texel, edge, size), 0, cube);
        const double shift = uniform(-2, 2) / static_cast<double>(size);
        const Direction d = direction_of(face, center(texel.i, size) + shift, center(texel.j, size) - shift);
        for (uint32_t k = 0; k < 3; k++) group.set(0, k, lane, static_cast<float>(d[k]));
        group.set(0, 3, lane, static_cast<float>(cube));
        group.set(1, 0, lane, lane % 3 ? 0 : uniform(0, 2));
      }
      EXPECT_GT(compare(c, image, sampler, group), 0u);
    }
  }
}

CUTAWAY_ALL_PATHS(LargeCubeTest);

}  // namespace
}  // namespace cutaway::func::large_cube_test
