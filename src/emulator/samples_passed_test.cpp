#include "emulator/testing/outcome.h"
#include "scenes/parts.h"

namespace cutaway::emulator {
namespace {

using scenes::Builder;

enum class Way { kPlain, kLate, kEarlyTests };

// Counts the samples that pass in a layer partly hidden by another. kLate: its program may discard, and is
// tested late; kEarlyTests: it discards everything, but requests early tests.
uint64_t passed(arch::Format format, uint32_t samples, Way way) {
  Builder b("samples passed");
  if (samples > 1)
    b.target(b.surface(arch::Format::R8G8B8A8_UNORM, 64, 64, 1, arch::Tiling::kTiled, 1, samples));
  b.depth(b.surface(format, 64, 64, 1, arch::Tiling::kTiled, 1, samples));
  b.registers.raster.samples = samples;
  b.registers.raster.sample_mask = ~0u;
  b.clear(0, 0, 0, 1);
  b.program(arch::Stage::kVertex, "MOV o0, i0\nEND\n");
  b.program(arch::Stage::kFragment, "MOV o0, c0\nEND\n");
  b.interpolants({});
  scenes::depth_test(b);
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
  // The left 28 columns: hidden tiles, partly hidden tiles and visible ones.
  constexpr float kRight = 28.0f / 32 - 1;
  b.vertices({-1, -1, 0.25f, 1, kRight, -1, 0.25f, 1, -1, 1, 0.25f, 1, kRight, 1, 0.25f, 1}, {4});
  b.draw(4);
  b.registers.query.samples_passed = 1;
  if (way != Way::kPlain)
    b.program(arch::Stage::kFragment, "KIL c0.x\nMOV o0, c0\nEND\n",
              way == Way::kLate ? arch::kShaderKills : arch::kShaderKills | arch::kShaderEarlyTests);
  if (way == Way::kLate) b.registers.depth.mode = static_cast<uint32_t>(arch::DepthMode::kLate);
  b.constants(arch::Stage::kFragment, 0, {scenes::bits(way == Way::kEarlyTests ? 1 : 0), 0, 0, 0});
  b.vertices({-1, -1, 0.5f, 1, 1, -1, 0.5f, 1, -1, 1, 0.5f, 1, 1, 1, 0.5f, 1}, {4});
  b.draw(4);
  const arch::Address result = b.allocate(64);
  b.commands.packet(arch::Opcode::kWriteQuery,
                    arch::QueryPacket{static_cast<uint32_t>(arch::QueryKind::kSamplesPassed), result, 0});
  b.submit(false);
  const Outcome outcome(b.take());
  return outcome.gpu->memory(0).read_as<uint64_t>(result);
}

TEST(SamplesPassed, AreThoseThatNoTestFails) {
  using enum arch::Format;
  for (const arch::Format format : {D16_UNORM, X8_D24_UNORM_PACK32, D24_UNORM_S8_UINT, D32_SFLOAT})
    for (const uint32_t samples : {1u, 4u})
      for (const Way way : {Way::kPlain, Way::kLate, Way::kEarlyTests})
        EXPECT_EQ(passed(format, samples, way), uint64_t{64} * (64 - 28) * samples)
            << arch::format_info(format).name << ", " << samples << " samples, way " << static_cast<int>(way);
}

}  // namespace
}  // namespace cutaway::emulator
