#pragma once

#include <memory>
#include <span>

#include "command_stream/packet_reader.h"
#include "emulator/compute_stage.h"
#include "emulator/emulator.h"
#include "emulator/fragment_stage.h"
#include "emulator/geometry_stage.h"
#include "emulator/program_cache.h"
#include "emulator/tessellation_stage.h"
#include "emulator/vertex_stage.h"
#include "func/geometry/feedback.h"

namespace cutaway::emulator {

// Executes the packets of one submission.
class Processor {
 public:
  struct Environment {
    arch::Memory& memory;
    ProgramCache& programs;
    Statistics& statistics;
    WorkerTeam& team;
    PrimitiveBatch& batch;
    TextureCopies& copies;
    uint64_t clock = 0;  // clock before this submission; timestamps add its steps
    command_stream::WorkLimits work;
    uint64_t step_limit = 0;
    std::function<void(arch::Address, uint64_t)> on_query;
    std::function<void(const PixelWrite&)> on_pixel;  // `submission` is left for the caller to fill in
    std::function<void(arch::Opcode)> on_packet;
    std::function<void(const EndedWork&)> on_work;
    DrawObserver* draw_observer = nullptr;
    bool makes_pictures = true;  // false: take_picture() returns none, since nobody looks at it
  };

  Processor(Environment environment, const arch::Submission& submission);

  // Throws Stop for an illegal packet, or one that cannot be executed; packets() gives its position.
  void run();

  const command_stream::PacketReader& packets() const { return packets_; }
  uint64_t steps() const { return meter_.steps(); }
  bool presented() const { return presented_; }
  const arch::Surface& presented_surface() const { return presented_surface_; }
  arch::Picture take_picture() { return std::move(picture_); }

 private:
  void execute(arch::Opcode opcode, std::span<const uint32_t> payload);
  void load(arch::Opcode opcode, const arch::LoadPacket& packet);
  void load_program(const arch::LoadProgramPacket& packet);
  void draw(const Draw& draw);
  ObservedDraw observed() const;
  void draw_byte_count(const arch::DrawByteCountPacket& packet);
  void feedback_counter(arch::Opcode opcode, const arch::FeedbackPacket& packet);
  void predicate(const arch::PredicatePacket& packet);
  void leave_geometry(const func::AssembledPrimitive& primitive, const ShadedVertex* const vertex[3],
                      uint32_t stream);
  void capture(const func::AssembledPrimitive& primitive, const ShadedVertex* const vertex[3],
               uint32_t stream);
  void dispatch(const arch::DispatchPacket& packet);
  void tell_work(bool dispatch, const Statistics& before) const;
  void draw_indirect(const arch::IndirectPacket& packet, bool indexed);
  template <class Packet>
  void copy(const Packet& packet);
  void clear(const arch::ClearPacket& packet);
  void write_query(const arch::QueryPacket& packet);
  uint64_t query_value(arch::QueryKind kind, uint32_t index) const;
  void present(const arch::Surface& surface);

  Environment env_;
  Meter meter_;
  command_stream::PacketReader packets_;
  std::unique_ptr<State> state_;
  QueryCounters counters_;
  func::FeedbackCounters feedback_;
  bool predicate_ = true;
  VertexStage vertex_stage_;
  TessellationStage tessellation_stage_;
  GeometryStage geometry_stage_;
  FragmentStage fragment_stage_;
  ComputeStage compute_stage_;
  VertexStage::Sink to_fragments_;
  VertexStage::PrimitiveSink to_tessellation_, to_geometry_, to_no_program_;
  GeometryStage::Sink from_geometry_;

  const uint64_t submission_;
  uint32_t draws_ = 0;
  bool presented_ = false;
  arch::Surface presented_surface_{};
  arch::Picture picture_;
};

}  // namespace cutaway::emulator
