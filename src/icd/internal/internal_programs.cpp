#include "icd/internal/internal_programs.h"

#include <bit>
#include <string>

#include "isa/instruction.h"

namespace cutaway::icd {
namespace {

// c0 = (1u, 2.0, -1.0, 1.0): x is -1 for even vertices and 1 for odd ones, y is -1 for 0 and 1.
constexpr const char* kRectangle =
    "AND r0.x, i32.x, c0.x\n"
    "SHR r0.y, i32.x, c0.x\n"
    "U2F r0.xy, r0\n"
    "MAD o0.xy, r0, c0.y, c0.z\n"
    "MOV o0.zw, c0.w\n"
    "END\n";

constexpr const char* kFetch =
    "F2I r0.xy, i32\n"
    "IMUL r0.xy, r0, c0\n"
    "IADD r0.xy, r0, c0.zwzw\n"
    "MOV r0.zw, c1.x\n"
    "TXF r1, r0, c1, t0, 2D\n"
    "MOV o0, r1\n"
    "END\n";

// The slice of a 3D texture is c1.y.
constexpr const char* kSample =
    "MAD r0.xy, i32, c0, c0.zwzw\n"
    "MOV r0.z, c1.y\n"
    "TXL r1, r0, c1, t0, s0, {}\n"
    "MOV {}, r1.{}\n"
    "END\n";

std::string resolve_program(uint32_t samples) {
  // Level (always 0) and sample.
  constexpr const char* kLevelAndSample[] = {"c1.xxxx", "c1.xyxx", "c1.xzxx", "c1.xwxx",
                                             "c2.xyxx", "c2.xzxx", "c2.xwxx", "c3.xyxx"};
  std::string text =
      "F2I r0.xy, i32\n"
      "IMUL r0.xy, r0, c0\n"
      "IADD r0.xy, r0, c0.zwzw\n"
      "MOV r0.zw, c1.x\n"
      "TXF r1, r0, c1.xxxx, t0, 2DMS\n";
  if (samples == 1) return text + "MOV o0, r1\nEND\n";
  for (uint32_t s = 1; s < samples; s++)
    text += fmt::format("TXF r2, r0, {}, t0, 2DMS\nADD r1, r1, r2\n", kLevelAndSample[s]);
  return text + "MUL o0, r1, c3.z\nEND\n";
}

// Copies sample 0 to one component of an output.
constexpr const char* kResolveOne =
    "F2I r0.xy, i32\n"
    "IMUL r0.xy, r0, c0\n"
    "IADD r0.xy, r0, c0.zwzw\n"
    "MOV r0.zw, c1.x\n"
    "TXF r1, r0, c1, t0, 2DMS\n"
    "MOV {}, r1.x\n"
    "END\n";

constexpr uint64_t kConstantBytes = 64;

}  // namespace

InternalPrograms::InternalPrograms(Device& device)
    : device_(device), memory_(device.allocate(arch::kPageBytes)) {
  const std::array<uint32_t, 8> constants = {1, std::bit_cast<uint32_t>(2.0f), std::bit_cast<uint32_t>(-1.0f),
                                             std::bit_cast<uint32_t>(1.0f)};
  memory_->write(0, constants.data(), sizeof constants);
  used_ = kConstantBytes;
  rectangle_ = add(kRectangle, 1, 0, 1);
  fetch_ = add(kFetch, 2, arch::kShaderReadsFragCoord, 1);
  for (uint32_t i = 0; i < resolve_.size(); i++)
    resolve_[i] = add(resolve_program(1u << i).c_str(), 3, arch::kShaderReadsFragCoord, 1);
  const auto sample = [&](const char* dimension, const char* output, const char* components, uint32_t flags,
                          uint32_t outputs) {
    return add(fmt::format(fmt::runtime(kSample), dimension, output, components).c_str(), 2,
               arch::kShaderReadsFragCoord | flags, outputs);
  };
  constexpr uint32_t kDepthOutput = 1u << arch::kOutputDepth;
  sample_ = sample("2D", "o0", "xyzw", 0, 1);
  sample_slice_ = sample("3D", "o0", "xyzw", 0, 1);
  sample_depth_ = sample("2D", "o8.x", "x", arch::kShaderWritesDepth, kDepthOutput);
  sample_stencil_ = sample("2D", "o8.z", "x", arch::kShaderWritesStencil, kDepthOutput);
  std::string text;
  for (uint32_t targets = 1; targets <= arch::kColorTargets; targets++) {
    text += fmt::format("MOV o{0}, c{0}\n", targets - 1);
    clear_[targets - 1] = add((text + "END\n").c_str(), 0, 0, (1u << targets) - 1);
  }
  const auto resolve_one = [&](const char* output, uint32_t flags) {
    return add(fmt::format(fmt::runtime(kResolveOne), output).c_str(), 2, arch::kShaderReadsFragCoord | flags,
               kDepthOutput);
  };
  resolve_depth_ = resolve_one("o8.x", arch::kShaderWritesDepth);
  resolve_stencil_ = resolve_one("o8.z", arch::kShaderWritesStencil);
}

arch::ShaderRegisters InternalPrograms::add(const char* text, uint32_t temporaries, uint32_t flags,
                                            uint32_t outputs) {
  const std::vector<isa::Instruction> code = isa::assemble(text);
  arch::ShaderRegisters shader{};
  shader.program = memory_->address() + used_;
  shader.instructions = static_cast<uint32_t>(code.size());
  shader.temporaries = temporaries;
  shader.flags = flags;
  shader.outputs = outputs;
  for (const isa::Instruction& instruction : code) {
    const isa::EncodedInstruction words = isa::encode(instruction);
    memory_->write(used_, words.data(), sizeof words);
    used_ += isa::kInstructionBytes;
  }
  device_.annotate("program", shader.program, isa::disassemble(code));
  return shader;
}

}  // namespace cutaway::icd
