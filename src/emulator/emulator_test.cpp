#include "emulator/emulator.h"

#include <cstdlib>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenes/png.h"
#include "scenes/scenes.h"

namespace cutaway::emulator {
namespace {

using scenes::Scene;
using scenes::texel32;
using ::testing::ElementsAre;

// A scene run on a fresh emulator.
struct Outcome {
  explicit Outcome(const Scene& scene, Options options = {}) {
    options.on_frame = [this](FrameEnd& end) { pictures.push_back(std::move(end.picture)); };
    options.on_query = [this](uint64_t, arch::Address, uint64_t value) { queries.push_back(value); };
    gpu = make_emulator(std::move(options));
    scenes::play(scene, *gpu);
    arch::Fault fault;
    EXPECT_FALSE(gpu->fault(fault)) << scene.name << ": " << fault.text;
    EXPECT_EQ(pictures.size(), scene.frames) << scene.name;
    EXPECT_EQ(gpu->memory(0).faults(), 0u) << scene.name;
  }
  Outcome(const Outcome&) = delete;
  Outcome& operator=(const Outcome&) = delete;

  uint32_t pixel(uint32_t x, uint32_t y) const {  // 0xAABBGGRR
    const arch::Picture& picture = pictures.back();
    uint32_t value;
    std::memcpy(&value, &picture.rgba[(size_t{y} * picture.width + x) * 4], 4);
    return value;
  }
  const Statistics& statistics() const { return gpu->totals(); }

  std::unique_ptr<Emulator> gpu;
  std::vector<arch::Picture> pictures;
  std::vector<uint64_t> queries;
};

// With CUTAWAY_PICTURES=FOLDER in the environment, every scene is left there to look at.
TEST(EmulatorScenes, AllRunWithoutFaults) {
  const char* folder = std::getenv("CUTAWAY_PICTURES");
  for (const Scene& scene : scenes::all_scenes()) {
    const Outcome result(scene);
    if (folder)
      for (size_t i = 0; i < result.pictures.size(); i++)
        scenes::write_png(std::filesystem::path(folder) / (scene.name + std::to_string(i + 1) + ".png"),
                          result.pictures[i], 4);
  }
}

}  // namespace
}  // namespace cutaway::emulator
