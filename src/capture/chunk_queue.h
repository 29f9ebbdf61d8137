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
  // Waits until all that was put is in the file, where it outlives this process. UserError: the disk is full.
  void flush();
  // Waits likewise and gives the file another name. UserError: so, or the disk is full.
  void move_to(std::filesystem::path path);
  // Index and trailer, when all is written; the file gets its name. Where it cannot all be written, the file
  // gets its name with the whole frames that were, if any, and the UserError says why.
  void finish();

 private:
  struct Job {
    ChunkHeader header;
    std::vector<std::byte> raw;
  };
  void run();
  void write(const Job& job);
  void close();
  void drain();

  OutputFile file_;
  const int level_;
  IndexBuilder index_;  // the thread's until it has ended
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  size_t queued_bytes_ = 0, queued_ = 0;  // with the job under way
  bool stop_ = false, finish_ = false;
  std::exception_ptr error_;
  std::thread thread_;  // last: starts when all else is there
};

}  // namespace cutaway::capture
