#pragma once

#include <gtest/gtest.h>

#include "boxes/dac/dac.h"
#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "messages/testing/draws.h"
#include "messages/testing/memory_model.h"

namespace cutaway::boxes::dac_test {

using engine::Cycle;
using engine::testing::Sink;
using engine::testing::Source;

struct Bench {
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  Dac& box;
  Source<messages::PresentCommand>& presents = sim.add<Source<messages::PresentCommand>>(clock, "presents");
  Sink<messages::PresentDone>& done = sim.add<Sink<messages::PresentDone>>(clock, "done");
  Sink<messages::Fence>& shown = sim.add<Sink<messages::Fence>>(clock, "host");
  messages::testing::MemoryModel& memory;
  std::vector<arch::Picture> pictures;
  std::vector<arch::PictureRows> own_rows;

  // The clock has 1 MHz.
  explicit Bench(const DacSpec& spec = {}, Cycle latency = 10)
      : box(sim.add<Dac>(clock, "dac", spec, 1.0, true)),
        memory(sim.add<messages::testing::MemoryModel>(clock, "memory", latency)) {
    sim.connect(presents.out, box.presents_in, {1, 1, 2});
    sim.connect(box.done_out, done.in, {1, 1, 2});
    sim.connect(box.shown_out, shown.in, {1, 1, 2});
    sim.connect(box.memory_out, memory.requests, {1, 1, 4});
    sim.connect(memory.replies, box.memory_in, {1, 1, 4});
    sim.elaborate();
    memory.memory.map(0, 1 << 20);
    box.on_picture = [this](arch::Picture&& picture, arch::PictureRows own, arch::ContextId) {
      pictures.push_back(std::move(picture)), own_rows.push_back(own);
    };
  }
  void present(const arch::Surface& surface, uint32_t submission = 0) {
    presents.messages.push_back({surface, {.submission = submission}, 0, submission}), presents.wake();
  }
};

// A screen of 100 Hz: retraces are 10,000 cycles apart, 5 % of them blank.
constexpr DacSpec kScreen{.sectors = 32, .refresh_hz = 100, .blanking = 5};
// Ten rows of eight tiles, each of four sectors; each row takes 950 cycles.
inline const arch::Surface kPicture = messages::testing::surface(arch::Format::R8G8B8A8_UNORM, 64, 80, 4096);

}  // namespace cutaway::boxes::dac_test
