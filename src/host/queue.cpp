#include "host/queue.h"

#include <algorithm>
#include <array>
#include <new>

#include "arch/packet.h"
#include "arch/registers.h"
#include "base/error.h"

namespace cutaway::host {
namespace {

constexpr uint64_t kRingBytes = 1 << 16;
constexpr uint64_t kEntryBytes = 64;  // submissions begin at multiples

bool met(const std::vector<SemaphorePoint>& waits) {
  return std::all_of(waits.begin(), waits.end(), [](const auto& w) { return w.semaphore->value >= w.value; });
}

// Puts the registers back to zero for the next range.
void reset_registers(const CommandRange& before, arch::CommandWriter& writer) {
  static constexpr std::array<uint32_t, arch::kRegisterWords> kZeros{};
  for (const RegisterRun& run : before.left_set)
    writer.set_registers(run.first, std::span(kZeros).first(run.count));
}

}  // namespace

Queue::Queue(std::unique_ptr<arch::Gpu> gpu, std::function<void(const std::string&)> on_loss,
             arch::Placement ring)
    : gpu_(std::move(gpu)), on_loss_(std::move(on_loss)), ring_placement_(ring) {
  ring_ = memory_.allocate(kRingBytes, Owner::kDriver, {.memory = ring_placement_});
  thread_ = std::thread([this] { run(); });
}

Queue::~Queue() {
  sync_.change([&] { stop_ = true; });
  thread_.join();
}

void Queue::push(Work work) {
  sync_.change([&] {
    work.steps = trace_.push();
    work_.push_back(std::move(work));
  });
}

void Queue::wait_idle() { wait_idle(std::nullopt); }

bool Queue::wait_idle(const Deadline& deadline) {
  const HostTrace::Entry entry = trace_.enter();
  const bool idle = sync_.wait(deadline, [&] { return work_.empty() && !busy_; });
  if (idle) trace_.waited(entry, sync_.seen());
  return idle;
}

bool Queue::lost() const {
  return sync_.read_unseen([&] { return lost_; });
}

void Queue::run() {
  const GpuThread thread;
  for (;;) {
    sync_.wait_unseen(std::nullopt, [&] { return stop_ || !work_.empty(); });
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
  sync_.wait_unseen(std::nullopt, [&] { return stop_ || lost_ || met(work.waits); });
  sync_.change([&] {
    run = !lost_ && met(work.waits);
    for (auto& wait : work.waits)
      if (!wait.semaphore->timeline) wait.semaphore->value = 0;  // "Semaphore Unsignal Operation"
  });
  try {
    if (run) tell_steps(work);
    if (run) run_commands(work);
    if (run && work.ended) work.ended(gpu_->memory(memory_.context()));
  } catch (const std::bad_alloc&) { fail("not enough memory"); } catch (const std::exception& error) {
    fail(error.what());
  }
  // After a loss everything is signaled nevertheless, so that no wait lasts forever ("Lost Device").
  sync_.change([&] {
    for (auto& signal : work.signals)
      if (signal.semaphore->timeline) signal.semaphore->signal(signal.value, submissions_);
      else signal.semaphore->value = 1;
    if (work.fence) work.fence->signaled = true, work.fence->submission = submissions_;
    busy_ = false;
  });
}

void Queue::tell_steps(const Work& work) {
  for (arch::HostStep step : work.steps) {
    step.context = memory_.context();
    gpu_->host(step);
  }
}

void Queue::run_commands(const Work& work) {
  const std::span<const CommandRange> all = work.commands;
  for (size_t first = 0, end = 0; first < all.size(); first = end) {
    end = first + 1;
    while (end < all.size() && !all[end].ready) end++;
    if (all[first].ready) {
      bool run = false;
      sync_.wait_unseen(std::nullopt, [&] { return stop_ || lost_ || (run = all[first].ready()); });
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
  submission.presents = presents;
  const bool alone = write_ring(commands, submission);

  const uint64_t shared = memory_.send(*gpu_);
  // seen() after the memory has been read: it may hold what the program wrote because it saw an end.
  if (!alone) submission.ahead = static_cast<uint32_t>(submission.id - 1 - std::max(shared, sync_.seen()));
  gpu_->memory(memory_.context()).note_changes();
  gpu_->submit(submission);
  gpu_->wait();
  sync_.ended(submission.id);
  memory_.publish(gpu_->memory(memory_.context()), submission.id);

  arch::Fault fault;
  if (gpu_->fault(fault))
    fail(fmt::format("the GPU stopped in submission {} at the packet at {:#x}: {}", fault.submission,
                     fault.address, fault.text));
}

// Writes the submission itself: run the commands, which empty the caches first, since the host may have
// written memory; write everything back to memory. A PRESENT packet ends its frame, so nothing may follow it.
// Returns true if the host itself must wait for all earlier submissions: for room in the ring, for the
// program's consent, or since it has written packets that they may have called.
bool Queue::write_ring(std::span<const CommandRange> commands, arch::Submission& submission) {
  using arch::Opcode;
  arch::CommandWriter writer;
  uint32_t marker = 0;
  bool alone = false;
  const CommandRange* before = nullptr;
  for (const CommandRange& range : commands) {
    alone |= range.prepare || range.ready;
    if (!range.words) continue;
    if (before) reset_registers(*before, writer);
    before = &range;
    if (range.first_marker != marker) writer.packet(Opcode::kMarker, range.first_marker);
    writer.packet(Opcode::kCall, arch::CallPacket{range.address, range.words});
    marker = range.last_marker;
  }
  if (!submission.presents) {
    writer.words(Opcode::kFlush, {{uint32_t{arch::kCacheColor} | arch::kCacheDepth | arch::kCacheStorage}});
    writer.packet(Opcode::kWaitIdle);
  }
  const auto& words = writer.commands();
  const uint64_t bytes = words.size() * 4;
  if (bytes > ring_->bytes())
    ring_ = memory_.allocate(bytes, Owner::kDriver, {.memory = ring_placement_}), ring_end_ = ring_->bytes();
  if (ring_end_ + bytes > ring_->bytes()) ring_end_ = 0, alone = true;
  submission.commands = ring_->address() + ring_end_;
  submission.words = static_cast<uint32_t>(words.size());
  ring_->write(ring_end_, std::span(words));
  ring_end_ += (bytes + kEntryBytes - 1) / kEntryBytes * kEntryBytes;
  return alone;
}

void Queue::fail(const std::string& why) {
  if (lost()) return;
  on_loss_(why);  // before the program observes it: many programs exit at once then
  sync_.change([&] { lost_ = true; });
}

}  // namespace cutaway::host
