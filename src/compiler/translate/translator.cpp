#include "compiler/translate/translator.h"

#include <spirv/unified1/spirv.hpp>

#include "isa/operands.h"

namespace cutaway::compiler {

Translator::Translator(Translation& t)
    : Part(t),
      clock_(t),
      composites_(t),
      arithmetic_(t),
      inputs_(t),
      patch_(t),
      memory_(t, inputs_, patch_),
      glsl_(t, memory_),
      interpolation_(t, inputs_, memory_),
      images_(t),
      storage_(t, memory_, images_),
      subgroups_(t, inputs_),
      outputs_(t),
      flow_(t, *this) {}

void Translator::run() {
  b.exact_floats = m_.exact_floats;
  PointerUse use = pointer_use(m_);
  t_.writes_memory = use.writes_memory;
  patch_.lay_out();
  memory_.variables(std::move(use.too_large));
  watch_helpers();
  clock_.start();
  flow_.run();
  if (b.reachable() && request_.stage != arch::Stage::kGeometry &&
      request_.stage != arch::Stage::kTessControl)
    outputs_.write();
  outputs_.finish();
  b.remove_trivial_phis();
}

void Translator::instruction(const Word& word) {
  work();
  b.line = word.number;
  clock_.step(word);
  const size_t first = b.ir.insts.size();
  translate(word);
  const bool relaxed = word.result && (request_.relaxed || m_.decoration(word.result).relaxed);
  if (request_.halves && relaxed) mark_halves(word, first);
}

// Marks the instructions appended from `first` on that produce the result of `word` as halves, if it is a
// 32-bit float for which 16 bits suffice. Intermediate values keep full precision.
void Translator::mark_halves(const Word& word, size_t first) {
  const Value* result = values_.find(word.result);
  if (!result || !result->plain()) return;
  const Type& scalar = m_.scalar(word.type);
  if (scalar.kind != TypeKind::kFloat || scalar.bits != 32) return;
  for (const Ref& ref : result->lanes)
    if (ref.is_value() && ref.index >= first && !b.ir.insts[ref.index].phi)
      b.ir.insts[ref.index].half = isa::may_write_halves(b.ir.insts[ref.index].op);
}

void Translator::translate(const Word& word) {
  if (is_annotation(word) || helpers(word) || clock_.translate(word) || memory_.translate(word) ||
      images_.translate(word) || storage_.translate(word) || subgroups_.translate(word))
    return;
  if (emit(word)) return;
  if (word.op == spv::OpCopyObject) {
    const Value* from = values_.find(arg(word, 0));
    if (from && (from->pointer || from->handle)) {
      values_.alias(word.result, *from);
      return;
    }
  }
  const Lanes result = compute(word);
  if (!b.reachable() || m_.type(word.type).kind == TypeKind::kVoid) return;
  if (result.size() != m_.type(word.type).components) invalid(word, "has operands that do not fit its type");
  define(word.result, word.type, result);
}

// True for a load of the built-in HelperInvocation that must be re-evaluated each time.
bool Translator::is_volatile_helper(const Word& word) const {
  if (word.op != spv::OpLoad || word.words.size() < 2) return false;
  return (word.words[1] & spv::MemoryAccessVolatileMask) &&
         m_.decoration(word.words[0]).builtin == spv::BuiltInHelperInvocation;
}

void Translator::watch_helpers() {
  for (const auto& [id, block] : m_.blocks)
    for (const Word& word : block.body)
      if (demoted_ == kNone && (word.op == spv::OpIsHelperInvocationEXT || is_volatile_helper(word)))
        b.write(demoted_ = b.new_slots(1), literal(0));
}

// Demotion of fragments to helpers, and queries for it. Returns false for other instructions.
bool Translator::helpers(const Word& word) {
  if (word.op == spv::OpDemoteToHelperInvocation) {
    b.kill(literal(~0u));
    if (demoted_ != kNone && b.reachable()) b.write(demoted_, literal(~0u));
    return true;
  }
  if (word.op != spv::OpIsHelperInvocationEXT && !is_volatile_helper(word)) return false;
  // None of its samples are covered, or it was demoted.
  const Ref mask{.kind = RefKind::kInput, .lane = 2, .index = arch::kInputFragment};
  define(word.result, word.type,
         b.op2(Opcode::kOr, b.op2(Opcode::kIeq, {mask}, {literal(0)}), {b.read(demoted_)}));
  return true;
}

// Vertices of a geometry program, and ends of its strips. Returns false for other instructions.
bool Translator::emit(const Word& word) {
  const bool vertex = word.op == spv::OpEmitVertex || word.op == spv::OpEmitStreamVertex;
  const bool of_stream = word.op == spv::OpEmitStreamVertex || word.op == spv::OpEndStreamPrimitive;
  if (!vertex && word.op != spv::OpEndPrimitive && word.op != spv::OpEndStreamPrimitive) return false;
  if (request_.stage != arch::Stage::kGeometry) invalid(word, "is allowed only in geometry programs");
  const std::optional<uint32_t> stream = of_stream ? literal_of(arg(word, 0)) : 0;
  if (!stream || *stream >= arch::kStreams) unsupported(word, "of a stream that is not 0 to 3");
  if (!b.reachable()) return true;
  if (vertex) outputs_.write(*stream);
  Inst inst{.op = vertex ? Opcode::kEmit : Opcode::kCut};
  inst.access.slot = static_cast<uint8_t>(*stream);
  b.append(inst);
  return true;
}

// True for instructions that compute nothing: names, source lines, and phis, which are read at the start of a
// block.
bool Translator::is_annotation(const Word& word) const {
  switch (word.op) {
    case spv::OpLine:
    case spv::OpNoLine:
    case spv::OpName:
    case spv::OpPhi:
      return true;
    case spv::OpExtInst:
      return instruction_set(word).starts_with("NonSemantic.");
    default:
      return false;
  }
}

const std::string& Translator::instruction_set(const Word& word) const {
  const auto set = m_.extensions.find(arg(word, 0));
  if (set == m_.extensions.end()) invalid(word, "names no instruction set");
  return set->second;
}

Lanes Translator::compute(const Word& word) {
  switch (word.op) {
    case spv::OpUndef:
      if (m_.type(word.type).components > (1u << 16)) unsupported(word, "is too large");
      return Lanes(m_.type(word.type).components);
    case spv::OpCopyObject:
    case spv::OpCopyLogical:
      return get(arg(word, 0));
    case spv::OpCompositeConstruct:
    case spv::OpCompositeExtract:
    case spv::OpCompositeInsert:
    case spv::OpVectorShuffle:
      return composites_.rearrange(word);
    case spv::OpVectorExtractDynamic:
    case spv::OpVectorInsertDynamic:
      return composites_.vector_dynamic(word);
    case spv::OpExtInst:
      if (instruction_set(word) == "SPV_AMD_shader_trinary_minmax") return glsl_.trinary(word);
      if (instruction_set(word) != "GLSL.std.450")
        unsupported("instruction set {} is not supported", instruction_set(word));
      return Interpolation::is_one(arg(word, 1)) ? interpolation_.translate(word) : glsl_.translate(word);
    case spv::OpFunctionCall:
      return call(word);
    default:
      break;
  }
  Lanes result;
  if (!arithmetic_.translate(word, result)) unsupported(word);
  return result;
}

Lanes Translator::call(const Word& word) {
  const uint32_t callee = arg(word, 0);
  std::vector<Value> arguments;
  for (uint32_t id : word.words.subspan(1)) {
    const Value* found = values_.find(id);
    if (found && (found->pointer || found->handle)) arguments.push_back(*found);
    else arguments.push_back({get(id), values_.type_of(id), b.block(), kNone, {}, {}});
  }
  clock_.call(word);
  Lanes result = flow_.call(callee, arguments);
  clock_.come_back(word);
  return result;
}

}  // namespace cutaway::compiler
