#include "boxes/memory_controller/banked_dram.h"

#include "messages/memory_message.h"

namespace cutaway::boxes {

const DramModels::Member<BankedDram> kBankedDram("banked");

BankedDram::BankedDram(const MemoryControllerSpec& spec)
    : DramChannel(spec),
      spec_(spec),
      row_(spec.row_bytes),
      bank_(spec.banks),
      banks_(spec.banks),
      due_(spec.t_refi ? spec.t_refi : engine::kAsleep),
      ahead_(Cycle{spec.t_rp} + spec.t_rcd + std::max(spec.t_cl, spec.t_wl)) {}

BankedDram::Place BankedDram::place(uint64_t address) const {
  // Rows are consecutive, or interleaved across banks by sectors.
  const bool whole_rows = spec_.order == DramOrder::kRowBankColumn;
  const uint64_t unit = whole_rows ? row_.quotient(address) : address / messages::kSectorBytes;
  const uint64_t row = whole_rows ? bank_.quotient(unit) : bank_.quotient(row_.quotient(address));
  const uint64_t bank = bank_.remainder(unit);
  return {row, spec_.bank_hash ? bank ^ bank_.remainder(row) : bank};
}

BankedDram::Plan BankedDram::plan(Cycle now, const Place& place, bool write) const {
  const Bank& bank = banks_[place.bank];
  Plan plan{.row_open = bank.row == place.row};
  Cycle column = std::max(now, bank.column);
  if (!plan.row_open) {
    const Cycle closed = bank.row == kClosed ? now : std::max(now, bank.precharge) + spec_.t_rp;
    plan.activate = std::max(closed, activate_);
    column = plan.activate + spec_.t_rcd;
  }
  const Cycle latency = column_latency(write);
  plan.ready = std::max(now + latency, free());
  plan.turned = std::max(plan.ready, turned(write));
  plan.begin = std::max(plan.turned, column + latency);
  return plan;
}

DramChannel::Timing BankedDram::timing(Cycle now, uint64_t address, bool write) const {
  const Plan found = plan(now, place(address), write);
  return {found.row_open, found.begin};
}

DramChannel::Cycle BankedDram::serve(Cycle now, uint64_t address, bool write, uint32_t bytes) {
  const auto [row, number] = place(address);
  const Plan plan = this->plan(now, {row, number}, write);
  Bank& bank = banks_[number];
  if (plan.row_open) {
    counters.row_hit++;
  } else {
    (bank.row == kClosed ? counters.row_miss : counters.row_conflict)++;
    bank = {row, plan.activate + spec_.t_rcd, plan.activate + spec_.t_ras};
    activate_ = plan.activate + spec_.t_rrd;
  }
  transfer(plan.ready, plan.turned, plan.begin, write, bytes);
  // The last data of a read has left the row t_cl before its transfer ends.
  const Cycle done = write ? transferred() + spec_.t_wr : transferred() - spec_.t_cl;
  bank.precharge = std::max(bank.precharge, done);
  next_ = std::max(now + 1, transferred() - std::min(transferred(), ahead_));
  return transferred();
}

void BankedDram::advance(Cycle now) {
  for (; due_ <= now; due_ += spec_.t_refi) {
    const Cycle begin = std::max(due_, free());
    Cycle closed = begin;
    for (Bank& bank : banks_) {
      if (bank.row == kClosed) continue;
      closed = std::max(closed, std::max(begin, bank.precharge) + spec_.t_rp);
      bank.row = kClosed;
    }
    activate_ = closed + spec_.t_rfc;
    refresh(begin, activate_);
    next_ = std::max(next_, activate_ - std::min(activate_, ahead_));
  }
}

}  // namespace cutaway::boxes
