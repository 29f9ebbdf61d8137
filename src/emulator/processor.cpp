#include "emulator/processor.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include "func/copy/copy_surface.h"
#include "func/copy/scanout.h"
#include "func/draw/legal.h"
#include "func/draw/query.h"

namespace cutaway::emulator {
namespace {

using arch::Opcode;

void stop_if(const std::string& error) {
  if (!error.empty()) throw Stop{error};
}
void stop_if(const char* error) {
  if (error) throw Stop{error};
}

}  // namespace

Processor::Processor(Environment environment)
    : env_(std::move(environment)),
      meter_(env_.step_limit),
      work_(env_.work),
      state_(std::make_unique<State>()),
      vertex_stage_(env_.memory, meter_, env_.statistics, env_.team),
      fragment_stage_(env_.memory, meter_, work_, env_.statistics, env_.team, env_.batch),
      compute_stage_(env_.memory, meter_, env_.statistics),
      to_fragments_([this](const func::AssembledPrimitive& primitive, const ShadedVertex* const vertex[3]) {
        if (state_->registers.feedback.on) capture(primitive, vertex);
        fragment_stage_.draw(primitive, vertex);
      }) {
  if (env_.on_pixel)
    fragment_stage_.on_pixel = [this](PixelWrite write) {
      write.draw = draws_;
      env_.on_pixel(write);
    };
}

void Processor::run(const arch::Submission& submission) {
  presents_ = submission.presents;
  packet_address_ = submission.commands;
  if (submission.commands % 4) throw Stop{"the address of the commands is no multiple of 4"};
  commands(submission.commands, submission.words, 0);
  if (presents_ && !presented_) throw Stop{"the submission was to present and does not"};
}

void Processor::commands(arch::Address address, uint64_t words, uint32_t depth) {
  auto& payload = payload_[depth];
  for (const arch::Address end = address + words * 4; address < end;) {
    stop_if_interrupted();
    packet_address_ = address;
    packet_name_ = "packet";
    if (!env_.memory.mapped(address)) throw Stop{"the commands lie in memory that is not mapped"};
    const auto header = env_.memory.read_as<uint32_t>(address);
    const Opcode opcode = arch::packet_opcode(header);
    const uint32_t size = arch::packet_payload(header);
    const arch::PayloadRange range = arch::payload_range(opcode);
    if (range.least > range.most || header >> 16 & 0xff)
      throw Stop{fmt::format("unknown header {:08x}", header)};
    packet_name_ = arch::opcode_name(opcode);
    if (size < range.least || size > range.most)
      throw Stop{fmt::format("a payload of {} words, but {} to {} are legal", size, range.least, range.most)};
    if ((end - address) / 4 <= size) throw Stop{"the packet reaches beyond the end of the commands"};
    stop_if(work_.words(1 + uint64_t{size}));
    payload.resize(size);
    if (opcode != Opcode::kNop && size) env_.memory.read(address + 4, payload.data(), size * 4ull);
    meter_.step(1);
    env_.statistics.packets++;
    execute(opcode, payload, depth);
    if (env_.on_packet) env_.on_packet(opcode);
    address += 4 + size * 4ull;
  }
}

void Processor::execute(Opcode opcode, std::span<const uint32_t> payload, uint32_t depth) {
  switch (opcode) {
    case Opcode::kNop:
    case Opcode::kWaitIdle:
    case Opcode::kMarker:
      return;
    case Opcode::kFlush:
    case Opcode::kInvalidate:
      if (payload[0] & ~uint32_t{arch::kCacheAll}) throw Stop{"unknown cache"};
      return;
    case Opcode::kSetRegisters:
      return set_registers(payload);
    case Opcode::kLoadConstants:
    case Opcode::kLoadResources:
    case Opcode::kLoadSamplers:
      return load(opcode, arch::packet_as<arch::LoadPacket>(payload));
    case Opcode::kLoadProgram:
      return load_program(arch::packet_as<arch::LoadProgramPacket>(payload));
    case Opcode::kDraw: {
      const auto p = arch::packet_as<arch::DrawPacket>(payload);
      return draw({false, p.vertices, p.instances, p.first_vertex, 0, p.first_instance});
    }
    case Opcode::kDrawIndexed: {
      const auto p = arch::packet_as<arch::DrawIndexedPacket>(payload);
      return draw({true, p.indices, p.instances, p.first_index, static_cast<uint32_t>(p.vertex_offset),
                   p.first_instance});
    }
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
      if (from % 4) throw Stop{"the address is no multiple of 4"};
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
    case Opcode::kWriteQuery:
      return write_query(arch::packet_as<arch::QueryPacket>(payload));
    case Opcode::kWriteValue: {
      const auto p = arch::packet_as<arch::WriteValuePacket>(payload);
      stop_if(func::value_error(p.address));
      env_.memory.write_as<uint64_t>(p.address, p.value);
      return;
    }
    case Opcode::kWaitValue: {
      const auto p = arch::packet_as<arch::WaitValuePacket>(payload);
      stop_if(func::value_error(p.address));
      const auto there = env_.memory.read_as<uint64_t>(p.address);
      if (there < p.value)
        throw Stop{fmt::format("waits for {}, but {} is there and nothing will change it", uint64_t{p.value},
                               there)};
      return;
    }
    case Opcode::kCall: {
      const auto p = arch::packet_as<arch::CallPacket>(payload);
      if (depth == arch::kCallDepth) throw Stop{fmt::format("calls nest deeper than {}", arch::kCallDepth)};
      if (p.address % 4 || p.address >> arch::kAddressBits) throw Stop{"no address of commands"};
      return commands(p.address, p.words, depth + 1);
    }
    case Opcode::kPresent:
      return present(arch::packet_as<arch::Surface>(payload));
  }
}

void Processor::set_registers(std::span<const uint32_t> payload) {
  const uint64_t first = payload[0], values = payload.size() - 1;
  if (first + values > arch::kRegisterWords)
    throw Stop{
        fmt::format("registers {} to {}, but there are {}", first, first + values - 1, arch::kRegisterWords)};
  std::memcpy(reinterpret_cast<uint32_t*>(&state_->registers) + first, payload.data() + 1, values * 4);
}

void Processor::load(Opcode opcode, const arch::LoadPacket& packet) {
  stop_if(func::load_error(opcode, packet));
  stop_if(work_.load(uint64_t{packet.count} * func::load_slot_bytes(opcode) / 4));
  StageState& stage = state_->stage[packet.stage];
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
  stop_if(func::load_program_error(packet, state_->registers));
  const arch::ShaderRegisters& shader = state_->registers.shader[packet.stage];
  auto& program = state_->stage[packet.stage].program;
  program = nullptr;
  stop_if(work_.load(shader.instructions * uint64_t{isa::kInstructionBytes} / 4));
  if (shader.instructions)
    program = env_.programs.load(env_.memory, static_cast<arch::Stage>(packet.stage), shader);
}

void Processor::draw(const Draw& draw) {
  if (!predicate_) return;
  stop_if(func::draw_error(state_->registers));
  if (!state_->vertex().program) throw Stop{"no vertex program is loaded"};
  stop_if(work_.draw(draw.count, draw.instances));
  env_.statistics.draws++;
  draws_++;
  fragment_stage_.begin(*state_, counters_);
  vertex_stage_.run(*state_, draw, counters_, to_fragments_);
  fragment_stage_.end();
}

void Processor::dispatch(const arch::DispatchPacket& packet) {
  if (!predicate_) return;
  stop_if(func::dispatch_error(state_->registers));
  if (!state_->compute().program) throw Stop{"no compute program is loaded"};
  const uint32_t* const size = state_->registers.compute.local_size;
  stop_if(work_.dispatch(packet.groups, size[0] * size[1] * size[2]));
  env_.statistics.dispatches++;
  compute_stage_.run(*state_, packet, counters_);
}

void Processor::draw_indirect(const arch::IndirectPacket& packet, bool indexed) {
  if (packet.address % 4 || packet.stride % 4 || packet.count_address % 4)
    throw Stop{"an address or the stride is no multiple of 4"};
  if (!predicate_) return;
  uint32_t draws = packet.draws;
  if (packet.count_address) draws = std::min(draws, env_.memory.read_as<uint32_t>(packet.count_address));
  for (uint32_t i = 0; i < draws; i++) {
    meter_.step(1);
    const arch::Address at = packet.address + uint64_t{i} * packet.stride;
    if (indexed) {
      const auto p = env_.memory.read_as<arch::DrawIndexedPacket>(at);
      draw({true, p.indices, p.instances, p.first_index, static_cast<uint32_t>(p.vertex_offset),
            p.first_instance, i});
    } else {
      const auto p = env_.memory.read_as<arch::DrawPacket>(at);
      draw({false, p.vertices, p.instances, p.first_vertex, 0, p.first_instance, i});
    }
  }
}

void Processor::draw_byte_count(const arch::DrawByteCountPacket& packet) {
  if (packet.counter % 4 || !packet.stride)
    throw Stop{"the counter's address is no multiple of 4, or no stride"};
  const auto filled = env_.memory.read_as<uint32_t>(packet.counter);
  const uint32_t vertices = filled > packet.offset ? (filled - packet.offset) / packet.stride : 0;
  draw({false, vertices, packet.instances, 0, 0, packet.first_instance});
}

void Processor::feedback_counter(Opcode opcode, const arch::FeedbackPacket& packet) {
  if (packet.buffer >= arch::kFeedbackBuffers || packet.address % 4)
    throw Stop{"no such transform feedback buffer, or an address that is no multiple of 4"};
  uint32_t& filled = feedback_.filled[packet.buffer];
  if (opcode == Opcode::kStoreFeedback) env_.memory.write_as<uint32_t>(packet.address, filled);
  else filled = packet.address ? env_.memory.read_as<uint32_t>(packet.address) : 0;
}

void Processor::predicate(const arch::PredicatePacket& packet) {
  if (packet.address % 4 || packet.inverted > 1)
    throw Stop{"an address that is no multiple of 4, or unknown condition"};
  predicate_ =
      !packet.address || (env_.memory.read_as<uint32_t>(packet.address) == 0) == (packet.inverted != 0);
}

// Captures a primitive, if all its vertices fit into all buffers.
void Processor::capture(const func::AssembledPrimitive& primitive, const ShadedVertex* const vertex[3]) {
  const arch::Registers& registers = state_->registers;
  counters_.primitives[1]++;
  if (!func::feedback_fits(registers.feedback, feedback_, primitive.vertices)) return;
  counters_.primitives[0]++;
  for (uint32_t i = 0; i < primitive.vertices; i++) {
    const ShadedVertex& from = *vertex[func::feedback_vertex(registers.assembly, primitive.vertices, i)];
    meter_.step(1);
    for (uint32_t j = 0; j < registers.feedback.outputs; j++) {
      const arch::FeedbackOutput output = registers.feedback.output[j];
      env_.memory.write_as<uint32_t>(func::feedback_address(registers.feedback, feedback_, output),
                                     from.output[output.source()][output.component()]);
    }
    func::feedback_advance(registers.feedback, feedback_);
  }
}

template <class Packet>
void Processor::copy(const Packet& packet) {
  stop_if(work_.copy(packet));
  stop_if(func::copy_error(packet));
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

void Processor::write_query(const arch::QueryPacket& packet) {
  stop_if(func::query_error(packet));
  for (uint32_t i = 0; i < arch::query_values(packet.kind); i++) {
    const arch::Address address = func::query_address(packet, i);
    const uint64_t value = query_value(static_cast<arch::QueryKind>(packet.kind), i);
    env_.memory.write_as(address, value);
    if (packet.point == static_cast<uint32_t>(arch::QueryPoint::kEnd))
      env_.memory.write_as(address + sizeof value, uint64_t{1});
    if (!func::is_architectural(packet.kind, i) && env_.on_query) env_.on_query(address, value);
  }
}

uint64_t Processor::query_value(arch::QueryKind kind, uint32_t index) const {
  switch (kind) {
    case arch::QueryKind::kSamplesPassed:
      return counters_.samples_passed;
    case arch::QueryKind::kTimestamp:
      return env_.clock + meter_.steps();
    case arch::QueryKind::kStatistics:
      return counters_.statistics[index];
    case arch::QueryKind::kPrimitives:
      return counters_.primitives[index];
  }
  return 0;
}

void Processor::present(const arch::Surface& surface) {
  if (!presents_) throw Stop{"the submission was not to present"};
  if (presented_) throw Stop{"the submission presents twice"};
  stop_if(func::scanout_error(surface));
  presented_ = true;
  presented_surface_ = surface;
  const func::TextureView view = func::make_texture_view(surface);
  picture_ = func::make_picture(view);
  std::byte bytes[64 * func::kMaxTexelBytes];
  for (uint32_t row = 0; row < func::scanout_rows(view); row++) {
    stop_if_interrupted();
    for (uint32_t column = 0; column < func::scanout_columns(view); column++) {
      meter_.step(1);
      const func::ScanoutTile tile = func::plan_scanout(view, column, row);
      for (uint32_t i = 0; i < tile.segments; i++)
        env_.memory.read(tile.address[i], bytes + i * tile.segment_bytes, tile.segment_bytes);
      func::finish_scanout(view, tile, bytes, picture_);
    }
  }
}

}  // namespace cutaway::emulator
