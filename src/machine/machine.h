#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arch/gpu.h"
#include "arch/picture_rows.h"
#include "boxes/command_processor/context_switch.h"
#include "boxes/command_processor/queue_overlap.h"
#include "boxes/host/host_program.h"
#include "command_stream/work.h"
#include "engine/simulator.h"
#include "machine/config.h"
#include "machine/recording.h"
#include "messages/messages.h"
#include "run_record/figures.h"

namespace cutaway::machine {

// Fault injection: each is a bug that hardware could have, for tests of the verifier. All off by default.
struct Faults {
  uint64_t drop_dirty_bit = 0;               // the n-th write to color unit 0's cache does not mark its line
                                             // dirty; 0: off
  uint64_t drop_tag = 0;                     // the n-th cleared block keeps its old tag; 0: off
  uint64_t drop_packed_bit = 0;              // clears the packed mark of the n-th sector that Z unit 0 writes
                                             // compressed; 0: off
  bool skip_texture_invalidate = false;      // texture caches are not invalidated
  bool release_in_completion_order = false;  // quads reach color write in the order in which shading ends
};

struct MachineOptions {
  engine::SchedulerOptions scheduler;
  Faults faults;
  // Receives the DAC's pictures, each with its own rows and of a context (Dac::on_picture).
  std::function<void(arch::Picture&&, arch::PictureRows own, arch::ContextId)> on_picture;
  std::function<void(engine::Cycle)> on_progress;  // called regularly, between instants, with the core cycle
  engine::Cycle progress_interval = 1 << 16;       // core cycles between calls, within a submission
  // Values for timestamps and for statistics that the machine does not count, in packet order. Without them
  // it writes its clock and zeros.
  std::vector<messages::QueryValue> query_values;
  uint32_t offscreen = 0;  // bits: contexts whose pictures the display does not show
  command_stream::WorkLimits work;
  engine::Cycle record_interval = 0;  // core cycles between rows of a Recording; 0: no Recording
  uint64_t log_fragments = 0;         // capacity of the Recording's fragment log, in events; 0: no log
  bool list_works = false;            // keeps works() even without a Recording
  bool look_on = false;               // for a Glance: keeps works() and wait_walk() without a Recording
  bool runs_ahead = false;            // submit() returns once there is room for another submission
                                      // (command_processor.submissions), and the host may be ahead of the GPU
                                      // (arch::Submission::ahead)
  // Adds boxes to the finished machine, in the core's clock: probes for tests.
  std::function<void(engine::Simulator&, engine::Domain&)> add_boxes;
};

using boxes::ContextSwitchCounters;
using boxes::ExecutedContext;
using boxes::HostCounters;
using boxes::HostProgram;
using boxes::PreemptionCounters;
using boxes::QueueCounters;

// The share of one memory client.
struct ClientTraffic {
  std::string name;  // "texture0"
  uint64_t read_bytes = 0, write_bytes = 0;
};

// The GPU, cycle by cycle. submit() runs a submission to its end, unless MachineOptions::runs_ahead.
class Machine final : public arch::Gpu {
 public:
  // memory: initial contents of the GPU's memory; pages are shared until they are written.
  Machine(const Config& config, const arch::Memory& memory, MachineOptions options = {});
  ~Machine() override;

  void map(arch::ContextId context, arch::Address address, uint64_t bytes) override;
  void unmap(arch::ContextId context, arch::Address address, uint64_t bytes) override;
  void place(arch::ContextId context, arch::Address address, uint64_t bytes,
             arch::Placement placement) override;
  void bind(arch::ContextId context, arch::Address address, uint64_t bytes,
            std::optional<arch::Address> target) override;
  void write(arch::ContextId context, arch::Address address, std::span<const std::byte> bytes) override;
  void submit(const arch::Submission& submission) override;
  // Runs until the host has computed and waited, if it takes time.
  void host(const arch::HostStep& step) override;
  void annotate(std::string_view, uint64_t, std::span<const std::byte>) override {}
  void finish();         // runs all submissions to their end
  void wait() override;  // also until the last picture has been scanned out
  // Displays a surface that was presented earlier: its scan-out overlaps the next submission. Not allowed
  // during a scan-out.
  void display(const arch::Surface& surface);
  bool scans_out() const;     // a scan-out is in progress, of the last presented picture or of display()'s
  uint64_t presents() const;  // PRESENT packets so far
  // Over all cycles of submissions so far; updated by statistics_hash().
  run_record::FramePhases phases() const;
  const arch::Memory& memory(arch::ContextId context) const override;

  // On a machine of several contexts (command_processor.contexts), before the first submission: gives a
  // context its memory and its query values.
  void add_context(arch::ContextId context, const arch::Memory& memory,
                   const std::vector<messages::QueryValue>& query_values);
  // Makes mapped pages of one context the same memory as those of another one from `target` on. What was
  // mapped there is lost, as by unmap().
  void share(arch::ContextId context, arch::Address address, uint64_t bytes, arch::ContextId of,
             arch::Address target);
  // There a context has one submission at a time: the next one, and what its host does to memory, wait for
  // it.
  bool accepts(arch::ContextId context) const;
  uint64_t ended(arch::ContextId context) const;  // its last submission that has ended
  // Core cycles that its submissions have waited for other contexts.
  uint64_t waited(arch::ContextId context) const;
  const ContextSwitchCounters& switches() const;
  const PreemptionCounters& preemptions() const;
  const QueueCounters& queues() const;
  // Moves a context's suspended submission, if it has one, to a machine that replaces this one.
  void hand_suspended(arch::ContextId context, Machine& to);
  // The program of a context on a host in time; null: the host takes no time. On a machine of several
  // contexts whoever plays the programs tells it what to do, and runs the machine until it is done.
  HostProgram* host_of(arch::ContextId context);
  // Hands over a submission anew that a machine had which this one replaces.
  void submit_again(const arch::Submission& submission);
  // Runs until this holds, or the machine has a fault or, without a host in time, nothing to do.
  void run_until(const std::function<bool()>& holds);
  bool fault(arch::Fault& fault) const override;
  // The context whose submission is executed, or whose memory a page fault is in; none: neither is known.
  std::optional<arch::ContextId> stopped_context() const;
  // The context whose submission is executed, and since which core cycle; none: none is.
  std::optional<ExecutedContext> executed() const;
  // Query values of a context that have not been written yet.
  std::vector<messages::QueryValue> queries_left(arch::ContextId context) const;
  // Stops all submissions, also after a fault, and lets the display finish its pictures. InternalError: it
  // does not within so many core cycles.
  void end_scan_out(engine::Cycle most);

  engine::Cycle cycles() const;  // core cycles so far
  engine::Simulator& simulator();
  std::vector<ClientTraffic> traffic() const;
  Recording* recording();                     // null: there is none
  const messages::WorkList& works() const;    // of the Recording, or kept separately
  const engine::WaitWalk& wait_walk() const;  // of the Recording, or kept separately
  // Calls a function after every instant, and once before the first, from the next submission or the next
  // on_progress call on. Null ends that.
  void observe(std::function<void()> after_instant);
  uint64_t statistics_hash() const;  // over all counters, accounts and wires

  // The unit that last wrote the 64-byte sector of an address, and the origin of the write; false: none did.
  // Only for sectors of pages that were watched before the write.
  struct Writer {
    std::string unit;
    messages::Origin origin;
  };
  void watch(arch::Address address);
  bool last_writer(arch::Address address, Writer& writer) const;
  // The unit that writes a pixel of a color target, or of a depth and stencil surface: "color_write1".
  std::string pixel_owner(bool depth, uint32_t x, uint32_t y) const;

 private:
  struct Units;

  void hand_over(const arch::Submission& submission);
  void give(arch::Submission submission);
  void give_own(const arch::Submission& submission);

  std::unique_ptr<Units> units_;
};

}  // namespace cutaway::machine
