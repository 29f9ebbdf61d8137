#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "arch/gpu.h"
#include "base/figures.h"
#include "draw/work.h"
#include "engine/simulator.h"
#include "machine/config.h"
#include "machine/recording.h"
#include "parts/messages.h"

namespace cutaway::machine {

// Edits of the mechanism, each a bug that hardware could have: for tests of the verifier. All off.
struct Faults {
  uint64_t drop_dirty_bit = 0;               // the n-th write of color unit 0's cache leaves no trace; 0: off
  uint64_t drop_tag = 0;                     // the n-th block that is cleared keeps its old tag; 0: off
  uint64_t drop_packed_bit = 0;              // of the n-th sector that Z unit 0 writes compressed; 0: off
  bool skip_texture_invalidate = false;      // texture caches are not told
  bool release_in_completion_order = false;  // quads reach color write in the order in which shading ends
};

struct MachineOptions {
  engine::SchedulerOptions scheduler;
  Faults faults;
  std::function<void(arch::Picture&&)> on_picture;  // what the DAC shows
  std::function<void(engine::Cycle)> on_progress;   // now and then, between instants, with the core cycle
  engine::Cycle progress_interval = 1 << 16;        // core cycles from one to the next, of a submission
  // What timestamps and the statistics that the machine does not count write, in the order of the packets.
  // Without any, its clock and zeros.
  std::vector<parts::QueryValue> query_values;
  draw::WorkLimits work;
  engine::Cycle record_interval = 0;  // core cycles between rows of a Recording; 0: none is made
  uint64_t log_fragments = 0;         // events of a Recording's log of fragments; 0: it has none
  bool list_works = false;            // works() is kept without a Recording too
  bool look_on = false;               // for a Glance: works() and wait_walk() are there without a Recording
  // Adds boxes to the finished machine, in the core's clock: probes of tests.
  std::function<void(engine::Simulator&, engine::Domain&)> add_boxes;
};

// The share of one memory client.
struct ClientTraffic {
  std::string name;  // "texture0"
  uint64_t read_bytes = 0, write_bytes = 0;
};

// The GPU, cycle by cycle. Submissions run to their end when they are submitted.
class Machine final : public arch::Gpu {
 public:
  // Memory: what the GPU's memory holds at the start; pages are shared until they are written.
  Machine(const Config& config, const arch::Memory& memory, MachineOptions options = {});
  ~Machine() override;

  void map(arch::ContextId context, arch::Address address, uint64_t bytes) override;
  void unmap(arch::ContextId context, arch::Address address, uint64_t bytes) override;
  void write(arch::ContextId context, arch::Address address, std::span<const std::byte> bytes) override;
  void submit(const arch::Submission& submission) override;
  void annotate(std::string_view, uint64_t, std::span<const std::byte>) override {}
  void wait() override;  // until the last picture has been scanned out, too
  // The display shows a surface that was presented before: it is scanned out beside the next submission.
  // Not while a picture is.
  void display(const arch::Surface& surface);
  bool scans_out() const;     // the picture presented last, or what display() gave
  uint64_t presents() const;  // PRESENT packets so far
  // Of all cycles of submissions so far, once statistics_hash() has been asked.
  FramePhases phases() const;
  const arch::Memory& memory(arch::ContextId context) const override;
  bool fault(arch::Fault& fault) const override;

  engine::Cycle cycles() const;  // core cycles so far
  engine::Simulator& simulator();
  std::vector<ClientTraffic> traffic() const;
  Recording* recording();                     // null: none is made
  const parts::WorkList& works() const;       // of the Recording, or by itself
  const engine::WaitWalk& wait_walk() const;  // of the Recording, or by itself
  // From the next submission on, or from the next call of on_progress on: calls it after every instant, and
  // before the first. Null ends that.
  void observe(std::function<void()> after_instant);
  uint64_t statistics_hash() const;  // of all counters, accounts and wires

  // Which unit last wrote the 64-byte sector of an address, and for what; false: none did. Only for sectors
  // of pages that were watched before they were written.
  struct Writer {
    std::string unit;
    parts::Origin origin;
  };
  void watch(arch::Address address);
  bool last_writer(arch::Address address, Writer& writer) const;
  // The unit that writes a pixel of a color target, or of a depth and stencil surface: "color_write1".
  std::string pixel_owner(bool depth, uint32_t x, uint32_t y) const;

 private:
  struct Units;
  std::unique_ptr<Units> units_;
};

}  // namespace cutaway::machine
