#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "capture/index.h"

namespace cutaway::capture {

// Compresses chunks and appends them to a file in a thread of its own, in order; the caller waits only while
// more than kQueuedBytes wait. A UserError of the thread (the disk is full) comes out of the next call.
class ChunkQueue {
 public:
  static constexpr size_t kQueuedBytes = 64u << 20;

  // UserError: the file cannot be created. level: of zstd.
  ChunkQueue(std::filesystem::path path, int level);
  ~ChunkQueue();  // without finish(): no file
  ChunkQueue(const ChunkQueue&) = delete;
  ChunkQueue& operator=(const ChunkQueue&) = delete;

  void put(const ChunkHeader& header, std::vector<std::byte>&& raw);
  // Index and trailer, when all is written; the file gets its name.
  void finish();

 private:
  struct Job {
    ChunkHeader header;
    std::vector<std::byte> raw;
  };
  void run();
  void write(const Job& job);
  void drain();

  OutputFile file_;
  const int level_;
  IndexBuilder index_;  // the thread's until it has ended
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  size_t queued_bytes_ = 0;
  bool stop_ = false;
  std::exception_ptr error_;
  std::thread thread_;  // last: starts when all else is there
};

}  // namespace cutaway::capture
