#include <filesystem>
#include <gtest/gtest.h>

#include "base/testing/temporary_folder.h"
#include "capture/reader.h"
#include "capture/recording_gpu.h"
#include "emulator/testing/outcome.h"

// A capture replays to the same memory, from any key frame.
namespace cutaway::emulator {
namespace {

struct Recording {
  std::filesystem::path path;
  std::vector<uint64_t> hashes;  // after each frame of the program
};

Recording record(const scenes::Scene& scene, capture::WriterOptions options) {
  Recording result;
  result.path = temporary_folder() / scene.name;
  std::unique_ptr<Emulator> gpu;
  gpu = make_emulator({.on_frame = [&](FrameEnd&) { result.hashes.push_back(gpu->hash()); }});
  options.memory = capture::memory_of(*gpu);
  capture::Writer writer(result.path, options);
  capture::RecordingGpu both(*gpu, writer);
  scenes::play(scene, both);
  writer.close();
  return result;
}

TEST(Replay, EverySceneGivesTheSameMemory) {
  for (const scenes::Scene& scene : scenes::all_scenes()) {
    const Recording recording = record(scene, {});
    const capture::Reader reader(recording.path);
    ASSERT_EQ(reader.info().frames.size(), scene.frames);
    const auto gpu = make_emulator();
    reader.play_range(1, scene.frames, *gpu);
    EXPECT_EQ(gpu->hash(), recording.hashes.back()) << scene.name;
  }
}

TEST(Replay, StartsAtAnyKeyFrame) {
  const scenes::Scene scene = scenes::animation(6);
  const Recording recording = record(scene, {.first_frame = 2, .last_frame = 5, .key_interval = 2});
  const capture::Reader reader(recording.path);
  for (uint64_t first = 2; first <= 5; first++) {
    const auto gpu = make_emulator();
    const uint64_t start = reader.start_for(first);
    reader.restore(start, *gpu);
    EXPECT_EQ(gpu->hash(), recording.hashes[start - 2]);
    for (uint64_t frame = start; frame <= 5; frame++) {
      reader.play(frame, *gpu);
      EXPECT_EQ(gpu->hash(), recording.hashes[frame - 1]) << "from " << start << ", frame " << frame;
    }
  }
}

}  // namespace
}  // namespace cutaway::emulator
