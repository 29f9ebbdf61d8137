#include "func/shader/micro_program.h"

#include <bit>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "func/environment_flag.h"
#include "func/shader/alu_double.h"
#include "func/shader/alu_tables.h"
#include "func/shader/halves.h"
#include "func/shader/indexed_constants.h"
#include "func/shader/scratch.h"
#include "isa/flow.h"
#include "isa/operands.h"

namespace cutaway::func {
namespace {

constexpr uint32_t kSignBit = 0x80000000;

void drop_result(const MicroOp&, const Registers&, uint32_t, const uint32_t*) {}

MicroSource resolve(const isa::Source& s, isa::OperandType type) {
  MicroSource m;
  m.file = s.file;
  m.half = s.half;
  m.modified = s.absolute || s.negate;
  for (uint32_t c = 0; c < 4; ++c)
    m.component[c] = static_cast<uint16_t>(s.index * 4 + isa::swizzle_component(s.swizzle, c));
  switch (type) {
    case isa::OperandType::kFloat:
      m.clear = s.absolute ? kSignBit : 0;
      m.flip = s.negate ? kSignBit : 0;
      break;
    case isa::OperandType::kInteger:
      m.integer_absolute = s.absolute;
      m.flip = s.negate ? ~0u : 0;
      m.add = s.negate ? 1 : 0;
      break;
    case isa::OperandType::kLogic:
      m.flip = s.negate ? ~0u : 0;
      break;
    case isa::OperandType::kDouble:
      m.flip = s.negate ? kSignBit : 0;  // of the high word
      break;
  }
  return m;
}

// The widest path that the environment allows.
AluPath widest_allowed() {
  if (environment_flag("CUTAWAY_PORTABLE")) return AluPath::kPortable;
  return environment_flag("CUTAWAY_AVX2") ? AluPath::kAvx2 : AluPath::kAvx512;
}

}  // namespace

bool has_path(AluPath path) {
  switch (path) {
    case AluPath::kAvx512:
      return has_path(AluPath::kAvx2) && __builtin_cpu_supports("avx512f") &&
             __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512vl");
    case AluPath::kAvx2:  // processors with both have F16C, too
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    default:
      return true;
  }
}

AluPath best_path() {
  static const AluPath best = [] {
    for (const AluPath path : {AluPath::kAvx512, AluPath::kAvx2})
      if (path <= widest_allowed() && has_path(path)) return path;
    return AluPath::kPortable;
  }();
  return best;
}

const AluFunction* alu_functions(uint32_t width, AluPath path) {
  CUTAWAY_CHECK(width >= 4 && width <= kMaxWidth && std::has_single_bit(width), "a group of {} lanes", width);
  if (path == AluPath::kBest) path = best_path();
  CUTAWAY_CHECK(has_path(path), "the processor lacks an instruction set");
  if (path == AluPath::kPortable) return portable::alu_table();
  if (width == 4) return avx2::alu_table4();
  return path == AluPath::kAvx512 && width > 8 ? avx512::alu_table16() : avx2::alu_table8();
}

// See MicroOp::in_turn.
static bool can_run_in_turn(const MicroOp& m, uint32_t sources) {
  for (uint32_t n = 0; n < sources; ++n) {
    const MicroSource& s = m.src[n];
    if (s.modified) return false;
    if (s.file != isa::File::kTemporary || m.dst_file != isa::File::kTemporary) continue;
    for (uint32_t c = 0; c < 4; ++c) {
      const uint32_t from = s.component[c] % 4;
      if (s.component[c] / 4 == m.dst && from < c && (m.dst_mask >> from & 1)) return false;
    }
  }
  return true;
}

MicroProgram::MicroProgram(std::span<const isa::Instruction> code, uint32_t width, AluPath path,
                           bool stops_at_barriers)
    : width_(width), code_(code.begin(), code.end()), ops_(code.size()) {
  std::vector<uint16_t> targets;
  size_t where = 0;
  std::string error;
  CUTAWAY_CHECK(isa::flow_targets(code_, targets, where, error), "instruction {}: {}", where, error);
  const AluFunction* functions = alu_functions(width, path);
  for (size_t pc = 0; pc < code_.size(); ++pc) {
    const isa::Instruction& i = code_[pc];
    MicroOp& m = ops_[pc];
    m.op = i.op;
    m.op_class = isa::info(i.op).op_class;
    m.dst_file = i.dst.file;
    m.dst_mask = isa::is_store(i.op) || i.dst.file != isa::File::kNone ? i.dst.mask : uint8_t{0};
    m.dst = i.dst.index;
    m.dst_half = i.dst.half;
    m.saturate = i.dst.saturate;
    m.target = targets[pc];
    m.execute = i.dst.file == isa::File::kNone ? drop_result
                : isa::is_double(i.op)         ? double_function(i.op)
                                               : functions[static_cast<uint32_t>(i.op)];
    if (i.op == isa::Opcode::kBarrier && stops_at_barriers) m.op_class = isa::OpClass::kMemory;
    if (i.op == isa::Opcode::kMemoryBarrier) m.op_class = isa::OpClass::kMemory;
    if (isa::is_scratch(i.op)) {
      m.op_class = isa::OpClass::kSimd;  // executes like kSimd
      m.execute = i.op == isa::Opcode::kSts ? store_scratch : load_scratch;
    }
    if (isa::has_window(i.op)) {
      m.window = i.access.window;
      if (i.dst.file != isa::File::kNone) m.execute = load_constant;
    }
    bool halves = m.dst_half != isa::Half::kNone;
    for (uint32_t n = 0; n < isa::source_count(i); ++n) {
      halves |= i.src[n].half != isa::Half::kNone;
      m.src[n] = resolve(i.src[n], isa::source_type(i.op, n));
      m.src[n].read = m.op_class == isa::OpClass::kTexture ? uint8_t{15} : isa::components_read(i, n);
    }
    if (halves) m.of_words = std::exchange(m.execute, execute_with_halves);
    m.in_turn = !halves && can_run_in_turn(m, isa::source_count(i));
  }
  // All lanes of a LOOP may break or continue: they then continue at its NEXT.
  std::vector<size_t> loops;
  for (size_t pc = 0; pc < code_.size(); ++pc) {
    if (code_[pc].op == isa::Opcode::kLoop) loops.push_back(pc);
    if (code_[pc].op == isa::Opcode::kNext) ops_[loops.back()].next = static_cast<uint16_t>(pc);
    if (code_[pc].op == isa::Opcode::kEndLoop) loops.pop_back();
  }
}

namespace {

// Reads `count` lanes of source n from `first` on into values[4][count].
inline void read_lanes(const MicroOp& op, uint32_t n, const Registers& registers, uint32_t width,
                       uint32_t first, uint32_t count, uint32_t* values) {
  const MicroSource& s = op.src[n];
  for (uint32_t c = 0; c < 4; ++c, values += count) {
    if (s.file == isa::File::kConstant) {
      std::fill_n(values, count, registers.constant[s.component[c]]);
    } else {
      const uint32_t* file = s.file == isa::File::kInput ? registers.input : registers.temporary;
      std::memcpy(values, file + s.component[c] * width + first, count * sizeof(uint32_t));
      if (s.half != isa::Half::kNone) read_halves(s.half, count, values);
    }
    if (!s.modified) continue;
    for (uint32_t lane = 0; lane < count; ++lane) {
      uint32_t v = values[lane];
      if (s.integer_absolute && v & kSignBit) v = 0 - v;
      values[lane] = ((v & ~s.clear) ^ s.flip) + s.add;
    }
  }
}

}  // namespace

void read_source(const MicroOp& op, uint32_t n, const Registers& registers, uint32_t width,
                 uint32_t* values) {
  read_lanes(op, n, registers, width, 0, width, values);
}

void read_source_quad(const MicroOp& op, uint32_t n, const Registers& registers, uint32_t width,
                      uint32_t quad, uint32_t (&values)[4][4]) {
  read_lanes(op, n, registers, width, 4 * quad, 4, values[0]);
}

void write_result(const MicroOp& op, const Registers& registers, uint32_t width, uint64_t lanes,
                  const uint32_t* values) {
  if (op.dst_file == isa::File::kNone) return;
  uint32_t* file = op.dst_file == isa::File::kTemporary ? registers.temporary : registers.output;
  for (uint32_t c = 0; c < 4; ++c, values += width) {
    if (!(op.dst_mask >> c & 1)) continue;
    uint32_t* out = file + register_word(width, op.dst, c, 0);
    if (op.dst_half != isa::Half::kNone) {
      write_halves(op, width, lanes, values, out);
      continue;
    }
    if (!op.saturate && lanes == ~uint64_t{0}) {
      std::memcpy(out, values, width * sizeof *out);
      continue;
    }
    for (uint32_t lane = 0; lane < width; ++lane)
      if (lanes >> lane & 1) out[lane] = op.saturate ? saturated(values[lane]) : values[lane];
  }
}

void write_result_quad(const MicroOp& op, const Registers& registers, uint32_t width, uint32_t quad,
                       uint32_t lanes, const uint32_t (&values)[4][4]) {
  if (op.dst_file == isa::File::kNone) return;
  uint32_t* file = op.dst_file == isa::File::kTemporary ? registers.temporary : registers.output;
  for (uint32_t c = 0; c < 4; ++c) {
    if (!(op.dst_mask >> c & 1)) continue;
    uint32_t* out = file + register_word(width, op.dst, c, 4 * quad);
    if (op.dst_half != isa::Half::kNone) {
      write_halves(op, 4, lanes, values[c], out);
      continue;
    }
    if (!op.saturate && lanes == 15) {
      std::memcpy(out, values[c], sizeof values[c]);
      continue;
    }
    for (uint32_t lane = 0; lane < 4; ++lane)
      if (lanes >> lane & 1) out[lane] = op.saturate ? saturated(values[c][lane]) : values[c][lane];
  }
}

}  // namespace cutaway::func
