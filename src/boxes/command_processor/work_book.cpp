#include "boxes/command_processor/work_book.h"

#include <algorithm>

namespace cutaway::boxes {

using engine::Cycle;
using messages::Work;

void WorkBook::begin_submission(uint64_t id, bool overlaps, arch::ContextId context) {
  draws_before_ = overlaps ? origin_.draw : 0;
  if (draws_before_) draws_before_submission_[static_cast<uint32_t>(id)] = draws_before_;
  origin_ = {.submission = static_cast<uint32_t>(id), .draw = draws_before_};
  marker_ = 0;
  context_ = context;
}

void WorkBook::resume(const Standing& standing) {
  begin_submission(standing.submission, false, standing.context);
  origin_.draw = standing.draw;
  marker_ = standing.marker;
}

uint32_t WorkBook::draw_in_submission(const messages::Origin& origin) const {
  const auto before = draws_before_submission_.find(origin.submission);
  return before == draws_before_submission_.end() ? origin.draw : origin.draw - before->second;
}

messages::Origin WorkBook::dispatch_origin() const {
  messages::Origin result = origin();
  result.draw = 0;
  return result;
}

void WorkBook::note_state(messages::DrawState& state) {
  if (list_) list_->note_state(state, context_);
}

uint32_t WorkBook::begin(Cycle now, Work work) {
  const bool holds = work.kind == Work::Kind::kControl || work.opcode == arch::Opcode::kClear;
  uint32_t number = 0;
  if (list_) {
    work.origin = work.kind == Work::Kind::kDispatch ? dispatch_origin() : origin();
    work.origin.draw -= std::min(work.origin.draw, draws_before_);
    work.context = context_;
    work.queue = queue_;
    work.marker = marker_;
    number = list_->next();
    list_->begin(work, now);
    holds_ = holds;
  }
  if (holds) held_ = number;
  return number;
}

void WorkBook::end(Cycle now, uint32_t number) {
  if (!list_) return;
  list_->end(number, now);
  holds_ = false;
}

uint32_t WorkBook::begin_present(Cycle now) {
  const uint32_t piece = begin(now, {.kind = Work::Kind::kPresent, .opcode = arch::Opcode::kPresent});
  end(now, piece);
  return piece;
}

bool WorkBook::list_scan_out(Cycle now, uint32_t& piece) {
  if (!list_) return false;
  if (piece != kUnlisted && piece >= list_->first()) return false;
  piece = begin(now, {.kind = Work::Kind::kScanOut});
  end(now, piece);
  return true;
}

void WorkBook::end_scan_out(Cycle now, uint32_t piece) {
  if (list_) list_->prolong(piece, now);
}

}  // namespace cutaway::boxes
