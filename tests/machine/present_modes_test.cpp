// Present modes of a screen that refreshes itself: each row of each picture is the emulator's.
#include "emulator/emulator.h"
#include "gpu_run.h"
#include "scenes/timing_scenes.h"

namespace cutaway {
namespace {

constexpr const char* kModes[] = {"fifo", "fifo-relaxed", "immediate", "mailbox"};

// hz: retraces of the screen a second, of a core of 400 MHz.
machine::Config with_screen(const char* mode, const char* hz) {
  machine::Config config;
  set(config, "dac.present_mode", mode);
  set(config, "dac.refresh_hz", hz);
  set(config, "dac.blanking", "20");
  set(config, "command_processor.presents", "3");
  return config;
}

std::vector<arch::Picture> pictures_of_emulator(const scenes::Scene& scene) {
  std::vector<arch::Picture> pictures;
  const auto emulator = emulator::make_emulator(
      {.on_frame = [&](emulator::FrameEnd& end) { pictures.push_back(std::move(end.picture)); }});
  scenes::play(scene, *emulator);
  return pictures;
}

// Expects the screen of each picture to consist of the rows that the machine names. Returns the torn ones.
unsigned expect_screens(const Outcome& outcome, const std::vector<arch::Picture>& drawn) {
  EXPECT_EQ(outcome.pictures.size(), drawn.size());
  arch::Picture screen;
  unsigned torn = 0;
  for (size_t i = 0; i < std::min(outcome.pictures.size(), drawn.size()); i++) {
    if (!outcome.pictures[i].width) continue;  // left out
    const arch::PictureRows own = outcome.own_rows[i];
    EXPECT_LT(own.first, own.end);
    arch::copy_rows(drawn[i], own, screen);
    EXPECT_EQ(outcome.pictures[i].rgba, screen.rgba) << "picture " << i;
    torn += own.first > 0;
  }
  return torn;
}

TEST(PresentModes, ShowRowsOfTheEmulatorsPictures) {
  const scenes::Scene scene = scenes::turning_pictures("three-pictures", 3);
  const std::vector<arch::Picture> drawn = pictures_of_emulator(scene);
  ASSERT_EQ(drawn.size(), 5u);
  unsigned torn[2] = {};
  for (const char* mode : kModes)
    for (const char* hz : {"20000", "60000", "250000", "1000000"}) {
      SCOPED_TRACE(fmt::format("{} at {} Hz", mode, hz));
      const machine::Config config = with_screen(mode, hz);
      const Outcome plain = on_machine(scene, config);
      EXPECT_EQ(plain.memory, on_emulator(scene));
      const unsigned torn_now = expect_screens(plain, drawn);
      const bool tears = std::string_view(mode) == "immediate" || std::string_view(mode) == "fifo-relaxed";
      if (!tears) EXPECT_EQ(torn_now, 0u);
      else torn[std::string_view(mode) == "immediate"] += torn_now;
    }
  EXPECT_GT(torn[0], 2u);
  EXPECT_GT(torn[1], 4u);
}

TEST(PresentModes, DependOnNoOrderOfBoxes) {
  const scenes::Scene scene = scenes::turning_pictures("three-pictures", 3);
  for (const char* mode : {"immediate", "fifo-relaxed"})
    for (const char* hz : {"20000", "250000"}) {
      const machine::Config config = with_screen(mode, hz);
      const Outcome plain = on_machine(scene, config);
      for (uint64_t seed = 0; seed < 4; seed++) {
        machine::MachineOptions options;
        options.scheduler = {.seed = seed, .skip_idle = seed % 2 != 0};
        const Outcome other = on_machine(scene, config, options);
        EXPECT_EQ(other.statistics, plain.statistics) << mode << ' ' << hz << ' ' << seed;
        ASSERT_EQ(other.pictures.size(), plain.pictures.size());
        for (size_t i = 0; i < plain.pictures.size(); i++)
          EXPECT_EQ(other.pictures[i].rgba, plain.pictures[i].rgba) << mode << ' ' << hz << ' ' << seed;
      }
    }
}

}  // namespace
}  // namespace cutaway
