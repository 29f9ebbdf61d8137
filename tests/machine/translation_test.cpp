// Machines that translate addresses draw what others draw, and stop at pages that are not there.
#include <array>

#include "gpu_run.h"
#include "records.h"
#include "scenes/parts.h"

namespace cutaway {
namespace {

machine::Config translated(const char* preset, const char* pages) {
  machine::Config config;
  machine::load_config(config, preset, {std::string("translation.pages=") + pages});
  return config;
}

TEST(Translation, MachinesDrawWhatTheEmulatorDraws) {
  std::vector<scenes::Scene> scenes = records::record_scenes();
  for (scenes::Scene& scene : scenes::optional_scenes()) scenes.push_back(std::move(scene));
  for (const auto& [preset, pages] : {std::pair("g80", "4KB"), std::pair("d3d11", "64KB")}) {
    const machine::Config config = translated(preset, pages);
    for (const scenes::Scene& scene : scenes)
      if (runs(scene, config.abilities())) expect_memory_of_emulator(scene, config);
  }
}

// Two draws with a texture, the second of which lies where nothing is mapped.
scenes::Scene beyond_memory(arch::Address address) {
  scenes::Builder b("beyond memory");
  arch::Surface texture = b.surface(arch::Format::R8G8B8A8_UNORM, 8, 8);
  b.program(arch::Stage::kVertex, "MOV o0, i0\nEND\n");
  b.program(arch::Stage::kFragment, "TEX o0, c0, t0, s0, 2D\nEND\n", arch::kShaderDerivatives);
  const arch::Sampler nearest = scenes::sampler(arch::Filter::kNearest);
  b.vertices({-1, -1, 0.5f, 1, 3, -1, 0.5f, 1, -1, 3, 0.5f, 1}, {4});
  b.textures({&texture, 1}, {&nearest, 1});
  b.draw(3);
  texture.address = address;
  b.textures({&texture, 1}, {&nearest, 1});
  b.draw(3);
  b.end_frame();
  return b.take();
}

TEST(Translation, FaultsNameTheDraw) {
  constexpr arch::Address kNowhere = arch::Address{1} << 33;
  const scenes::Scene scene = beyond_memory(kNowhere);
  for (const char* pages : {"4KB", "64KB"}) {
    machine::Machine gpu(translated("attila", pages), arch::Memory());
    scenes::play(scene, gpu);
    arch::Fault fault;
    ASSERT_TRUE(gpu.fault(fault));
    EXPECT_NE(fault.text.find("DRAW"), std::string::npos) << fault.text;
    EXPECT_NE(fault.text.find("of draw 2 reads 0x200000000, which is in no page of the page table"),
              std::string::npos)
        << fault.text;
    EXPECT_NE(fault.text.find("texture"), std::string::npos) << fault.text;
  }
  // Without pages it reads zeros.
  expect_memory_of_emulator(scene, {});
}

// A page that the host unmaps between submissions is not there for the next one.
TEST(Translation, FollowsTheHost) {
  machine::Machine gpu(translated("attila", "4KB"), arch::Memory());
  constexpr arch::Address kLate = arch::Address{1} << 33;
  gpu.map(0, kLate, 1 << 16);
  scenes::play(beyond_memory(kLate), gpu);
  arch::Fault fault;
  EXPECT_FALSE(gpu.fault(fault)) << fault.text;
  gpu.wait();
  gpu.unmap(0, kLate, 1 << 16);
  const scenes::Scene again = beyond_memory(kLate);
  for (const scenes::Event& event : again.events)
    if (event.kind == scenes::Event::Kind::kSubmit) gpu.submit(event.submission);
  EXPECT_TRUE(gpu.fault(fault));
}

// A surface that lies in no page cannot be shown.
TEST(Translation, ThePictureOfASurfaceThatIsNotThereIsAFault) {
  scenes::Builder b("shown");
  b.clear(0, 1, 0, 1);
  b.end_frame();
  const scenes::Scene scene = b.take();
  machine::Machine gpu(translated("attila", "4KB"), arch::Memory());
  scenes::play(scene, gpu);
  gpu.wait();
  arch::Surface away = scene.color;
  away.address = arch::Address{1} << 33;
  gpu.display(away);
  gpu.wait();
  arch::Fault fault;
  ASSERT_TRUE(gpu.fault(fault));
  EXPECT_NE(fault.text.find("dac"), std::string::npos) << fault.text;
}

}  // namespace
}  // namespace cutaway
