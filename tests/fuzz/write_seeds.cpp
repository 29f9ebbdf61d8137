// write_seeds FOLDER: seeds for the fuzz targets of captures and packets, from the scenes of the tests, into
// FOLDER/capture and FOLDER/packets. Seeds for SPIR-V are modules with four bytes before them.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "capture/recording_gpu.h"
#include "emulator/emulator.h"
#include "scenes/fault_scenes.h"
#include "scenes/scenes.h"
#include "scenes/timing_scenes.h"

namespace {

using namespace cutaway;

struct Output {
  std::string bytes;
  template <class T>
  void put(T value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put24(uint64_t value) { put(static_cast<uint16_t>(value)), put(static_cast<uint8_t>(value >> 16)); }
  void put_bytes(std::span<const std::byte> data) {
    bytes.append(reinterpret_cast<const char*>(data.data()), data.size());
  }
};

// The inverse of what fuzz_packets.cpp reads.
std::string packets_seed(const scenes::Scene& scene) {
  constexpr arch::Address kWindow = 0x100000;
  Output out;
  for (const scenes::Event& event : scene.events) {
    if (event.kind == scenes::Event::Kind::kSubmit) {
      out.put(uint8_t{1}), out.put24(event.submission.commands - kWindow);
      out.put(static_cast<uint16_t>(event.submission.words)), out.put(uint8_t{event.submission.presents});
    }
    for (size_t at = 0; at < event.data.size(); at += 0xffff) {
      const auto part = std::span(event.data).subspan(at, std::min<size_t>(0xffff, event.data.size() - at));
      out.put(uint8_t{0}), out.put24(event.address + at - kWindow),
          out.put(static_cast<uint16_t>(part.size()));
      out.put_bytes(part);
    }
  }
  return out.bytes;
}

// The inverse of what fuzz_capture.cpp reads.
std::string capture_seed(const scenes::Scene& scene, const std::filesystem::path& scratch, bool index) {
  const auto gpu = emulator::make_emulator();
  {
    capture::WriterOptions options;
    options.key_interval = 2;
    options.memory = capture::memory_of(*gpu);
    options.metadata = {{"program", scene.name}};
    capture::Writer writer(scratch, options);
    capture::RecordingGpu recording(*gpu, writer);
    recording.annotate("label", 1, std::as_bytes(std::span("triangle")));
    scenes::play(scene, recording);
    writer.close();
  }
  Output out;
  out.put(uint8_t{2});
  const capture::InputFile file(scratch);
  std::vector<std::byte> stored, raw;
  uint64_t at = sizeof(capture::FileHeader);
  while (at < file.size() - sizeof(capture::FileTrailer)) {
    const capture::ChunkHeader header = capture::read_chunk_header(file, at);
    capture::read_chunk(file, at, header, stored, raw);
    at += sizeof header + header.stored_bytes;
    if (static_cast<capture::ChunkKind>(header.kind) == capture::ChunkKind::kIndex && !index) break;
    if (raw.size() > 0xffff) return {};
    out.put(static_cast<uint8_t>(header.kind)), out.put(static_cast<uint8_t>(header.frame));
    out.put(static_cast<uint8_t>(header.flags)), out.put(static_cast<uint8_t>(header.submissions));
    out.put(static_cast<uint16_t>(raw.size())), out.put_bytes(raw);
  }
  return out.bytes;
}

void write(const std::filesystem::path& path, const std::string& bytes) {
  if (bytes.empty() || bytes.size() > (96u << 10)) return;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: write_seeds FOLDER\n");
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  std::vector<scenes::Scene> all = scenes::all_scenes();
  for (scenes::Scene& scene : scenes::optional_scenes()) all.push_back(std::move(scene));
  all.push_back(scenes::texture_written_between_draws());
  all.push_back(scenes::rendered_then_read());
  all.push_back(scenes::host_steps());
  for (const scenes::Scene& scene : all) {
    write(folder / "packets" / scene.name, packets_seed(scene));
    for (const bool index : {false, true}) {
      const auto scratch = folder / "scratch";
      write(folder / "capture" / (scene.name + (index ? "_indexed" : "")),
            capture_seed(scene, scratch, index));
      std::filesystem::remove(scratch);
    }
  }
}
