#include "boxes/tessellation/point_assembly.h"

#include <utility>

#include "command_stream/legal.h"
#include "func/geometry/input_assembly.h"
#include "messages/draw_state.h"

namespace cutaway::boxes {
namespace {

uint32_t corners_of(const arch::TessellationRegisters& registers) {
  if (registers.point_mode) return 1;
  return registers.domain == static_cast<uint32_t>(arch::TessDomain::kIsolines) ? 2 : 3;
}

}  // namespace

bool PointAssembly::add(const messages::VertexMessage& point, engine::Place place) {
  messages::VertexRef copy = pools_.vertices.allocate();
  copy->output = point.vertex->output;
  copy->index = point.vertex->index, copy->instance = point.vertex->instance;
  copy->place = std::move(place);
  corner_[corners_++] = std::move(copy);
  state_ = point.state;
  origin_ = point.origin;
  return corners_ == corners_of(state_->registers.tessellation);
}

messages::PrimitiveMessage PointAssembly::take() {
  const arch::Registers& registers = state_->registers;
  messages::PrimitiveMessage out;
  out.state = state_;
  out.origin = origin_;
  if (command_stream::is_on(registers, arch::Stage::kGeometry)) {
    out.whole = pools_.whole_primitives.allocate();
    out.whole->vertices = corners_;
    for (uint32_t i = 0; i < corners_; i++) out.whole->vertex[i] = std::move(corner_[i]);
  } else {
    const bool last_provokes =
        registers.assembly.provoking_vertex == static_cast<uint32_t>(arch::ProvokingVertex::kLast);
    func::InputPrimitive primitive;
    primitive.vertices = static_cast<uint8_t>(corners_);
    primitive.provoking = static_cast<uint8_t>(last_provokes ? corners_ - 1 : 0);
    for (uint32_t i = 0; i < corners_; i++) primitive.vertex[i] = i;
    const func::AssembledPrimitive assembled = func::without_adjacency(primitive);
    for (uint32_t i = 0; i < corners_; i++) out.vertex[i] = std::move(corner_[assembled.vertex[i]]);
    out.vertices = assembled.vertices;
    out.first = assembled.first;
    out.strip = strip_;
  }
  strip_++;
  corners_ = 0;
  return out;
}

}  // namespace cutaway::boxes
