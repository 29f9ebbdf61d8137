#include "command_stream/packet_check.h"

#include <cstring>
#include <fmt/format.h>

#include "command_stream/clocked.h"
#include "command_stream/legal.h"
#include "command_stream/legal_program.h"
#include "command_stream/query.h"
#include "func/copy/copy_surface.h"
#include "func/copy/scanout.h"

namespace cutaway::command_stream {
namespace {

using arch::Opcode;

std::string text(const char* error) { return error ? error : ""; }

std::string registers_error(std::span<const uint32_t> payload) {
  const uint64_t first = payload[0], values = payload.size() - 1;
  if (first + values <= arch::kRegisterWords) return {};
  return fmt::format("registers {} to {}, but there are {}", first, first + values - 1, arch::kRegisterWords);
}

std::string indirect_error(const arch::IndirectPacket& packet) {
  return packet.address % 4 || packet.stride % 4 || packet.count_address % 4
             ? "an address or the stride is no multiple of 4"
             : "";
}

std::string feedback_error(const arch::FeedbackPacket& packet) {
  return packet.buffer >= arch::kFeedbackBuffers || packet.address % 4
             ? "no such transform feedback buffer, or an address that is no multiple of 4"
             : "";
}

std::string call_error(const arch::CallPacket& packet, uint32_t depth) {
  if (depth == arch::kCallDepth) return fmt::format("calls nest deeper than {}", arch::kCallDepth);
  return packet.address % 4 || packet.address >> arch::kAddressBits ? "no address of commands" : "";
}

}  // namespace

std::string PacketCheck::submission_error(const arch::Submission& submission) {
  return submission.commands % 4 ? "the address of the commands is no multiple of 4" : "";
}

std::string PacketCheck::header_error(uint32_t header, uint64_t words_left, bool mapped) {
  if (!mapped) return "the commands lie in memory that is not mapped";
  if (!arch::is_header(header)) return fmt::format("unknown header {:08x}", header);
  const arch::PayloadRange range = arch::payload_range(arch::packet_opcode(header));
  const uint32_t words = arch::packet_payload(header);
  if (words < range.least || words > range.most)
    return fmt::format("a payload of {} words, but {} to {} are legal", words, range.least, range.most);
  if (words > words_left) return "the packet reaches beyond the end of the commands";
  return text(work_.words(1 + uint64_t{words}));
}

std::string PacketCheck::packet_error(Opcode opcode, std::span<const uint32_t> payload,
                                      const arch::Registers& registers, uint32_t depth) {
  if (std::string error = queue_error(opcode, payload); !error.empty()) return error;
  switch (opcode) {
    case Opcode::kNop:
    case Opcode::kWaitIdle:
    case Opcode::kMarker:
    case Opcode::kDraw:  // those that take place: draw_error, dispatch_error
    case Opcode::kDrawIndexed:
    case Opcode::kDispatch:
      return {};
    case Opcode::kFlush:
    case Opcode::kInvalidate:
      return payload[0] & ~uint32_t{arch::kCacheAll} ? "unknown cache" : "";
    case Opcode::kSetRegisters:
      return registers_error(payload);
    case Opcode::kLoadConstants:
    case Opcode::kLoadResources:
    case Opcode::kLoadSamplers: {
      const auto packet = arch::packet_as<arch::LoadPacket>(payload);
      if (std::string error = load_error(opcode, packet); !error.empty()) return error;
      return text(work_.load(uint64_t{packet.count} * load_slot_bytes(opcode) / 4));
    }
    case Opcode::kLoadProgram: {
      const auto packet = arch::packet_as<arch::LoadProgramPacket>(payload);
      if (std::string error = load_program_error(packet, registers); !error.empty()) return error;
      return text(
          work_.load(registers.shader[packet.stage].instructions * uint64_t{isa::kInstructionBytes} / 4));
    }
    case Opcode::kDrawIndirect:
    case Opcode::kDrawIndexedIndirect:
      return indirect_error(arch::packet_as<arch::IndirectPacket>(payload));
    case Opcode::kDispatchIndirect:
      return arch::packet_as<arch::DispatchIndirectPacket>(payload).address % 4
                 ? "the address is no multiple of 4"
                 : "";
    case Opcode::kDrawByteCount: {
      const auto packet = arch::packet_as<arch::DrawByteCountPacket>(payload);
      return packet.counter % 4 || !packet.stride
                 ? "the counter's address is no multiple of 4, or there is no stride"
                 : "";
    }
    case Opcode::kLoadFeedback:
    case Opcode::kStoreFeedback:
      return feedback_error(arch::packet_as<arch::FeedbackPacket>(payload));
    case Opcode::kPredicate: {
      const auto packet = arch::packet_as<arch::PredicatePacket>(payload);
      return packet.address % 4 || packet.inverted > 1
                 ? "an address that is no multiple of 4, or unknown condition"
                 : "";
    }
    case Opcode::kCopyBuffer:
      return copy_error<arch::CopyBufferPacket>(payload);
    case Opcode::kFillBuffer:
      return copy_error<arch::FillBufferPacket>(payload);
    case Opcode::kCopySurface:
      return copy_error<arch::CopySurfacePacket>(payload);
    case Opcode::kCopyQueries:
      return copy_error<arch::CopyQueriesPacket>(payload);
    case Opcode::kClear: {
      const auto packet = arch::packet_as<arch::ClearPacket>(payload);
      if (const char* error = work_.clear(packet)) return error;
      return clear_error(packet);
    }
    case Opcode::kWriteQuery:
      return text(query_error(arch::packet_as<arch::QueryPacket>(payload)));
    case Opcode::kWriteValue:
      return text(value_error(arch::packet_as<arch::WriteValuePacket>(payload).address));
    case Opcode::kWaitValue:
      return text(value_error(arch::packet_as<arch::WaitValuePacket>(payload).address));
    case Opcode::kCall:
      return call_error(arch::packet_as<arch::CallPacket>(payload), depth);
    case Opcode::kPresent:
      return present_error(arch::packet_as<arch::Surface>(payload));
  }
  return {};
}

// The compute queue's command processor reaches no unit that draws, and not the display.
std::string PacketCheck::queue_error(Opcode opcode, std::span<const uint32_t> payload) const {
  if (queue_ != arch::QueueKind::kCompute) return {};
  const bool clears_depth =
      opcode == Opcode::kClear &&
      !arch::format_info(arch::packet_as<arch::ClearPacket>(payload).surface.format).is_color();
  const bool reaches = is_draw(opcode) || clears_depth || opcode == Opcode::kPresent ||
                       opcode == Opcode::kLoadFeedback || opcode == Opcode::kStoreFeedback;
  return reaches ? "not in the compute queue" : "";
}

template <class Packet>
std::string PacketCheck::copy_error(std::span<const uint32_t> payload) {
  const auto packet = arch::packet_as<Packet>(payload);
  if (const char* error = work_.copy(packet)) return error;
  return text(func::copy_error(packet));
}

std::string PacketCheck::present_error(const arch::Surface& surface) {
  if (!presents_) return "the submission was not to present";
  if (presented_) return "the submission presents twice";
  presented_ = true;
  return text(func::scanout_error(surface));
}

std::string PacketCheck::draw_error(const arch::Registers& registers, const LoadedPrograms& programs,
                                    uint32_t count, uint32_t instances) {
  if (std::string error = command_stream::draw_error(registers); !error.empty()) return error;
  if (std::string error = programs_error(registers, programs); !error.empty()) return error;
  return text(work_.draw(count, instances));
}

std::string PacketCheck::dispatch_error(const arch::Registers& registers, bool compute_program,
                                        const uint32_t groups[3]) {
  if (std::string error = command_stream::dispatch_error(registers); !error.empty()) return error;
  if (!compute_program) return "no compute program is loaded";
  const uint32_t* const size = registers.compute.local_size;
  return text(work_.dispatch(groups, size[0] * size[1] * size[2]));
}

std::string PacketCheck::end_error() const {
  return presents_ && !presented_ ? "the submission was to present and does not" : "";
}

std::string wait_error(const arch::WaitValuePacket& packet, uint64_t there) {
  return fmt::format("waits for {}, but {} is there and nothing will change it", uint64_t{packet.value},
                     there);
}

std::string fault_text(const char* packet, const std::string& error) {
  return fmt::format("{}: {}", packet, error);
}

void set_registers(std::span<const uint32_t> payload, arch::Registers& registers) {
  std::memcpy(reinterpret_cast<std::byte*>(&registers) + payload[0] * 4ull, payload.data() + 1,
              (payload.size() - 1) * 4);
}

}  // namespace cutaway::command_stream
