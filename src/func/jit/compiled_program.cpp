#include "func/jit/compiled_program.h"

#include <cstddef>

#include "func/environment_flag.h"
#include "func/jit/alu_emitter.h"
#include "isa/liveness.h"

namespace cutaway::func {
namespace {

constexpr size_t kFirstCodeBytes = 4096;  // the assembler grows it

std::atomic<size_t> code_of_all = 0;

bool interpreter_forced() {
  static const bool forced = environment_flag("CUTAWAY_INTERPRET");
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

jit::LiveWords live_words(const isa::Live& live) {
  jit::LiveWords words(size_t{4} * arch::kTemporaries);
  for (uint32_t n = 0; n < words.size(); ++n) words[n] = live.has_word(n);
  return words;
}

}  // namespace

class CompiledProgram::Code {
 public:
  explicit Code(AluPath path)
      : out_(kFirstCodeBytes, Xbyak::AutoGrow), vectors_(jit::make_vectors(out_, path)) {}
  ~Code() { code_of_all -= counted_; }
  Code(const Code&) = delete;
  Code& operator=(const Code&) = delete;

  uint32_t lanes() const { return vectors_->lanes(); }
  // Compiles `instructions` from pc on. Returns the offset of its function.
  size_t add(const MicroProgram& program, uint32_t pc, uint32_t instructions, bool masked,
             const jit::LiveWords& live);
  // Makes the code executable. False: the process has too much code.
  bool finish();
  Function at(size_t offset) {
    return reinterpret_cast<Function>(const_cast<uint8_t*>(out_.getCode()) + offset);
  }
  size_t bytes() const { return out_.getSize(); }

 private:
  void begin(uint32_t width);

  jit::Assembler out_;
  std::unique_ptr<jit::Vectors> vectors_;
  size_t counted_ = 0;
};

void CompiledProgram::Code::begin(uint32_t width) {
  using namespace jit;
  out_.mov(kInputs, out_.ptr[kRegistersArgument + offsetof(Registers, input)]);
  out_.mov(kTemporaries, out_.ptr[kRegistersArgument + offsetof(Registers, temporary)]);
  out_.mov(kOutputs, out_.ptr[kRegistersArgument + offsetof(Registers, output)]);
  out_.mov(kConstants, out_.ptr[kRegistersArgument + offsetof(Registers, constant)]);
  out_.mov(kPoolAddress, reinterpret_cast<uint64_t>(&kPool));
  out_.mov(kSteps, width / lanes());
}

size_t CompiledProgram::Code::add(const MicroProgram& program, uint32_t pc, uint32_t instructions,
                                  bool masked, const jit::LiveWords& live) {
  using namespace jit;
  const uint32_t step_bytes = lanes() * static_cast<uint32_t>(sizeof(uint32_t));
  out_.align(16);
  const size_t offset = out_.getSize();
  begin(program.width());
  Xbyak::Label next;
  out_.L(next);
  if (masked) vectors_->next_lanes();
  RegisterCache cache(out_, *vectors_, program.width(), masked);
  AluEmitter emitter(out_, *vectors_, cache);
  for (uint32_t n = 0; n < instructions; ++n) emitter.emit(program[pc + n]);
  cache.flush(live);
  for (const auto& base : {kInputs, kTemporaries, kOutputs}) out_.add(base, step_bytes);
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

CompiledProgram::CompiledProgram(AluPath path) : code_(std::make_unique<Code>(path)) {}
CompiledProgram::~CompiledProgram() = default;
size_t CompiledProgram::code_bytes() const { return code_->bytes(); }

std::unique_ptr<const CompiledProgram> CompiledProgram::compile(const MicroProgram& program,
                                                                bool temporaries_end, AluPath path) {
  if (path == AluPath::kBest) path = best_path();
  if (path == AluPath::kPortable || interpreter_forced()) return nullptr;
  struct Offsets {
    uint32_t pc;
    size_t in_all, in_some;
  };
  try {
    std::unique_ptr<CompiledProgram> compiled(new CompiledProgram(path));
    if (program.width() % compiled->code_->lanes() != 0) return nullptr;
    compiled->runs_.resize(program.size());
    const std::vector<isa::Live> live =
        temporaries_end ? isa::live_before(program.instructions()) : std::vector<isa::Live>{};
    std::vector<Offsets> offsets;
    for (uint32_t pc = 0; pc < program.size(); ++pc) {
      const uint32_t instructions = run_length(program, pc);
      if (instructions == 0) continue;
      compiled->runs_[pc].instructions = instructions;
      const uint32_t end = pc + instructions;
      const jit::LiveWords after = temporaries_end ? live_words(live[end]) : jit::LiveWords{};
      offsets.push_back({.pc = pc,
                         .in_all = compiled->code_->add(program, pc, instructions, false, after),
                         .in_some = compiled->code_->add(program, pc, instructions, true, after)});
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
