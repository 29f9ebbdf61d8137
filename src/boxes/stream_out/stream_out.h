#pragma once

#include <string>
#include <vector>

#include "base/counter.h"
#include "base/field.h"
#include "boxes/stream_out/write_combiner.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "func/geometry/feedback.h"
#include "messages/feedback_message.h"
#include "messages/messages.h"
#include "structures/ring.h"

namespace cutaway::boxes {

struct StreamOutSpec {
  unsigned units = 0;
  unsigned bytes_per_cycle = 16;
  unsigned sectors = 4;
  unsigned writes = 32;

  template <class V>
  static void fields(V&& v) {
    using S = StreamOutSpec;
    v("units", &S::units, "units", 0u, 1u, "1, or 0 for a chip without transform feedback");
    v("bytes_per_cycle", &S::bytes_per_cycle, "bytes", 4u, 64u,
      "bytes of a captured vertex per cycle on the path to memory; a multiple of 4; each vertex begins a "
      "new cycle");
    v("sectors", &S::sectors, "sectors", 1u, 16u, "write-combining sectors of 64 bytes for captured words");
    v("writes", &S::writes, "sectors", 1u, 256u, "sector writes on the way to memory");
  }
};

struct StreamOutCounters {
  uint64_t passed = 0, primitives = 0, captured = 0, vertices = 0, bytes = 0, sectors = 0;

  template <class V>
  static void fields(V&& v) {
    using C = StreamOutCounters;
    v("passed", &C::passed, "primitives", "primitives of draws without transform feedback, passed through");
    v("primitives", &C::primitives, "primitives",
      "primitives of draws with transform feedback, of all streams");
    v("captured", &C::captured, "primitives", "primitives captured: the buffers had room");
    v("vertices", &C::vertices, "vertices", "vertices of captured primitives");
    v("bytes", &C::bytes, "bytes", "bytes of captured vertices");
    v("sectors", &C::sectors, "sectors", "sectors of 64 bytes or less, written to memory");
  }
};

// Transform feedback (DX-10), between the geometry stages of all front ends and their clippers: captures
// whole primitives in API order, over a narrow path to its own memory client. Front ends hold a draw's
// batches in turn, and are captured in that order. Primitives of draws without feedback pass through at once.
// The command processor is informed of a batch when all its writes are in memory.
class StreamOut final : public engine::Box {
 public:
  StreamOut(std::string path, const StreamOutSpec& spec, unsigned front_ends);

  std::vector<engine::In<messages::PrimitiveMessage>> primitives_in;    // by front end, like the next two
  std::vector<engine::Out<messages::PrimitiveMessage>> primitives_out;  // of stream 0
  std::vector<engine::Out<messages::DrawAssembled>> assembled_out;
  engine::Out<messages::MemoryRequest> memory_out;
  engine::In<messages::MemoryReply> memory_in;
  engine::In<messages::FeedbackOrder> orders_in;  // from the command processor, while no draw is in flight
  engine::Out<messages::FeedbackFilled> filled_out;

  StreamOutCounters counters;

  void list_ports(engine::PortList& list) override;
  std::vector<std::string_view> costs_nothing() const override;
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override;

 private:
  // A batch not yet reported to the command processor.
  struct Batch {
    messages::DrawAssembled assembled;
    uint32_t writes = 0;  // in flight to memory
    bool ended = false;
  };
  struct FrontEnd {
    structures::Ring<Batch> batches{16};
    uint32_t first = 0;   // number of the front batch, counted from the first of this front end
    uint32_t passed = 0;  // batches that have ended
    bool open() const { return !batches.empty() && !batches.back().ended; }
  };
  // State of the primitive being captured.
  struct Capture {
    bool begun = false, fits = false;
    uint32_t vertex = 0, output = 0;  // next to capture
  };

  bool take_reply(engine::Cycle now);
  bool obey(engine::Cycle now);
  bool tell(engine::Cycle now);
  bool take(engine::Cycle now, uint32_t front_end);
  bool take_end(engine::Cycle now, uint32_t front_end, const messages::PrimitiveMessage& end);
  uint32_t turn() const;
  Batch* open_batch(uint32_t front_end);
  bool capture(engine::Cycle now, uint32_t front_end, const messages::PrimitiveMessage& message);
  void begin_capture(const messages::PrimitiveMessage& message, Batch& batch);
  bool capture_vertex(engine::Cycle now, uint32_t front_end, const messages::PrimitiveMessage& message);
  bool write_oldest(engine::Cycle now, uint32_t front_end, const messages::Origin& origin);
  engine::Cycle account(engine::Cycle now, bool progress);

  StreamOutSpec spec_;
  std::vector<FrontEnd> front_ends_;
  func::FeedbackCounters filled_;
  Capture capture_;
  WriteCombiner combiner_;
  uint32_t writes_ = 0;  // in flight to memory
};

}  // namespace cutaway::boxes
