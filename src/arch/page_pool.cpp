#include "arch/page_pool.h"

#include <mutex>
#include <new>
#include <pthread.h>
#include <sys/mman.h>
#include <vector>

namespace cutaway::arch {
namespace {

// With sanitizers each block is allocated by itself, so that they see its life.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kPlain = true;
#elif defined(__has_feature)
constexpr bool kPlain = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kPlain = false;
#endif

// Chunks of the system's huge pages: blocks of a surface then need few entries of the host's TLB.
constexpr size_t kChunkBytes = size_t{2} << 20;

class Pool {
 public:
  Pool();

  void* take() {
    const std::lock_guard lock(mutex_);
    if (!free_ && rest_ < kBlockBytes) start_chunk();
    used_++;
    if (free_) {
      Free* const block = free_;
      free_ = block->next;
      return block;
    }
    void* const block = next_;
    next_ += kBlockBytes, rest_ -= kBlockBytes;
    return block;
  }
  void give(void* block) {
    const std::lock_guard lock(mutex_);
    free_ = new (block) Free{free_};
    if (--used_ == 0) release_chunks();
  }
  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }

 private:
  struct Free {
    Free* next;
  };

  void start_chunk() {
    chunks_.reserve(chunks_.size() + 1);
    auto* const chunk = static_cast<std::byte*>(operator new (kChunkBytes, std::align_val_t{kChunkBytes}));
    madvise(chunk, kChunkBytes, MADV_HUGEPAGE);  // advice: without it the chunk is as good, but slower
    chunks_.push_back(chunk);
    next_ = chunk, rest_ = kChunkBytes;
  }
  void release_chunks() {
    for (std::byte* chunk : chunks_) operator delete (chunk, std::align_val_t{kChunkBytes});
    chunks_.clear();
    free_ = nullptr, next_ = nullptr, rest_ = 0;
  }

  std::mutex mutex_;
  Free* free_ = nullptr;
  std::byte* next_ = nullptr;  // in the newest chunk: what no block has used yet
  size_t rest_ = 0, used_ = 0;
  std::vector<std::byte*> chunks_;
};

// Never destroyed: Memories may live longer than any static object.
Pool& pool() {
  static Pool* const pool = new Pool;
  return *pool;
}

// A process that is forked while another thread takes a block finds the pool unlocked.
Pool::Pool() {
  pthread_atfork([] { pool().lock(); }, [] { pool().unlock(); }, [] { pool().unlock(); });
}

}  // namespace

void* take_block() {
  return kPlain ? operator new (kBlockBytes, std::align_val_t{kBlockAlignment}) : pool().take();
}

void give_block(void* block) {
  if (kPlain) operator delete (block, std::align_val_t{kBlockAlignment});
  else pool().give(block);
}

}  // namespace cutaway::arch
