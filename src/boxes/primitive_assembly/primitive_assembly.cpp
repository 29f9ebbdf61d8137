#include "boxes/primitive_assembly/primitive_assembly.h"

#include "parts/draw_state.h"

namespace cutaway::boxes {

using engine::Cycle;

namespace {

bool ends_batch(const parts::VertexMessage& message) {
  return message.draw_end || message.kind == parts::VertexMessage::Kind::kBatchEnd;
}

}  // namespace

// A batch has nothing of the one before: the assembler begins anew.
Cycle PrimitiveAssembly::tick(Cycle now) {
  const parts::VertexMessage* next = vertices_in.peek(now);
  if (!next) return idle(now);
  if (!primitives_out.ready(now)) return blocked(now, primitives_out);
  if (ends_batch(*next) && !assembled_out.ready(now)) return blocked(now, assembled_out);
  const parts::VertexMessage message = vertices_in.take(now);
  if (state_ != message.state || draw_ != message.origin.draw) {
    state_ = message.state;
    draw_ = message.origin.draw;
    assembled_ = {.draw = draw_};
    assembler_ = {static_cast<arch::Topology>(state_->registers.assembly.topology),
                  static_cast<arch::ProvokingVertex>(state_->registers.assembly.provoking_vertex),
                  message.batch.first_primitive};
  }
  if (ends_batch(message)) {
    held_ = {};
    parts::PrimitiveMessage end;
    end.state = state_;
    end.origin = message.origin;
    end.draw_end = message.draw_end;
    end.batch_end = !message.draw_end;
    primitives_out.send(now, std::move(end));
    assembled_out.send(now, assembled_);
    draw_ = 0;
    return busy(now);
  }
  switch (message.kind) {
    case parts::VertexMessage::Kind::kRestart:
      assembler_.restart();
      forget();
      break;
    case parts::VertexMessage::Kind::kNextInstance:
      assembler_.begin_instance();
      forget();
      break;
    case parts::VertexMessage::Kind::kVertex:
      add(now, message);
      forget();
      break;
    case parts::VertexMessage::Kind::kBatchEnd:
      break;  // above
  }
  return busy(now);
}

uint32_t PrimitiveAssembly::free_slot() const { return held_[0] ? held_[1] ? 2 : 1 : 0; }

// Lets go of the vertices that the assembler does not remember.
void PrimitiveAssembly::forget() {
  uint32_t used = 0;
  for (uint32_t i = 0; i < assembler_.remembered(); i++) used |= 1u << assembler_.remembered(i);
  for (uint32_t i = 0; i < held_.size(); i++)
    if (!(used >> i & 1)) held_[i] = {};
}

void PrimitiveAssembly::add(Cycle now, const parts::VertexMessage& message) {
  counters.vertices++;
  const bool counted = state_->registers.query.statistics;
  assembled_.vertices += counted && !message.batch.repeated;
  const uint32_t slot = free_slot();
  held_[slot] = message.vertex;
  const auto primitive = assembler_.add(slot);
  if (!primitive) return;
  counters.primitives++;
  counters.driver_primitives += state_->of_driver;
  assembled_.primitives += counted;
  parts::PrimitiveMessage out;
  for (uint32_t i = 0; i < primitive->vertices; i++) out.vertex[i] = held_[primitive->vertex[i]];
  out.vertices = primitive->vertices;
  out.first = primitive->first;
  out.strip = primitive->strip;
  out.state = state_;
  out.origin = message.origin;
  out.origin.primitive = primitive->id;
  primitives_out.send(now, std::move(out));
}

}  // namespace cutaway::boxes
