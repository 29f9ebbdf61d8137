#pragma once

#include <cstdint>
#include <map>

#include "arch/packet.h"
#include "messages/work_list.h"

namespace cutaway::boxes {

// Writes a queue's work into the list of work, if one is kept: when each piece begins and ends, and whose
// draw and packet it is. Without a list every piece has the number 0.
class WorkBook {
 public:
  explicit WorkBook(arch::QueueKind queue = arch::QueueKind::kGraphics) : queue_(queue) {}

  void keep(messages::WorkList& list) { list_ = &list; }  // before the first submission
  messages::WorkList* list() const { return list_; }

  // overlaps: draws of earlier submissions are under way, so that the draws' numbers in messages count on.
  void begin_submission(uint64_t id, bool overlaps = false, arch::ContextId context = 0);
  // A suspended submission keeps it.
  struct Standing {
    uint32_t submission = 0, draw = 0, marker = 0;
    arch::ContextId context = 0;
  };
  Standing standing() const { return {origin_.submission, origin_.draw, marker_, context_}; }
  void resume(const Standing& standing);
  void mark(uint32_t marker) { marker_ = marker; }  // MARKER: the annotation of the pieces that follow
  uint32_t next_draw() { return ++origin_.draw; }
  // The draws of a submission count from 1. Messages count those of earlier submissions with which it
  // overlaps before them. Returns the number of a message's draw in its submission.
  uint32_t draw_in_submission(const messages::Origin& origin) const;
  // The origin of messages. Its piece of work is the next one to begin: what is done to prepare it belongs to
  // it.
  // If the other queue begins a piece first, it belongs to that.
  messages::Origin origin() const {
    messages::Origin origin = origin_;
    origin.work = next();
    return origin;
  }
  messages::Origin dispatch_origin() const;  // a dispatch is no draw

  void note_state(messages::DrawState& state);  // a version was made
  // A piece with kind, opcode, draw or groups, and of_driver. Returns its number.
  uint32_t begin(engine::Cycle now, messages::Work work);
  void end(engine::Cycle now, uint32_t number);
  // The piece that the command processor itself works for: the next one, or, while packets wait until caches
  // are flushed or a surface is cleared, that.
  uint32_t current() const { return holds_ ? held_ : next(); }
  // The last piece that packets waited or wait for.
  uint32_t held() const { return held_; }

  // PRESENT hands a surface over. Its piece ends at once, because nothing waits for it, and is prolonged when
  // the picture has been scanned out.
  uint32_t begin_present(engine::Cycle now);
  // A picture that is scanned out and has no piece: the display shows one of before.
  static constexpr uint32_t kUnlisted = ~0u;
  // Adds a piece for the picture that is scanned out, if the list began after it. `piece` is the picture's.
  // Returns true if one was added.
  bool list_scan_out(engine::Cycle now, uint32_t& piece);
  void end_scan_out(engine::Cycle now, uint32_t piece);

 private:
  uint32_t next() const { return list_ ? list_->next() : 0; }

  arch::QueueKind queue_;
  messages::WorkList* list_ = nullptr;
  messages::Origin origin_;                               // without its piece: other queues begin pieces too
  uint32_t draws_before_ = 0;                             // draws of earlier submissions that origin_ counts
  std::map<uint32_t, uint32_t> draws_before_submission_;  // by id, where there are any
  uint32_t marker_ = 0;                                   // the last of the submission
  arch::ContextId context_ = 0;                           // of the submission
  uint32_t held_ = 0;
  bool holds_ = false;  // packets wait for held_
};

}  // namespace cutaway::boxes
