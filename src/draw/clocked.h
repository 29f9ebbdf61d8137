#pragma once

#include "arch/packet.h"
#include "arch/registers.h"

// What the clocked machine does not execute yet. It refuses it by these names, and so does who looks before
// a frame is clocked: "compute programs are not clocked yet". nullptr: it is executed.
namespace cutaway::draw {

// registers: as the packets before have set them.
const char* unclocked(arch::Opcode opcode, const arch::Registers& registers);

// Of a program whose registers do not say that it does.
constexpr const char* kStoresUnclocked = "programs that store to buffers or images are";

constexpr bool is_draw(arch::Opcode opcode) {
  return opcode == arch::Opcode::kDraw || opcode == arch::Opcode::kDrawIndexed ||
         opcode == arch::Opcode::kDrawIndirect || opcode == arch::Opcode::kDrawIndexedIndirect ||
         opcode == arch::Opcode::kDrawByteCount;
}

constexpr bool is_dispatch(arch::Opcode opcode) {
  return opcode == arch::Opcode::kDispatch || opcode == arch::Opcode::kDispatchIndirect;
}

}  // namespace cutaway::draw
