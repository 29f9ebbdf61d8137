#include "boxes/primitive_assembly/primitive_assembly.h"

#include "command_stream/legal.h"
#include "messages/batch_end.h"
#include "messages/draw_state.h"

namespace cutaway::boxes {

using arch::Stage;
using engine::Cycle;
using messages::VertexMessage;

namespace {

bool ends_batch(const messages::VertexMessage& message) {
  return message.draw_end || message.kind == VertexMessage::Kind::kBatchEnd;
}

}  // namespace

std::vector<std::string_view> PrimitiveAssembly::costs_nothing() const { return {"Counting for queries"}; }

Cycle PrimitiveAssembly::tick(Cycle now) {
  unsigned done = 0;
  while (done < per_cycle_ && step(now)) done++;
  if (done) return busy(now);
  if (!vertices_in.peek(now)) return idle(now);
  if (!primitives_out.ready(now)) return blocked(now, primitives_out);
  return blocked(now, assembled_out);
}

// Processes the next message, if there is one and room for its output.
bool PrimitiveAssembly::step(Cycle now) {
  const messages::VertexMessage* next = vertices_in.peek(now);
  if (!next || !primitives_out.ready(now)) return false;
  if (ends_batch(*next) && !assembled_out.ready(now)) return false;
  if (state_ != next->state || origin_.draw != next->origin.draw) begin_draw(*next);
  origin_ = next->origin;
  if (take(now, *next)) vertices_in.drop(now);
  return true;
}

// A batch is independent of earlier ones: the assembler starts anew.
void PrimitiveAssembly::begin_draw(const messages::VertexMessage& message) {
  state_ = message.state;
  assembled_ = {.draw = message.origin.draw};
  const arch::Registers& registers = state_->registers;
  const auto topology = static_cast<arch::Topology>(registers.assembly.topology);
  const auto provoking = static_cast<arch::ProvokingVertex>(registers.assembly.provoking_vertex);
  programs_ = command_stream::is_on(registers, Stage::kTessControl) ||
              command_stream::is_on(registers, Stage::kGeometry);
  whole_ = programs_ || !func::PrimitiveAssembler::supports(topology);
  const uint32_t first = message.batch.first_primitive;
  if (whole_) input_assembler_ = {topology, provoking, registers.tessellation.patch_vertices, first};
  else assembler_ = {topology, provoking, first};
}

// Returns false if the message needs another cycle.
bool PrimitiveAssembly::take(Cycle now, const messages::VertexMessage& message) {
  if (ends_batch(message)) {
    if (whole_ && send(now, input_assembler_.finish())) return false;
    end(now, message);
    return true;
  }
  switch (message.kind) {
    case VertexMessage::Kind::kRestart:
      if (whole_) send(now, input_assembler_.restart());
      else assembler_.restart();
      break;
    case VertexMessage::Kind::kNextInstance:
      if (whole_) send(now, input_assembler_.begin_instance());
      else assembler_.begin_instance();
      break;
    case VertexMessage::Kind::kVertex:
      add(now, message);
      break;
    case VertexMessage::Kind::kBatchEnd:
      break;  // above
  }
  forget();
  return true;
}

void PrimitiveAssembly::end(Cycle now, const messages::VertexMessage& message) {
  vertices_.clear();
  messages::send_batch_end(now, primitives_out, assembled_out, assembled_, state_, message.origin,
                           message.draw_end);
  state_ = nullptr;
}

void PrimitiveAssembly::forget() {
  if (whole_) vertices_.forget(input_assembler_);
  else vertices_.forget(assembler_);
}

void PrimitiveAssembly::add(Cycle now, const messages::VertexMessage& message) {
  counters.vertices++;
  if (state_->registers.query.statistics && !message.batch.repeated)
    assembled_.counts[command_stream::Statistic::kInputVertices]++;
  const uint32_t number = vertices_.add(message.vertex);
  if (whole_) send(now, input_assembler_.add(number));
  else if (const auto primitive = assembler_.add(number)) send(now, *primitive);
}

// Fills in the fields that all primitives have in common.
messages::PrimitiveMessage PrimitiveAssembly::begin(uint32_t id) {
  counters.primitives++;
  counters.driver_primitives += state_->of_driver;
  if (state_->registers.query.statistics) {
    assembled_.counts[command_stream::Statistic::kInputPrimitives]++;
    if (!programs_) assembled_.counts.primitives_generated[0]++;
  }
  messages::PrimitiveMessage out;
  out.state = state_;
  out.origin = origin_;
  out.origin.primitive = id;
  return out;
}

void PrimitiveAssembly::send(Cycle now, const func::AssembledPrimitive& primitive) {
  messages::PrimitiveMessage out = begin(primitive.id);
  for (uint32_t i = 0; i < primitive.vertices; i++) out.vertex[i] = vertices_[primitive.vertex[i]];
  out.vertices = primitive.vertices;
  out.first = primitive.first;
  out.strip = primitive.strip;
  primitives_out.send(now, std::move(out));
}

bool PrimitiveAssembly::send(Cycle now, const std::optional<func::InputPrimitive>& primitive) {
  if (!primitive) return false;
  if (!programs_) {
    send(now, func::without_adjacency(*primitive));
    return true;
  }
  messages::PrimitiveMessage out = begin(primitive->id);
  out.whole = pools_.whole_primitives.allocate();
  out.whole->vertices = primitive->vertices;
  for (uint32_t i = 0; i < primitive->vertices; i++) out.whole->vertex[i] = vertices_[primitive->vertex[i]];
  primitives_out.send(now, std::move(out));
  return true;
}

}  // namespace cutaway::boxes
