#include "host/queue.h"

#include <algorithm>
#include <array>
#include <new>

#include "arch/device_clock.h"
#include "arch/packet.h"
#include "arch/registers.h"
#include "base/error.h"
#include "base/round_up.h"

namespace cutaway::host {
namespace {

constexpr uint64_t kRingBytes = 1 << 16;
constexpr uint64_t kEntryBytes = 64;  // submissions begin at multiples

bool met(const std::vector<SemaphorePoint>& waits) {
  return std::all_of(waits.begin(), waits.end(), [](const auto& w) { return w.semaphore->value >= w.value; });
}

constexpr size_t index(arch::QueueKind queue) { return static_cast<size_t>(queue); }

// Puts the registers back to zero for the next range.
void reset_registers(const CommandRange& before, arch::CommandWriter& writer) {
  static constexpr std::array<uint32_t, arch::kRegisterWords> kZeros{};
  for (const RegisterRun& run : before.left_set)
    writer.set_registers(run.first, std::span(kZeros).first(run.count));
}

}  // namespace

Queues::Queues(std::unique_ptr<arch::Gpu> gpu, std::function<void(const std::string&)> on_loss,
               arch::Placement ring)
    : gpu_(std::move(gpu)), on_loss_(std::move(on_loss)), ring_placement_(ring) {
  ring_ = memory_.allocate(kRingBytes, Owner::kDriver, {.memory = ring_placement_});
  thread_ = std::thread([this] { run(); });
}

Queues::~Queues() {
  sync_.change([&] { stop_ = true; });
  thread_.join();
}

void Queues::push(Work work) {
  sync_.change([&] {
    work.number = ++works_;
    for (const arch::HostStep& step : trace_.push()) steps_.push_back({work.number, step});
    lanes_[index(work.queue)].work.push_back(std::move(work));
  });
}

void Queues::wait_idle() { wait_idle(std::nullopt); }

bool Queues::wait_idle(const Deadline& deadline) {
  const HostTrace::Entry entry = trace_.enter();
  const bool idle = sync_.wait(deadline, [&] { return this->idle(); });
  if (idle) trace_.waited(entry, sync_.seen());
  return idle;
}

void Queues::wait_idle(arch::QueueKind queue) {
  const HostTrace::Entry entry = trace_.enter();
  uint64_t last = 0;
  sync_.wait(std::nullopt, [&, &lane = lanes_[index(queue)]] {
    if (!lane.work.empty()) return false;
    last = last_of(lane.reach);
    return true;
  });
  trace_.waited(entry, last);
}

void Queues::wait_until(const std::function<bool()>& ready) {
  const HostTrace::Entry entry = trace_.enter();
  sync_.wait(std::nullopt, [&] {
    return idle() ||
           (std::ranges::all_of(lanes_, [](const Lane& lane) { return lane.at_rest(); }) && ready());
  });
  trace_.waited(entry, sync_.seen());
}

void Queues::read_clock(const std::function<void(uint64_t)>& read) {
  const uint64_t pushed = sync_.read_unseen([&] { return works_; });
  sync_.wait_unseen(std::nullopt, [&] {
    if (!std::ranges::all_of(lanes_, [&](const Lane& lane) { return lane.at_rest(pushed); })) return false;
    read(ticks_);
    return true;
  });
}

bool Queues::idle() const {
  return std::ranges::all_of(lanes_, [](const Lane& lane) { return lane.work.empty(); });
}

bool Queues::lost() const {
  return sync_.read_unseen([&] { return lost_; });
}

void Queues::run() {
  const GpuThread thread;
  while (Lane* lane = next()) go_on(*lane);
}

bool Queues::Lane::can_go_on() const {
  return begun ? work.front().commands[done].ready() : met(work.front().waits);
}

// Waits for a queue whose oldest work can go on, and returns that whose work was pushed first; null: nothing
// is left of a host that ends. "Semaphore Waiting": on device loss, work that waits for a signal that never
// comes ends too; so it does with the host.
Queues::Lane* Queues::next() {
  const auto oldest = [&](auto&& goes) {
    Lane* found = nullptr;
    for (Lane& lane : lanes_)
      if (!lane.work.empty() && goes(lane) &&
          (!found || lane.work.front().number < found->work.front().number))
        found = &lane;
    return found;
  };
  Lane* found = nullptr;
  sync_.wait_unseen(std::nullopt, [&] {
    found = oldest([&](const Lane& lane) { return lost_ || lane.can_go_on(); });
    if (!found && stop_) found = oldest([](const Lane&) { return true; });
    if (found) found->under_way = true;
    return found || stop_;
  });
  return found;
}

// Runs the first work of a queue, up to a range that waits for the host.
void Queues::go_on(Lane& lane) {
  const Work* work = nullptr;
  sync_.change([&] {
    work = &lane.work.front();
    if (!lane.begun) begin(lane);
  });
  try {
    if (lane.runs) tell_steps(work->number);
    if (lane.runs && !run_commands(lane, *work)) {
      sync_.change([&] { lane.under_way = false; });
      return;
    }
    if (lane.runs && work->ended) work->ended(gpu_->memory(memory_.context()));
  } catch (const std::bad_alloc&) { fail("not enough memory"); } catch (const std::exception& error) {
    fail(error.what());
  }
  end(lane);
}

void Queues::begin(Lane& lane) {
  const Work& work = lane.work.front();
  lane.begun = true;
  lane.done = 0;
  lane.runs = !lost_ && met(work.waits);
  for (const SemaphorePoint& wait : work.waits) {
    extend(lane.reach, wait.semaphore->reach_of(wait.value));
    wait.semaphore->take();
  }
}

// After a loss everything is signaled nevertheless, so that no wait lasts forever ("Lost Device").
void Queues::end(Lane& lane) {
  Work over;
  sync_.change([&] {
    over = std::move(lane.work.front());
    lane.work.pop_front();
    lane.begun = lane.under_way = false;
    for (const SemaphorePoint& signal : over.signals) signal.semaphore->signal(signal.value, lane.reach);
    if (over.fence) over.fence->signaled = true, over.fence->submission = last_of(lane.reach);
  });
}

// Tells the program's steps up to a work, also those before works that still wait.
void Queues::tell_steps(uint64_t work) {
  std::vector<arch::HostStep> steps;
  sync_.read_unseen([&] {
    for (; !steps_.empty() && steps_.front().work <= work; steps_.pop_front())
      steps.push_back(steps_.front().step);
  });
  for (arch::HostStep& step : steps) {
    step.context = memory_.context();
    gpu_->host(step);
  }
}

// False: the next range waits for the host.
bool Queues::run_commands(Lane& lane, const Work& work) {
  const std::span<const CommandRange> all = work.commands;
  while (lane.done < all.size()) {
    const size_t first = lane.done;
    if (all[first].ready) {
      bool ready = false, over = false;
      sync_.read_unseen([&] { ready = all[first].ready(), over = lost_ || stop_; });
      if (!ready) return over;
    }
    size_t end = first + 1;
    while (end < all.size() && !all[end].ready) end++;
    submit(lane, work, all.subspan(first, end - first), work.presents && end == all.size());
    lane.done = end;
    if (lost()) return true;
  }
  return true;
}

void Queues::submit(Lane& lane, const Work& work, std::span<const CommandRange> commands, bool presents) {
  for (const CommandRange& range : commands)
    if (range.prepare) range.prepare();
  arch::Submission submission;
  submission.id = ++submissions_;
  submission.context = memory_.context();
  submission.presents = presents;
  submission.queue = work.queue;
  const bool alone = write_ring(commands, submission);

  const uint64_t shared = memory_.send(*gpu_);
  // seen() after the memory has been read: it may hold what the program wrote because it saw an end.
  if (!alone) submission.ahead = static_cast<uint32_t>(submission.id - 1 - std::max(shared, sync_.seen()));
  // The submissions before it in its queue have told what they follow.
  const uint64_t followed = lane.reach[1 - index(work.queue)];
  if (followed > lane.told) submission.after = lane.told = followed;
  gpu_->memory(memory_.context()).note_changes();
  gpu_->submit(submission);
  gpu_->wait();
  if (const auto* clock = dynamic_cast<const arch::DeviceClock*>(gpu_.get()))
    sync_.change([&] { ticks_ = clock->ticks(); });
  lane.reach[index(work.queue)] = submission.id;
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
bool Queues::write_ring(std::span<const CommandRange> commands, arch::Submission& submission) {
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
  ring_end_ += round_up(bytes, kEntryBytes);
  return alone;
}

void Queues::fail(const std::string& why) {
  if (lost()) return;
  on_loss_(why);  // before the program observes it: many programs exit at once then
  sync_.change([&] { lost_ = true; });
}

}  // namespace cutaway::host
