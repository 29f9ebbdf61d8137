#include <cmath>

#include "scenes/parts.h"
#include "scenes/scenes.h"

// Vertex programs that read constants by index.
namespace cutaway::scenes {
namespace {

using arch::Stage;

// Rows of the matrix are 3 i to 3 i + 2 behind c2, where i is an integer of the vertex; the color is one of
// four behind c32, by a sum that lies outside of them for some vertices.
constexpr const char* kPalette = R"(
    F2I r0.x, i0.w
    IMUL r0.y, r0.x, c0.x
    LDC r1, c2, r0.y, WINDOW(2, 24)
    LDC r2.xy, c3.xyxx, r0.y, WINDOW(2, 24)
    LDC r2.zw, -c3, r0.y, WINDOW(2, 24)
    LDC r3, |c4|, r0.y, WINDOW(2, 24)
    MOV r4.xyz, i0
    MOV r4.w, c1.w
    DP4 o0.x, r1, r4
    DP4 o0.y, r2, r4
    MOV o0.z, c1.z
    MOV o0.w, c1.w
    IADD r0.z, r0.x, -c0.y
    LDC r5, c33, r0.z, WINDOW(32, 4)
    MAD_SAT o1, r3, c1.y, r5
    END
)";

}  // namespace

Scene palette() {
  constexpr uint32_t kBones = 8, kRings = 8;
  Builder b("palette");
  b.clear(0.1f, 0.1f, 0.1f, 1);
  b.program(Stage::kVertex, kPalette);
  b.program(Stage::kFragment, "MOV o0, i0\nEND\n");
  b.interpolants({1});
  b.constants(Stage::kVertex, 0, {bits(3), bits(2), 0, 0, 0, 0.25f, 0.5f, 1});
  std::vector<float> rows;
  for (uint32_t bone = 0; bone < kBones; bone++) {
    const float angle = 0.2f * static_cast<float>(bone), c = std::cos(angle), s = std::sin(angle);
    rows.insert(rows.end(), {c, -s, 0, 0.1f * s, s, c, 0, -0.05f, 0.2f, -0.4f, s, 1});
  }
  b.constants(Stage::kVertex, 2, rows);
  b.constants(Stage::kVertex, 32, {0.8f, 0, 0, 1, 0, 0.8f, 0, 1, 0, 0, 0.8f, 1, 0.5f, 0.5f, 0, 1});
  std::vector<float> corners;
  for (uint32_t ring = 0; ring < kRings; ring++)
    for (const float x : {-0.3f, 0.3f})
      corners.insert(corners.end(),
                     {x, -0.8f + 0.22f * static_cast<float>(ring), 0, static_cast<float>(ring % kBones)});
  b.vertices(corners, {4});
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
  b.draw(2 * kRings);
  b.end_frame();
  return b.take();
}

}  // namespace cutaway::scenes
