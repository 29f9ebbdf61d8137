#include "icd/stream/command_stream.h"

#include <algorithm>
#include <cstring>

#include "icd/device/device.h"
#include "icd/device/limits.h"
#include "icd/device/offer.h"

namespace cutaway::icd {

CommandStream::CommandStream(Device& device)
    : device_(device), caches_(device.has_compute_queue()), uploads_(device) {}

void CommandStream::begin() {
  zeros_ = constants_zeros_ = 0;
  live_.clear();
  part_ = 0;
  predicate_ = {};
  uploads_.reset();
  start();
}

void CommandStream::start() {
  writer_ = {};
  // Registers of stages that are not offered keep their initial value, zero.
  shadow_ = RegisterShadow(offer().streams() ? arch::kRegisterWords : CUTAWAY_REGISTER(geometry));
  stages_ = {};
  if (device_.has_sparse()) caches_.note_aliases();
  caches_.begin(writer_);
  if (predicate_.address) writer_.packet(arch::Opcode::kPredicate, predicate_);
}

CommandStream::Packets CommandStream::split() {
  Packets packets = end();
  part_++;
  start();
  return packets;
}

CommandStream::Packets CommandStream::end() {
  caches_.end(writer_);
  return {writer_.take(), shadow_.left_set()};
}

void CommandStream::set_registers(const arch::Registers& wanted) {
  shadow_.update(wanted, writer_);
  load_program(arch::Stage::kVertex);
  for (const arch::Stage stage :
       {arch::Stage::kTessControl, arch::Stage::kTessEvaluation, arch::Stage::kGeometry})
    if (wanted.shader[static_cast<uint32_t>(stage)].instructions) load_program(stage);
  load_program(arch::Stage::kFragment);
}

void CommandStream::set_compute(const arch::ShaderRegisters& shader, const arch::ComputeRegisters& compute,
                                bool statistics) {
  arch::Registers wanted = shadow_.held();
  wanted.shader[static_cast<uint32_t>(arch::Stage::kCompute)] = shader;
  wanted.compute = compute;
  wanted.query.statistics = statistics ? 1 : 0;
  shadow_.update(wanted, writer_);
  load_program(arch::Stage::kCompute);
}

void CommandStream::load_program(arch::Stage stage) {
  const arch::ShaderRegisters& shader = shadow_.held().shader[static_cast<uint32_t>(stage)];
  StageState& held = state(stage);
  if (held.known && held.program == shader.program && held.instructions == shader.instructions) return;
  held.known = true;
  held.program = shader.program;
  held.instructions = shader.instructions;
  writer_.packet(arch::Opcode::kLoadProgram, arch::LoadProgramPacket{static_cast<uint32_t>(stage)});
}

// Records the constants to load. Returns false if they are loaded already.
bool CommandStream::hold(arch::Stage stage, const Constants& wanted) {
  std::vector<Constants>& held = state(stage).constants;
  if (std::find(held.begin(), held.end(), wanted) != held.end()) return false;
  std::erase_if(held, [&](const Constants& c) {
    return c.first < wanted.first + wanted.count && wanted.first < c.first + c.count;
  });
  held.push_back(wanted);
  caches_.read(arch::kCacheConstant);
  return true;
}

void CommandStream::load_constants(arch::Stage stage, uint32_t first, uint32_t count, arch::Address address) {
  if (!hold(stage, {first, count, address, {}})) return;
  writer_.packet(arch::Opcode::kLoadConstants,
                 arch::LoadPacket{static_cast<uint32_t>(stage), first, count, address});
}

void CommandStream::load_live_constants(arch::Stage stage, uint32_t first, uint32_t count, uint32_t offset,
                                        const DescriptorUse& use) {
  if (!hold(stage, {first, count, offset, use})) return;
  static constexpr std::array<std::byte, kVec4Bytes * arch::kConstants> kNothing{};
  if (!constants_zeros_) constants_zeros_ = uploads_.put(kNothing.data(), kNothing.size());
  live_.add_constants({part_, writer_.commands().size(),
                       arch::LoadPacket{static_cast<uint32_t>(stage), first, count, offset}, constants_zeros_,
                       use});
  LiveDescriptors::leave_packets(writer_);
}

void CommandStream::load_zeros(arch::Stage stage, uint32_t first, uint32_t count) {
  constexpr std::array<std::byte, kVec4Bytes * kZeros> kNothing{};
  if (!zeros_) zeros_ = uploads_.put(kNothing.data(), kNothing.size());
  for (uint32_t done = 0; done < count; done += kZeros)
    load_constants(stage, first + done, std::min(count - done, kZeros), zeros_);
}

// Live slots have unknown contents in the machine: a table with live slots is compared as a whole.
template <class Descriptor>
void CommandStream::load_table(arch::Opcode opcode, arch::Stage stage, std::span<const Descriptor> wanted,
                               LiveDescriptors::Uses live, Table<Descriptor>& held) {
  if (wanted.empty()) return;
  const bool fixed = live.empty() && held.live.empty();
  const bool fits =
      fixed ? held.slots.size() >= wanted.size() : held.slots.size() == wanted.size() && held.live == live;
  if (fits && std::memcmp(held.slots.data(), wanted.data(), wanted.size_bytes()) == 0) return;
  if (!fixed) held.slots.clear();
  if (held.slots.size() < wanted.size()) held.slots.resize(wanted.size());
  std::copy(wanted.begin(), wanted.end(), held.slots.begin());
  held.live = live;
  const UploadArea::Place place = uploads_.place(wanted.data(), wanted.size_bytes());
  writer_.packet(opcode, arch::LoadPacket{static_cast<uint32_t>(stage), 0,
                                          static_cast<uint32_t>(wanted.size()), place.address()});
  if (!live.empty()) live_.add_table(place, opcode == arch::Opcode::kLoadSamplers, std::move(live));
}

void CommandStream::load_resources(arch::Stage stage, std::span<const arch::Surface> surfaces,
                                   LiveDescriptors::Uses live) {
  load_table(arch::Opcode::kLoadResources, stage, surfaces, std::move(live), state(stage).resources);
}

void CommandStream::load_samplers(arch::Stage stage, std::span<const arch::Sampler> samplers,
                                  LiveDescriptors::Uses live) {
  load_table(arch::Opcode::kLoadSamplers, stage, samplers, std::move(live), state(stage).samplers);
}

void CommandStream::set_predicate(const arch::PredicatePacket& predicate) {
  predicate_ = predicate;
  writer_.packet(arch::Opcode::kPredicate, predicate);
}

void CommandStream::barrier(const CacheTracker::Barrier& barrier) {
  if (device_.has_sparse()) caches_.note_aliases();
  // Constants loaded from a buffer must be reloaded if the buffer may have changed.
  if (caches_.barrier(barrier, writer_) & arch::kCacheConstant)
    for (StageState& stage : stages_) stage.constants.clear();
}

}  // namespace cutaway::icd
