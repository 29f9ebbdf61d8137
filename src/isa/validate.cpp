#include "isa/validate.h"

#include <fmt/format.h>

#include "isa/flow.h"
#include "isa/operands.h"

namespace cutaway::isa {
namespace {

template <class... Args>
bool fail(std::string& error, const Instruction& i, fmt::format_string<Args...> format, Args&&... args) {
  error = fmt::format("{}: {}", info(i.op).mnemonic, fmt::format(format, std::forward<Args>(args)...));
  return false;
}

uint32_t file_size(File file) {
  switch (file) {
    case File::kNone:
      return 1;
    case File::kTemporary:
      return arch::kTemporaries;
    case File::kInput:
      return arch::kShaderInputs;
    case File::kOutput:
      return arch::kShaderOutputs;
    case File::kConstant:
      return arch::kConstants;
  }
  return 0;
}

bool valid_half(Half half, File file, bool allowed) {
  return half == Half::kNone || (half <= Half::kHigh && file == File::kTemporary && allowed);
}

bool valid_destination(const Instruction& i, std::string& error) {
  const Destination& d = i.dst;
  if (!has_result(i.op) && (d.file != File::kNone || d.saturate)) return fail(error, i, "has no destination");
  if (!has_mask(i.op) && d.mask != 0xf) return fail(error, i, "has no write mask");
  if (d.mask == 0 || d.mask > 0xf) return fail(error, i, "write mask {} is not within 1 to 15", d.mask);
  if (d.file != File::kNone && d.file != File::kTemporary && d.file != File::kOutput)
    return fail(error, i, "the destination must be a temporary, an output or none");
  if (d.index >= file_size(d.file))
    return fail(error, i, "destination register {} is beyond the {} of its file", d.index, file_size(d.file));
  if (d.saturate && !may_saturate(i.op)) return fail(error, i, "has no _SAT form");
  if (!valid_half(d.half, d.file, may_write_halves(i.op)))
    return fail(error, i, "the destination cannot be a half");
  return true;
}

bool valid_sources(const Instruction& i, std::string& error) {
  const uint32_t count = source_count(i);
  for (uint32_t n = 0; n < 3; ++n) {
    const Source& s = i.src[n];
    if (n >= count) {
      if (s != Source{}) return fail(error, i, "takes {} sources, but source {} is set", count, n);
      continue;
    }
    if (s.file != File::kTemporary && s.file != File::kInput && s.file != File::kConstant)
      return fail(error, i, "source {} must be a temporary, an input or a constant", n);
    if (s.index >= file_size(s.file))
      return fail(error, i, "source {}: register {} is beyond the {} of its file", n, s.index,
                  file_size(s.file));
    if (n == 0 && has_window(i.op) && s.file != File::kConstant)
      return fail(error, i, "source 0 must be a constant");
    if (!valid_half(s.half, s.file, may_read_halves(i.op, n)))
      return fail(error, i, "source {} cannot be a half", n);
    const OperandType type = source_type(i.op, n);
    if (s.absolute && (type == OperandType::kLogic || type == OperandType::kDouble))
      return fail(error, i, "source {} has no absolute value", n);
  }
  return true;
}

constexpr uint32_t bit(TextureDim dim) { return 1u << static_cast<uint32_t>(dim); }

// Dimensions that an operation can access, as bits (Vulkan "Image Instructions").
uint32_t dims(Opcode op) {
  using enum TextureDim;
  constexpr uint32_t kFlat = bit(k1D) | bit(k2D) | bit(k3D), kArrays = bit(k1DArray) | bit(k2DArray);
  constexpr uint32_t kCubes = bit(kCube) | bit(kCubeArray);
  constexpr uint32_t kMultisample = bit(k2DMultisample) | bit(k2DMultisampleArray);
  constexpr uint32_t kOthers = bit(kBuffer) | kMultisample;
  switch (op) {
    case Opcode::kTxp:
      return kFlat;
    case Opcode::kTxf:
      return kFlat | kArrays | kOthers;
    case Opcode::kTxg:
      return bit(k2D) | bit(k2DArray) | kCubes;
    case Opcode::kTxqs:
      return kMultisample;
    case Opcode::kTxq:
    case Opcode::kLdi:
    case Opcode::kSti:
    case Opcode::kAtomicImage:
      return kFlat | kArrays | kCubes | kOthers;
    default:
      return kFlat | kArrays | kCubes;
  }
}

bool valid_access(const Instruction& i, std::string& error) {
  const Access& a = i.access;
  if (has_resource(i.op) && a.resource >= arch::kResources)
    return fail(error, i, "resource slot {} is beyond the {}", a.resource, arch::kResources);
  if (has_sampler(i.op) && a.sampler >= arch::kSamplers)
    return fail(error, i, "sampler slot {} is beyond the {}", a.sampler, arch::kSamplers);
  if (has_dim(i.op) && (static_cast<uint32_t>(a.dim) >= kTextureDims || !(dims(i.op) & bit(a.dim))))
    return fail(error, i, "cannot access texture dimension {}", static_cast<uint32_t>(a.dim));
  if (a.shadow && (!may_compare(i.op) || a.dim == TextureDim::k3D))
    return fail(error, i, "cannot compare with a depth reference here");
  if (a.gather > 3 || (a.gather != 0 && i.op != Opcode::kTxg))
    return fail(error, i, "gathers component {}", a.gather);
  if (static_cast<uint32_t>(a.atomic) >= kAtomicOps || (a.atomic != AtomicOp::kAdd && !is_atomic(i.op)))
    return fail(error, i, "atomic operation {} does not exist", static_cast<uint32_t>(a.atomic));
  if (i.op == Opcode::kLdv && a.slot >= arch::kVertexInputs)
    return fail(error, i, "register {} of a vertex is beyond the {}", a.slot, arch::kVertexInputs);
  if (is_emission(i.op) && a.slot >= arch::kStreams)
    return fail(error, i, "stream {} is beyond the {}", a.slot, arch::kStreams);
  if (is_pull(i.op) && a.slot >= arch::kInterpolants)
    return fail(error, i, "interpolant {} is beyond the {}", a.slot, arch::kInterpolants);
  if (a.slot != 0 && !has_slot(i.op))
    return fail(error, i, "has no register of a vertex, no stream and no interpolant");
  if (static_cast<uint32_t>(a.size) >= kStoreSizes || (a.size != StoreSize::kWords && !has_size(i.op)))
    return fail(error, i, "cannot store a part {} of a word", static_cast<uint32_t>(a.size));
  if (a.size != StoreSize::kWords && i.dst.mask != 1)
    return fail(error, i, "stores a part of component x alone");
  if (a.cached && !may_be_cached(i.op)) return fail(error, i, "is no load of a buffer or an image");
  if (a.fence > (kFenceShared | kFenceDevice) || (a.fence != 0 && !is_barrier(i.op)))
    return fail(error, i, "is no barrier of memories {}", a.fence);
  if (a.window != ConstantWindow{} && !has_window(i.op)) return fail(error, i, "reads no constant by index");
  if (has_window(i.op) && (a.window.count == 0 || a.window.first + a.window.count > arch::kConstants))
    return fail(error, i, "window of {} registers from c{} is not within the {}", a.window.count,
                a.window.first, arch::kConstants);
  for (int8_t offset : a.offset) {
    if (offset < -8 || offset > 7) return fail(error, i, "texel offset {} is not within -8 to 7", offset);
    if (offset != 0 && (!has_offset(i.op) || is_cube(a.dim) || a.dim == TextureDim::kBuffer))
      return fail(error, i, "takes no texel offset here");
  }
  return true;
}

}  // namespace

bool valid(const Instruction& i, std::string& error) {
  if (static_cast<uint32_t>(i.op) >= kOpcodes) {
    error = fmt::format("operation {} does not exist (0 to {})", static_cast<uint32_t>(i.op), kOpcodes - 1);
    return false;
  }
  if (i.target != 0 && !has_target(i.op)) return fail(error, i, "has no target");
  return valid_access(i, error) && valid_sources(i, error) && valid_destination(i, error);
}

bool decode_program(const std::vector<EncodedInstruction>& words, uint32_t temporaries,
                    std::vector<Instruction>& program, std::string& error) {
  program.clear();
  if (words.empty() || words.size() > arch::kInstructions) {
    error = fmt::format("a program of {} instructions, but 1 to {} are possible", words.size(),
                        arch::kInstructions);
    return false;
  }
  program.resize(words.size());
  for (size_t n = 0; n < words.size(); ++n) {
    Instruction& i = program[n];
    bool good = decode(words[n], i, error);
    if (good && i.dst.file == File::kTemporary && i.dst.index >= temporaries)
      good = fail(error, i, "writes r{}, but the program has {} temporaries", i.dst.index, temporaries);
    for (const Source& s : i.src)
      if (good && s.file == File::kTemporary && s.index >= temporaries)
        good = fail(error, i, "reads r{}, but the program has {} temporaries", s.index, temporaries);
    if (!good) {
      error = fmt::format("instruction {}: {}", n, error);
      return false;
    }
  }
  std::vector<uint16_t> targets;
  size_t where = 0;
  if (!flow_targets(program, targets, where, error)) {
    error = fmt::format("instruction {}: {}", where, error);
    return false;
  }
  for (size_t n = 0; n < program.size(); ++n) {
    if (!has_target(program[n].op) || program[n].target == targets[n]) continue;
    error = fmt::format("instruction {}: {}: target {}, but its construct needs {}", n,
                        info(program[n].op).mnemonic, program[n].target, targets[n]);
    return false;
  }
  return true;
}

uint8_t components_read(const Instruction& i, uint32_t source) {
  using enum Opcode;
  if (source >= source_count(i)) return 0;
  if (is_scalar(i.op) || info(i.op).op_class == OpClass::kFlow) return 1;
  if (is_double(i.op)) return reads_doubles(i.op) ? 3 : 1;
  switch (i.op) {
    case kDp2:
      return 3;
    case kDp3:
      return 7;
    case kNrm:
      return 7 | i.dst.mask;
    case kDp4:
      return 15;
    case kPackHalf:
    case kPull:
      return 3;
    case kUnpackHalf:
    case kTxq:
    case kLdb:
    case kLds:
    case kLdw:
    case kLdv:
    case kAtomic:
    case kAtomicWorkgroup:
      return 1;
    case kAtomicImage:
      return source == 0 ? 15 : 1;
    case kStb:
    case kSts:
    case kStw:
      return source == 0 ? 1 : i.dst.mask;
    case kLdc:
      return source == 0 ? i.dst.mask : 1;
    default:
      break;
  }
  return has_dim(i.op) ? 15 : i.dst.mask;
}

}  // namespace cutaway::isa
