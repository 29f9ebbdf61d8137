// write_scene SCENE FILE [newer|unsealed|hostile]: a capture of a hand-written command stream, for tests of
// the command; one that says that a later version made it, with its header's checksum or without; or one
// whose metadata, labels and kinds of annotations try to steer a terminal.
#include <cstdio>
#include <fstream>

#include "base/error.h"
#include "capture/recording_gpu.h"
#include "emulator/emulator.h"
#include "scenes/ancestor_scenes.h"
#include "scenes/bound_scenes.h"
#include "scenes/closed_form_scenes.h"
#include "scenes/counted_frames.h"
#include "scenes/endless_scenes.h"
#include "scenes/fault_scenes.h"
#include "scenes/scenes.h"
#include "scenes/timing_scenes.h"

namespace {

using namespace cutaway;

void claim_newer_version(const char* path, bool sealed) {
  capture::FileHeader header;
  header.format_version = capture::kFormatVersion + 1;
  header.contract_version = arch::kContractVersion;
  if (sealed) capture::seal(header);
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.write(reinterpret_cast<const char*>(&header), sizeof header);
}

// An escape sequence, a newline, a control character of 8 bits, a mark of direction, and bytes of no
// character.
const std::string kHostile = "=1+1 \x1b[2J\x1b]0;x\x07\nINJECTED\r\x9b\xc2\x9b\xe2\x80\xae<b>&\xff\xfe";

capture::WriterOptions options_for(const scenes::Scene& scene, bool hostile = false) {
  capture::WriterOptions options;
  options.metadata = {{"created-by", "cutaway"}, {"program", "write_scene " + scene.name}};
  if (hostile) options.metadata = {{"created-by", kHostile}, {"program", kHostile}, {kHostile, kHostile}};
  return options;
}

void annotate(capture::Writer& writer, std::string_view kind, uint64_t id) {
  writer.annotate(kind, id, std::as_bytes(std::span(kHostile)));
}

void record(const scenes::Scene& scene, const char* path, bool hostile) {
  auto gpu = emulator::make_emulator();
  capture::WriterOptions options = options_for(scene, hostile);
  options.key_interval = 2;
  options.memory = capture::memory_of(*gpu);
  capture::Writer writer(path, options);
  if (hostile)
    for (const char* kind : {kHostile.c_str(), "label", "program", "surface"}) annotate(writer, kind, 1);
  capture::RecordingGpu recording(*gpu, writer);
  scenes::play(scene, recording);
  writer.close();
}

// Records a scene without executing it, because it would run too long.
void record_unexecuted(const scenes::Scene& scene, const char* path) {
  capture::Writer writer(path, options_for(scene));
  scenes::play(scene, writer);
  writer.close();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4) {
    fmt::print(stderr, "usage: write_scene SCENE FILE [newer|unsealed|hostile]\n");
    return 2;
  }
  std::vector<scenes::Scene> all = scenes::all_scenes();
  for (scenes::Scene& scene : scenes::timing_scenes()) all.push_back(std::move(scene));
  for (scenes::Scene& scene : scenes::optional_scenes()) all.push_back(std::move(scene));
  all.push_back(scenes::order_of_arrival());
  all.push_back(scenes::animation(4));
  all.back().name = "animation4";
  for (const auto make : {scenes::bound_by_fill, scenes::bound_by_texture, scenes::bound_by_large_texture,
                          scenes::bound_by_vertices, scenes::bound_by_shading, scenes::bound_by_one_result,
                          scenes::bound_by_two_stages, scenes::bound_by_hull, scenes::bound_by_geometry,
                          scenes::bound_by_compute})
    all.push_back(make());
  std::vector<scenes::NamedScene> named = scenes::closed_form_scenes();
  for (scenes::NamedScene& scene : scenes::ancestor_scenes()) named.push_back(std::move(scene));
  for (scenes::NamedScene& scene : scenes::counted_frames()) named.push_back(std::move(scene));
  for (const scenes::NamedScene& scene : named)
    if (scene.name == argv[1]) all.push_back(scene.make());
  for (const uint32_t frames : {40u, 1000u}) {
    const std::string name = fmt::format("animation{}", frames);
    if (name != argv[1]) continue;
    all.push_back(scenes::animation(frames));
    all.back().name = name;
  }
  std::vector<scenes::Scene> unexecuted = scenes::long_scenes(), endless = scenes::endless_scenes();
  unexecuted.insert(unexecuted.end(), endless.begin(), endless.end());
  for (const scenes::Scene& scene : unexecuted) {
    if (scene.name != argv[1]) continue;
    record_unexecuted(scene, argv[2]);
    return 0;
  }
  for (const scenes::Scene& scene : all) {
    if (scene.name != argv[1]) continue;
    const std::string_view how = argc == 4 ? argv[3] : "";
    record(scene, argv[2], how == "hostile");
    if (how == "newer" || how == "unsealed") claim_newer_version(argv[2], how == "newer");
    return 0;
  }
  fmt::print(stderr, "write_scene: no scene '{}'; there are:", argv[1]);
  for (const scenes::Scene& scene : all) fmt::print(stderr, " {}", scene.name);
  for (const scenes::NamedScene& scene : named) fmt::print(stderr, " {}", scene.name);
  fmt::print(stderr, "\n");
  return 2;
}
