#include "emulator/geometry_stage.h"

#include <algorithm>
#include <cstring>

namespace cutaway::emulator {

GeometryStage::GeometryStage(arch::Memory& memory, Meter& meter, Statistics& statistics)
    : meter_(meter), core_(memory, meter, statistics) {
  core_.emission = this;
}

void GeometryStage::begin(const State& state, QueryCounters& counters, const Sink& sink) {
  state_ = &state, counters_ = &counters, sink_ = &sink;
  lanes_ = primitives_ = 0;
  const arch::GeometryRegisters& geometry = state.registers.geometry;
  invocations_ = std::max(1u, geometry.invocations);
  outputs_.clear();
  for (uint32_t i = 0; i < arch::kShaderOutputs; i++)
    if (state.geometry().program->outputs >> i & 1) outputs_.push_back(i);
  core_.begin(state.geometry());
  core_.vertices.registers = geometry.inputs.count;
  streams_.resize(arch::kStreams);
  for (Stream& stream : streams_) {
    stream.assembler = func::PrimitiveAssembler(
        static_cast<arch::Topology>(geometry.output_topology),
        static_cast<arch::ProvokingVertex>(state.registers.assembly.provoking_vertex));
    // Outputs that the program does not write are zero.
    std::memset(static_cast<void*>(stream.vertex.data()), 0, sizeof stream.vertex);
    stream.next = 0;
  }
}

void GeometryStage::add(const func::InputPrimitive& primitive, const ShadedVertex* const vertex[]) {
  uint32_t number = 0;
  for (uint32_t invocation = 0; invocation < invocations_; invocation++) {
    if (invocation == 0 || lanes_ == 0) number = hold(primitive, vertex);
    Lane& lane = lane_[lanes_++];
    lane.primitive = number;
    lane.invocation = invocation;
    lane.emitted.clear();
    if (lanes_ == kLanes) flush();
  }
}

// Stores the inputs of a primitive's vertices; returns the primitive's index in the group.
uint32_t GeometryStage::hold(const func::InputPrimitive& primitive, const ShadedVertex* const vertex[]) {
  const arch::VertexInputs& inputs = state_->registers.geometry.inputs;
  const uint32_t number = primitives_++;
  primitive_id_[number] = primitive.id;
  input_vertices_ = primitive.vertices;
  std::vector<uint32_t>& words = held_[number];
  words.resize(size_t{primitive.vertices} * inputs.count * 4);
  uint32_t* to = words.data();
  for (uint32_t v = 0; v < primitive.vertices; v++)
    for (uint32_t i = 0; i < inputs.count; i++, to += 4) {
      if (inputs.source[i] < arch::kShaderOutputs)
        std::memcpy(to, vertex[v]->output[inputs.source[i]].data(), 16);
      else std::memset(to, 0, 16);
    }
  return number;
}

void GeometryStage::emit(uint32_t number, uint32_t stream) {
  func::EmittedStrips& emitted = lane_[number].emitted;
  if (!emitted.emit(stream, state_->registers.geometry.max_vertices)) return;
  meter_.step(1);
  for (const uint32_t output : outputs_)
    for (uint32_t c = 0; c < 4; c++) emitted.add_word(core_.output(output, c)[number]);
}

void GeometryStage::cut(uint32_t number, uint32_t stream) { lane_[number].emitted.cut(stream); }

void GeometryStage::flush() {
  if (!lanes_) return;
  const StageState& stage = state_->geometry();
  core_.vertices.count = input_vertices_;
  for (uint32_t i = 0; i < kLanes; i++) {
    const Lane& lane = lane_[std::min(i, lanes_ - 1)];
    core_.vertices.words[i] = held_[lane.primitive].data();
    core_.input(arch::kInputPrimitive, 0)[i] = primitive_id_[lane.primitive];
    core_.input(arch::kInputPrimitive, 1)[i] = lane.invocation;
    core_.input(arch::kInputPrimitive, 2)[i] = core_.input(arch::kInputPrimitive, 3)[i] = 0;
  }
  core_.run(stage, (uint64_t{1} << lanes_) - 1, 0);
  if (state_->registers.query.statistics) (*counters_)[Statistic::kGeometryInvocations] += lanes_;
  for (uint32_t i = 0; i < lanes_; i++) assemble(lane_[i]);
  lanes_ = primitives_ = 0;
}

// Assembles the primitives of one invocation, which ends its strips.
void GeometryStage::assemble(const Lane& lane) {
  const uint32_t* words = lane.emitted.words().data();
  for (const uint8_t event : lane.emitted.events()) {
    const uint32_t stream = func::EmittedStrips::event_stream(event);
    if (func::EmittedStrips::is_cut(event)) {
      streams_[stream].assembler.restart();
      continue;
    }
    assemble_vertex(stream, primitive_id_[lane.primitive], words);
    words += outputs_.size() * 4;
  }
  for (Stream& stream : streams_) stream.assembler.restart();
}

void GeometryStage::assemble_vertex(uint32_t number, uint32_t id, const uint32_t* words) {
  Stream& stream = streams_[number];
  const uint32_t place = stream.next++ % kKept;
  for (const uint32_t output : outputs_) {
    std::memcpy(stream.vertex[place].output[output].data(), words, 16);
    words += 4;
  }
  auto primitive = stream.assembler.add(place);
  if (!primitive) return;
  primitive->id = id;
  if (state_->registers.query.statistics) (*counters_)[Statistic::kGeometryPrimitives]++;
  const ShadedVertex* vertex[3] = {};
  for (uint32_t i = 0; i < primitive->vertices; i++) vertex[i] = &stream.vertex[primitive->vertex[i]];
  (*sink_)(*primitive, vertex, number);
}

}  // namespace cutaway::emulator
