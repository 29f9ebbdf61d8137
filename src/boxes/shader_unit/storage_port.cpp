#include "boxes/shader_unit/storage_port.h"

#include <algorithm>

#include "isa/operands.h"

namespace cutaway::boxes {

using engine::Cycle;
using messages::PoolRef;
using messages::StorageJob;

StoragePort::StoragePort(const ShaderUnitSpec& spec, const StorageSlices& slices, uint32_t groups,
                         messages::Pool<StorageJob>& jobs, UnitStorageCounters& counters)
    : slices_(slices),
      l1_latency_(spec.l1_latency),
      jobs_(jobs),
      counters_(counters),
      numbers_(spec.loads_under_way + 1),
      under_way_of_(size_t{groups} * numbers_),
      stores_(groups),
      order_(groups * numbers_),
      under_way_(slices.slices),
      l1_({slices.slices ? spec.l1_lines : 0, spec.l1_ways, slices.line_bytes, spec.l1_mshrs,
           spec.l1_replacement}),
      l1_answers_(l1_ ? spec.l1_latency + spec.l1_mshrs : 0) {}

void StoragePort::begin(const Group& group, uint32_t load, Cycle leaves) {
  const func::MicroOp& op = group.next_op();
  const isa::Instruction& instruction = group.next_instruction();
  StorageAccess::Words source[3];
  uint32_t values[size_t{4} * messages::kMaxStorageLanes];
  for (uint32_t n = 0; n < isa::source_count(instruction); n++) {
    func::read_source(op, n, group.view, group.width, values);
    for (uint32_t c = 0; c < 4; c++) std::copy_n(&values[size_t{c} * group.width], group.width, source[n][c]);
  }
  UnderWay& own = of({group.index, load});
  own.leaves = leaves;
  own.access = accesses_.allocate();
  own.access->plan(instruction, instruction.dst.file != isa::File::kNone, group.state->stage[group.stage],
                   source, group.width, group.threads.active(), group.threads.storing());
  if (own.access->kind != StorageJob::Kind::kAtomic || !stores_[group.index]) queue(group.index, load);
}

void StoragePort::queue(uint32_t group, uint32_t load) {
  of({group, load}).access->queued = true;
  order_.push(group * numbers_ + load);
}

uint32_t StoragePort::slice() const {
  return slices_.interleave.unit_of(next().access->next_line(slices_.line_bytes));
}

StoragePort::Sent StoragePort::send(Cycle now, const messages::Origin& origin, bool has_room) {
  StorageAccess& access = *next().access;
  const bool may_hit = l1_ && access.cached;
  if (!has_room && !may_hit) return {};
  PoolRef<StorageJob> job = jobs_.allocate();
  access.make_job(slices_.line_bytes, *job);
  job->origin = origin;
  job->group = RequestName{group(), load()}.number();
  const StorageL1::Outcome found = may_hit ? look_up(now, job, has_room) : StorageL1::Outcome::kMiss;
  if (found == StorageL1::Outcome::kStall) return {};
  if (l1_ && !may_hit) l1_.pass(*job);
  access.mark_sent(slices_.line_bytes, job->line);
  if (job->returns) access.missing++;
  else stores_[group()]++;
  if (found != StorageL1::Outcome::kMiss) return {Way::kKept, {}};
  under_way_[slices_.interleave.unit_of(job->line)]++;
  return {Way::kLeaves, std::move(job)};
}

StorageL1::Outcome StoragePort::look_up(Cycle now, const PoolRef<StorageJob>& job, bool may_leave) {
  using enum StorageL1::Outcome;
  if (l1_answers_.size() + l1_.waiting() == l1_answers_.capacity()) return kStall;
  const StorageL1::Outcome found = l1_.load(job, may_leave);
  counters_.l1_hits += found == kHit || found == kMerged;
  counters_.l1_merged += found == kMerged;
  counters_.l1_misses += found == kMiss;
  if (found == kHit) l1_answers_.push({now + l1_latency_, job});
  return found;
}

bool StoragePort::finish_sending() {
  const StorageAccess& access = *next().access;
  order_.drop();
  return !access.returns || !access.missing;
}

void StoragePort::receive(Cycle now, uint32_t slice, const StorageJob& job) {
  under_way_[slice]--;
  if (!job.returns || !l1_ || !of(RequestName::of(job.group)).access->cached) return;
  l1_.fill(job, [&](PoolRef<StorageJob>&& waited) {
    l1_answers_.push({now + l1_latency_, std::move(waited)});
  });
}

StoragePort::Progress StoragePort::answer(const StorageJob& job) {
  const RequestName name = RequestName::of(job.group);
  if (!job.returns) {
    if (--stores_[name.group]) return Progress::kMore;
    const UnderWay& waits = of({name.group, blocking()});
    if (waits.access && !waits.access->queued) queue(name.group, blocking());
    return Progress::kStored;
  }
  StorageAccess& access = *of(name).access;
  access.answer(slices_.line_bytes, job);
  access.missing--;
  return access.sent_all() && !access.missing ? Progress::kComplete : Progress::kMore;
}

bool StoragePort::complete(Group& group, uint32_t load, const func::MicroOp& op, uint64_t lanes) {
  UnderWay& own = of({group.index, load});
  const bool returns = own.access->returns;
  if (returns) {
    StorageAccess::Words result;
    uint32_t values[size_t{4} * messages::kMaxStorageLanes];
    own.access->results(group.state->stage[group.stage], result);
    for (uint32_t c = 0; c < 4; c++) std::copy_n(result[c], group.width, &values[size_t{c} * group.width]);
    func::write_result(op, group.view, group.width, lanes, values);
  }
  own.access = {};
  return returns;
}

void StoragePort::forget() {
  if (!l1_) return;
  l1_.invalidate();
  counters_.l1_invalidates++;
}

Cycle StoragePort::next_hit(Cycle now) const {
  return l1_answers_.empty() ? engine::kAsleep : std::max<Cycle>(l1_answers_.front().ready, now + 1);
}

uint32_t StoragePort::busiest_slice() const {
  const auto most = std::max_element(under_way_.begin(), under_way_.end());
  return static_cast<uint32_t>(most - under_way_.begin());
}

}  // namespace cutaway::boxes
