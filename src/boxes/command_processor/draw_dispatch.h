#pragma once

#include <algorithm>
#include <cstdint>

#include "arch/gpu.h"
#include "base/field.h"
#include "command_stream/draw.h"
#include "command_stream/legal.h"
#include "structures/draw_batches.h"

namespace cutaway::boxes {

// The stages that a draw with these registers runs.
inline EnumSet<arch::Stage> drawing_stages(const arch::Registers& registers) {
  EnumSet<arch::Stage> stages = {arch::Stage::kVertex, arch::Stage::kFragment};
  for (const arch::Stage stage :
       {arch::Stage::kTessControl, arch::Stage::kTessEvaluation, arch::Stage::kGeometry})
    if (command_stream::is_on(registers, stage)) stages.add(stage);
  return stages;
}

// The draw or dispatch that leaves next: how far it is prepared, which front ends get it, and its number.
class DrawDispatch {
 public:
  explicit DrawDispatch(const structures::FrontEnds& front_ends,
                        arch::QueueKind queue = arch::QueueKind::kGraphics)
      : front_ends_(front_ends),
        first_dispatch_(queue == arch::QueueKind::kGraphics ? kFirstDispatch : kFirstOfComputeQueue) {}

  void begin_submission() {
    step_ = Step::kJudge;
    dispatches_ = 0;
  }

  // The steps of its preparation, in this order. step() comes next.
  enum class Step : uint8_t { kJudge, kSendPrograms, kLeave };
  Step step() const { return step_; }
  void judged() { step_ = Step::kSendPrograms; }
  void programs_sent() { step_ = Step::kLeave; }

  // Front ends take the batches of a draw in turn; the draw after it begins with the next front end.
  struct Share {
    uint32_t batches = 0;
    uint32_t front_ends = 0;  // that have a batch: they get the draw in one cycle
  };
  Share share(const command_stream::Draw& draw, const arch::Registers& registers) const {
    const uint32_t batches = structures::DrawBatches(draw, registers, front_ends_).count();
    return {batches, std::min(batches, front_ends_.units)};
  }
  size_t front_end_of(uint32_t batch) const { return (first_ + batch) % front_ends_.units; }
  // Messages that tell of assembled batches before the draw has ended.
  uint32_t assemblies(const Share& share) const { return share.batches * front_ends_.reporters; }
  void draw_left(const Share& share) {
    first_ = static_cast<uint32_t>(front_end_of(share.batches));
    step_ = Step::kJudge;
  }

  // The number of the dispatch that leaves now: no draw has it, and none of the other queue.
  uint32_t dispatch_left() {
    step_ = Step::kJudge;
    return first_dispatch_ + dispatches_++;
  }
  uint32_t dispatches() const { return dispatches_; }  // that have left in the submission

 private:
  static constexpr uint32_t kFirstDispatch = 2u << 30, kFirstOfComputeQueue = 3u << 30;

  structures::FrontEnds front_ends_;
  uint32_t first_dispatch_;
  uint32_t first_ = 0;  // the front end with the first batch of the next draw
  Step step_ = Step::kJudge;
  uint32_t dispatches_ = 0;
};

}  // namespace cutaway::boxes
