#include "emulator/testing/outcome.h"
#include "scenes/parts.h"

namespace cutaway::emulator {
namespace {

// Points of one draw at the given places, 0 to 63 along a row, each of which adds 16 to red there.
Outcome points(const std::vector<uint32_t>& places) {
  scenes::Builder b("points");
  b.clear(0, 0, 0, 1);
  scenes::color_programs(b);
  auto& target = b.registers.color.target[0];
  target.blend = 1;
  target.color_source = target.alpha_source = static_cast<uint32_t>(arch::BlendFactor::kOne);
  target.color_destination = target.alpha_destination = static_cast<uint32_t>(arch::BlendFactor::kOne);
  std::vector<float> values;
  for (const uint32_t place : places)
    for (const float value :
         {(static_cast<float>(place) + 0.5f) / 32 - 1, -0.5f, 0.0f, 1.0f, 16.0f / 255, 0.0f, 0.0f, 0.0f})
      values.push_back(value);
  b.vertices(values, {4, 4});
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kPointList);
  b.draw(static_cast<uint32_t>(places.size()));
  b.end_frame();
  return Outcome(b.take());
}

// Overlapping primitives of a draw are blended in order, at any position in a group of quads.
TEST(BlendOrder, EveryPrimitiveOverAPixelCounts) {
  for (uint32_t between = 0; between < 9; between++)
    for (const uint32_t more : {1u, 2u, 5u}) {
      std::vector<uint32_t> places = {20};
      for (uint32_t i = 0; i < between; i++) places.push_back(2 * i);  // each in a separate quad
      for (uint32_t i = 0; i < more; i++) places.push_back(20);
      const Outcome outcome = points(places);
      const uint32_t y = 15, red = outcome.pixel(20, y) & 255;
      EXPECT_EQ(red, 16 * (1 + more)) << between << " between, " << more << " more";
      for (uint32_t i = 0; i < between; i++) EXPECT_EQ(outcome.pixel(2 * i, y) & 255, 16u) << i;
    }
}

}  // namespace
}  // namespace cutaway::emulator
