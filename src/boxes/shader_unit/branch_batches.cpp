#include "boxes/shader_unit/branch_batches.h"

#include <algorithm>

namespace cutaway::boxes {

BranchBatches::BranchBatches(uint32_t groups, uint32_t size) : size_(size), groups_(groups) {
  if (size == 1) return;
  batches_.resize(groups);
  for (Batch& batch : batches_) batch.members.reserve(std::min(size, groups));
  for (uint32_t i = groups; i-- > 0;) unused_.push_back(static_cast<uint16_t>(i));
  going_on_.reserve(std::min(size, groups));
}

void BranchBatches::join(uint32_t group, const void* draw) {
  if (size_ == 1) return;
  if (open_ == kNone || batches_[open_].draw != draw || batches_[open_].members.size() == size_) {
    open_ = unused_.back();
    unused_.pop_back();
    batches_[open_].draw = draw;
  }
  batches_[open_].members.push_back(static_cast<uint16_t>(group));
  batches_[open_].running++;
  groups_[group] = {.batch = open_};
}

std::span<const uint16_t> BranchBatches::arrive(uint32_t group, func::Place place) {
  Member& member = groups_[group];
  member.stands = true, member.place = place, member.for_others = 0;
  standing_++;
  batches_[member.batch].running--;
  return go_on_if_all_stand(member.batch);
}

std::span<const uint16_t> BranchBatches::leave(uint32_t group) {
  const uint16_t number = groups_[group].batch;
  Batch& batch = batches_[number];
  std::erase(batch.members, static_cast<uint16_t>(group));
  batch.running--;
  groups_[group] = {};
  if (!batch.members.empty()) return go_on_if_all_stand(number);
  unused_.push_back(number);
  if (open_ == number) open_ = kNone;
  return {};
}

std::span<const uint16_t> BranchBatches::go_on_if_all_stand(uint16_t number) {
  Batch& batch = batches_[number];
  going_on_.clear();
  if (batch.running) return going_on_;
  // Groups that come in from now on branch with others.
  if (open_ == number) open_ = kNone;
  func::Place first = groups_[batch.members.front()].place;
  for (const uint16_t group : batch.members) first = std::min(first, groups_[group].place);
  for (const uint16_t group : batch.members)
    if (groups_[group].place == first) going_on_.push_back(group);
  const auto running = static_cast<uint32_t>(going_on_.size());
  const auto others = static_cast<uint32_t>(batch.members.size()) - running;
  for (uint32_t i = 0; i < running; i++) {
    Member& member = groups_[going_on_[i]];
    member.stands = false;
    member.for_others = static_cast<uint16_t>(others * (i + 1) / running - others * i / running);
  }
  batch.running = running;
  standing_ -= running;
  return going_on_;
}

}  // namespace cutaway::boxes
