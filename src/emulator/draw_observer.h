#pragma once

#include "arch/memory.h"
#include "arch/registers.h"
#include "command_stream/by_stage.h"
#include "command_stream/primitive_geometry.h"
#include "command_stream/stage_state.h"

namespace cutaway::emulator {

// A draw with its state, and memory as it is at this moment.
struct ObservedDraw {
  uint64_t submission = 0;
  uint32_t draw = 0;  // counts from 1 in its submission
  const arch::Registers& registers;
  const command_stream::ByStage<command_stream::StageState>& stage;
  const arch::Memory& memory;
};

// Is told of each draw that is executed, in order, by the thread that submits.
class DrawObserver {
 public:
  virtual ~DrawObserver() = default;
  virtual void begin(const ObservedDraw& draw) = 0;
  // A primitive of the last stage before the rasteriser; its provoking vertex is the first.
  virtual void primitive(const func::AssembledPrimitive& primitive,
                         const command_stream::ShadedVertex* const vertex[3]) = 0;
  virtual void end(const ObservedDraw& draw) = 0;
};

}  // namespace cutaway::emulator
