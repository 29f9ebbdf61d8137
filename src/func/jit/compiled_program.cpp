#include "func/jit/compiled_program.h"

#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "func/jit/alu_emitter.h"

namespace cutaway::func {
namespace {

constexpr uint32_t kStepLanes = 16;
constexpr size_t kFirstCodeBytes = 4096;  // the assembler grows it

std::atomic<size_t> code_of_all = 0;

bool interpreter_forced() {
  static const bool forced = [] {
    const char* value = std::getenv("CUTAWAY_INTERPRET");
    return value && *value && std::strcmp(value, "0") != 0;
  }();
  return forced;
}

// Instructions from pc on that can be compiled, up to the next one that jumps may reach.
uint32_t run_length(const MicroProgram& program, uint32_t pc) {
  uint32_t end = pc;
  while (end < program.size() && program[end].op_class != isa::OpClass::kFlow &&
         jit::can_compile(program[end]))
    ++end;
  return end - pc;
}

bool is_straight(const MicroProgram& program) {
  for (uint32_t pc = 0; pc < program.size(); ++pc) {
    const isa::Opcode op = program[pc].op;
    if (program[pc].op_class == isa::OpClass::kFlow && op != isa::Opcode::kKill && op != isa::Opcode::kEnd &&
        op != isa::Opcode::kNop)
      return false;
  }
  return true;
}

// Marks the temporaries that an instruction reads as live, and those that it writes in all lanes as dead.
void step_back(const MicroOp& op, jit::LiveWords& live) {
  if (op.dst_file == isa::File::kTemporary && op.dst_half == isa::Half::kNone)
    for (uint32_t c = 0; c < 4; ++c)
      if (op.dst_mask >> c & 1) live[size_t{op.dst} * 4 + c] = false;
  for (const MicroSource& s : op.src)
    if (s.file == isa::File::kTemporary)
      for (const uint16_t component : s.component) live[component] = true;
}

// By pc: the temporaries that are live before the instruction. Empty unless the program is straight.
std::vector<jit::LiveWords> live_before(const MicroProgram& program) {
  std::vector<jit::LiveWords> live(program.size() + 1, jit::LiveWords(size_t{4} * arch::kTemporaries));
  for (uint32_t pc = program.size(); pc-- > 0;) {
    live[pc] = live[pc + 1];
    step_back(program[pc], live[pc]);
  }
  return live;
}

}  // namespace

class CompiledProgram::Code {
 public:
  Code() : out_(kFirstCodeBytes, Xbyak::AutoGrow) {}
  ~Code() { code_of_all -= counted_; }
  Code(const Code&) = delete;
  Code& operator=(const Code&) = delete;

  // Compiles `instructions` from pc on. Returns the offset of its function.
  size_t add(const MicroProgram& program, uint32_t pc, uint32_t instructions, bool masked,
             const jit::LiveWords& live);
  // Makes the code executable. False: the process has too much code.
  bool finish();
  Function at(size_t offset) const { return reinterpret_cast<Function>(out_.getCode() + offset); }
  size_t bytes() const { return out_.getSize(); }

 private:
  void begin(uint32_t width);

  jit::Assembler out_;
  size_t counted_ = 0;
};

void CompiledProgram::Code::begin(uint32_t width) {
  using namespace jit;
  out_.mov(kInputs, out_.ptr[kRegistersArgument + offsetof(Registers, input)]);
  out_.mov(kTemporaries, out_.ptr[kRegistersArgument + offsetof(Registers, temporary)]);
  out_.mov(kOutputs, out_.ptr[kRegistersArgument + offsetof(Registers, output)]);
  out_.mov(kConstants, out_.ptr[kRegistersArgument + offsetof(Registers, constant)]);
  out_.mov(kPoolAddress, reinterpret_cast<uint64_t>(&kPool));
  out_.vpxord(kZero, kZero, kZero);
  out_.vbroadcastss(kOne, out_.ptr[kPoolAddress + offsetof(Pool, one)]);
  out_.vbroadcastss(kNan, out_.ptr[kPoolAddress + offsetof(Pool, nan)]);
  out_.mov(kSteps, width / kStepLanes);
}

size_t CompiledProgram::Code::add(const MicroProgram& program, uint32_t pc, uint32_t instructions,
                                  bool masked, const jit::LiveWords& live) {
  using namespace jit;
  constexpr uint32_t kStepBytes = kStepLanes * sizeof(uint32_t);
  out_.align(16);
  const size_t offset = out_.getSize();
  begin(program.width());
  Xbyak::Label next;
  out_.L(next);
  if (masked) {
    out_.vmovups(Zmm(0), out_.ptr[kMaskArgument]);
    out_.vpmovd2m(kLaneMask, Zmm(0));
    out_.add(kMaskArgument, kStepBytes);
  }
  RegisterCache cache(out_, program.width(), masked);
  AluEmitter emitter(out_, cache);
  for (uint32_t n = 0; n < instructions; ++n) emitter.emit(program[pc + n]);
  cache.flush(live);
  for (const auto& base : {kInputs, kTemporaries, kOutputs}) out_.add(base, kStepBytes);
  out_.dec(kSteps);
  out_.jnz(next, Assembler::T_NEAR);
  out_.vzeroupper();
  out_.ret();
  return offset;
}

bool CompiledProgram::Code::finish() {
  const size_t bytes = out_.getSize();
  if (code_of_all.fetch_add(bytes) + bytes > kMaxCode) {
    code_of_all -= bytes;
    return false;
  }
  counted_ = bytes;
  out_.readyRE();
  return true;
}

CompiledProgram::CompiledProgram() : code_(std::make_unique<Code>()) {}
CompiledProgram::~CompiledProgram() = default;
size_t CompiledProgram::code_bytes() const { return code_->bytes(); }

std::unique_ptr<const CompiledProgram> CompiledProgram::compile(const MicroProgram& program,
                                                                bool temporaries_end) {
  if (best_path() != AluPath::kAvx512 || interpreter_forced() || program.width() % kStepLanes != 0)
    return nullptr;
  struct Offsets {
    uint32_t pc;
    size_t in_all, in_some;
  };
  try {
    std::unique_ptr<CompiledProgram> compiled(new CompiledProgram);
    compiled->runs_.resize(program.size());
    const bool straight = temporaries_end && is_straight(program);
    const std::vector<jit::LiveWords> live = straight ? live_before(program) : std::vector<jit::LiveWords>{};
    std::vector<Offsets> offsets;
    for (uint32_t pc = 0; pc < program.size(); ++pc) {
      const uint32_t instructions = run_length(program, pc);
      if (instructions == 0) continue;
      compiled->runs_[pc].instructions = instructions;
      const uint32_t end = pc + instructions;
      offsets.push_back({.pc = pc,
                         .in_all = compiled->code_->add(program, pc, instructions, false,
                                                        straight ? live[end] : jit::LiveWords{}),
                         .in_some = compiled->code_->add(program, pc, instructions, true, {})});
      pc = end;
    }
    if (offsets.empty() || !compiled->code_->finish()) return nullptr;
    for (const Offsets& of : offsets) {
      compiled->runs_[of.pc].in_all_lanes = compiled->code_->at(of.in_all);
      compiled->runs_[of.pc].in_some_lanes = compiled->code_->at(of.in_some);
    }
    return compiled;
  } catch (const Xbyak::Error&) { return nullptr; }
}

const CompiledProgram* CompileWhenHot::count_group(const MicroProgram& program) const {
  if (groups_.fetch_add(1, std::memory_order_relaxed) + 1 != kHotGroups) return nullptr;
  compiled_ = CompiledProgram::compile(program, true);
  tried_.store(true, std::memory_order_release);
  return compiled_.get();
}

}  // namespace cutaway::func
