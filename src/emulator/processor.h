#pragma once

#include <memory>
#include <span>

#include "arch/gpu.h"
#include "emulator/compute_stage.h"
#include "emulator/fragment_stage.h"
#include "emulator/program_cache.h"
#include "emulator/vertex_stage.h"
#include "func/draw/work.h"
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
    uint64_t clock = 0;  // what the steps of this submission are added to for a timestamp
    func::WorkLimits work;
    uint64_t step_limit = 0;
    std::function<void(arch::Address, uint64_t)> on_query;
    std::function<void(const PixelWrite&)> on_pixel;  // the submission is left to the caller
    std::function<void(arch::Opcode)> on_packet;
  };

  explicit Processor(Environment environment);

  // Stop: an illegal packet; packet_address() and packet_opcode() tell which.
  void run(const arch::Submission& submission);

  arch::Address packet_address() const { return packet_address_; }
  const char* packet_name() const { return packet_name_; }
  uint64_t steps() const { return meter_.steps(); }
  bool presented() const { return presented_; }
  const arch::Surface& presented_surface() const { return presented_surface_; }
  arch::Picture take_picture() { return std::move(picture_); }

 private:
  void commands(arch::Address address, uint64_t words, uint32_t depth);
  void execute(arch::Opcode opcode, std::span<const uint32_t> payload, uint32_t depth);
  void set_registers(std::span<const uint32_t> payload);
  void load(arch::Opcode opcode, const arch::LoadPacket& packet);
  void load_program(const arch::LoadProgramPacket& packet);
  void draw(const Draw& draw);
  void draw_byte_count(const arch::DrawByteCountPacket& packet);
  void feedback_counter(arch::Opcode opcode, const arch::FeedbackPacket& packet);
  void predicate(const arch::PredicatePacket& packet);
  void capture(const func::AssembledPrimitive& primitive, const ShadedVertex* const vertex[3]);
  void dispatch(const arch::DispatchPacket& packet);
  void draw_indirect(const arch::IndirectPacket& packet, bool indexed);
  template <class Packet>
  void copy(const Packet& packet);
  void write_query(const arch::QueryPacket& packet);
  uint64_t query_value(arch::QueryKind kind, uint32_t index) const;
  void present(const arch::Surface& surface);

  Environment env_;
  Meter meter_;
  func::Work work_;
  std::unique_ptr<State> state_;
  QueryCounters counters_;
  func::FeedbackCounters feedback_;
  bool predicate_ = true;
  VertexStage vertex_stage_;
  FragmentStage fragment_stage_;
  ComputeStage compute_stage_;
  VertexStage::Sink to_fragments_;

  std::vector<uint32_t> payload_[arch::kCallDepth + 1];
  arch::Address packet_address_ = 0;
  const char* packet_name_ = "";
  uint32_t draws_ = 0;
  bool presents_ = false, presented_ = false;
  arch::Surface presented_surface_{};
  arch::Picture picture_;
};

}  // namespace cutaway::emulator
