#include <fmt/format.h>

#include "isa/instruction.h"
#include "isa/names.h"
#include "isa/operands.h"

namespace cutaway::isa {
namespace {

std::string register_name(File file, Half half, uint32_t index) {
  if (half != Half::kNone) return fmt::format("h{}", 2 * index + (half == Half::kHigh));
  switch (file) {
    case File::kNone:
      return "_";
    case File::kTemporary:
      return fmt::format("r{}", index);
    case File::kInput:
      return fmt::format("i{}", index);
    case File::kOutput:
      return fmt::format("o{}", index);
    case File::kConstant:
      return fmt::format("c{}", index);
  }
  return "?";
}

std::string text(const Destination& d) {
  std::string out = register_name(d.file, d.half, d.index);
  if (d.mask == 0xf) return out;
  out += '.';
  for (uint32_t c = 0; c < 4; ++c)
    if (d.mask >> c & 1) out += kComponentNames[c];
  return out;
}

std::string text(const Source& s, OperandType type) {
  std::string out = register_name(s.file, s.half, s.index);
  if (s.swizzle != kSwizzleXyzw) {
    const uint32_t x = swizzle_component(s.swizzle, 0);
    out += '.';
    out += kComponentNames[x];
    if (s.swizzle != x * 0x55)
      for (uint32_t c = 1; c < 4; ++c) out += kComponentNames[swizzle_component(s.swizzle, c)];
  }
  if (s.absolute) out = '|' + out + '|';
  if (s.negate) out.insert(0, type == OperandType::kLogic ? "~" : "-");
  return out;
}

void append_access(std::string& out, const Instruction& i) {
  const Access& a = i.access;
  if (has_resource(i.op)) out += fmt::format(", t{}", a.resource);
  if (has_sampler(i.op)) out += fmt::format(", s{}", a.sampler);
  if (has_dim(i.op)) out += fmt::format(", {}", kDimNames[static_cast<uint32_t>(a.dim)]);
  if (has_slot(i.op)) out += fmt::format(", {}{}", slot_prefix(i.op), a.slot);
  if (a.shadow) out += ", SHADOW";
  if (i.op == Opcode::kTxg) out += fmt::format(", GATHER({})", kComponentNames[a.gather]);
  if (is_atomic(i.op)) out += fmt::format(", OP({})", static_cast<uint32_t>(a.atomic));
  if (a.size != StoreSize::kWords) out += fmt::format(", {}", kStoreSizeNames[static_cast<uint32_t>(a.size)]);
  if (a.offset != std::array<int8_t, 3>{})
    out += fmt::format(", OFFSET({}, {}, {})", a.offset[0], a.offset[1], a.offset[2]);
  if (a.cached) out += fmt::format(", {}", kCachedName);
  if (has_window(i.op)) out += fmt::format(", {}({}, {})", kWindowName, a.window.first, a.window.count);
  if (a.fence & kFenceShared) out += fmt::format(", {}", kFenceSharedName);
  if (a.fence & kFenceDevice) out += fmt::format(", {}", kFenceDeviceName);
}

}  // namespace

std::string disassemble(const Instruction& i) {
  std::string out(info(i.op).mnemonic);
  if (i.dst.saturate) out += kSaturateSuffix;
  std::string operands;
  if (has_mask(i.op)) operands += ", " + text(i.dst);
  for (uint32_t n = 0; n < source_count(i); ++n) operands += ", " + text(i.src[n], source_type(i.op, n));
  append_access(operands, i);
  if (has_target(i.op)) operands += fmt::format(", {}", i.target);
  if (!operands.empty()) out += operands.substr(1);
  return out;
}

std::string disassemble(const std::vector<Instruction>& program) {
  using enum Opcode;
  std::string out;
  size_t depth = 0;
  for (size_t n = 0; n < program.size(); ++n) {
    const Opcode op = program[n].op;
    const bool outdent = op == kElse || op == kEndif || op == kNext || op == kEndLoop;
    if (outdent && depth > 0) --depth;
    out += fmt::format("{:>5}: {:{}}{}\n", n, "", 2 * depth, disassemble(program[n]));
    if (op == kIf || op == kElse || op == kLoop || op == kNext) ++depth;
  }
  return out;
}

}  // namespace cutaway::isa
