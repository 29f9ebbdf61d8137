#pragma once

#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

#include "emulator/emulator.h"
#include "scenes/scenes.h"

namespace cutaway::emulator {

// A scene run on a fresh emulator.
struct Outcome {
  explicit Outcome(const scenes::Scene& scene, Options options = {}) {
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

}  // namespace cutaway::emulator
