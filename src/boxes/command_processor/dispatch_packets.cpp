// Dispatches: as draws they take a version of the state each.
#include "boxes/command_processor/draw_memory.h"

namespace cutaway::boxes {

using engine::Cycle;

namespace {

const EnumSet<arch::Stage> kCompute = {arch::Stage::kCompute};

}  // namespace

CommandProcessor::Result CommandProcessor::send_dispatch(Cycle now, const arch::DispatchPacket& packet) {
  if (loads_under_way_) return Result::kWait;
  if (!draw_judged_) {
    std::string error = check_.dispatch_error(
        current_->registers, current_->stage[arch::Stage::kCompute].program != nullptr, packet.groups);
    if (error.empty()) error = unclocked_textures(kCompute);
    if (!error.empty()) return refuse(error);
    draw_judged_ = true;
  }
  if (!dispatch_out.ready(now)) return Result::kBlocked;
  if (const Result result = prepare_state(now, kCompute); result != Result::kDone) return result;
  if (scans_out_ && dispatch_meets_scan_out()) return wait_for_display();
  if (!copies_under_way_.empty() && dispatch_meets_copies()) return Result::kWait;
  if (!snapshot()) return Result::kWait;
  draw_judged_ = programs_sent_ = false;
  watch_stores(kCompute);
  count_driver_cycles(now);
  latest_->users++;
  const uint32_t number = kFirstDispatch + dispatches_++;
  const uint32_t* size = latest_->registers.compute.local_size;
  if (latest_->registers.query.statistics)
    queries_[draw::Statistic::kComputeInvocations] +=
        uint64_t{packet.groups[0]} * packet.groups[1] * packet.groups[2] * size[0] * size[1] * size[2];
  parts::Origin origin = origin_;
  origin.draw = 0;
  dispatch_out.send(now, {packet, number, latest_, origin});
  const uint32_t work = begin_dispatch(now, packet);
  draws_under_way_.push_back({number, latest_, 2ull << draw_done.size(), 0, place(), work});
  return Result::kDone;
}

CommandProcessor::Result CommandProcessor::dispatch_indirect(Cycle now) {
  if (!indirect_.read) {
    const auto packet = arch::packet_as<arch::DispatchIndirectPacket>(stream_.payload());
    if (!read_arguments(now, packet.address, std::span(indirect_.words).first(3))) return Result::kWait;
    indirect_.read = true;
  }
  const auto& words = indirect_.words;
  const Result result = send_dispatch(now, {{words[0], words[1], words[2]}, {0, 0, 0}});
  if (result == Result::kDone) indirect_ = {};
  return result;
}

bool CommandProcessor::dispatch_meets_scan_out() const {
  return any_stored(kCompute, [this](const MemoryRange& range) { return range.meets(scanned_); });
}

bool CommandProcessor::dispatch_meets_copies() const {
  return any_stored(kCompute, [this](const MemoryRange& r) { return is_copied(r); }) ||
         any_resource(kCompute, [this](const MemoryRange& r) { return copies_write(r); });
}

}  // namespace cutaway::boxes
