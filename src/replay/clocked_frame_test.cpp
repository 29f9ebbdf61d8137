// Tests figures of consecutive frames: each counts from the end of the previous one, and nothing is lost
// between them.
#include "replay/clocked_frame.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <unistd.h>
#include <utility>

#include "capture/recording_gpu.h"
#include "emulator/emulator.h"
#include "replay/seeker.h"
#include "scenes/scenes.h"

namespace cutaway::replay {
namespace {

constexpr uint64_t kFrames = 3;

std::filesystem::path record_animation() {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("clocked_frame_test_{}.cutaway", getpid());
  auto gpu = emulator::make_emulator();
  capture::Writer writer(path, {.memory = capture::memory_of(*gpu)});
  capture::RecordingGpu recording(*gpu, writer);
  scenes::play(scenes::animation(kFrames), recording);
  writer.close();
  return path;
}

void add(std::map<std::string, uint64_t>& sum, const run_record::FrameFigures& figures) {
  sum["cycles"] += figures.cycles;
  sum["executed"] += figures.executed_ticks;
  sum["possible"] += figures.possible_ticks;
  for (const run_record::CounterFigure& counter : figures.counters)
    sum[counter.path + "." + counter.name] += counter.value;
  for (const run_record::ClientFigures& client : figures.clients) {
    sum["read." + client.name] += client.read_bytes;
    sum["written." + client.name] += client.write_bytes;
  }
  for (const run_record::WireFigures& wire : figures.wires) {
    EXPECT_LE(wire.peak, wire.slots) << wire.from;
    EXPECT_LE(wire.mean(), static_cast<double>(wire.peak)) << wire.from;
    // A peak belongs to the frame.
    EXPECT_EQ(wire.peak > 0, wire.messages || wire.slot_cycles) << wire.from;
    sum[wire.from + " messages"] += wire.messages;
    sum[wire.from + " slot cycles"] += wire.slot_cycles;
    sum[wire.from + " cycles"] += wire.cycles;
  }
  for (const run_record::UnitFigures& unit : figures.units) {
    EXPECT_EQ(unit.busy + unit.starved + unit.blocked + unit.idle, unit.cycles) << unit.path;
    sum[unit.path + ".busy"] += unit.busy;
    sum[unit.path + ".idle"] += unit.idle;
    uint64_t starved = 0, blocked = 0;
    for (const run_record::UnitFigures::Wait& wait : unit.waits) {
      EXPECT_GT(wait.cycles, 0u);
      (wait.starved ? starved : blocked) += wait.cycles;
      sum[unit.path + (wait.starved ? ".starved." : ".blocked.") + wait.port] += wait.cycles;
    }
    EXPECT_EQ(starved, unit.starved) << unit.path;
    EXPECT_EQ(blocked, unit.blocked) << unit.path;
  }
}

TEST(FrameClock, FiguresOfFramesInARowAddUpToTheMachines) {
  const std::filesystem::path path = record_animation();
  const capture::Reader reader(path);
  FrameClock clock({}, arch::Memory(), {});
  std::map<std::string, uint64_t> sum;
  uint64_t last = 0;
  std::map<std::string, uint64_t> peaks;  // of wires in the frame before
  size_t fallen = 0;
  for (uint64_t frame = 1; frame <= kFrames; frame++) {
    const ClockedFrame result = clock.run(reader, frame);
    for (const run_record::WireFigures& wire : result.figures.wires)
      fallen += wire.peak < std::exchange(peaks[wire.from], wire.peak);
    EXPECT_EQ(result.figures.frame, frame);
    const run_record::FramePhases& phases = result.figures.phases;
    EXPECT_EQ(phases.draws + phases.copies + phases.caches + phases.display + phases.commands,
              result.figures.cycles);
    EXPECT_GT(phases.draws, 0u);
    // The first frame has no previous picture.
    EXPECT_EQ(phases.beside_scan_out > 0, frame > 1);
    add(sum, result.figures);
    last = result.figures.cycles;
  }
  std::filesystem::remove(path);
  EXPECT_GT(fallen, 0u);  // a wire may hold less in a later frame
  machine::Machine& machine = clock.machine();
  EXPECT_EQ(sum.at("cycles"), machine.cycles());
  EXPECT_LT(last, machine.cycles() / 2);
  engine::Simulator& simulator = machine.simulator();
  EXPECT_EQ(sum.at("executed"), simulator.executed_ticks());
  EXPECT_EQ(sum.at("possible"), simulator.possible_ticks());
  for (const Counter& counter : simulator.counters().counters())
    EXPECT_EQ(sum[counter.full_name()], *counter.value) << counter.full_name();
  const auto fillings = simulator.fillings();
  for (size_t i = 0; i < fillings.size(); i++) {
    const std::string wire = simulator.wires()[i].from;
    EXPECT_EQ(sum.at(wire + " messages"), fillings[i].messages) << wire;
    EXPECT_EQ(sum.at(wire + " slot cycles"), fillings[i].slot_cycles) << wire;
    EXPECT_EQ(sum.at(wire + " cycles"), fillings[i].cycles) << wire;
  }
  for (const machine::ClientTraffic& client : machine.traffic()) {
    EXPECT_EQ(sum.at("read." + client.name), client.read_bytes) << client.name;
    EXPECT_EQ(sum.at("written." + client.name), client.write_bytes) << client.name;
    const std::string unit = "gpu.memory_controller." + client.name;
    EXPECT_EQ(simulator.counters().value(unit + ".read_bytes"), client.read_bytes);
    EXPECT_EQ(simulator.counters().value(unit + ".write_bytes"), client.write_bytes);
  }
}

// Frame 2 alone, after its previous picture, and after a warm-up frame: each time the previous picture's
// scan-out overlaps it, and its own does not count.
TEST(FrameClock, PreviousScanOutOverlapsTheFrame) {
  const std::filesystem::path path = record_animation();
  const capture::Reader reader(path);
  {
    Seeker seeker(reader, 1);
    const EmulatedFrame first = seeker.step();
    ClockOptions options;
    options.displayed = first.presented;
    ASSERT_TRUE(options.displayed.has_value());
    FrameClock alone({}, seeker.memory(), options);
    FrameClock dark({}, seeker.memory(), {});
    const EmulatedFrame second = seeker.step();
    ClockedFrame frame = alone.run(reader, 2), unlit = dark.run(reader, 2);
    const auto read = [](const ClockedFrame& of) {
      for (const run_record::ClientFigures& client : of.figures.clients)
        if (client.name == "dac") return client.read_bytes;
      return ~uint64_t{0};
    };
    EXPECT_EQ(read(unlit), 0u);
    EXPECT_EQ(read(frame), uint64_t{second.picture->width} * second.picture->height * 4);
    EXPECT_GT(frame.figures.cycles, unlit.figures.cycles);
    EXPECT_EQ(frame.figures.scan_out_cycles, 0u);
    alone.scan_out(frame);
    EXPECT_GT(frame.figures.scan_out_cycles, read(frame) / 64);
    ASSERT_TRUE(frame.picture.has_value());
    EXPECT_EQ(frame.picture->rgba, second.picture->rgba);
    EXPECT_EQ(alone.machine().cycles(), frame.figures.cycles + frame.figures.scan_out_cycles);
  }
  FrameClock warm({}, arch::Memory(), {});
  warm.run(reader, 1, true);
  ClockedFrame frame = warm.run(reader, 2);
  EXPECT_GT(frame.figures.phases.beside_scan_out, 0u);
  warm.scan_out(frame);
  EXPECT_TRUE(frame.picture.has_value());
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace cutaway::replay
