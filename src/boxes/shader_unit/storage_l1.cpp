#include "boxes/shader_unit/storage_l1.h"

#include "base/error.h"

namespace cutaway::boxes {

using messages::PoolRef;
using messages::StorageJob;

namespace {

using Bytes = messages::LineBytes;

bool has_all(const Bytes& here, const Bytes& needed) {
  for (size_t s = 0; s < here.size(); s++)
    if (needed[s] & ~here[s]) return false;
  return true;
}

Bytes both(const Bytes& a, const Bytes& b) {
  Bytes all;
  for (size_t s = 0; s < all.size(); s++) all[s] = a[s] | b[s];
  return all;
}

Bytes without(const Bytes& a, const Bytes& b) {
  Bytes left;
  for (size_t s = 0; s < left.size(); s++) left[s] = a[s] & ~b[s];
  return left;
}

// Bytes of a line that an access names.
Bytes touched(const StorageJob& job) {
  if (job.kind != StorageJob::Kind::kAtomic) return job.mask;
  Bytes bytes{};
  for (uint32_t i = 0; i < job.atomics; i++) {
    const uint32_t offset = job.atomic[i].offset;
    bytes[offset / messages::kSectorBytes] |= messages::byte_mask(offset % messages::kSectorBytes, 4);
  }
  return bytes;
}

}  // namespace

StorageL1::StorageL1(const Geometry& geometry)
    : geometry_(geometry),
      lines_(geometry.lines),
      data_(size_t{geometry.lines} * geometry.line_bytes),
      replacement_(structures::ReplacementPolicies::make(geometry.replacement, geometry.lines / geometry.ways,
                                                         geometry.ways)) {
  fills_.reserve(geometry.pending);
  waiting_.reserve(geometry.pending);
}

uint32_t StorageL1::set_of(arch::Address address) const {
  return static_cast<uint32_t>(address / geometry_.line_bytes % (geometry_.lines / geometry_.ways));
}

uint32_t StorageL1::line_of(arch::Address address) const {
  const uint32_t first = set_of(address) * geometry_.ways;
  for (uint32_t way = 0; way < geometry_.ways; way++)
    if (lines_[first + way].address == address) return first + way;
  return kNone;
}

// A line of the set that nothing is under way to: one that holds nothing, else the choice of the policy.
uint32_t StorageL1::place_for(arch::Address address) const {
  const uint32_t set = set_of(address), first = set * geometry_.ways;
  uint64_t candidates = 0;
  for (uint32_t way = 0; way < geometry_.ways; way++) {
    if (lines_[first + way].under_way) continue;
    if (lines_[first + way].address == kNowhere) return first + way;
    candidates |= uint64_t{1} << way;
  }
  return candidates ? first + replacement_->victim(set, candidates) : kNone;
}

void StorageL1::make(uint32_t line, arch::Address address) {
  const uint32_t set = line / geometry_.ways, way = line % geometry_.ways;
  if (lines_[line].address != kNowhere) replacement_->evicted(set, way);
  lines_[line].address = address;
  lines_[line].valid = {};
  replacement_->filled(set, way);
}

void StorageL1::note_use(uint32_t line) { replacement_->used(line / geometry_.ways, line % geometry_.ways); }

StorageL1::Outcome StorageL1::load(const PoolRef<StorageJob>& job, bool may_miss) {
  uint32_t line = line_of(job->line);
  const Bytes valid = line == kNone ? Bytes{} : lines_[line].valid;
  if (has_all(valid, job->mask)) {
    copy_out(line, job->mask, *job);
    note_use(line);
    return Outcome::kHit;
  }
  for (const Fill& fill : fills_)
    if (fill.line != kNone && fill.line == line && has_all(both(fill.brings, valid), job->mask))
      return merge(job, fill) ? Outcome::kMerged : Outcome::kStall;
  if (!may_miss || fills_.size() == geometry_.pending) return Outcome::kStall;
  if (line == kNone) {
    line = place_for(job->line);
    if (line == kNone) return Outcome::kStall;
    make(line, job->line);
  } else {
    note_use(line);
  }
  lines_[line].under_way++;
  Fill fill{.number = fills_begun_++, .address = job->line, .line = line};
  for (size_t s = 0; s < fill.brings.size(); s++)
    if (job->mask[s] & ~valid[s]) fill.brings[s] = messages::kAllBytes;
  job->mask = both(job->mask, fill.brings);
  fills_.push_back(fill);
  return Outcome::kMiss;
}

// Takes the line's bytes now: they may be newer than those of the fill.
bool StorageL1::merge(const PoolRef<StorageJob>& job, const Fill& fill) {
  if (waiting_.size() == geometry_.pending) return false;
  const Bytes missing = without(job->mask, lines_[fill.line].valid);
  copy_out(fill.line, without(job->mask, missing), *job);
  waiting_.push_back({fill.number, missing, job});
  return true;
}

void StorageL1::copy_out(uint32_t line, const Bytes& bytes, StorageJob& job) const {
  messages::copy_bytes(bytes, &data_[size_t{line} * geometry_.line_bytes], job.data.data());
}

void StorageL1::copy_in(uint32_t line, const Bytes& bytes, const StorageJob& job) {
  messages::copy_bytes(bytes, job.data.data(), &data_[size_t{line} * geometry_.line_bytes]);
  lines_[line].valid = both(lines_[line].valid, bytes);
}

void StorageL1::pass(const StorageJob& job) {
  const Bytes bytes = touched(job);
  const uint32_t line = line_of(job.line);
  if (line == kNone) return;
  if (job.kind == StorageJob::Kind::kStore) return copy_in(line, bytes, job);
  lines_[line].valid = without(lines_[line].valid, bytes);
  for (Fill& fill : fills_)
    if (fill.line == line) fill.brings = without(fill.brings, bytes);
}

// Takes a fill, except for bytes that the unit has stored meanwhile.
uint32_t StorageL1::keep(const StorageJob& job) {
  uint32_t found = 0;
  while (found < fills_.size() && fills_[found].address != job.line) found++;
  CUTAWAY_CHECK(found < fills_.size(), "a line at {} that nobody asked for", job.line);
  const Fill& fill = fills_[found];
  if (fill.line == kNone) return found;
  lines_[fill.line].under_way--;
  copy_in(fill.line, without(fill.brings, lines_[fill.line].valid), job);
  return found;
}

void StorageL1::invalidate() {
  for (Line& line : lines_) line = {};
  for (Fill& fill : fills_) fill.line = kNone;
}

}  // namespace cutaway::boxes
