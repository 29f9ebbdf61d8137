#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "arch/packet.h"
#include "arch/registers.h"
#include "draw/draw.h"
#include "engine/sampler.h"
#include "parts/draw_state.h"
#include "parts/memory_message.h"

namespace cutaway::parts {

// What a packet has the machine do: the pieces that cycles, bytes and all else that is counted belong to.
struct Work {
  enum class Kind : uint8_t {
    kDraw,
    kDispatch,
    kCopy,     // of the copy engine: buffers, surfaces, queries, fills
    kControl,  // caches flushed or invalidated
    kPresent,  // handed to the DAC
    kScanOut,  // scanned out by it since before the list began, beside all that follows
    kRest,     // what a submission does after its last piece
  };
  Kind kind = Kind::kRest;
  arch::Opcode opcode{};  // of the packet; not of kRest
  Origin origin;
  draw::Draw draw;                   // kDraw
  std::array<uint32_t, 3> groups{};  // kDispatch: workgroups
  uint32_t state = 0;                // kDraw, kDispatch: of WorkList::states
  bool of_driver = false;            // kDraw: of the driver, not of a program
  uint32_t marker = 0;               // id of the last MARKER packet before it in the submission; 0: none
  bool ended = false;
  engine::Cycle began = 0, end = 0;  // in the core's clock: when it was sent off, and when all of it was done
  uint32_t row = 0;                  // of WorkList::windows: the row that ends with it
};

const char* name_of(Work::Kind kind);  // "draw", "copy"
bool has_packet(Work::Kind kind);      // a packet asks for it

// What of a version of the state a reader of figures wants to know.
struct WorkState {
  arch::Registers registers{};
  uint32_t pass = 0;  // of WorkList::passes()
  struct Texture {
    arch::Stage stage{};
    uint32_t binding = 0;
    arch::Surface surface;
  };
  std::vector<Texture> textures;                                // that its programs read
  draw::ByStage<std::shared_ptr<const draw::Program>> program;  // nullptr: the stage is off
  std::unique_ptr<InstructionCounts> instructions;
};

// The pieces of work in the order in which they begin, numbered over all submissions. The command processor
// writes it; engine::Ledger shares out what is counted over its numbers.
class WorkList {
 public:
  // windows: a row of it ends when a piece ends; may be null. It must outlive the list.
  // log: what draws' states name as theirs; may be null.
  explicit WorkList(engine::Sampler* windows = nullptr, FragmentLog* log = nullptr)
      : windows_(windows), log_(log) {}

  // The number of the piece that begins next: what is done in its preparation belongs to it.
  uint32_t next() const { return first_ + static_cast<uint32_t>(works_.size()); }
  // The piece takes the number next(); its origin gets it.
  void begin(Work work, engine::Cycle now);
  void end(uint32_t number, engine::Cycle now);
  // It has ended only now: what goes on beside other work. Nothing, once the list has been cleared.
  void prolong(uint32_t number, engine::Cycle now);
  // A new version of the state, for draws from now on. It counts the tiles of its pass, its instructions, and
  // the lines that texture units touch.
  void note_state(DrawState& state);

  uint32_t first() const { return first_; }  // number of works()[0]
  const std::vector<Work>& works() const { return works_; }
  const std::vector<WorkState>& states() const { return states_; }
  // The tiles of each pass: a pass goes on as long as draws have the same targets.
  const std::vector<std::unique_ptr<TileCounts>>& passes() const { return passes_; }
  // Lines that texture units asked their caches for.
  const TouchedLines& touched_lines() const { return touched_lines_; }
  // Forgets what has ended, when its reader has it: all.
  void clear();

 private:
  engine::Sampler* windows_;
  FragmentLog* log_;
  uint32_t first_ = 0;
  std::vector<Work> works_;
  std::vector<WorkState> states_;
  std::vector<std::unique_ptr<TileCounts>> passes_;
  TouchedLines touched_lines_;
};

}  // namespace cutaway::parts
