#include "isa/testing/random_program.h"

#include "base/error.h"
#include "isa/flow.h"
#include "isa/operands.h"
#include "isa/validate.h"

namespace cutaway::isa {
namespace {

uint32_t below(std::mt19937& random, uint32_t n) { return random() % n; }

Source random_source(std::mt19937& random, uint32_t temporaries, OperandType type, bool halves) {
  Source s;
  switch (below(random, 4)) {
    case 0:
      s = {.file = File::kInput, .index = static_cast<uint16_t>(below(random, arch::kShaderInputs))};
      break;
    case 1:
      s = {.file = File::kConstant, .index = static_cast<uint16_t>(below(random, arch::kConstants))};
      break;
    default:
      s = {.file = File::kTemporary, .index = static_cast<uint16_t>(below(random, temporaries))};
  }
  if (s.file == File::kTemporary && halves)
    s.half = static_cast<Half>(below(random, 4) ? 0 : 1 + below(random, 2));
  if (below(random, 2)) s.swizzle = static_cast<uint8_t>(below(random, 256));
  s.negate = below(random, 4) == 0;
  s.absolute = below(random, 4) == 0 && type != OperandType::kLogic && type != OperandType::kDouble;
  return s;
}

void random_access(std::mt19937& random, Instruction& i) {
  Access& a = i.access;
  if (has_resource(i.op)) a.resource = static_cast<uint8_t>(below(random, arch::kResources));
  if (has_sampler(i.op)) a.sampler = static_cast<uint8_t>(below(random, arch::kSamplers));
  if (has_dim(i.op)) a.dim = static_cast<TextureDim>(below(random, 9));
  if (may_compare(i.op)) a.shadow = below(random, 3) == 0;
  if (i.op == Opcode::kTxg) a.gather = static_cast<uint8_t>(below(random, 4));
  if (is_atomic(i.op)) a.atomic = static_cast<AtomicOp>(below(random, kAtomicOps));
  if (has_slot(i.op)) a.slot = static_cast<uint8_t>(below(random, slots(i.op)));
  if (has_size(i.op)) a.size = static_cast<StoreSize>(below(random, kStoreSizes));
  if (may_be_cached(i.op)) a.cached = below(random, 2);
  if (has_window(i.op)) {
    a.window.first = static_cast<uint16_t>(below(random, arch::kConstants));
    a.window.count = static_cast<uint16_t>(1 + below(random, arch::kConstants - a.window.first));
  }
  if (is_barrier(i.op)) a.fence = static_cast<uint8_t>(below(random, 4));
  if (has_offset(i.op) && below(random, 2))
    for (int8_t& offset : a.offset) offset = static_cast<int8_t>(static_cast<int>(below(random, 16)) - 8);
}

Instruction random_candidate(std::mt19937& random, Opcode op, uint32_t temporaries) {
  Instruction i;
  i.op = op;
  if (has_mask(op)) i.dst.mask = static_cast<uint8_t>(1 + below(random, 15));
  if (has_result(op)) {
    const uint32_t kind = below(random, 16);
    i.dst.file = kind == 0 ? File::kNone : kind < 4 ? File::kOutput : File::kTemporary;
    if (i.dst.file != File::kNone)
      i.dst.index = static_cast<uint8_t>(
          below(random, i.dst.file == File::kOutput ? arch::kShaderOutputs : temporaries));
    i.dst.saturate = may_saturate(op) && below(random, 4) == 0;
    if (i.dst.file == File::kTemporary && may_write_halves(op) && below(random, 4) == 0)
      i.dst.half = below(random, 2) ? Half::kHigh : Half::kLow;
  }
  random_access(random, i);
  for (uint32_t n = 0; n < source_count(i); ++n)
    i.src[n] = random_source(random, temporaries, source_type(op, n), may_read_halves(op, n));
  if (has_target(op)) i.target = static_cast<uint16_t>(random());
  return i;
}

Instruction random_with(std::mt19937& random, Opcode op, uint32_t temporaries) {
  std::string error;
  for (;;) {
    const Instruction i = random_candidate(random, op, temporaries);
    if (valid(i, error)) return i;
  }
}

// Writes a program construct by construct. The last temporaries, one per level, are loop counters: their
// component x counts down from a constant, and nothing else writes them.
class Writer {
 public:
  Writer(std::mt19937& random, const RandomProgramOptions& options) : random_(random), options_(options) {
    CUTAWAY_CHECK(options.temporaries > options.depth, "a loop counter per level and one to work with");
    free_ = options.temporaries - options.depth;
  }

  std::vector<Instruction> write() {
    while (code_.size() < options_.length) block(0, false);
    code_.push_back({.op = Opcode::kEnd});
    // A function that is called with at most n open constructs must not change their loop counters.
    std::vector<size_t> starts{0};
    for (function_ = 1; function_ <= functions_; ++function_) {
      starts.push_back(code_.size());
      block(function_, false);
      code_.push_back({.op = Opcode::kReturn});
    }
    for (const auto& [instruction, function] : calls_)
      code_[instruction].target = static_cast<uint16_t>(starts[function]);
    link_flow(code_);
    return code_;
  }

 private:
  void block(uint32_t level, bool in_loop) {
    const uint32_t n = 1 + below(random_, 6);
    for (uint32_t k = 0; k < n && code_.size() < 4 * options_.length; ++k) {
      const uint32_t kind = below(random_, 16);
      if (kind < 2 && level < options_.depth) write_if(level, in_loop);
      else if (kind == 2 && level < options_.depth) write_loop(level);
      else if (kind == 4 && level < options_.depth) write_call(level);
      else if (kind == 3 && in_loop)
        code_.push_back(random_with(random_, below(random_, 2) ? Opcode::kBreak : Opcode::kContinue, free_));
      else straight();
    }
  }

  void straight() {
    for (;;) {
      const Opcode op = static_cast<Opcode>(below(random_, kOpcodes));
      const OpClass c = info(op).op_class;
      if (c == OpClass::kFlow && op != Opcode::kNop && !is_barrier(op) && op != Opcode::kKill) continue;
      if (op == Opcode::kKill && (!options_.kills || below(random_, 4))) continue;
      const bool memory = c == OpClass::kTexture || c == OpClass::kMemory || op == Opcode::kMemoryBarrier;
      if (!options_.texture_and_memory && memory) continue;
      code_.push_back(random_with(random_, op, free_));
      return;
    }
  }

  void write_if(uint32_t level, bool in_loop) {
    code_.push_back(random_with(random_, Opcode::kIf, free_));
    block(level + 1, in_loop);
    if (below(random_, 2)) {
      code_.push_back({.op = Opcode::kElse});
      block(level + 1, in_loop);
    }
    code_.push_back({.op = Opcode::kEndif});
  }

  // Calls the first function whose counters are free here, or a later one.
  void write_call(uint32_t level) {
    const uint32_t first = std::max(function_, level) + 1;
    if (first > std::min(options_.depth, kCallDepth)) return;
    const uint32_t function = first + below(random_, std::min(options_.depth, kCallDepth) - first + 1);
    functions_ = std::max(functions_, function);
    calls_.emplace_back(code_.size(), function);
    code_.push_back({.op = Opcode::kCall});
  }

  void write_loop(uint32_t level) {
    const auto counter = static_cast<uint16_t>(free_ + level);
    const Source count{.file = File::kTemporary, .index = counter, .swizzle = 0};
    const Destination to_count{.file = File::kTemporary, .index = static_cast<uint8_t>(counter), .mask = 1};
    const auto c0 = [](uint32_t c) {
      return Source{.file = File::kConstant, .swizzle = static_cast<uint8_t>(c * 0x55)};
    };
    const Source start{.file = File::kTemporary, .index = static_cast<uint16_t>(below(random_, free_))};
    code_.push_back({.op = Opcode::kAnd, .dst = to_count, .src = {start, c0(0)}});
    code_.push_back({.op = Opcode::kLoop});
    block(level + 1, true);
    code_.push_back({.op = Opcode::kNext});
    if (below(random_, 2)) straight();
    Source minus_one = c0(1);
    minus_one.negate = true;
    code_.push_back({.op = Opcode::kIadd, .dst = to_count, .src = {count, minus_one}});
    const Destination to_over{.file = File::kTemporary, .index = to_count.index, .mask = 2};
    const Source over{.file = File::kTemporary, .index = counter, .swizzle = 0x55};
    code_.push_back({.op = Opcode::kIlt, .dst = to_over, .src = {count, c0(2)}});
    code_.push_back({.op = Opcode::kBreak, .src = {over}});
    code_.push_back({.op = Opcode::kEndLoop});
  }

  std::mt19937& random_;
  const RandomProgramOptions& options_;
  uint32_t free_ = 0;
  uint32_t function_ = 0, functions_ = 0;           // the current function; the number of called functions
  std::vector<std::pair<size_t, uint32_t>> calls_;  // CALL, and its function
  std::vector<Instruction> code_;
};

}  // namespace

Instruction random_instruction(std::mt19937& random, uint32_t temporaries) {
  return random_with(random, static_cast<Opcode>(below(random, kOpcodes)), temporaries);
}

std::vector<Instruction> random_program(std::mt19937& random, const RandomProgramOptions& options) {
  return Writer(random, options).write();
}

}  // namespace cutaway::isa
