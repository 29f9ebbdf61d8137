#pragma once

#include <set>
#include <vector>

#include "icd/command/command_buffer_base.h"
#include "icd/command/driver_draws.h"
#include "icd/command/pass_recorder.h"
#include "icd/command/recorded_packets.h"
#include "icd/debug/group_follower.h"
#include "icd/stream/dispatch_state.h"
#include "icd/stream/draw_state.h"

namespace cutaway::icd {

// Records commands into packets as they come:
//
//   CommandStream    packets, and the state that the machine has behind them
//   DrawState, DispatchState   state that the application has set
//   PassRecorder     the render pass under way
//   DriverDraws      clears, resolves and blits
//   RecordedPackets  the finished packets, in parts, with their labels
//
// Entry points are in command_buffer.cpp (life), command_draw.cpp, command_multi_draw.cpp,
// command_dynamic.cpp, command_push.cpp, command_dispatch.cpp, command_pass.cpp (render passes, clears),
// command_copy.cpp, command_blit.cpp, command_sync.cpp, command_query.cpp, command_feedback.cpp and
// command_label.cpp.
class CommandBuffer : public CommandBufferBase {
 public:
  CommandBuffer(Device& device, arch::QueueKind queue, VkCommandBufferLevel level)
      : device_(device),
        queue_(queue),
        stream_(device),
        driver_(stream_, draws_, device),
        pass_(device, stream_, draws_, driver_),
        packets_(device) {
    secondary = level == VK_COMMAND_BUFFER_LEVEL_SECONDARY;
  }

  void begin();
  VkResult end();
  void reset(bool release);
  void execute(const CommandBuffer& from);  // records a secondary's commands into this primary
  // Appends its ranges to what is submitted. around: the queue's debug labels there; becomes those behind it.
  void enqueue(LabelPlace& around, std::vector<host::CommandRange>& to);

  // Runs a command's body; an error makes vkEndCommandBuffer fail.
  template <class Body>
  void record(Body&& body) {
    if (const DebugGroups* groups = secondary ? nullptr : GroupFollower::of_thread())
      groups_.follow(*groups, labels(), stream_.writer());
    const VkResult result = guard(std::forward<Body>(body));
    if (result != VK_SUCCESS) fail(result);
  }

  Device& device() { return device_; }
  arch::QueueKind queue() const { return queue_; }  // that it is for
  CommandStream& stream() { return stream_; }
  DrawState& draws() { return draws_; }
  DispatchState& dispatches() { return dispatches_; }
  Bindings& bindings(VkPipelineBindPoint point) {
    return point == VK_PIPELINE_BIND_POINT_GRAPHICS ? draws_.bindings() : dispatches_.bindings();
  }
  PassRecorder& pass() { return pass_; }
  DriverDraws& driver_draws() { return driver_; }
  LabelTrail& labels() { return packets_.labels(); }

  // Records what an application draws: once for every view of the subpass, once without multiview.
  template <class Draw>
  void for_each_view(Draw&& draw) {
    const uint32_t views = pass_.view_mask();
    if (!views) return draw();
    for (uint32_t view = 0; view < kViewBits; view++)
      if (views >> view & 1) {
        draws_.set_view(view);
        draw();
      }
  }
  // Resolves the bound state and lets emit(stream) append draw packets, for each view.
  template <class Emit>
  void draw(bool indexed, Emit&& emit) {
    record([&] {
      for_each_view([&] {
        if (draws_.resolve(stream_, indexed)) emit(stream_);
      });
      name_programs(draws_.pipeline());
    });
  }
  // Names a pipeline's programs after the OpenGL program whose call draws with it.
  void name_programs(const Pipeline* pipeline);

  // Events: see icd/sync/event.h.
  void set_event(const Event& event, bool set);
  void wait_events(uint32_t count, const VkEvent* events);

  void copy(const arch::CopySurfacePacket& packet);

 private:
  Device& device_;
  const arch::QueueKind queue_;
  std::set<const Event*> events_set_;  // by commands so far
  CommandStream stream_;
  DrawState draws_;
  DispatchState dispatches_;
  DriverDraws driver_;
  PassRecorder pass_;
  RecordedPackets packets_;
  GroupFollower groups_;
};

}  // namespace cutaway::icd
