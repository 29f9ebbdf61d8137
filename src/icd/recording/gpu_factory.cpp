// The only file of the driver that knows which GPU is behind it.
#include "icd/recording/gpu_factory.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

#include "arch/device_clock.h"
#include "base/text.h"
#include "capture/recording_gpu.h"
#include "capture/writer.h"
#include "emulator/emulator.h"
#include "icd/device/device.h"
#include "icd/object.h"
#include "icd/recording/progress.h"

namespace cutaway::icd {
namespace {

constexpr uint32_t kMaxThreads = 256;

struct FrameRange {
  uint64_t first = 1, last = ~0ull;
};

FrameRange parse_frames(std::string_view text) {
  FrameRange range;
  const auto number = [&](std::string_view part, uint64_t& value) {
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (error != std::errc() || end != part.data() + part.size() || value == 0)
      user_error("CUTAWAY_FRAMES={}: expected a range of frames counted from 1, such as 2..4", text);
  };
  const size_t dots = text.find("..");
  number(text.substr(0, dots), range.first);
  if (dots == text.npos) range.last = range.first;
  else if (dots + 2 < text.size()) number(text.substr(dots + 2), range.last);
  if (range.last < range.first) user_error("CUTAWAY_FRAMES={}: the range is empty", text);
  return range;
}

uint64_t parse_key_interval(std::string_view text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    user_error("CUTAWAY_KEY_FRAMES={}: expected a number of frames, 0 for none", text);
  return value;
}

uint32_t parse_threads(std::string_view text) {
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0 || number > kMaxThreads)
    user_error("CUTAWAY_THREADS={}: expected a number of threads, 1 to {}", text, kMaxThreads);
  return number;
}

// The program and its arguments, as started.
std::string command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  std::replace(text.begin(), text.end(), '\0', ' ');
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

class RecordedGpu;

// The recorded device of the process. A capture holds one device's stream. Until a device presents, each is
// recorded to its own file; the first that presents is kept and the other files are removed.
struct Recording {
  std::mutex mutex;
  RecordedGpu* current = nullptr;    // its file has the requested name
  std::vector<RecordedGpu*> others;  // made after it, while no device has presented
  bool presented = false;            // the current device has presented
  uint32_t made = 1;                 // numbers the other files
  bool over = false;                 // a finished recording has frames, or the recorded device was lost
  pid_t process = 0;                 // the recording process, as opposed to its forks
};
Recording& recording() {
  static Recording& state = *new Recording;  // outlives every destructor of the process
  return state;
}

// Owns a GPU and the writer before it.
class RecordedGpu final : public arch::Gpu, public arch::DeviceClock {
 public:
  // The writer's path has a suffix until the device takes over.
  RecordedGpu(std::unique_ptr<arch::Gpu> gpu, const std::string& path, const std::string& suffix,
              const FrameRange& frames, uint64_t key_interval, bool host_times)
      : gpu_(std::move(gpu)),
        path_(path),
        host_times_(host_times),
        writer_(std::make_unique<capture::Writer>(path + suffix, options(frames, key_interval))),
        both_(std::in_place, *gpu_, *writer_) {}

  ~RecordedGpu() override {
    const std::lock_guard lock(recording().mutex);
    if (recording().current != this) {
      std::erase(recording().others, this);
      return;
    }
    close();
    recording().current = nullptr;
    recording().presented = false;
  }

  void map(arch::ContextId context, arch::Address address, uint64_t bytes) override {
    record([&](arch::Gpu& gpu) { gpu.map(context, address, bytes); });
  }
  void unmap(arch::ContextId context, arch::Address address, uint64_t bytes) override {
    record([&](arch::Gpu& gpu) { gpu.unmap(context, address, bytes); });
  }
  void place(arch::ContextId context, arch::Address address, uint64_t bytes,
             arch::Placement placement) override {
    record([&](arch::Gpu& gpu) { gpu.place(context, address, bytes, placement); });
  }
  void bind(arch::ContextId context, arch::Address address, uint64_t bytes,
            std::optional<arch::Address> target) override {
    record([&](arch::Gpu& gpu) { gpu.bind(context, address, bytes, target); });
  }
  void write(arch::ContextId context, arch::Address address, std::span<const std::byte> bytes) override {
    record([&](arch::Gpu& gpu) { gpu.write(context, address, bytes); });
  }
  void submit(const arch::Submission& submission) override {
    record([&](arch::Gpu& gpu) { gpu.submit(submission); }, submission.presents);
  }
  void host(const arch::HostStep& step) override {
    if (host_times_) record([&](arch::Gpu& gpu) { gpu.host(step); });
  }
  void annotate(std::string_view kind, uint64_t id, std::span<const std::byte> text) override {
    record([&](arch::Gpu& gpu) { gpu.annotate(kind, id, text); });
  }
  void wait() override { gpu_->wait(); }
  uint64_t ticks() const override {
    const auto* clock = dynamic_cast<const arch::DeviceClock*>(gpu_.get());
    return clock ? clock->ticks() : 0;
  }
  const arch::Memory& memory(arch::ContextId context) const override { return gpu_->memory(context); }
  bool fault(arch::Fault& fault) const override { return gpu_->fault(fault); }

  // Call under recording().mutex.
  void close() {
    if (closed()) return;
    try {
      writer_->close();
      recording().over |= frames_ended_ > 0;
      tell_command("done");
    } catch (const std::exception& error) { report(error.what()); }
  }

  // Call under recording().mutex. The device is lost: keeps the whole frames and stops recording. Returns
  // false if the reason reached nobody.
  bool stop(const std::string& why) {
    if (closed() && !unwritable_) return false;
    recording().over = true;
    try {
      writer_->stop();
    } catch (const UserError&) {}  // the error is the reason itself
    return tell_command(unwritable_ ? "failed " + why : fmt::format("lost {}; the device is lost", why));
  }

  // Call under recording().mutex. Removes this device's file: another device is recorded, or none.
  void drop() {
    both_.reset();
    writer_.reset();
  }

 private:
  capture::WriterOptions options(const FrameRange& frames, uint64_t key_interval) {
    capture::WriterOptions options;
    options.key_interval = key_interval;
    options.first_frame = frames.first;
    options.last_frame = frames.last;
    options.metadata = {{"created-by", "cutaway"}, {"program", command_line()}};
    options.memory = capture::memory_of(*gpu_);
    options.on_frame_end = [this](uint64_t frame) {
      frames_ended_ = frame;
      tell_command(fmt::format("frame {}", frame));
    };
    return options;
  }

  // Call under recording().mutex. This device is the first that presents: its file becomes the capture.
  void take_over() {
    Recording& state = recording();
    state.presented = true;
    if (state.current != this) {
      std::erase(state.others, this);
      if (state.current) state.current->drop();
      state.current = this;
      writer_->move_to(path_);
    }
    for (RecordedGpu* other : std::exchange(state.others, {})) other->drop();
  }

  // Calls the writer, unless the last frame to keep is complete: then the program continues, or is ended,
  // without it.
  template <class Call>
  void record(Call&& call, bool presents = false) {
    std::unique_lock lock(recording().mutex);
    if (closed()) {
      lock.unlock();
      return call(*gpu_);
    }
    try {
      if (presents && !recording().presented) take_over();
      call(*both_);
    } catch (const UserError&) {
      unwritable_ = true;
      throw;
    }
    if (!closed()) return;
    recording().over = true;
    tell_command("done");
  }

  bool closed() const { return !writer_ || writer_->closed(); }

  std::unique_ptr<arch::Gpu> gpu_;
  const std::string path_;                   // the capture's path
  const bool host_times_;                    // steps of the host are recorded
  std::unique_ptr<capture::Writer> writer_;  // null: dropped
  std::optional<capture::RecordingGpu> both_;
  uint64_t frames_ended_ = 0;
  bool unwritable_ = false;  // the capture cannot be written
};

// Completes the capture even if the program exits without destroying its device.
[[gnu::destructor]] void close_recording() {
  if (recording().process != getpid()) return;
  constexpr uint64_t kPatience = 10'000'000'000;  // nanoseconds to wait for submitted work to end
  finish_live_devices(kPatience);
  const std::lock_guard lock(recording().mutex);
  if (recording().current) recording().current->close();
  for (RecordedGpu* other : std::exchange(recording().others, {})) other->drop();
}

}  // namespace

std::unique_ptr<arch::Gpu> make_gpu() {
  emulator::Options options;
  const char* threads = std::getenv("CUTAWAY_THREADS");
  options.threads = threads && *threads ? parse_threads(threads) : 0;
  std::unique_ptr<arch::Gpu> gpu = emulator::make_gpu(std::move(options));
  const char* path = std::getenv("CUTAWAY_CAPTURE");
  if (!path || !*path) return gpu;
  const char* frames = std::getenv("CUTAWAY_FRAMES");
  const FrameRange range = frames && *frames ? parse_frames(frames) : FrameRange{};
  const char* interval = std::getenv("CUTAWAY_KEY_FRAMES");
  const uint64_t key_interval =
      interval && *interval ? parse_key_interval(interval) : capture::kDefaultKeyInterval;
  const char* host_times = std::getenv("CUTAWAY_HOST_TIMES");
  const std::lock_guard lock(recording().mutex);
  Recording& state = recording();
  if (state.presented || state.over) return gpu;
  const std::string suffix = state.current ? fmt::format(".device{}", ++state.made) : "";
  auto recorded = std::make_unique<RecordedGpu>(std::move(gpu), path, suffix, range, key_interval,
                                                host_times && std::string_view(host_times) == "1");
  if (state.current) state.others.push_back(recorded.get());
  else state.current = recorded.get();
  state.process = getpid();
  return recorded;
}

void gpu_lost(const arch::Gpu& gpu, const std::string& why) {
  {
    const std::lock_guard lock(recording().mutex);
    RecordedGpu* current = recording().current;
    if (current == &gpu && current->stop(why)) return;
  }
  fmt::print(stderr, "cutaway: {}; the device is lost\n", one_line(why));
}

}  // namespace cutaway::icd
