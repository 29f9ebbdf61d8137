#include "host/write_tracker.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace cutaway::host {
namespace {

// From Linux 6.7's <linux/userfaultfd.h> and <linux/fs.h>, which the build host may lack.
constexpr int kUserModeOnly = 1;
constexpr uint64_t kFeatureUnpopulated = 1 << 13, kFeatureAsync = 1 << 15;
struct PageRegion {
  uint64_t start, end, categories;
};
struct ScanArguments {
  uint64_t size, flags, start, end, walk_end, regions, region_count, most_pages;
  uint64_t inverted, all_of, any_of, wanted;
};
constexpr unsigned long kScan = _IOWR('f', 16, ScanArguments);
constexpr uint64_t kProtect = 1 << 0, kCheckAsync = 1 << 1;  // flags
constexpr uint64_t kWritten = 1 << 1;                        // category

int open_faults() {
  const int file = static_cast<int>(syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | kUserModeOnly));
  if (file < 0) return -1;
  uffdio_api api{};
  api.api = UFFD_API;
  api.features = kFeatureUnpopulated | kFeatureAsync;
  if (ioctl(file, UFFDIO_API, &api) == 0) return file;
  close(file);
  return -1;
}

}  // namespace

WriteTracker::WriteTracker()
    : faults_(open_faults()), pages_(open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)) {}

WriteTracker::~WriteTracker() {
  if (faults_ >= 0) close(faults_);
  if (pages_ >= 0) close(pages_);
}

// A range that cannot be registered fails every scan, and therefore counts as written.
void WriteTracker::watch(std::byte* start, uint64_t bytes) {
  if (!works()) return;
  uffdio_register range{};
  range.range = {reinterpret_cast<uintptr_t>(start), bytes};
  range.mode = UFFDIO_REGISTER_MODE_WP;
  (void)ioctl(faults_, UFFDIO_REGISTER, &range);
}

void WriteTracker::take(std::byte* start, uint64_t bytes,
                        const std::function<void(uint64_t, uint64_t)>& visit) const {
  const auto first = reinterpret_cast<uintptr_t>(start);
  PageRegion regions[64];
  ScanArguments scan{};
  scan.size = sizeof scan;
  scan.flags = kProtect | kCheckAsync;
  scan.start = first, scan.end = first + bytes;
  scan.regions = reinterpret_cast<uintptr_t>(regions), scan.region_count = std::size(regions);
  scan.all_of = scan.wanted = kWritten;
  while (scan.start < scan.end) {
    const int count = works() ? ioctl(pages_, kScan, &scan) : -1;
    if (count < 0) return visit(scan.start - first, bytes);
    for (int i = 0; i < count; i++) visit(regions[i].start - first, regions[i].end - first);
    scan.start = scan.walk_end;
  }
}

}  // namespace cutaway::host
