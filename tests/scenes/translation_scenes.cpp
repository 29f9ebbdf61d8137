// Reads of a texture by one thread, for the reach of TLBs.
#include <array>
#include <fmt/format.h>

#include "scenes/closed_form_scenes.h"
#include "scenes/parts.h"

namespace cutaway::scenes {
namespace {

using arch::Stage;

// A thread reads 512 texels of a texture with rows of 1024 texels of 32 bits, each when it has the one
// before: `places` texels of one column, a power of 2, that are `apart` rows apart, over and over. `threads`
// such threads begin evenly spread over the column. Frame 3 has twice as many.
Scene column(const std::string& name, arch::Tiling tiling, uint32_t apart, uint32_t places,
             uint32_t threads) {
  constexpr uint32_t kReads = 512;
  Builder b(name);
  const uint32_t rows = apart * places;
  const arch::Surface texture = b.surface(arch::Format::R8G8B8A8_UNORM, 1024, rows, 1, tiling);
  std::string program = "MOV r0, c0.zzzz\nIMUL r0.y, i33.x, c0.w\nAND r0.y, r0.y, c0.y\n";
  for (uint32_t read = 0; read < kReads; read++)  // the texels are zeros
    program +=
        "TXF r1, r0, c0.zzzz, t0, 2D\nIADD r0.y, r0.y, r1.x\nIADD r0.y, r0.y, c0.x\n"
        "AND r0.y, r0.y, c0.y\n";
  return three_frames(b, [&](uint32_t times) {
    b.registers.compute = {{1, 1, 1}, 0};
    b.constants(Stage::kCompute, 0, {bits(apart), bits(rows - 1), bits(0), bits(rows / threads)});
    b.program(Stage::kCompute, program + "END\n");
    const arch::Sampler nearest = sampler(arch::Filter::kNearest);
    b.textures({&texture, 1}, {&nearest, 1}, Stage::kCompute);
    b.send_state();
    b.commands.packet(arch::Opcode::kDispatch, arch::DispatchPacket{{times * threads, 1, 1}, {}});
  });
}

}  // namespace

std::vector<NamedScene> translation_scenes() {
  std::vector<NamedScene> scenes;
  const auto add = [&](const char* layout, arch::Tiling tiling, uint32_t apart, uint32_t places) {
    const std::string name = fmt::format("column-{}-{}-of-{}", layout, places, apart);
    scenes.push_back({name, [=] { return column(name, tiling, apart, places, 1); }});
  };
  for (const uint32_t places : {8u, 16u, 32u, 64u, 128u, 256u, 512u}) {
    add("linear", arch::Tiling::kLinear, 1, places);
    add("tiled", arch::Tiling::kTiled, 1, places);
    if (places <= 64)
      add("linear", arch::Tiling::kLinear, 8, places), add("tiled", arch::Tiling::kTiled, 8, places);
  }
  scenes.push_back({"columns-4", [] { return column("columns-4", arch::Tiling::kLinear, 1, 1024, 4); }});
  return scenes;
}

}  // namespace cutaway::scenes
