#pragma once

#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>

#include "base/error.h"
#include "base/hash.h"
#include "base/testing/temporary_folder.h"
#include "capture/reader.h"
#include "capture/recording_gpu.h"

// A small program on a small GPU, recorded, and helpers for tests of captures.
namespace cutaway::capture {

inline std::filesystem::path temporary(const char* name) { return temporary_folder() / name; }

inline std::vector<std::byte> bytes_of(std::string_view text) {
  const auto* data = reinterpret_cast<const std::byte*>(text.data());
  return {data, data + text.size()};
}

// A GPU that increments the 64-bit word at `commands` with each submission.
class CountingGpu final : public arch::Gpu {
 public:
  void map(arch::ContextId context, arch::Address address, uint64_t bytes) override {
    memory_[context].map(address, bytes);
  }
  void unmap(arch::ContextId context, arch::Address address, uint64_t bytes) override {
    memory_[context].unmap(address, bytes);
  }
  void place(arch::ContextId context, arch::Address address, uint64_t bytes,
             arch::Placement placement) override {
    memory_[context].place(address, bytes, placement);
  }
  void bind(arch::ContextId context, arch::Address address, uint64_t bytes,
            std::optional<arch::Address> target) override {
    arch::Memory& memory = memory_[context];
    if (!memory.bind_error(address, bytes, target)) memory.bind(address, bytes, target);
  }
  void write(arch::ContextId context, arch::Address address, std::span<const std::byte> bytes) override {
    memory_[context].write(address, bytes.data(), bytes.size());
  }
  void submit(const arch::Submission& s) override {
    auto& memory = memory_[s.context];
    memory.write_as(s.commands, memory.read_as<uint64_t>(s.commands) + s.words);
    ids.push_back(s.id);
    ahead.push_back(s.ahead);
    queues.emplace_back(s.queue, s.after);
  }
  void host(const arch::HostStep& step) override { steps.push_back(step); }
  void annotate(std::string_view kind, uint64_t id, std::span<const std::byte> text) override {
    annotations.emplace_back(std::string(kind) + std::to_string(id),
                             std::string(reinterpret_cast<const char*>(text.data()), text.size()));
  }
  void wait() override {}
  const arch::Memory& memory(arch::ContextId context) const override { return memory_.at(context); }
  bool fault(arch::Fault&) const override { return false; }

  uint64_t hash() const {
    uint64_t hash = 0;
    for (const auto& [context, memory] : memory_) hash = hash * 31 + memory.hash();
    return hash;
  }

  std::vector<uint64_t> ids;
  std::vector<uint32_t> ahead;
  std::vector<std::pair<arch::QueueKind, uint64_t>> queues;  // and what they follow
  std::vector<arch::HostStep> steps;
  std::vector<std::pair<std::string, std::string>> annotations;

 private:
  std::map<arch::ContextId, arch::Memory> memory_;
};

// Eight frames of two submissions in two contexts. Returns the hash of all memory after each frame.
inline std::vector<uint64_t> run_program(const std::filesystem::path& path, WriterOptions options,
                                         bool presents = true, bool close = true) {
  CountingGpu gpu;
  options.memory = memory_of(gpu);
  options.metadata = {{"program", "counting"}, {"arguments", "--a b"}};
  options.compression = 1;
  Writer writer(path, options);
  RecordingGpu both(gpu, writer);
  std::vector<uint64_t> hashes;
  both.map(0, 0x10000, 0x8000);
  both.map(1, 0x400000, 0x2000);
  both.annotate("surface", 7, bytes_of("back buffer"));
  uint64_t id = 0;
  for (uint32_t frame = 1; frame <= 8; frame++) {
    if (frame == 4) both.map(0, 0x20000, 0x1000), both.unmap(0, 0x17000, 0x1000);
    const std::vector<std::byte> data(300 * frame, static_cast<std::byte>(frame));
    both.write(0, 0x10100 + frame, data);
    both.submit({.id = ++id, .context = 1, .commands = 0x400010, .words = frame});
    both.write(0, 0x20000, bytes_of("late"));
    both.submit({.id = ++id, .context = 0, .commands = 0x10040, .words = 3 * frame, .presents = presents});
    hashes.push_back(gpu.hash());
  }
  if (close) writer.close();
  return hashes;
}

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
inline void write_file(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// The text of the UserError thrown when everything in a file is read; empty if there is none.
inline std::string error_of(const std::filesystem::path& path) {
  try {
    const Reader reader(path);
    CountingGpu gpu;
    reader.play_range(reader.info().first_frame(), reader.info().last_frame(), gpu);
    reader.annotations(gpu);
    return {};
  } catch (const UserError& error) { return error.what(); }
}

inline std::vector<std::byte> noise(size_t bytes, uint64_t seed) {
  std::vector<std::byte> data(bytes);
  for (size_t i = 0; i + sizeof seed <= bytes; i += sizeof seed) {
    seed = hash_bytes(&seed, sizeof seed);
    std::memcpy(&data[i], &seed, sizeof seed);
  }
  return data;
}

}  // namespace cutaway::capture
