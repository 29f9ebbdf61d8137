#include "func/shader/thread_group.h"

#include <algorithm>
#include <emmintrin.h>

#include "base/error.h"
#include "func/jit/compiled_program.h"

namespace cutaway::func {
namespace {

// All lanes of the quads that have a lane in `mask`.
uint64_t whole_quads(uint64_t mask) {
  const uint64_t first = (mask | mask >> 1 | mask >> 2 | mask >> 3) & 0x1111111111111111;
  return first * 15;
}

}  // namespace

void ThreadGroup::start(uint32_t width, uint64_t lanes, uint64_t helpers, uint64_t limit) {
  CUTAWAY_CHECK((lanes & helpers) == 0 && (width == 64 || (lanes | helpers) >> width == 0));
  width_ = width;
  pc_ = depth_ = calls_ = 0;
  lanes_ = lanes;
  helpers_ = helpers;
  executed_ = 0;
  limit_ = limit;
  runaway_ = false;
  alive_ = live_ = running_ = (lanes | helpers) & whole_quads(lanes);
  done_ = alive_ == 0;
  set_active(alive_);
}

Place ThreadGroup::place() const {
  Place place;
  std::copy_n(call_.begin(), calls_, place.pc.begin());
  place.pc[calls_] = static_cast<uint16_t>(pc_);
  return place;
}

void ThreadGroup::fill_lane_mask() const {
  const __m128i bit = _mm_setr_epi32(1, 2, 4, 8);
  for (uint32_t lane = 0; lane < width_; lane += 4) {
    const __m128i own = _mm_and_si128(_mm_set1_epi32(static_cast<int>(active_ >> lane & 15)), bit);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(&lane_mask_[lane]), _mm_cmpeq_epi32(own, bit));
  }
  lane_mask_ready_ = true;
}

// QVOTE: each lane gets one bit per lane of its quad that votes and has a nonzero word. Helpers vote only if
// no real lane of their quad executes, because loops that end by votes would otherwise not end. QREAD: the
// value of the lane that src1 selects, 0 if that lane does not execute.
void ThreadGroup::of_quad(const MicroOp& op, const Registers& registers) {
  uint32_t values[size_t{4} * kMaxWidth], numbers[size_t{4} * kMaxWidth], result[size_t{4} * kMaxWidth];
  const bool reads = op.op == isa::Opcode::kQuadRead;
  read_source(op, 0, registers, width_, values);
  if (reads) read_source(op, 1, registers, width_, numbers);
  const uint64_t voters = storing() | (active_ & ~whole_quads(storing()));
  for (uint32_t c = 0; c < 4; ++c) {
    const uint32_t* of_lane = values + size_t{c} * width_;
    uint64_t votes = 0;
    for (uint32_t lane = 0; lane < width_; ++lane) votes |= static_cast<uint64_t>(of_lane[lane] != 0) << lane;
    votes &= voters;
    for (uint32_t lane = 0; lane < width_; ++lane) {
      const uint32_t first = lane & ~3u, at = c * width_ + lane;
      const uint32_t from = reads ? first | (numbers[at] & 3) : 0;
      if (reads) result[at] = active_ >> from & 1 ? of_lane[from] : 0;
      else result[at] = static_cast<uint32_t>(votes >> first & 15);
    }
  }
  write_result(op, registers, width_, active_, result);
  advance();
}

// No lane is active: continues at the innermost construct with waiting lanes, and closes constructs that no
// lane will return to.
void ThreadGroup::find_work() {
  while (depth_ > 0) {
    const Construct& top = construct_[depth_ - 1];
    if (top.loop || (top.saved & live_)) {
      pc_ = top.skip;
      calls_ = top.calls;
      return;
    }
    --depth_;
  }
  done_ = true;
}

uint64_t ThreadGroup::condition(const MicroOp& op, const Registers& registers) const {
  const MicroSource& s = op.src[0];
  if (s.file == isa::File::kConstant) return (registers.constant[s.component[0]] ^ s.flip) != 0 ? active_ : 0;
  const uint32_t* words =
      (s.file == isa::File::kInput ? registers.input : registers.temporary) + s.component[0] * width_;
  const __m128i flip = _mm_set1_epi32(static_cast<int>(s.flip));
  uint64_t zero = 0;
  for (uint32_t lane = 0; lane < width_; lane += 4) {
    const __m128i four = _mm_loadu_si128(reinterpret_cast<const __m128i*>(words + lane));
    const int equal = _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(four, flip)));
    zero |= static_cast<uint64_t>(static_cast<uint32_t>(equal)) << lane;
  }
  return active_ & ~zero;
}

void ThreadGroup::kill(uint64_t mask) {
  helpers_ |= mask;
  alive_ &= whole_quads(lanes_ & ~helpers_);
  live_ &= alive_;
  running_ &= alive_;
  set_active(active_ & alive_);
  if (alive_ == 0) done_ = true;
}

void ThreadGroup::end_loop(const MicroOp& op) {
  if (running_) {
    pc_ = op.target;
    live_ = running_;
    set_active(running_);
    construct_[depth_ - 1].skip = construct_[depth_ - 1].next;
    if (executed_ >= limit_) runaway_ = true;
    return;
  }
  const Construct& loop = construct_[--depth_];
  live_ = loop.outer_live & alive_;
  running_ = loop.outer_running & alive_;
  set_active(loop.saved & alive_);
}

void ThreadGroup::flow(const MicroOp& op, const Registers& registers) {
  using enum isa::Opcode;
  ++executed_;
  ++pc_;
  switch (op.op) {
    case kIf: {
      const uint64_t taken = condition(op, registers);
      construct_[depth_++] = {
          .saved = active_, .otherwise = active_ & ~taken, .skip = op.target, .calls = calls_};
      set_active(taken);
      break;
    }
    case kElse: {
      Construct& top = construct_[depth_ - 1];
      top.skip = op.target;
      set_active(top.otherwise & live_);
      break;
    }
    case kEndif:
      set_active(construct_[--depth_].saved & live_);
      break;
    case kLoop:
      construct_[depth_++] = {.saved = active_,
                              .outer_live = live_,
                              .outer_running = running_,
                              .skip = op.next,
                              .next = op.next,
                              .end = op.target,
                              .loop = true,
                              .calls = calls_};
      live_ = running_ = active_;
      break;
    case kBreak:
    case kContinue: {
      const uint64_t leaving = condition(op, registers);
      live_ &= ~leaving;
      if (op.op == kBreak) running_ &= ~leaving;
      set_active(active_ & ~leaving);
      break;
    }
    case kNext:
      construct_[depth_ - 1].skip = construct_[depth_ - 1].end;
      live_ = running_;
      set_active(running_);
      break;
    case kEndLoop:
      end_loop(op);
      break;
    case kKill:
      kill(condition(op, registers));
      break;
    case kCall:
      call_[calls_++] = static_cast<uint16_t>(pc_ - 1);
      pc_ = op.target;
      if (executed_ >= limit_) runaway_ = true;
      return;
    case kReturn:
      pc_ = call_[--calls_] + 1u;
      return;
    case kEnd:
      set_active(0);
      done_ = true;
      return;
    default:
      return;
  }
  if (active_ == 0 && !done_) find_work();
}

Need run(const MicroProgram& program, ThreadGroup& group, const Registers& registers,
         const CompiledProgram* compiled) {
  for (;;) {
    if (const Need what = need(program, group); what != Need::kStep) return what;
    if (compiled) {
      const CompiledProgram::Run& run = (*compiled)[group.pc()];
      if (run.instructions > 0) {
        if (group.all_on()) run.execute(registers);
        else run.execute_in(registers, group.active());
        group.advance(run.instructions);
        continue;
      }
    }
    step(program, group, registers);
  }
}

}  // namespace cutaway::func
