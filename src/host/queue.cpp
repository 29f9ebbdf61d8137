#include "host/queue.h"

#include <algorithm>
#include <new>

#include "arch/packet.h"
#include "base/error.h"

namespace cutaway::host {
namespace {

constexpr uint64_t kRingBytes = 1 << 16;

bool met(const std::vector<SemaphorePoint>& waits) {
  return std::all_of(waits.begin(), waits.end(), [](const auto& w) { return w.semaphore->value >= w.value; });
}

}  // namespace

Queue::Queue(std::unique_ptr<arch::Gpu> gpu, std::function<void(const std::string&)> on_loss)
    : gpu_(std::move(gpu)), on_loss_(std::move(on_loss)) {
  ring_ = memory_.allocate(kRingBytes, Owner::kDriver);
  thread_ = std::thread([this] { run(); });
}

Queue::~Queue() {
  sync_.change([&] { stop_ = true; });
  thread_.join();
}

void Queue::push(Work work) {
  sync_.change([&] { work_.push_back(std::move(work)); });
}

void Queue::wait_idle() { wait_idle(std::nullopt); }

bool Queue::wait_idle(const Deadline& deadline) {
  return sync_.wait(deadline, [&] { return work_.empty() && !busy_; });
}

bool Queue::lost() const {
  return sync_.read([&] { return lost_; });
}

void Queue::run() {
  for (;;) {
    sync_.wait(std::nullopt, [&] { return stop_ || !work_.empty(); });
    Work work;
    bool done = false;
    sync_.change([&] {
      done = work_.empty();
      if (done) return;
      work = std::move(work_.front());
      work_.pop_front();
      busy_ = true;
    });
    if (done) return;
    execute(work);
  }
}

void Queue::execute(Work& work) {
  // "Semaphore Waiting": on device loss, work that waits for a signal that never comes ends too.
  bool run = false;
  sync_.wait(std::nullopt, [&] { return stop_ || lost_ || met(work.waits); });
  sync_.change([&] {
    run = !lost_ && met(work.waits);
    for (auto& wait : work.waits)
      if (!wait.semaphore->timeline) wait.semaphore->value = 0;  // "Semaphore Unsignal Operation"
  });
  try {
    if (run) run_commands(work);
    if (run && work.ended) work.ended(gpu_->memory(memory_.context()));
  } catch (const std::bad_alloc&) { fail("not enough memory"); } catch (const std::exception& error) {
    fail(error.what());
  }
  // After a loss everything is signaled nevertheless, so that no wait lasts forever ("Lost Device").
  sync_.change([&] {
    for (auto& signal : work.signals)
      signal.semaphore->value =
          signal.semaphore->timeline ? std::max(signal.semaphore->value, signal.value) : 1;
    if (work.fence) work.fence->signaled = true;
    busy_ = false;
  });
}

void Queue::run_commands(const Work& work) {
  const std::span<const CommandRange> all = work.commands;
  for (size_t first = 0, end = 0; first < all.size(); first = end) {
    end = first + 1;
    while (end < all.size() && !all[end].ready) end++;
    if (all[first].ready) {
      bool run = false;
      sync_.wait(std::nullopt, [&] { return stop_ || lost_ || (run = all[first].ready()); });
      if (!run) return;
    }
    submit(all.subspan(first, end - first), work.presents && end == all.size());
    if (lost()) return;
  }
}

void Queue::submit(std::span<const CommandRange> commands, bool presents) {
  for (const CommandRange& range : commands)
    if (range.prepare) range.prepare();
  arch::Submission submission;
  submission.id = ++submissions_;
  submission.context = memory_.context();
  submission.words = write_ring(commands, presents);
  submission.commands = ring_->address();
  submission.presents = presents;

  memory_.send(*gpu_);
  gpu_->memory(memory_.context()).note_changes();
  gpu_->submit(submission);
  gpu_->wait();
  memory_.publish(gpu_->memory(memory_.context()));

  arch::Fault fault;
  if (gpu_->fault(fault))
    fail(fmt::format("the GPU stopped in submission {} at the packet at {:#x}: {}", fault.submission,
                     fault.address, fault.text));
}

// Writes the submission itself: invalidate data that the host may have changed, run the commands, write
// everything back to memory. A PRESENT packet ends its frame, so nothing may follow it.
uint32_t Queue::write_ring(std::span<const CommandRange> commands, bool presents) {
  using arch::Opcode;
  arch::CommandWriter writer;
  writer.words(Opcode::kInvalidate, {{arch::kCacheAll}});
  uint32_t marker = 0;
  for (const CommandRange& range : commands) {
    if (!range.words) continue;
    if (range.first_marker != marker) writer.packet(Opcode::kMarker, range.first_marker);
    writer.packet(Opcode::kCall, arch::CallPacket{range.address, range.words});
    marker = range.last_marker;
  }
  if (!presents) {
    writer.words(Opcode::kFlush, {{uint32_t{arch::kCacheColor} | arch::kCacheDepth | arch::kCacheStorage}});
    writer.packet(Opcode::kWaitIdle);
  }
  const auto& words = writer.commands();
  if (words.size() * 4 > ring_->bytes()) ring_ = memory_.allocate(words.size() * 4, Owner::kDriver);
  ring_->write(0, std::span(words));
  return static_cast<uint32_t>(words.size());
}

void Queue::fail(const std::string& why) {
  if (lost()) return;
  on_loss_(why);  // before the program observes it: many programs exit at once then
  sync_.change([&] { lost_ = true; });
}

}  // namespace cutaway::host
