#pragma once

#include <array>
#include <cstdint>

#include "arch/gpu.h"
#include "arch/packet.h"

namespace cutaway::command_stream {

// Address of the next word of a submission's commands, through calls and returns.
class CommandCursor {
 public:
  void start(const arch::Submission& submission) {
    frame_[0] = {submission.commands, submission.words};
    depth_ = 0;
  }
  // leave_ended() also leaves called commands without words.
  void call(const arch::CallPacket& packet) { frame_[++depth_] = {packet.address, packet.words}; }
  // Returns from commands without remaining words. Returns true if the next word's address changed.
  bool leave_ended() {
    const uint32_t from = depth_;
    while (depth_ && frame_[depth_].words == 0) depth_--;
    return depth_ != from;
  }
  void take(uint64_t words) { frame_[depth_].next += words * 4, frame_[depth_].words -= words; }

  arch::Address next() const { return frame_[depth_].next; }
  uint64_t words_left() const { return frame_[depth_].words; }  // in the commands of the next word
  uint32_t depth() const { return depth_; }                     // call depth
  bool ended() const { return depth_ == 0 && frame_[0].words == 0; }

 private:
  struct Frame {
    arch::Address next = 0;
    uint64_t words = 0;
  };
  std::array<Frame, 1 + arch::kCallDepth> frame_{};
  uint32_t depth_ = 0;
};

}  // namespace cutaway::command_stream
