#pragma once

#include <utility>
#include <vector>

#include "boxes/command_processor/packet_stream.h"
#include "command_stream/work.h"

namespace cutaway::boxes {

// Submissions that wait for the one that is executed. Their commands are fetched meanwhile.
class SubmissionQueue {
 public:
  struct Entry {
    PacketStream stream;
    arch::Submission submission{};
    command_stream::WorkLimits limits{};
  };

  SubmissionQueue(unsigned room, unsigned prefetch_sectors, uint32_t& tags) {
    for (unsigned i = 0; i < room; i++) entries_.push_back({.stream{prefetch_sectors, true, tags}});
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == entries_.size(); }

  void push(const arch::Submission& submission, const command_stream::WorkLimits& limits) {
    Entry& entry = (*this)[size_++];
    entry.submission = submission;
    entry.limits = limits;
    entry.stream.start(submission);
  }
  Entry& front() { return (*this)[0]; }
  void pop() { first_ = (first_ + 1) % entries_.size(), size_--; }

  // The oldest stream that wants a sector, of submissions up to this one; null: none does.
  PacketStream* wants(uint64_t announced, arch::Address& sector, uint32_t& tag) {
    for (size_t i = 0; i < size_; i++)
      if (Entry& entry = (*this)[i]; entry.submission.id <= announced && entry.stream.wants(sector, tag))
        return &entry.stream;
    return nullptr;
  }
  void reply(const messages::MemoryReply& reply) {
    for (size_t i = 0; i < size_; i++) (*this)[i].stream.reply(reply);
  }

 private:
  Entry& operator[](size_t i) { return entries_[(first_ + i) % entries_.size()]; }

  std::vector<Entry> entries_;
  size_t first_ = 0, size_ = 0;
};

}  // namespace cutaway::boxes
