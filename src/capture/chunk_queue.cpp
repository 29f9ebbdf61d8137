#include "capture/chunk_queue.h"

#include <signal.h>

#include "arch/gpu.h"
#include "base/error.h"
#include "base/program_time.h"

namespace cutaway::capture {

ChunkQueue::ChunkQueue(std::filesystem::path path, int level) : file_(std::move(path)), level_(level) {
  FileHeader header;
  header.contract_version = arch::kContractVersion;
  seal(header);
  file_.append(std::as_bytes(std::span(&header, 1)));
  // The thread blocks all signals, because those of the recorded program belong to its own threads. Exceeding
  // the file size limit is then an error here and does not end the program.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

ChunkQueue::~ChunkQueue() {
  {
    const std::lock_guard lock(mutex_);
    jobs_.clear();
  }
  drain();
}

void ChunkQueue::put(const ChunkHeader& header, std::vector<std::byte>&& raw) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return error_ || queued_bytes_ < kQueuedBytes; });
  if (error_) std::rethrow_exception(error_);
  queued_bytes_ += raw.size(), queued_++;
  jobs_.push_back({header, std::move(raw)});
  changed_.notify_all();
}

void ChunkQueue::flush() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return error_ || queued_ == 0; });
  if (error_) std::rethrow_exception(error_);
}

void ChunkQueue::move_to(std::filesystem::path path) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return error_ || queued_ == 0; });
  if (error_) std::rethrow_exception(error_);
  file_.move_to(std::move(path));  // safe: the thread waits for a job
}

void ChunkQueue::run() {
  const GpuThread thread;
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return stop_ || !jobs_.empty(); });
    if (jobs_.empty()) break;
    const Job job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    std::exception_ptr error;
    try {
      write(job);
    } catch (...) { error = std::current_exception(); }
    lock.lock();
    queued_bytes_ -= job.raw.size(), queued_--;
    if (error && !error_) error_ = error;
    if (error_) jobs_.clear();
    changed_.notify_all();
  }
  if (finish_) close();
}

void ChunkQueue::write(const Job& job) {
  const uint64_t offset = file_.size();
  ChunkHeader header = job.header;
  header.raw_bytes = static_cast<uint32_t>(job.raw.size());
  header.stored_bytes =
      static_cast<uint32_t>(append_chunk(file_, job.header, job.raw, level_) - sizeof(ChunkHeader));
  CUTAWAY_CHECK(index_.add(offset, header), "chunk of kind {} out of place", header.kind);
}

void ChunkQueue::drain() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void ChunkQueue::close() {
  try {
    if (!error_) {
      append_index(file_, index_.index(), level_);
      return file_.commit();
    }
  } catch (...) { error_ = std::current_exception(); }
  try {
    if (!index_.index().frames.empty()) close_whole_frames(file_, index_.index(), level_);
  } catch (const UserError&) {}  // the first error is the one to report
}

void ChunkQueue::finish() {
  {
    const std::lock_guard lock(mutex_);
    finish_ = true;
  }
  drain();
  if (error_) std::rethrow_exception(error_);
}

}  // namespace cutaway::capture
