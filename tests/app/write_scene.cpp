// write_scene SCENE FILE: a capture of a hand-written command stream, for tests of the command.
#include <cstdio>
#include <cstdlib>

#include "base/error.h"
#include "capture/recording_gpu.h"
#include "emulator/emulator.h"
#include "scenes/scenes.h"

int main(int argc, char** argv) {
  using namespace cutaway;
  if (argc != 3) {
    fmt::print(stderr, "usage: write_scene SCENE FILE\n");
    return 2;
  }
  std::vector<scenes::Scene> all = scenes::all_scenes();
  all.push_back(scenes::animation(4));
  all.back().name = "animation4";
  for (const scenes::Scene& scene : all) {
    if (scene.name != argv[1]) continue;
    auto gpu = emulator::make_emulator();
    capture::WriterOptions options;
    options.key_interval = 2;
    options.memory = capture::memory_of(*gpu);
    options.metadata = {{"created-by", "cutaway"}, {"program", "write_scene " + scene.name}};
    capture::Writer writer(argv[2], options);
    capture::RecordingGpu recording(*gpu, writer);
    scenes::play(scene, recording);
    writer.close();
    return 0;
  }
  fmt::print(stderr, "write_scene: no scene '{}'; there are:", argv[1]);
  for (const scenes::Scene& scene : all) fmt::print(stderr, " {}", scene.name);
  fmt::print(stderr, "\n");
  return 2;
}
