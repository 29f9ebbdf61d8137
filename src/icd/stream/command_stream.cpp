#include "icd/stream/command_stream.h"

#include <algorithm>
#include <cstring>

#include "icd/device/limits.h"
#include "icd/device/offer.h"

namespace cutaway::icd {

void CommandStream::begin() {
  zeros_ = 0;
  predicate_ = {};
  uploads_.reset();
  start();
}

void CommandStream::start() {
  writer_ = {};
  // Registers of stages that are not offered stay as they are at the start: zero.
  shadow_ = RegisterShadow(offer().streams() ? arch::kRegisterWords : CUTAWAY_REGISTER(geometry));
  stages_ = {};
  caches_.begin(writer_);
  if (predicate_.address) writer_.packet(arch::Opcode::kPredicate, predicate_);
}

std::vector<uint32_t> CommandStream::split() {
  std::vector<uint32_t> words = end();
  start();
  return words;
}

std::vector<uint32_t> CommandStream::end() {
  caches_.end(writer_);
  return writer_.take();
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

void CommandStream::load_constants(arch::Stage stage, uint32_t first, uint32_t count, arch::Address address) {
  std::vector<Constants>& held = state(stage).constants;
  for (const Constants& c : held)
    if (c.first == first && c.count == count && c.address == address) return;
  std::erase_if(held,
                [&](const Constants& c) { return c.first < first + count && first < c.first + c.count; });
  held.push_back({first, count, address});
  writer_.packet(arch::Opcode::kLoadConstants,
                 arch::LoadPacket{static_cast<uint32_t>(stage), first, count, address});
  caches_.read(arch::kCacheConstant);
}

void CommandStream::load_zeros(arch::Stage stage, uint32_t first, uint32_t count) {
  constexpr std::array<std::byte, kVec4Bytes * kZeros> kNothing{};
  if (!zeros_) zeros_ = uploads_.put(kNothing.data(), kNothing.size());
  for (uint32_t done = 0; done < count; done += kZeros)
    load_constants(stage, first + done, std::min(count - done, kZeros), zeros_);
}

template <class Descriptor>
void CommandStream::load_table(arch::Opcode opcode, arch::Stage stage, std::span<const Descriptor> wanted,
                               std::vector<Descriptor>& held) {
  if (wanted.empty()) return;
  if (held.size() >= wanted.size() && std::memcmp(held.data(), wanted.data(), wanted.size_bytes()) == 0)
    return;
  if (held.size() < wanted.size()) held.resize(wanted.size());
  std::copy(wanted.begin(), wanted.end(), held.begin());
  const arch::Address address = uploads_.put(wanted.data(), wanted.size_bytes());
  writer_.packet(opcode, arch::LoadPacket{static_cast<uint32_t>(stage), 0,
                                          static_cast<uint32_t>(wanted.size()), address});
}

void CommandStream::load_resources(arch::Stage stage, std::span<const arch::Surface> surfaces) {
  load_table(arch::Opcode::kLoadResources, stage, surfaces, state(stage).resources);
}

void CommandStream::load_samplers(arch::Stage stage, std::span<const arch::Sampler> samplers) {
  load_table(arch::Opcode::kLoadSamplers, stage, samplers, state(stage).samplers);
}

void CommandStream::set_predicate(const arch::PredicatePacket& predicate) {
  predicate_ = predicate;
  writer_.packet(arch::Opcode::kPredicate, predicate);
}

void CommandStream::barrier(const CacheTracker::Barrier& barrier) {
  // What was loaded from a buffer is loaded again when the buffer may have changed.
  if (caches_.barrier(barrier, writer_) & arch::kCacheConstant)
    for (StageState& stage : stages_) stage.constants.clear();
}

}  // namespace cutaway::icd
