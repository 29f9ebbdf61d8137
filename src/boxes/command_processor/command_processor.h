#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "arch/gpu.h"
#include "base/counter.h"
#include "base/field.h"
#include "boxes/command_processor/depth_watch.h"
#include "boxes/command_processor/instruction_memory.h"
#include "boxes/command_processor/memory_range.h"
#include "boxes/command_processor/packet_stream.h"
#include "boxes/command_processor/state_bus.h"
#include "draw/clocked.h"
#include "draw/packet_check.h"
#include "draw/query_counters.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "parts/draw_batches.h"
#include "parts/draw_state.h"
#include "parts/feedback_message.h"
#include "parts/messages.h"
#include "parts/work_list.h"

namespace cutaway::boxes {

struct CommandProcessorSpec {
  unsigned words_per_cycle = 4;
  unsigned prefetch = 8;
  unsigned state_versions = 4;
  unsigned instruction_memory = 4096;
  unsigned state_bytes_per_cycle = 16;
  unsigned watched_copies = 16;
  unsigned upload_mb_per_s = 0;

  template <class V>
  static void fields(V&& v) {
    using S = CommandProcessorSpec;
    v("words_per_cycle", &S::words_per_cycle, "words", 1u, 16u, "command words taken per cycle");
    v("prefetch", &S::prefetch, "sectors", 1u, 64u, "64-byte sectors of commands fetched ahead");
    v("state_versions", &S::state_versions, "versions", 1u, 64u,
      "draws with different state that may be under way; 1 drains the pipeline at every change");
    v("instruction_memory", &S::instruction_memory, "instructions", 512u, 65536u,
      "of each shader unit, and so the longest program; programs stay in it until others need the room");
    v("state_bytes_per_cycle", &S::state_bytes_per_cycle, "bytes", 1u, 1024u,
      "of changed registers, constants, descriptors and programs on the bus to all units");
    v("watched_copies", &S::watched_copies, "copies", 0u, 16u,
      "copies under way whose memory is watched, so that flushes, invalidates and other work go on; 0: all "
      "wait");
    v("upload_mb_per_s", &S::upload_mb_per_s, "MB/s", 0u, 1000000u,
      "of the bus that brings what the host writes into the GPU's memory, for which the next submission "
      "waits; "
      "0: that takes no time");
  }
};

struct CommandProcessorCounters {
  uint64_t packets = 0, words = 0, draws = 0, driver_draws = 0, driver_cycles = 0, state_changes = 0,
           state_bytes = 0, programs_sent = 0, flushes = 0, invalidates = 0, clears = 0, presents = 0,
           uploaded_bytes = 0, upload_cycles = 0;
  // Each cycle of a submission counts for the first of these that is under way; scan-outs beside them.
  uint64_t draw_cycles = 0, copy_cycles = 0, cache_cycles = 0, display_cycles = 0, command_cycles = 0,
           scan_out_cycles = 0;

  template <class V>
  static void fields(V&& v) {
    using C = CommandProcessorCounters;
    v("packets", &C::packets, "packets", "packets carried out");
    v("words", &C::words, "words", "command words taken");
    v("draws", &C::draws, "draws", "draws sent to streamers", CounterRole::kDraws);
    v("driver_draws", &C::driver_draws, "draws", "of those: the driver's own", CounterRole::kDraws,
      CountOf::kDriver);
    v("driver_cycles", &C::driver_cycles, "cycles", "in which the oldest draw under way was the driver's own",
      CounterRole::kDrawCycles, CountOf::kDriver);
    v("state_changes", &C::state_changes, "versions", "state versions made");
    v("state_bytes", &C::state_bytes, "bytes",
      "sent to the units: registers, constants and descriptors of packets, and programs");
    v("programs_sent", &C::programs_sent, "programs",
      "of those: that were not in the instruction memory of the shader units");
    v("flushes", &C::flushes, "packets", "flushes carried out");
    v("invalidates", &C::invalidates, "packets", "invalidates carried out");
    v("clears", &C::clears, "packets", "clears carried out");
    v("presents", &C::presents, "packets", "surfaces handed to the display");
    v("uploaded_bytes", &C::uploaded_bytes, "bytes",
      "that the host wrote before a submission and within the frame, if the bus takes time");
    v("upload_cycles", &C::upload_cycles, "cycles",
      "of command_cycles: in which a submission waited for these (upload_mb_per_s)");
    v("draw_cycles", &C::draw_cycles, "cycles", "in which a draw was under way");
    v("copy_cycles", &C::copy_cycles, "cycles", "in which no draw was, but a copy, a fill or a clear");
    v("cache_cycles", &C::cache_cycles, "cycles", "in which neither was, but a flush or an invalidate");
    v("display_cycles", &C::display_cycles, "cycles",
      "in which none was, and a packet waited until the picture before had been scanned out");
    v("command_cycles", &C::command_cycles, "cycles", "in which there was nothing but commands and loads");
    v("scan_out_cycles", &C::scan_out_cycles, "cycles",
      "of all those: beside which a picture was scanned out");
  }
};

// Runs submissions: fetches packets, keeps the current state, sends draws down the pipeline with a version of
// the state each, and carries out everything that waits for the pipeline (flushes, copies, present).
//
// The DAC scans a picture out beside what follows its PRESENT, in the next submissions too. The next PRESENT
// waits for it, and so does whatever writes to the surface meanwhile: no picture is torn.
class CommandProcessor final : public engine::Box {
 public:
  // front_ends: that share out draws. group_lanes: threads of a group in the shader units that run a stage,
  // for which programs are prepared. memories: which instruction memory a stage's programs go to; those of
  // units that run several stages are one.
  CommandProcessor(std::string path, const CommandProcessorSpec& spec, unsigned color_units,
                   const parts::FrontEnds& front_ends, const draw::ByStage<unsigned>& group_lanes,
                   const draw::ByStage<unsigned>& memories);

  engine::Out<parts::MemoryRequest> memory_out;
  engine::In<parts::MemoryReply> memory_in;
  engine::Out<parts::LoadCommand> loader_out;
  engine::In<parts::LoadedBlock> loader_in;
  std::vector<engine::Out<parts::DrawCommand>> draw_out;       // by front end
  std::vector<engine::In<parts::DrawDone>> draw_done;          // by color write unit
  std::vector<engine::In<parts::DrawAssembled>> assembled_in;  // by teller, of each by front end
  engine::Out<parts::DispatchCommand> dispatch_out;            // where the machine runs compute programs
  engine::In<parts::DispatchDone> dispatch_done;
  engine::Out<parts::FeedbackOrder> feedback_out;  // where the machine has transform feedback
  engine::In<parts::FeedbackFilled> filled_in;
  engine::Out<parts::CopyCommand> copy_out;
  engine::In<parts::CopyDone> copy_in;
  engine::Out<parts::PresentCommand> present_out;
  engine::In<parts::PresentDone> present_in;

  struct ControlPort {
    uint32_t caches = 0;
    bool bounds = false;  // bounds of what depth surfaces hold, not their bytes
    engine::Out<parts::Control> out;
    engine::In<parts::ControlDone> in;
  };
  std::vector<std::unique_ptr<ControlPort>> control;
  // Before the first cycle: to a unit that obeys flushes and invalidates; the caches that
  // it holds (arch::CacheBits). bounds: it is hierarchical Z, which keeps what it knows when an INVALIDATE of
  // depth comes, unless something else than the Z and stencil units has written the surface.
  ControlPort& add_control(uint32_t caches, bool bounds = false);

  CommandProcessorCounters counters;

  draw::Abilities abilities;  // of the machine; before it has made all its boxes
  uint64_t core_khz = 1;      // its clock, by which it knows how long uploads take; before the first cycle

  // From outside, between cycles: the doorbell. One submission at a time.
  void submit(const arch::Submission& submission, const draw::WorkLimits& limits = {});
  bool finished() const { return state_ == State::kIdle; }
  // From outside, between submissions: the host has written memory.
  void host_wrote(const MemoryRange& memory) { depth_watch_.written(memory); }
  // So many bytes of what the next submission may read come over the bus.
  void host_uploads(uint64_t bytes) { host_bytes_ += bytes; }
  // From outside, between submissions: the display shows a surface that was presented earlier, and scans it
  // out beside the next one. Not while scans_out().
  void display(const arch::Surface& surface);
  bool scans_out() const { return scans_out_; }  // the last PRESENT's surface, or what display() gave
  // The first packet that is at fault, once all that came before it has ended.
  const arch::Fault* fault() const { return drained() ? first_fault() : nullptr; }
  const arch::Fault* first_fault() const { return state_ == State::kFault ? &fault_ : nullptr; }  // so far
  // A unit has found that a draw, still under way, cannot go on.
  void note_fault(uint32_t draw, const std::string& error);
  // Asked when a draw ends: what such a unit says of it, or nullptr.
  std::function<const char*(uint32_t draw)> fault_of_draw;
  const parts::Origin& origin() const { return origin_; }

  // What queries write that the machine does not count, in order: machine::MachineOptions::query_values.
  std::span<const parts::QueryValue> query_values;

  // The unit that the oldest work under way has not left yet, itself while it prepares work; null: none is.
  const engine::Box* oldest_work_in() const;

  // Where it writes what work it begins and when that ends; null: nowhere. Before the first submission.
  parts::WorkList* work_list = nullptr;

  // Fault for tests of the verifier: the caches whose invalidates are acknowledged but not passed on.
  uint32_t skip_invalidate = 0;

  void list_ports(engine::PortList& list) override {
    list("memory_out", memory_out, "reads of packets, arguments and values; writes of values");
    list("memory_in", memory_in, "replies");
    list("loader_out", loader_out, "orders to load constants, descriptors or a program");
    list("loader_in", loader_in, "sectors that were loaded, in order");
    list("draw_out", draw_out, "to each front end: a draw, and which of its batches is the first one there");
    list("draw_done", draw_done,
         "from each color write unit: the end of a draw there, and how many samples passed");
    list("assembled_in", assembled_in,
         "from each box that assembles batches: the end of a batch, and what queries count of it");
    if (abilities.workgroup_invocations) {
      list("dispatch_out", dispatch_out, "dispatches");
      list("dispatch_done", dispatch_done, "the end of a dispatch");
    }
    if (abilities.feedback) {
      list("feedback_out", feedback_out,
           "an order to ask or set how far a buffer of transform feedback is filled");
      list("filled_in", filled_in, "how far it is filled");
    }
    list("copy_out", copy_out, "copies, fills and clears");
    list("copy_in", copy_in, "a copy is in memory");
    list("present_out", present_out, "the surface to show");
    list("present_in", present_in, "the surface has been scanned out");
    for (size_t i = 0; i < control.size(); i++) {
      list("control_out[" + std::to_string(i) + "]", control[i]->out,
           "to each cache and each hierarchical Z: an order to flush, invalidate or clear");
      list("control_in[" + std::to_string(i) + "]", control[i]->in, "the order is carried out");
    }
  }
  std::vector<std::string_view> costs_nothing() const override;
  engine::Cycle tick(engine::Cycle now) override;
  void count_until(engine::Cycle next) override { count_phase(next - 1); }
  std::string why_busy() const override;

 private:
  // Tags of memory accesses that are not the packet stream's.
  static constexpr uint32_t kValueTag = 0x80000000u;
  static constexpr uint32_t kArgumentTag = 0x80000001u;  // and the next: sectors of arguments

  enum class State : uint8_t { kIdle, kRunning, kControl, kWaitValue, kFault };

  engine::Cycle work(engine::Cycle now);
  void begin_upload();
  // What a submission's cycles are counted for.
  enum class Phase : uint8_t { kNone, kDraws, kCopies, kCaches, kDisplay, kCommands };
  Phase phase() const;
  void count_phase(engine::Cycle now);
  bool take_replies(engine::Cycle now);
  bool take_loaded(engine::Cycle now);
  bool take_done(engine::Cycle now);
  void batch_assembled(engine::Cycle now, const parts::DrawAssembled& assembled);
  void draw_left(engine::Cycle now, uint32_t number, size_t unit);
  void count_driver_cycles(engine::Cycle now);
  uint32_t begin_work(engine::Cycle now, parts::Work::Kind kind, const draw::Draw& draw = {});
  uint32_t begin_dispatch(engine::Cycle now, const arch::DispatchPacket& dispatch);
  uint32_t begin_work(engine::Cycle now, parts::Work work);
  void end_work(engine::Cycle now, uint32_t number);
  const engine::Port* waits_for_unit() const;
  bool fetch(engine::Cycle now);
  bool drained() const { return copies_under_way_.empty() && settled(); }
  // Nothing is under way but copies whose memory is watched.
  bool settled() const {
    return draws_under_way_.empty() && !loads_under_way_ && !writes_under_way_ &&
           (spec_.watched_copies || copies_under_way_.empty());
  }

  // Carries out the whole packet. kBlocked: an output has no room. kWait: something else must end first.
  enum class Result : uint8_t { kDone, kBlocked, kWait };
  Result execute(engine::Cycle now);
  bool judge();
  Result marker();
  Result set_registers(engine::Cycle now);
  Result load(engine::Cycle now);
  Result load_program(engine::Cycle now);
  Result draw(engine::Cycle now);
  Result send_draw(engine::Cycle now, const draw::Draw& draw);
  size_t front_end_of(uint32_t batch) const { return (front_end_ + batch) % draw_out.size(); }
  Result predicate(engine::Cycle now);
  Result draw_indirect(engine::Cycle now);
  void send_state(engine::Cycle now, uint64_t bytes);
  bool send_programs(engine::Cycle now, EnumSet<arch::Stage> stages);
  Result dispatch_indirect(engine::Cycle now);
  Result send_dispatch(engine::Cycle now, const arch::DispatchPacket& packet);
  // Programs are sent, and so is the state: kDone.
  Result prepare_state(engine::Cycle now, EnumSet<arch::Stage> stages);
  bool read_arguments(engine::Cycle now, arch::Address address, std::span<uint32_t> words);
  Result draw_byte_count(engine::Cycle now);
  bool begin_feedback(engine::Cycle now);
  Result feedback_counter(engine::Cycle now);
  Result copy(engine::Cycle now);
  void send_copy(engine::Cycle now);
  Result control_packet(engine::Cycle now, parts::Control::Kind kind);
  bool order_caches(parts::Control::Kind kind, uint32_t caches);
  Result forget_lost_bounds();
  Result clear(engine::Cycle now);
  Result present(engine::Cycle now);
  Result wait_for_display();
  void begin_scan_out(engine::Cycle now, const arch::Surface& surface);
  bool list_scan_out(engine::Cycle now);
  template <class Meets>
  bool any_target(const Meets& meets) const;
  template <class Meets>
  bool any_source(bool indexed, const Meets& meets) const;
  bool uses_depth() const;
  void watch_depth();
  void watch_stores(EnumSet<arch::Stage> stages);
  template <class Meets>
  bool any_slot(EnumSet<arch::Stage> stages, std::vector<uint32_t> draw::Program::*slots,
                const Meets& meets) const;
  template <class Meets>
  bool any_resource(EnumSet<arch::Stage> stages, const Meets& meets) const;
  template <class Meets>
  bool any_stored(EnumSet<arch::Stage> stages, const Meets& meets) const;
  template <class Meets>
  bool any_captured(const Meets& meets) const;
  template <class Meets>
  bool any_written(const Meets& meets) const;
  bool draw_meets_scan_out() const;
  bool draw_meets_copies(bool indexed) const;
  bool dispatch_meets_scan_out() const;
  bool dispatch_meets_copies() const;
  bool is_copied(const MemoryRange& range) const;
  bool copies_write(const MemoryRange& range) const;
  Result write_value(engine::Cycle now);
  Result write_query(engine::Cycle now);
  uint64_t query_value(const arch::QueryPacket& packet, arch::Address address, engine::Cycle now);
  Result write_bytes(engine::Cycle now, arch::Address address, std::span<const std::byte> bytes);
  Result wait_value(engine::Cycle now);
  Result refuse(const std::string& error);
  // The state of a stage, about to change.
  parts::StageState& change(arch::Stage stage);
  void prepare_program(arch::Stage stage);
  bool send_control(engine::Cycle now);
  bool snapshot();
  // Where a packet stands: for faults that show later.
  struct Place {
    uint64_t number = 0;  // in the submission
    arch::Address address = 0;
    const char* name = "";
  };
  Place place() const;
  void stop(const Place& place, const std::string& error);
  engine::Cycle account(engine::Cycle now, bool progress);

  CommandProcessorSpec spec_;
  parts::FrontEnds front_ends_;
  uint32_t front_end_ = 0;  // that has the first batch of the next draw
  draw::ByStage<unsigned> group_lanes_, memories_;
  State state_ = State::kIdle;
  PacketStream stream_;
  arch::Submission submission_;
  parts::Origin origin_;
  uint64_t packets_ = 0;  // of the submission that have been begun
  draw::PacketCheck check_;
  bool judged_ = false, draw_judged_ = false;  // the packet under way, and the draw of an indirect one
  arch::Fault fault_;
  uint64_t fault_packet_ = 0;

  // The state that packets change, and the versions that draws use.
  std::unique_ptr<parts::DrawState> current_;
  std::vector<std::unique_ptr<parts::DrawState>> versions_;
  parts::DrawState* latest_ = nullptr;  // equals current_ unless changed_
  bool changed_ = true;
  StateBus state_bus_;
  bool waits_for_state_ = false;  // a draw, in this cycle
  bool programs_sent_ = false;    // of the draw under way
  std::vector<InstructionMemory> instruction_memory_;
  struct ProgramLoad {
    bool under_way = false;
    Place packet;
    std::vector<isa::EncodedInstruction> words;
    uint32_t temporaries = 0, scratch_bytes = 0;
  };
  draw::ByStage<ProgramLoad> program_load_;
  draw::ByStage<std::array<arch::Surface, arch::kResources>> descriptors_;  // as they were loaded
  uint64_t stage_changes_ = 0;                                              // parts::StageState::version

  static constexpr uint32_t kFirstDispatch = 1u << 31;  // its number in the submission
  EnumSet<arch::Stage> drawing_stages() const;          // of the next draw
  // What their programs would read that the chip cannot.
  std::string unclocked_textures(EnumSet<arch::Stage> stages) const;
  uint32_t dispatches_ = 0;  // in the submission so far
  struct DrawUnderWay {      // or dispatch
    uint32_t draw = 0;
    parts::DrawState* state = nullptr;
    uint64_t missing = 0;  // units that have not finished it, a bit each: color write, primitive assembly;
                           // of a dispatch the compute distributor, behind them
    uint32_t batches = 0;  // that are not assembled yet, counted for each teller
    Place packet;
    uint32_t work = 0;
  };
  std::vector<DrawUnderWay> draws_under_way_;
  std::vector<DrawUnderWay>::iterator under_way(uint32_t draw);
  engine::Cycle draws_since_ = 0;  // when one of them began or ended last
  uint32_t loads_under_way_ = 0, writes_under_way_ = 0;
  struct CopyUnderWay {
    uint32_t work = 0;
    CopyRanges memory;
  };
  std::vector<CopyUnderWay> copies_under_way_;  // in order
  DepthWatch depth_watch_;
  uint64_t host_bytes_ = 0;      // written since the last submission
  engine::Cycle uploaded_ = 0;   // from when on they are there
  bool forgets_bounds_ = false;  // the order under way is forget_lost_bounds()'s
  uint32_t held_work_ = 0;       // the piece of work that packets wait for: flush, invalidate
  uint32_t marker_ = 0;          // the last of the submission

  // In the submission, by draws that have ended.
  draw::QueryCounters queries_;
  bool predicate_ = true;     // draws take place
  uint32_t query_index_ = 0;  // counters of the packet under way that are written

  struct Indirect {  // the indirect packet under way
    bool counted = false, read = false;
    uint32_t draw = 0, draws = 0;
    std::array<uint32_t, 5> words{};
  };
  Indirect indirect_;
  struct Arguments {  // sectors asked for and arrived
    uint32_t asked = 0, arrived = 0;
    std::array<std::byte, 2 * parts::kSectorBytes> data{};
  };
  Arguments arguments_;
  bool worked_ = false;     // in this cycle, on a packet that has not ended
  struct FeedbackCounter {  // the packet under way, of a counter of transform feedback
    bool read = false, asked = false, answered = false;
    uint32_t filled = 0;
  };
  FeedbackCounter feedback_;
  bool feedback_begun_ = false;  // in the submission

  Phase phase_ = Phase::kNone;    // of the cycles after phase_since_
  bool phase_scans_out_ = false;  // in them
  engine::Cycle phase_since_ = 0;
  bool scans_out_ = false, waits_for_display_ = false;
  std::optional<arch::Surface> displayed_;  // that the DAC has not been told of yet
  MemoryRange scanned_;                     // memory that it reads
  static constexpr uint32_t kUnlisted = ~0u;
  uint32_t scan_out_work_ = kUnlisted;  // the piece of work that it reads for

  parts::Control control_order_;
  std::vector<uint8_t> control_state_;  // by port: 0 nothing, 1 to send, 2 to be answered
  enum class Clear : uint8_t {
    kNone,
    kCaches,
    kCachesDone,
    kMemory
  } clear_ = Clear::kNone;  // the one under way
  uint64_t waited_value_ = 0;
  bool value_asked_ = false, value_arrived_ = false;
  uint32_t value_tag_ = 0;
};

}  // namespace cutaway::boxes
