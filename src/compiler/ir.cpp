#include "compiler/ir.h"

#include <bit>

#include "compiler/refusal.h"
#include "isa/operands.h"

namespace cutaway::compiler {

Ref literal_float(float value) { return literal(std::bit_cast<uint32_t>(value)); }

uint32_t Ir::uniform(const UniformSlot& slot) {
  const auto [at, added] = uniform_index.try_emplace(slot, static_cast<uint32_t>(uniforms.size()));
  if (added) uniforms.push_back(slot);
  return at->second;
}

Shape shape(Opcode op) {
  if (isa::is_double(op)) return isa::gives_double(op) ? Shape::kFixed : Shape::kReplicated;
  switch (op) {
    case Opcode::kDp2:
    case Opcode::kDp3:
    case Opcode::kDp4:
    case Opcode::kPackHalf:
      return Shape::kReplicated;
    case Opcode::kUnpackHalf:
    case Opcode::kNrm:
      return Shape::kFixed;
    default:
      break;
  }
  switch (isa::info(op).op_class) {
    case isa::OpClass::kScalar:
      return Shape::kReplicated;
    case isa::OpClass::kTexture:
    case isa::OpClass::kMemory:
      return Shape::kFixed;
    default:
      return Shape::kLanes;
  }
}

bool float_source(Opcode op, uint32_t source) {
  // Texture units do not apply modifiers to coordinates.
  if (isa::info(op).op_class == isa::OpClass::kTexture) return false;
  return isa::source_type(op, source) == isa::OperandType::kFloat;
}

bool is_block_end(Opcode op) {
  return isa::info(op).op_class == isa::OpClass::kFlow && op != Opcode::kKill && op != Opcode::kNop &&
         !isa::is_barrier(op);
}

bool is_pure(const Inst& inst) {
  if (inst.phi) return true;
  if (inst.output != 0xff) return false;
  switch (isa::info(inst.op).op_class) {
    case isa::OpClass::kFlow:
      return false;
    case isa::OpClass::kMemory:
      return inst.op == Opcode::kLdb || inst.op == Opcode::kLdi || inst.op == Opcode::kLds ||
             inst.op == Opcode::kLdw || inst.op == Opcode::kLdv || isa::is_pull(inst.op);
    default:
      return true;
  }
}

bool dominates(const Ir& ir, uint32_t a, uint32_t b) {
  const uint32_t depth = ir.blocks[a].dom_depth;
  while (b != kNone && ir.blocks[b].dom_depth > depth) {
    const uint32_t jump = ir.blocks[b].dom_jump;
    b = jump != kNone && ir.blocks[jump].dom_depth >= depth ? jump : ir.blocks[b].idom;
  }
  return a == b;
}

namespace {

std::string text(const Ref& ref) {
  std::string name;
  const char lane = "xyzw"[ref.lane];
  switch (ref.kind) {
    case RefKind::kUndef:
      return "?";
    case RefKind::kLiteral:
      name = fmt::format("{:#x}({})", ref.index, std::bit_cast<float>(ref.index));
      break;
    case RefKind::kValue:
      name = fmt::format("%{}.{}", ref.index, lane);
      break;
    case RefKind::kInput:
      name = fmt::format("i{}.{}", ref.index, lane);
      break;
    case RefKind::kUniform:
      name = fmt::format("u{}.{}", ref.index, lane);
      break;
  }
  if (ref.absolute) name = "|" + name + "|";
  return ref.negate ? "-" + name : name;
}

std::string text(const Operand& operand) {
  std::string all = operand.invert ? "~[" : "[";
  for (uint32_t i = 0; i < operand.width; ++i) all += (i ? " " : "") + text(operand.ref[i]);
  return all + "]";
}

}  // namespace

std::string dump(const Ir& ir) {
  std::string all;
  for (uint32_t b = 0; b < ir.blocks.size(); ++b) {
    const Block& block = ir.blocks[b];
    all += fmt::format("block {} <- {} -> {} (idom {})\n", b, fmt::join(block.preds, ","),
                       fmt::join(block.succs, ","), static_cast<int32_t>(block.idom));
    auto line = [&](uint32_t id) {
      const Inst& inst = ir.insts[id];
      if (inst.dead) return;
      all += fmt::format("  %{}:{} = {}{}{}", id, inst.width, inst.phi ? "PHI" : isa::info(inst.op).mnemonic,
                         inst.saturate ? "_SAT" : "", inst.half ? " half" : "");
      if (inst.output != 0xff) all += fmt::format(" o{}", inst.output);
      for (uint32_t s = 0; s < inst.sources; ++s) all += " " + text(inst.src[s]);
      for (const Operand& arg : inst.args) all += " " + text(arg);
      all += "\n";
    };
    for (uint32_t id : block.phis) line(id);
    for (uint32_t id : block.insts) line(id);
  }
  return all;
}

}  // namespace cutaway::compiler
