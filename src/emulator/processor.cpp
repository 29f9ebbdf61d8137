#include "emulator/processor.h"

#include <algorithm>
#include <array>

#include "command_stream/legal.h"
#include "command_stream/query.h"
#include "func/copy/clear_surface.h"
#include "func/copy/copy_surface.h"
#include "func/copy/scanout.h"

namespace cutaway::emulator {
namespace {

using arch::Opcode;

void stop_if(const std::string& error) {
  if (!error.empty()) throw Stop{error};
}

}  // namespace

Processor::Processor(Environment environment, const arch::Submission& submission)
    : env_(std::move(environment)),
      meter_(env_.step_limit),
      packets_(env_.memory, submission, env_.work),
      state_(std::make_unique<State>()),
      vertex_stage_(env_.memory, meter_, env_.statistics, env_.team),
      tessellation_stage_(env_.memory, meter_, env_.statistics),
      geometry_stage_(env_.memory, meter_, env_.statistics),
      fragment_stage_(env_.memory, meter_, packets_.check().work(), env_.statistics, env_.team, env_.batch,
                      env_.copies),
      compute_stage_(env_.memory, meter_, env_.statistics),
      to_fragments_([this](const func::AssembledPrimitive& primitive, const ShadedVertex* const vertex[3]) {
        leave_geometry(primitive, vertex, 0);
      }),
      to_tessellation_([this](const func::InputPrimitive& patch, const ShadedVertex* const vertex[]) {
        tessellation_stage_.add(patch, vertex);
      }),
      to_geometry_([this](const func::InputPrimitive& primitive, const ShadedVertex* const vertex[]) {
        geometry_stage_.add(primitive, vertex);
      }),
      from_geometry_([this](const func::AssembledPrimitive& primitive, const ShadedVertex* const vertex[3],
                            uint32_t stream) { leave_geometry(primitive, vertex, stream); }),
      submission_(submission.id) {
  if (env_.on_pixel)
    fragment_stage_.on_pixel = [this](PixelWrite write) {
      write.draw = draws_;
      env_.on_pixel(write);
    };
}

void Processor::run() {
  while (packets_.next(state_->registers)) {
    stop_if_interrupted();
    meter_.step(1);
    env_.statistics.packets++;
    execute(packets_.opcode(), packets_.payload());
    if (env_.on_packet) env_.on_packet(packets_.opcode());
  }
  stop_if(packets_.error());
}

void Processor::execute(Opcode opcode, std::span<const uint32_t> payload) {
  switch (opcode) {
    case Opcode::kNop:
    case Opcode::kWaitIdle:
    case Opcode::kMarker:
    case Opcode::kFlush:
    case Opcode::kInvalidate:
    case Opcode::kCall:  // its commands follow
      return;
    case Opcode::kSetRegisters:
      return command_stream::set_registers(payload, state_->registers);
    case Opcode::kLoadConstants:
    case Opcode::kLoadResources:
    case Opcode::kLoadSamplers:
      return load(opcode, arch::packet_as<arch::LoadPacket>(payload));
    case Opcode::kLoadProgram:
      return load_program(arch::packet_as<arch::LoadProgramPacket>(payload));
    case Opcode::kDraw:
    case Opcode::kDrawIndexed:
      return draw(command_stream::make_draw(opcode == Opcode::kDrawIndexed, payload));
    case Opcode::kDrawIndirect:
    case Opcode::kDrawIndexedIndirect:
      return draw_indirect(arch::packet_as<arch::IndirectPacket>(payload),
                           opcode == Opcode::kDrawIndexedIndirect);
    case Opcode::kDrawByteCount:
      return draw_byte_count(arch::packet_as<arch::DrawByteCountPacket>(payload));
    case Opcode::kLoadFeedback:
    case Opcode::kStoreFeedback:
      return feedback_counter(opcode, arch::packet_as<arch::FeedbackPacket>(payload));
    case Opcode::kPredicate:
      return predicate(arch::packet_as<arch::PredicatePacket>(payload));
    case Opcode::kDispatch:
      return dispatch(arch::packet_as<arch::DispatchPacket>(payload));
    case Opcode::kDispatchIndirect: {
      const arch::Address from = arch::packet_as<arch::DispatchIndirectPacket>(payload).address;
      arch::DispatchPacket packet{};
      env_.memory.read(from, packet.groups, sizeof packet.groups);
      return dispatch(packet);
    }
    case Opcode::kCopyBuffer:
      return copy(arch::packet_as<arch::CopyBufferPacket>(payload));
    case Opcode::kFillBuffer:
      return copy(arch::packet_as<arch::FillBufferPacket>(payload));
    case Opcode::kCopySurface:
      return copy(arch::packet_as<arch::CopySurfacePacket>(payload));
    case Opcode::kCopyQueries:
      return copy(arch::packet_as<arch::CopyQueriesPacket>(payload));
    case Opcode::kClear:
      return clear(arch::packet_as<arch::ClearPacket>(payload));
    case Opcode::kWriteQuery:
      return write_query(arch::packet_as<arch::QueryPacket>(payload));
    case Opcode::kWriteValue: {
      const auto p = arch::packet_as<arch::WriteValuePacket>(payload);
      env_.memory.write_as<uint64_t>(p.address, p.value);
      return;
    }
    case Opcode::kWaitValue: {
      const auto p = arch::packet_as<arch::WaitValuePacket>(payload);
      if (const auto there = env_.memory.read_as<uint64_t>(p.address); there < p.value)
        throw Stop{command_stream::wait_error(p, there)};
      return;
    }
    case Opcode::kPresent:
      return present(arch::packet_as<arch::Surface>(payload));
  }
}

void Processor::load(Opcode opcode, const arch::LoadPacket& packet) {
  StageState& stage = state_->stage[static_cast<arch::Stage>(packet.stage)];
  const arch::Address from = packet.address;
  if (opcode == Opcode::kLoadConstants) {
    env_.memory.read(from, stage.constants.data() + packet.first, packet.count * 16ull);
  } else if (opcode == Opcode::kLoadSamplers) {
    env_.memory.read(from, stage.samplers.data() + packet.first, packet.count * sizeof(arch::Sampler));
  } else {
    for (uint32_t i = 0; i < packet.count; i++)
      stage.resources[packet.first + i] =
          func::make_texture_view(env_.memory.read_as<arch::Surface>(from + i * sizeof(arch::Surface)));
  }
}

void Processor::load_program(const arch::LoadProgramPacket& packet) {
  const arch::ShaderRegisters& shader = state_->registers.shader[packet.stage];
  const auto stage = static_cast<arch::Stage>(packet.stage);
  auto& program = state_->stage[stage].program;
  program = nullptr;
  if (shader.instructions) program = env_.programs.load(env_.memory, stage, shader);
}

void Processor::draw(const Draw& draw) {
  if (!predicate_) return;
  stop_if(packets_.check().draw_error(state_->registers, command_stream::loaded_programs(state_->stage),
                                      draw.count, draw.instances));
  const Statistics before = env_.statistics;
  env_.statistics.draws++;
  draws_++;
  if (env_.draw_observer) env_.draw_observer->begin(observed());
  fragment_stage_.begin(*state_, counters_);
  const bool geometry = command_stream::is_on(state_->registers, arch::Stage::kGeometry);
  if (geometry) geometry_stage_.begin(*state_, counters_, from_geometry_);
  const bool tessellation = command_stream::is_on(state_->registers, arch::Stage::kTessControl);
  const VertexStage::PrimitiveSink& to_program = geometry ? to_geometry_ : to_no_program_;
  if (tessellation) tessellation_stage_.begin(*state_, counters_, to_fragments_, to_program);
  vertex_stage_.run(*state_, draw, counters_, to_fragments_, tessellation ? to_tessellation_ : to_program);
  if (tessellation) tessellation_stage_.end();
  if (geometry) geometry_stage_.end();
  fragment_stage_.end();
  if (env_.draw_observer) env_.draw_observer->end(observed());
  tell_work(false, before);
}

ObservedDraw Processor::observed() const {
  return {.submission = submission_,
          .draw = draws_,
          .registers = state_->registers,
          .stage = state_->stage,
          .memory = env_.memory};
}

void Processor::tell_work(bool dispatch, const Statistics& before) const {
  if (env_.on_work) env_.on_work({state_->registers, dispatch, env_.statistics.since(before)});
}

void Processor::dispatch(const arch::DispatchPacket& packet) {
  if (!predicate_) return;
  stop_if(packets_.check().dispatch_error(state_->registers, state_->compute().program != nullptr,
                                          packet.groups));
  const Statistics before = env_.statistics;
  env_.statistics.dispatches++;
  compute_stage_.run(*state_, packet, counters_);
  tell_work(true, before);
}

void Processor::draw_indirect(const arch::IndirectPacket& packet, bool indexed) {
  if (!predicate_) return;
  uint32_t draws = packet.draws;
  if (packet.count_address) draws = std::min(draws, env_.memory.read_as<uint32_t>(packet.count_address));
  for (uint32_t i = 0; i < draws; i++) {
    meter_.step(1);
    const arch::Address at = packet.address + uint64_t{i} * packet.stride;
    std::array<uint32_t, command_stream::draw_words(true)> words;
    env_.memory.read(at, words.data(), command_stream::draw_words(indexed) * 4);
    draw(command_stream::make_draw(indexed, words, i));
  }
}

void Processor::draw_byte_count(const arch::DrawByteCountPacket& packet) {
  draw(command_stream::make_draw(packet, env_.memory.read_as<uint32_t>(packet.counter)));
}

void Processor::feedback_counter(Opcode opcode, const arch::FeedbackPacket& packet) {
  uint32_t& filled = feedback_.filled[packet.buffer];
  if (opcode == Opcode::kStoreFeedback) env_.memory.write_as<uint32_t>(packet.address, filled);
  else filled = packet.address ? env_.memory.read_as<uint32_t>(packet.address) : 0;
}

void Processor::predicate(const arch::PredicatePacket& packet) {
  predicate_ = !packet.address ||
               command_stream::predicate_holds(packet, env_.memory.read_as<uint32_t>(packet.address));
}

// Handles a primitive of the last stage before the rasteriser, which receives only stream 0.
void Processor::leave_geometry(const func::AssembledPrimitive& primitive, const ShadedVertex* const vertex[3],
                               uint32_t stream) {
  if (state_->registers.query.statistics) counters_.primitives_generated[stream]++;
  if (state_->registers.feedback.on) capture(primitive, vertex, stream);
  if (stream != 0) return;
  if (env_.draw_observer) env_.draw_observer->primitive(primitive, vertex);
  fragment_stage_.draw(primitive, vertex);
}

// Captures a primitive if all its vertices fit into all buffers.
void Processor::capture(const func::AssembledPrimitive& primitive, const ShadedVertex* const vertex[3],
                        uint32_t stream) {
  const arch::Registers& registers = state_->registers;
  counters_.primitives_needed[stream]++;
  if (!func::feedback_fits(registers.feedback, feedback_, primitive.vertices, stream)) return;
  counters_.primitives_written[stream]++;
  for (uint32_t i = 0; i < primitive.vertices; i++) {
    const ShadedVertex& from = *vertex[func::feedback_vertex(registers.assembly, primitive.vertices, i)];
    meter_.step(1);
    for (uint32_t j = 0; j < registers.feedback.outputs; j++) {
      const arch::FeedbackOutput output = registers.feedback.output[j];
      if (output.stream() != stream) continue;
      env_.memory.write_as<uint32_t>(func::feedback_address(registers.feedback, feedback_, output),
                                     from.output[output.source()][output.component()]);
    }
    func::feedback_advance(registers.feedback, feedback_, stream);
  }
}

template <class Packet>
void Processor::copy(const Packet& packet) {
  func::CopyCursor cursor(packet, func::CopyCursor::kMaxLineBytes);
  func::CopyChunk chunk;
  std::byte source[func::CopyCursor::kMaxLineBytes], destination[func::CopyCursor::kMaxLineBytes];
  while (cursor.next(chunk)) {
    stop_if_interrupted();
    meter_.step(1 + chunk.destination_bytes / 64);
    if (chunk.source_bytes) env_.memory.read(chunk.source, source, chunk.source_bytes);
    if (chunk.reads_destination) env_.memory.read(chunk.destination, destination, chunk.destination_bytes);
    cursor.finish(chunk, source, destination);
    env_.memory.write(chunk.destination, destination, chunk.destination_bytes);
    env_.statistics.bytes_copied += chunk.destination_bytes;
  }
}

void Processor::clear(const arch::ClearPacket& packet) {
  if (!predicate_) return;
  func::ClearCursor cursor(packet);
  for (func::ClearRun run; cursor.next(run);) {
    stop_if_interrupted();
    for (uint64_t done = 0; done < run.bytes; done += func::kClearBytes) {
      meter_.step(1);
      if (std::byte* const to = env_.memory.writable(run.address + done)) {
        cursor.value().apply(to);
        continue;
      }
      std::array<std::byte, func::kClearBytes> bytes;
      env_.memory.read(run.address + done, bytes.data(), bytes.size());
      cursor.value().apply(bytes.data());
      env_.memory.write(run.address + done, bytes.data(), bytes.size());
    }
  }
}

void Processor::write_query(const arch::QueryPacket& packet) {
  for (uint32_t i = 0; i < arch::query_values(packet.kind); i++) {
    const arch::Address address = command_stream::query_address(packet, i);
    const uint64_t value = query_value(static_cast<arch::QueryKind>(packet.kind), i);
    env_.memory.write_as(address, value);
    if (packet.point == static_cast<uint32_t>(arch::QueryPoint::kEnd))
      env_.memory.write_as(address + sizeof value, uint64_t{1});
    if (!command_stream::is_architectural(packet.kind, i) && env_.on_query) env_.on_query(address, value);
  }
}

uint64_t Processor::query_value(arch::QueryKind kind, uint32_t index) const {
  if (kind == arch::QueryKind::kTimestamp) return env_.clock + meter_.steps();
  return counters_.value(kind, index);
}

void Processor::present(const arch::Surface& surface) {
  presented_ = true;
  presented_surface_ = surface;
  const func::TextureView view = func::make_texture_view(surface);
  if (env_.makes_pictures) picture_ = func::make_picture(view);
  std::byte bytes[64 * func::kMaxTexelBytes];
  for (uint32_t row = 0; row < func::scanout_rows(view); row++) {
    stop_if_interrupted();
    for (uint32_t column = 0; column < func::scanout_columns(view); column++) {
      meter_.step(1);
      const func::ScanoutTile tile = func::plan_scanout(view, column, row);
      for (uint32_t i = 0; i < tile.segments; i++)
        env_.memory.read(tile.address[i], bytes + i * tile.segment_bytes, tile.segment_bytes);
      if (env_.makes_pictures) func::finish_scanout(view, tile, bytes, picture_);
    }
  }
}

}  // namespace cutaway::emulator
