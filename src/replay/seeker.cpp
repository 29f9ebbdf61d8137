#include "replay/seeker.h"

#include <chrono>

#include "base/error.h"
#include "base/interrupt.h"

namespace cutaway::replay {

// A sink before the emulator that notes the capture's address space.
class Seeker::Entry final : public arch::CommandSink {
 public:
  explicit Entry(Seeker& seeker) : seeker_(seeker), gpu_(*seeker.emulator_) {}
  void map(arch::ContextId context, arch::Address address, uint64_t bytes) override {
    note(context), gpu_.map(context, address, bytes);
  }
  void unmap(arch::ContextId context, arch::Address address, uint64_t bytes) override {
    note(context), gpu_.unmap(context, address, bytes);
  }
  void place(arch::ContextId context, arch::Address address, uint64_t bytes,
             arch::Placement placement) override {
    note(context), gpu_.place(context, address, bytes, placement);
  }
  void bind(arch::ContextId context, arch::Address address, uint64_t bytes,
            std::optional<arch::Address> target) override {
    note(context), gpu_.bind(context, address, bytes, target);
  }
  void write(arch::ContextId context, arch::Address address, std::span<const std::byte> bytes) override {
    note(context), gpu_.write(context, address, bytes);
  }
  void submit(const arch::Submission& submission) override {
    note(submission.context), gpu_.submit(submission);
  }
  void annotate(std::string_view, uint64_t, std::span<const std::byte>) override {}

 private:
  void note(arch::ContextId context) {
    if (seeker_.seen_ && *seeker_.seen_ != context)
      user_error("{}: the capture holds several address spaces; record a program that makes one device",
                 seeker_.reader_.info().value("program"));
    seeker_.seen_ = seeker_.context_ = context;
  }
  Seeker& seeker_;
  arch::Gpu& gpu_;
};

void stopped(const capture::Reader& reader, uint64_t frame, const char* gpu, const arch::Fault& fault) {
  const std::string_view program = reader.info().value("program");
  user_error("the {} stopped in frame {}, submission {}, at {:#x}: {}{}", gpu, frame, fault.submission,
             fault.address, fault.text, program.empty() ? "" : fmt::format(" (captured from {})", program));
}

Seeker::Seeker(const capture::Reader& reader, uint64_t frame, const SeekerOptions& seeker_options)
    : reader_(reader) {
  emulator::Options options;
  options.threads = seeker_options.threads;
  options.on_work = seeker_options.on_work;
  options.draw_observer = seeker_options.draw_observer;
  frame_ = options.first_frame = reader.start_for(frame);
  options.on_frame = [this, seeker_options](emulator::FrameEnd& end) {
    picture_ = std::move(end.picture);
    presented_ = end.surface;
    if (seeker_options.primitives) primitives_ = map_.picture(end.surface);
  };
  options.on_query = [this](uint64_t submission, arch::Address address, uint64_t value) {
    query_values_.push_back({submission, address, value});
  };
  if (seeker_options.primitives)
    options.on_pixel = [this](const emulator::PixelWrite& write) { map_.note(write); };
  emulator_ = emulator::make_emulator(std::move(options));
  if (seeker_options.on_frame) seeker_options.on_frame(frame_);
  Entry entry(*this);
  reader.restore(frame_, entry);
  check_fault();
  while (frame_ < frame) {
    if (seeker_options.on_frame) seeker_options.on_frame(frame_);
    step();
  }
}

EmulatedFrame Seeker::step() {
  const auto start = std::chrono::steady_clock::now();
  const emulator::Statistics before = emulator_->totals();
  picture_.reset();
  presented_.reset();
  primitives_.reset();
  query_values_.clear();
  Entry entry(*this);
  reader_.play(frame_, entry);
  emulator_->wait();
  check_fault();
  EmulatedFrame result{frame_++,
                       std::move(picture_),
                       presented_,
                       std::move(primitives_),
                       emulator_->totals().since(before),
                       std::move(query_values_)};
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

void Seeker::write(arch::Address address, std::span<const std::byte> bytes) {
  emulator_->write(context_, address, bytes);
}

void Seeker::check_fault() const {
  end_if_interrupted();  // an interrupt looks like a fault
  arch::Fault fault;
  if (emulator_->fault(fault)) stopped(reader_, frame_, "emulator", fault);
}

}  // namespace cutaway::replay
