#include "compiler/testing/run_shader.h"

#include <bit>
#include <cstring>
#include <fstream>
#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <glslang/SPIRV/GlslangToSpv.h>
#include <gtest/gtest.h>
#include <iterator>
#include <spirv-tools/libspirv.hpp>
#include <stdexcept>

#include "func/float_mode.h"
#include "func/shader/atomic.h"
#include "func/shader/thread_group.h"
#include "func/texture/storage_access.h"
#include "isa/operands.h"

namespace cutaway::compiler {

std::vector<uint32_t> glsl_to_spirv(arch::Stage stage, const std::string& source) {
  static const bool ready = glslang::InitializeProcess();
  if (!ready) throw std::runtime_error("glslang does not start");
  constexpr EShLanguage kLanguages[] = {EShLangVertex,   EShLangTessControl, EShLangTessEvaluation,
                                        EShLangGeometry, EShLangFragment,    EShLangCompute};
  const EShLanguage language = kLanguages[static_cast<uint32_t>(stage)];
  const std::string text = source.starts_with("#version") ? source : "#version 450\n" + source;
  const char* pointer = text.c_str();
  glslang::TShader shader(language);
  shader.setStrings(&pointer, 1);
  shader.setEnvInput(glslang::EShSourceGlsl, language, glslang::EShClientVulkan, 100);
  shader.setEnvClient(glslang::EShClientVulkan, glslang::EShTargetVulkan_1_1);
  shader.setEnvTarget(glslang::EShTargetSpv, glslang::EShTargetSpv_1_3);
  const auto messages = static_cast<EShMessages>(EShMsgSpvRules | EShMsgVulkanRules);
  if (!shader.parse(GetDefaultResources(), 450, false, messages))
    throw std::runtime_error(shader.getInfoLog());
  glslang::TProgram program;
  program.addShader(&shader);
  if (!program.link(messages)) throw std::runtime_error(program.getInfoLog());
  std::vector<uint32_t> spirv;
  glslang::GlslangToSpv(*program.getIntermediate(language), spirv);
  return spirv;
}

std::vector<uint32_t> assemble_spirv(const std::string& text) {
  const auto names = [&](const char* version) {
    return text.find(std::string("; Version: ") + version) != text.npos;
  };
  spvtools::SpirvTools tools(names("1.0")   ? SPV_ENV_UNIVERSAL_1_0
                             : names("1.6") ? SPV_ENV_UNIVERSAL_1_6
                                            : SPV_ENV_UNIVERSAL_1_5);
  std::string error;
  tools.SetMessageConsumer([&](auto, auto, const spv_position_t& at, const char* message) {
    error = "line " + std::to_string(at.line + 1) + ": " + message;
  });
  std::vector<uint32_t> spirv;
  if (!tools.Assemble(text, &spirv)) throw std::runtime_error(error);
  return spirv;
}

std::string testdata(const std::string& name) {
  std::ifstream file(std::string(CUTAWAY_COMPILER_TESTDATA "/") + name);
  if (!file) throw std::runtime_error("no test data " + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

isa::Program compile_glsl(arch::Stage stage, const std::string& source) {
  return compile({.stage = stage, .spirv = glsl_to_spirv(stage, source), .entry = "main"});
}

Bits4 bits(const Vec4& v) { return std::bit_cast<Bits4>(v); }
Vec4 floats(const Bits4& v) { return std::bit_cast<Vec4>(v); }

void Execution::set_lanes(uint32_t reg, const std::array<Vec4, kWidth>& value) {
  for (uint32_t lane = 0; lane < kWidth; ++lane) inputs[reg][lane] = bits(value[lane]);
}

namespace {

uint32_t word(const std::vector<uint32_t>& buffer, uint64_t byte) {
  return byte / 4 < buffer.size() ? buffer[byte / 4] : 0;
}

std::vector<uint32_t> constants(const isa::Program& program, const Execution& run) {
  std::vector<uint32_t> all(arch::kConstants * 4);
  for (const isa::ConstantRange& range : program.constants)
    for (uint32_t i = 0; i < range.count * 4; ++i) {
      uint32_t& to = all.at(range.first * 4 + i);
      const uint64_t byte = range.offset + i * 4;
      if (range.kind == isa::ConstantRange::Kind::kLiteral) to = program.literals.at(byte / 16).at(i % 4);
      else if (range.kind == isa::ConstantRange::Kind::kPushConstant) to = word(run.push_constants, byte);
      else if (range.kind == isa::ConstantRange::Kind::kView) to = i ? 0 : run.view;
      else to = word(run.buffers.at({range.set, range.binding, range.element}), byte);
    }
  return all;
}

// The instruction as the machine will decode it.
std::vector<isa::Instruction> through_encoding(const isa::Program& program) {
  std::vector<isa::EncodedInstruction> words;
  for (const isa::Instruction& i : program.code) words.push_back(isa::encode(i));
  std::vector<isa::Instruction> code;
  std::string error;
  if (!isa::decode_program(words, program.temporaries, code, error)) throw std::runtime_error(error);
  return code;
}

// Executes one lane of a memory instruction and returns the loaded value. A helper's store or atomic has no
// effect.
Bits4 access_memory(Execution& run, const isa::Program& program, const isa::Instruction& i,
                    const std::array<Bits4, 3>& src, bool stores) {
  std::vector<uint32_t>* memory = &run.shared;
  uint64_t at = src[0][0] / 4;
  if (isa::has_resource(i.op)) {
    const isa::SlotBinding& slot = program.resources.at(i.access.resource);
    const std::array<uint32_t, 3> key = {slot.set, slot.binding, slot.element};
    memory = &(isa::has_dim(i.op) ? run.images : run.buffers).at(key);
    if (isa::has_dim(i.op)) at = src[0][0] + uint64_t{64} * src[0][1];
  }
  Bits4 result{};
  const uint32_t words = isa::has_dim(i.op) ? 1 : 4;
  for (uint32_t c = 0; c < words; ++c)
    if (at + c < memory->size()) result[c] = (*memory)[at + c];
  if (!stores || at >= memory->size()) return result;
  if (isa::is_atomic(i.op)) {
    (*memory)[at] = func::atomic_result(i.access.atomic, result[0], src[1][0], src[2][0]);
    result.fill(result[0]);
  } else if (i.access.size != isa::StoreSize::kWords) {
    const func::WordPart part = func::word_part(i.access.size, src[0][0]);
    std::memcpy(reinterpret_cast<std::byte*>(&(*memory)[at]) + part.first, &src[1][0], part.bytes);
  } else if (isa::is_store(i.op)) {
    for (uint32_t c = 0; c < words; ++c)
      if ((i.dst.mask >> c & 1) && at + c < memory->size()) (*memory)[at + c] = src[1][c];
  }
  return result;
}

// Executes LDV, EMIT or CUT in one lane and returns the loaded value.
Bits4 access_vertices(Execution& run, const isa::Instruction& i, const Bits4& source, uint32_t lane,
                      const std::vector<uint32_t>& output) {
  if (i.op == isa::Opcode::kLdv) {
    const bool there = source[0] < run.vertices.size() && i.access.slot < run.vertices[source[0]].size();
    return there ? bits(run.vertices[source[0]][i.access.slot]) : Bits4{};
  }
  Execution::Emitted emitted{.stream = i.access.slot, .outputs = {}};
  for (uint32_t reg = 0; i.op == isa::Opcode::kEmit && reg < arch::kShaderOutputs; ++reg) {
    Bits4 value{};
    for (uint32_t c = 0; c < 4; ++c) value[c] = output[func::register_word(Execution::kWidth, reg, c, lane)];
    emitted.outputs.push_back(floats(value));
  }
  run.emitted[lane].push_back(std::move(emitted));
  return {};
}

}  // namespace

void Execution::operator()(const isa::Program& program) {
  const func::FloatMode mode;
  const func::MicroProgram micro(through_encoding(program), kWidth);
  const std::vector<uint32_t> constant = constants(program, *this);
  std::vector<uint32_t> input(arch::kShaderInputs * 4 * kWidth), output(arch::kShaderOutputs * 4 * kWidth);
  // Unwritten registers must not matter: temporaries start as signalling garbage.
  std::vector<uint32_t> temporary(arch::kTemporaries * 4 * kWidth, 0x7fa5a5a5);
  std::vector<uint32_t> scratch(program.scratch_bytes / 4 * kWidth, 0x7fa5a5a5);
  for (const auto& [reg, lanes] : inputs)
    for (uint32_t lane = 0; lane < kWidth; ++lane)
      for (uint32_t c = 0; c < 4; ++c) input[func::register_word(kWidth, reg, c, lane)] = lanes[lane][c];
  const func::Registers registers{input.data(),    temporary.data(), output.data(),
                                  constant.data(), scratch.data(),   program.scratch_bytes / 4};
  shared.assign((program.shared_bytes + program.patch.bytes) / 4, 0);
  if (program.stage == arch::Stage::kTessEvaluation) shared = patch;
  for (auto& lane : emitted) lane.clear();
  func::ThreadGroup group;
  group.start(kWidth, 15, 0, 1 << 22);
  for (;;) {
    const func::Need need = func::run(micro, group, registers);
    if (need == func::Need::kDone) break;
    if (need == func::Need::kRunaway) throw std::runtime_error("the program does not end");
    const isa::Instruction& i = micro.instruction(group.pc());
    if (isa::is_barrier(i.op)) {  // all lanes have arrived
      group.advance();
      continue;
    }
    std::array<std::array<uint32_t, 4 * kWidth>, 3> values{};
    for (uint32_t s = 0; s < isa::source_count(i); ++s)
      func::read_source(micro[group.pc()], s, registers, kWidth, values[s].data());
    std::array<uint32_t, 4 * kWidth> result{};
    for (uint32_t lane = 0; lane < kWidth; ++lane) {
      std::array<Bits4, 3> sources{};
      for (uint32_t s = 0; s < 3; ++s)
        for (uint32_t c = 0; c < 4; ++c) sources[s][c] = values[s][c * kWidth + lane];
      Bits4 texel{};
      if (need == func::Need::kMemory) {
        if (isa::is_pull(i.op)) {
          if (group.active() >> lane & 1)
            texel = pull(lane, i.access.slot, floats(sources[0])[0], floats(sources[0])[1]);
        } else if (isa::is_vertex(i.op)) {
          if (group.active() >> lane & 1) texel = access_vertices(*this, i, sources[0], lane, output);
        } else if (group.active() >> lane & 1)
          texel = access_memory(*this, program, i, sources, group.storing() >> lane & 1);
      } else if (i.op == isa::Opcode::kTxq && i.access.dim == isa::TextureDim::kBuffer) {
        const isa::SlotBinding& slot = program.resources.at(i.access.resource);
        const auto buffer = buffers.find({slot.set, slot.binding, slot.element});
        if (buffer != buffers.end()) texel[0] = static_cast<uint32_t>(buffer->second.size() * 4);
      } else if (texture) {
        texel = texture(i, sources);
      } else {
        texel = {sources[0][0], sources[0][1], sources[0][2], std::bit_cast<uint32_t>(1.0f)};
      }
      for (uint32_t c = 0; c < 4; ++c) result[c * kWidth + lane] = texel[c];
    }
    if (isa::has_result(i.op))
      func::write_result(micro[group.pc()], registers, kWidth, group.active(), result.data());
    group.advance();
  }
  survivors = group.survivors();
  executed = group.executed();
  outputs.clear();
  for (uint32_t reg = 0; reg < arch::kShaderOutputs; ++reg)
    for (uint32_t lane = 0; lane < kWidth; ++lane)
      for (uint32_t c = 0; c < 4; ++c)
        outputs[reg][lane][c] = output[func::register_word(kWidth, reg, c, lane)];
}

TEST(RunShader, PassesAnInputThrough) {
  Execution run;
  run.set(0, {1, 2, 3, 4});
  run(compile_glsl(
      arch::Stage::kFragment,
      "layout(location=0) in vec4 a; layout(location=0) out vec4 o; void main() { o = a.wzyx; }"));
  EXPECT_EQ(run.output(0), (Vec4{4, 3, 2, 1}));
}

}  // namespace cutaway::compiler
