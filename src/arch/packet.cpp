#include "arch/packet.h"

#include "base/error.h"

namespace cutaway::arch {
namespace {

template <class Packet>
constexpr PayloadRange exactly() {
  return {sizeof(Packet) / 4, sizeof(Packet) / 4};
}

}  // namespace

PayloadRange payload_range(Opcode opcode) {
  switch (opcode) {
    case Opcode::kNop:
      return {0, kMaxPayload};
    case Opcode::kSetRegisters:
      return {2, 4097};
    case Opcode::kLoadConstants:
    case Opcode::kLoadResources:
    case Opcode::kLoadSamplers:
      return exactly<LoadPacket>();
    case Opcode::kLoadProgram:
      return exactly<LoadProgramPacket>();
    case Opcode::kDraw:
      return exactly<DrawPacket>();
    case Opcode::kDrawIndexed:
      return exactly<DrawIndexedPacket>();
    case Opcode::kDrawIndirect:
    case Opcode::kDrawIndexedIndirect:
      return exactly<IndirectPacket>();
    case Opcode::kClear:
      return exactly<ClearPacket>();
    case Opcode::kDrawByteCount:
      return exactly<DrawByteCountPacket>();
    case Opcode::kLoadFeedback:
    case Opcode::kStoreFeedback:
      return exactly<FeedbackPacket>();
    case Opcode::kPredicate:
      return exactly<PredicatePacket>();
    case Opcode::kDispatch:
      return exactly<DispatchPacket>();
    case Opcode::kDispatchIndirect:
      return exactly<DispatchIndirectPacket>();
    case Opcode::kCopyBuffer:
      return exactly<CopyBufferPacket>();
    case Opcode::kFillBuffer:
      return exactly<FillBufferPacket>();
    case Opcode::kCopySurface:
      return exactly<CopySurfacePacket>();
    case Opcode::kCopyQueries:
      return exactly<CopyQueriesPacket>();
    case Opcode::kFlush:
    case Opcode::kInvalidate:
    case Opcode::kMarker:
      return {1, 1};
    case Opcode::kWaitIdle:
      return {0, 0};
    case Opcode::kWriteQuery:
      return exactly<QueryPacket>();
    case Opcode::kWriteValue:
      return exactly<WriteValuePacket>();
    case Opcode::kWaitValue:
      return exactly<WaitValuePacket>();
    case Opcode::kCall:
      return exactly<CallPacket>();
    case Opcode::kPresent:
      return exactly<Surface>();
  }
  return {1, 0};
}

bool is_header(uint32_t word) {
  const PayloadRange range = payload_range(packet_opcode(word));
  return range.least <= range.most && (word >> 16 & 0xff) == 0;
}

const char* opcode_name(Opcode opcode) {
  switch (opcode) {
    case Opcode::kNop:
      return "NOP";
    case Opcode::kSetRegisters:
      return "SET_REGISTERS";
    case Opcode::kLoadConstants:
      return "LOAD_CONSTANTS";
    case Opcode::kLoadResources:
      return "LOAD_RESOURCES";
    case Opcode::kLoadSamplers:
      return "LOAD_SAMPLERS";
    case Opcode::kLoadProgram:
      return "LOAD_PROGRAM";
    case Opcode::kDraw:
      return "DRAW";
    case Opcode::kDrawIndexed:
      return "DRAW_INDEXED";
    case Opcode::kDrawIndirect:
      return "DRAW_INDIRECT";
    case Opcode::kDrawIndexedIndirect:
      return "DRAW_INDEXED_INDIRECT";
    case Opcode::kDispatch:
      return "DISPATCH";
    case Opcode::kDispatchIndirect:
      return "DISPATCH_INDIRECT";
    case Opcode::kCopyBuffer:
      return "COPY_BUFFER";
    case Opcode::kFillBuffer:
      return "FILL_BUFFER";
    case Opcode::kCopySurface:
      return "COPY_SURFACE";
    case Opcode::kCopyQueries:
      return "COPY_QUERIES";
    case Opcode::kClear:
      return "CLEAR";
    case Opcode::kDrawByteCount:
      return "DRAW_BYTE_COUNT";
    case Opcode::kLoadFeedback:
      return "LOAD_FEEDBACK";
    case Opcode::kStoreFeedback:
      return "STORE_FEEDBACK";
    case Opcode::kPredicate:
      return "PREDICATE";
    case Opcode::kFlush:
      return "FLUSH";
    case Opcode::kInvalidate:
      return "INVALIDATE";
    case Opcode::kWaitIdle:
      return "WAIT_IDLE";
    case Opcode::kWriteQuery:
      return "WRITE_QUERY";
    case Opcode::kWriteValue:
      return "WRITE_VALUE";
    case Opcode::kWaitValue:
      return "WAIT_VALUE";
    case Opcode::kCall:
      return "CALL";
    case Opcode::kMarker:
      return "MARKER";
    case Opcode::kPresent:
      return "PRESENT";
  }
  return "?";
}

void CommandWriter::words(Opcode opcode, std::span<const uint32_t> payload) {
  CUTAWAY_CHECK(payload.size() <= kMaxPayload);
  commands_.push_back(packet_header(opcode, static_cast<uint32_t>(payload.size())));
  commands_.insert(commands_.end(), payload.begin(), payload.end());
}

void CommandWriter::set_registers(uint32_t first, std::span<const uint32_t> values) {
  CUTAWAY_CHECK(!values.empty() && values.size() <= 4096 && first + values.size() <= kRegisterWords);
  commands_.push_back(packet_header(Opcode::kSetRegisters, static_cast<uint32_t>(values.size() + 1)));
  commands_.push_back(first);
  commands_.insert(commands_.end(), values.begin(), values.end());
}

}  // namespace cutaway::arch
