#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "capture/index.h"

namespace cutaway::capture {

// Compresses chunks and appends them to a file in its own thread, in order. The caller waits only while more
// than kQueuedBytes are queued. The next call rethrows a UserError of the thread (the disk is full).
class ChunkQueue {
 public:
  static constexpr size_t kQueuedBytes = 64u << 20;

  // UserError: the file cannot be created. level: of zstd.
  ChunkQueue(std::filesystem::path path, int level);
  ~ChunkQueue();  // without finish(), removes the file
  ChunkQueue(const ChunkQueue&) = delete;
  ChunkQueue& operator=(const ChunkQueue&) = delete;

  void put(const ChunkHeader& header, std::vector<std::byte>&& raw);
  // Waits until all queued chunks are in the file, where they outlive this process. UserError: the disk is
  // full.
  void flush();
  // Waits likewise, then renames the file. UserError: the file cannot be renamed, or the disk is full.
  void move_to(std::filesystem::path path);
  // Writes index and trailer after the last chunk and gives the file its final name. If the disk is full, the
  // file gets its name with the whole frames written so far, if any, and the UserError says why.
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

  WholeFile file_;
  const int level_;
  IndexBuilder index_;  // owned by the thread until it has ended
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  size_t queued_bytes_ = 0, queued_ = 0;  // including the current job
  bool stop_ = false, finish_ = false;
  std::exception_ptr error_;
  std::thread thread_;  // last member: the thread starts when all others exist
};

}  // namespace cutaway::capture
