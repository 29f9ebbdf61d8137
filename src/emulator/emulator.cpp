#include "emulator/emulator.h"

#include <fmt/format.h>
#include <map>

#include "arch/device_clock.h"
#include "base/hash.h"
#include "emulator/processor.h"
#include "func/float_mode.h"

namespace cutaway::emulator {
namespace {

class EmulatorGpu final : public Emulator, public arch::DeviceClock {
 public:
  explicit EmulatorGpu(Options options)
      : options_(std::move(options)),
        team_(options_.threads ? options_.threads : available_cpus(),
              options_.all_threads_help ? WorkerTeam::Help::kAlways : WorkerTeam::Help::kWhenWorth),
        frame_(options_.first_frame) {}

  void map(arch::ContextId context, arch::Address address, uint64_t bytes) override {
    arch::Memory& memory = memory_[context];
    if (!command_stream::may_map(memory, bytes)) {
      stop(0, address, command_stream::kTooMuchMapped);
      return;
    }
    memory.map(address, bytes);
  }
  void unmap(arch::ContextId context, arch::Address address, uint64_t bytes) override {
    memory_[context].unmap(address, bytes);
  }
  void place(arch::ContextId context, arch::Address address, uint64_t bytes,
             arch::Placement placement) override {
    memory_[context].place(address, bytes, placement);
  }
  void bind(arch::ContextId context, arch::Address address, uint64_t bytes,
            std::optional<arch::Address> target) override {
    arch::Memory& memory = memory_[context];
    if (const char* error = command_stream::bind_error(memory, address, bytes, target)) {
      stop(0, address, error);
      return;
    }
    memory.bind(address, bytes, target);
  }
  void write(arch::ContextId context, arch::Address address, std::span<const std::byte> bytes) override {
    memory_[context].write(address, bytes.data(), bytes.size());
  }
  void submit(const arch::Submission& submission) override;
  void annotate(std::string_view, uint64_t, std::span<const std::byte>) override {}

  void wait() override {}
  const arch::Memory& memory(arch::ContextId context) const override {
    static const arch::Memory empty;
    const auto found = memory_.find(context);
    return found == memory_.end() ? empty : found->second;
  }
  bool fault(arch::Fault& fault) const override {
    if (faulted_) fault = fault_;
    return faulted_;
  }

  uint64_t ticks() const override { return clock_; }
  const Statistics& totals() const override { return totals_; }
  uint64_t hash() const override {
    uint64_t hash = 0;
    for (const auto& [context, memory] : memory_) {
      const uint64_t parts[2] = {context, memory.hash()};
      hash = hash_bytes(parts, sizeof parts, hash);
    }
    return hash;
  }

 private:
  void stop(uint64_t submission, arch::Address address, std::string text) {
    if (faulted_) return;
    faulted_ = true;
    fault_ = {submission, address, std::move(text)};
  }
  void end_frame(arch::Picture picture, const arch::Surface& surface);
  std::function<void(const PixelWrite&)> pixel_hook(uint64_t submission) const {
    if (!options_.on_pixel) return {};
    return [this, submission](PixelWrite write) {
      write.submission = submission;
      options_.on_pixel(write);
    };
  }

  Options options_;
  std::map<arch::ContextId, arch::Memory> memory_;
  ProgramCache programs_;
  WorkerTeam team_;
  PrimitiveBatch batch_;
  TextureCopies copies_;
  uint64_t frame_, clock_ = 0;
  Statistics totals_, at_frame_start_;
  bool faulted_ = false;
  arch::Fault fault_;
};

void EmulatorGpu::submit(const arch::Submission& submission) {
  if (faulted_) return;
  const func::FloatMode float_mode;
  std::function<void(arch::Opcode)> on_packet;
  if (options_.on_packet) on_packet = [&](arch::Opcode opcode) { options_.on_packet(submission.id, opcode); };
  Processor processor({.memory = memory_[submission.context],
                       .programs = programs_,
                       .statistics = totals_,
                       .team = team_,
                       .batch = batch_,
                       .copies = copies_,
                       .clock = clock_,
                       .work = options_.work,
                       .step_limit = options_.step_limit,
                       .on_query =
                           [&](arch::Address address, uint64_t value) {
                             if (options_.on_query) options_.on_query(submission.id, address, value);
                           },
                       .on_pixel = pixel_hook(submission.id),
                       .on_packet = std::move(on_packet),
                       .on_work = options_.on_work,
                       .draw_observer = options_.draw_observer,
                       .makes_pictures = static_cast<bool>(options_.on_frame)},
                      submission);
  try {
    processor.run();
  } catch (const Stop& reason) {
    const command_stream::PacketReader& packets = processor.packets();
    stop(submission.id, packets.address(), command_stream::fault_text(packets.name(), reason.text));
    return;
  }
  clock_ += processor.steps();
  totals_.submissions++;
  if (processor.presented()) end_frame(processor.take_picture(), processor.presented_surface());
}

void EmulatorGpu::end_frame(arch::Picture picture, const arch::Surface& surface) {
  FrameEnd end{frame_++, std::move(picture), surface, totals_.since(at_frame_start_)};
  at_frame_start_ = totals_;
  if (options_.on_frame) options_.on_frame(end);
}

}  // namespace

std::unique_ptr<Emulator> make_emulator(Options options) {
  return std::make_unique<EmulatorGpu>(std::move(options));
}

}  // namespace cutaway::emulator
