#include "capture/chunk_queue.h"

#include <signal.h>

#include "arch/gpu.h"
#include "base/error.h"

namespace cutaway::capture {

ChunkQueue::ChunkQueue(std::filesystem::path path, int level) : file_(std::move(path)), level_(level) {
  FileHeader header;
  header.contract_version = arch::kContractVersion;
  seal(header);
  file_.append(&header, sizeof header);
  // The signals of the program that is being recorded are its own threads' business.
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
  queued_bytes_ += raw.size();
  jobs_.push_back({header, std::move(raw)});
  changed_.notify_all();
}

void ChunkQueue::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return stop_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
    const Job job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    std::exception_ptr error;
    try {
      write(job);
    } catch (...) { error = std::current_exception(); }
    lock.lock();
    queued_bytes_ -= job.raw.size();
    if (error && !error_) error_ = error;
    if (error_) jobs_.clear();
    changed_.notify_all();
  }
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

void ChunkQueue::finish() {
  drain();
  if (error_) std::rethrow_exception(error_);
  FileTrailer trailer;
  trailer.index_offset = file_.size();
  ChunkHeader header;
  header.kind = static_cast<uint32_t>(ChunkKind::kIndex);
  append_chunk(file_, header, encode(index_.index()), level_);
  trailer.file_bytes = file_.size() + sizeof trailer;
  seal(trailer);
  file_.append(&trailer, sizeof trailer);
  file_.commit();
}

}  // namespace cutaway::capture
