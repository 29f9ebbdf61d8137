#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "arch/gpu.h"
#include "arch/packet.h"
#include "arch/registers.h"
#include "command_stream/draw.h"
#include "engine/sampler.h"
#include "messages/draw_state.h"
#include "messages/memory_message.h"
#include "messages/turn_list.h"

namespace cutaway::messages {

// A piece of work that a packet gives the machine: cycles, bytes and all other counts are attributed to
// pieces.
struct Work {
  enum class Kind : uint8_t {
    kDraw,
    kDispatch,
    kCopy,     // by the copy engine: buffers, surfaces, queries, fills
    kControl,  // caches flushed or invalidated
    kPresent,  // handed over to the DAC
    kScanOut,  // a scan-out from before the list began, overlapping all later work
    kRest,     // a submission's activity after its last piece
  };
  Kind kind = Kind::kRest;
  arch::Opcode opcode{};  // of the packet; unset for kRest
  Origin origin;
  arch::ContextId context = 0;  // whose submission it is
  arch::QueueKind queue = arch::QueueKind::kGraphics;
  command_stream::Draw draw;         // kDraw
  std::array<uint32_t, 3> groups{};  // kDispatch: workgroups
  uint32_t state = 0;                // kDraw, kDispatch: index into WorkList::states
  bool of_driver = false;            // kDraw: by the driver, not by a program
  uint32_t marker = 0;               // id of the last MARKER packet before it in the submission; 0: none
  bool ended = false;
  engine::Cycle began = 0, end = 0;  // in the core's clock: when it was issued, and when all of it was done
  uint32_t row = 0;                  // row of WorkList::windows that ends with it
};

const char* name_of(Work::Kind kind);  // "draw", "copy"
bool has_packet(Work::Kind kind);      // a packet requests it

// A version of the state, as far as readers of figures need it.
struct WorkState {
  arch::Registers registers{};
  arch::ContextId context = 0;
  uint32_t pass = 0;  // index into WorkList::passes()
  struct Texture {
    arch::Stage stage{};
    uint32_t binding = 0;
    arch::Surface surface;
  };
  std::vector<Texture> textures;  // textures and buffers that its programs read and write
  command_stream::ByStage<std::shared_ptr<const command_stream::Program>>
      program;  // nullptr: the stage is off
  std::unique_ptr<InstructionCounts> instructions;
};

// The pieces of work in the order in which they begin, numbered over all submissions. The command processor
// writes the list; engine::Ledger attributes counts to its numbers.
class WorkList {
 public:
  // windows: a row of it ends with each piece; may be null. It must outlive the list. log: the fragment log
  // for draws' states; may be null.
  explicit WorkList(engine::Sampler* windows = nullptr, FragmentLog* log = nullptr)
      : windows_(windows), log_(log) {}

  // The number of the next piece: its preparation is attributed to it.
  uint32_t next() const { return first_ + static_cast<uint32_t>(works_.size()); }
  // Begins a piece with the number next(), which its origin receives.
  void begin(Work work, engine::Cycle now);
  void end(uint32_t number, engine::Cycle now);
  // Extends a piece that overlaps other work to this cycle. No effect once the list has been cleared.
  void prolong(uint32_t number, engine::Cycle now);
  // Begins a new version of the state, for later draws of a context. It counts the tiles of its pass, its
  // instructions, and the lines that texture units touch.
  void note_state(DrawState& state, arch::ContextId context = 0);
  // Ends all pieces under way, and the row of `windows`, where a machine is stopped. What it did after the
  // last piece becomes one more. Accounts must be settled.
  void stop(engine::Cycle now);

  uint32_t first() const { return first_; }  // number of works()[0]
  const std::vector<Work>& works() const { return works_; }
  const std::vector<WorkState>& states() const { return states_; }
  // The tiles of each pass: consecutive draws of a context with the same targets form a pass.
  const std::vector<std::unique_ptr<TileCounts>>& passes() const { return passes_; }
  // Lines that texture units requested from their caches.
  const TouchedLines& touched_lines() const { return touched_lines_; }
  TurnList& turns() { return turns_; }
  const TurnList& turns() const { return turns_; }
  // Drops everything, once a reader has it.
  void clear();

 private:
  engine::Sampler* windows_;
  FragmentLog* log_;
  uint32_t first_ = 0;
  std::vector<Work> works_;
  std::vector<WorkState> states_;
  std::vector<std::unique_ptr<TileCounts>> passes_;
  bool pass_ends_ = false;  // another context has worked since its last draw
  TouchedLines touched_lines_;
  TurnList turns_;
};

}  // namespace cutaway::messages
