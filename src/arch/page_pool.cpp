#include "arch/page_pool.h"

#include <mutex>
#include <new>
#include <pthread.h>
#include <sys/mman.h>
#include <vector>

namespace cutaway::arch {
namespace {

// With sanitizers each page is allocated by itself, so that they see its life.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kPlain = true;
#elif defined(__has_feature)
constexpr bool kPlain = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kPlain = false;
#endif

using Users = std::atomic<uint32_t>;

struct PlainPage {
  alignas(64) Page bytes;
  Users users;
};

// Chunks of the system's huge pages: pages of a surface then need few entries of the host's TLB. The users of
// a chunk's pages take the place of its first page.
constexpr size_t kChunkBytes = size_t{2} << 20;
static_assert(kChunkBytes / kPageBytes * sizeof(Users) <= kPageBytes);

class Pool {
 public:
  Pool();

  Page* take() {
    const std::lock_guard lock(mutex_);
    if (!free_ && rest_ == 0) start_chunk();
    used_++;
    if (free_) {
      Free* const page = free_;
      free_ = page->next;
      return reinterpret_cast<Page*>(page);
    }
    auto* const page = reinterpret_cast<Page*>(next_);
    next_ += kPageBytes, rest_ -= kPageBytes;
    return page;
  }
  void give(Page* page) {
    const std::lock_guard lock(mutex_);
    free_ = new (page) Free{free_};
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
    next_ = chunk + kPageBytes, rest_ = kChunkBytes - kPageBytes;
  }
  void release_chunks() {
    for (std::byte* chunk : chunks_) operator delete (chunk, std::align_val_t{kChunkBytes});
    chunks_.clear();
    free_ = nullptr, next_ = nullptr, rest_ = 0;
  }

  std::mutex mutex_;
  Free* free_ = nullptr;
  std::byte* next_ = nullptr;  // in the newest chunk: what no page has used yet
  size_t rest_ = 0, used_ = 0;
  std::vector<std::byte*> chunks_;
};

// Never destroyed: Memories may live longer than any static object.
Pool& pool() {
  static Pool* const pool = new Pool;
  return *pool;
}

// A process that is forked while another thread takes a page finds the pool unlocked.
Pool::Pool() {
  pthread_atfork([] { pool().lock(); }, [] { pool().unlock(); }, [] { pool().unlock(); });
}

}  // namespace

std::atomic<uint32_t>& users_of(const Page* page) {
  if (kPlain) return reinterpret_cast<PlainPage*>(const_cast<Page*>(page))->users;
  const auto place = reinterpret_cast<uintptr_t>(page);
  return reinterpret_cast<Users*>(place & ~(kChunkBytes - 1))[place % kChunkBytes / kPageBytes];
}

Page* take_page() {
  Page* const page = kPlain ? &(new PlainPage)->bytes : pool().take();
  new (&users_of(page)) Users(1);
  return page;
}

void give_page(Page* page) {
  if (kPlain) delete reinterpret_cast<PlainPage*>(page);
  else pool().give(page);
}

}  // namespace cutaway::arch
