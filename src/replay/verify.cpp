#include "replay/verify.h"

#include <algorithm>
#include <bit>

#include "arch/ignoring_sink.h"
#include "base/error.h"
#include "base/text.h"
#include "replay/named_surface.h"
#include "replay/order_dependence.h"
#include "replay/packet_walk.h"
#include "replay/queue_race.h"
#include "replay/write_trace.h"

namespace cutaway::replay {
namespace {

// Finds the driver's name for the memory at an address in the capture's annotations; empty if it has none.
struct SurfaceNames final : arch::IgnoringSink {
  arch::Address address;
  std::string found;
  explicit SurfaceNames(arch::Address at) : address(at) {}
  void annotate(std::string_view kind, uint64_t, std::span<const std::byte> bytes) override {
    if (kind != "surface") return;
    const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const auto surface = parse_surface(text);
    if (surface && address >= surface->address && address - surface->address < surface->bytes)
      found = one_line(text);  // a later name may replace an earlier one
  }
};

// The unit that makes a write to this place.
std::string owner_of(const machine::Machine& machine, const Target& target, const Element& element) {
  switch (target.kind) {
    case Target::Kind::kColor:
    case Target::Kind::kDepth:
      return machine.pixel_owner(target.kind == Target::Kind::kDepth, element.x, element.y);
    case Target::Kind::kValue:
      return "command_processor";
    default:
      return "copy_engine";
  }
}

struct Diagnosis {
  const FramePair& pair;
  std::vector<Step> steps;
  std::vector<SectorDifference> sectors;
  std::string text{};

  template <class... Args>
  void line(const char* name, fmt::format_string<Args...> format, Args&&... args) {
    text += fmt::format("\n  {:<24} {}", name, fmt::format(format, std::forward<Args>(args)...));
  }

  // The sector of the first wrong step with the lowest address; without a step, the lowest address of all.
  const SectorDifference& first_sector() const {
    const auto rank = [](const SectorDifference& sector) {
      return static_cast<unsigned>(sector.wrong_step());
    };
    return *std::min_element(sectors.begin(), sectors.end(),
                             [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  }

  const Target* target_at(int step, arch::Address address) const {
    const auto holder = [&](const Step& candidate) -> const Target* {
      for (const Target& target : candidate.targets)
        if (target.holds(address)) return &target;
      return nullptr;
    };
    if (step != SectorDifference::kNone)
      if (const Target* target = holder(steps[static_cast<size_t>(step)])) return target;
    for (const Step& candidate : steps)
      if (const Target* target = holder(candidate)) return target;
    return nullptr;
  }

  void count() {
    uint64_t bytes = 0;
    for (const SectorDifference& sector : sectors) bytes += static_cast<uint64_t>(std::popcount(sector.mask));
    text = fmt::format("frame {}: GPU memory differs from the emulator's: {} in {} of {} bytes", pair.frame,
                       counted(bytes, "byte"), counted(sectors.size(), "sector"), kSectorBytes);
  }

  void place(arch::Address address, const Target* target, Element& element) {
    SurfaceNames names(address);
    pair.reader.annotations(names);
    line("surface", "{}{}", target ? describe(*target) : "none that a draw or a copy of this frame writes",
         names.found.empty() ? "" : fmt::format(" [{}]", names.found));
    if (target && element_at(target->surface, address, element))
      line("pixel", "({}, {}){}", element.x, element.y,
           element.layer ? fmt::format(" of layer {}", element.layer) : "");
    else if (target) line("offset", "{} bytes", address - target->address);
  }

  void unit(const SectorDifference& sector, arch::Address address, const Step* step, const Target* target,
            const Element& element) {
    FrameClock again(pair.config, pair.start, pair.clock);
    again.machine().watch(address);
    again.run(pair.reader, pair.frame);
    machine::Machine::Writer writer;
    const bool written = again.machine().last_writer(sector.address, writer);
    const bool by_step = written && step && writer.origin.submission == step->submission &&
                         (!is_draw(step->opcode) || (writer.origin.draw <= step->draw &&
                                                     step->draw - writer.origin.draw < step->draws));
    const std::string last = written ? fmt::format("{} wrote there last, for submission {}, draw {}",
                                                   writer.unit, writer.origin.submission, writer.origin.draw)
                                     : "no unit wrote there in this frame";
    if (by_step || !target)
      line("unit", "{}", by_step ? writer.unit + ": it wrote the sector last, for that draw" : last);
    else
      line("unit", "{}: what it should have written is not in memory; {}",
           owner_of(again.machine(), *target, element), last);
  }

  // True if no sector was wrong before this work, of those that the emulator wrote at all.
  bool all_wrong_since(const Step& work) const {
    const auto same = [&](const Step& step) {
      return step.submission == work.submission && step.dispatch == work.dispatch &&
             (work.dispatch || (is_draw(step.opcode) && step.draw == work.draw));
    };
    const auto first = std::find_if(steps.begin(), steps.end(), same) - steps.begin();
    return std::all_of(sectors.begin(), sectors.end(), [&](const SectorDifference& sector) {
      return sector.wrong_step() != SectorDifference::kNone && sector.wrong_step() >= first;
    });
  }

  // True if the submission ran beside one of the other queue, and one after the other they leave the memory
  // of the emulator.
  bool queues_race(uint64_t submission) {
    if (!pair.config.command_processor.compute_queue) return false;
    const std::optional<uint64_t> beside = submission_beside(pair.reader, pair.frame, submission);
    if (!beside) return false;
    machine::Config in_order = pair.config;
    in_order.command_processor.compute_queue = false;
    FrameClock again(in_order, pair.start, pair.clock);
    again.run(pair.reader, pair.frame);
    if (again.memory().hash() != pair.emulated.hash()) return false;
    line("hangs on order",
         "submissions {} and {} are of two queues, and no semaphore orders them; one after the other "
         "(command_processor.compute_queue=false) they leave the emulator's memory",
         std::min(submission, *beside), std::max(submission, *beside));
    return true;
  }

  FrameDifference report() {
    count();
    const SectorDifference& sector = first_sector();
    const int byte = std::countr_zero(sector.mask);
    const arch::Address address = sector.address + static_cast<uint64_t>(byte);
    const int wrong = sector.wrong_step();
    const Step* step = wrong == SectorDifference::kNone ? nullptr : &steps[static_cast<size_t>(wrong)];
    const Target* target = target_at(wrong, address);
    Element element;
    arch::Address named = address;  // the byte, as a target has it
    for (const arch::Address page :
         pair.emulated.bound_to(arch::page_start(address), target ? 0 : arch::kPageBytes))
      if (!target) named = page + address % arch::kPageBytes, target = target_at(wrong, named);
    if (!target) named = address;
    line("first differing address", "{:#x}: {:02x} expected, {:02x} found", address,
         static_cast<unsigned>(sector.expected[static_cast<size_t>(byte)]),
         static_cast<unsigned>(sector.found[static_cast<size_t>(byte)]));
    if (named != address) line("bound at", "{:#x}", named);
    place(named, target, element);
    line("first wrong draw", "{}", step ? step->text() : "none: the emulator's frame writes nothing there");
    unit(sector, address, step, target, element);
    const std::optional<Step> work = order_dependent_work(pair.reader, pair.frame, pair.start);
    bool hangs = work && all_wrong_since(*work);
    if (work)
      line("hangs on order",
           "{}: it uses what atomics return, or exchanges, so that its result may differ where "
           "threads run in another order{}",
           work->text(), hangs ? "" : "; but something was wrong before it");
    if (step && !hangs) hangs = queues_race(step->submission);
    if (sectors.front().address != sector.address)
      line("lowest such address", "{:#x}, written by a later draw",
           sectors.front().address + static_cast<uint64_t>(std::countr_zero(sectors.front().mask)));
    return {text, hangs};
  }
};

std::string compare_pictures(const FramePair& pair) {
  const auto &expected = pair.emulated_picture, &found = pair.clocked_picture;
  if (expected.has_value() != found.has_value())
    return fmt::format("frame {}: {} shows a picture and {} does not", pair.frame,
                       expected ? "the emulator" : "the machine", expected ? "the machine" : "the emulator");
  if (!expected || (expected->width == found->width && expected->rgba == found->rgba)) return "";
  if (expected->width != found->width || expected->height != found->height)
    return fmt::format("frame {}: the picture shown has {}x{} pixels instead of {}x{}", pair.frame,
                       found->width, found->height, expected->width, expected->height);
  const auto differs = std::mismatch(expected->rgba.begin(), expected->rgba.end(), found->rgba.begin());
  const auto pixel = static_cast<size_t>(differs.first - expected->rgba.begin()) / 4;
  return fmt::format(
      "frame {}: GPU memory is equal, but the picture shown differs, first at pixel ({}, {}): what "
      "PRESENT scanned out was not in memory yet\n  unit                     dac",
      pair.frame, pixel % expected->width, pixel / expected->width);
}

}  // namespace

FrameDifference compare_frame(const FramePair& pair) {
  if (pair.emulated.hash() == pair.clocked.hash()) return {compare_pictures(pair)};
  Diagnosis diagnosis{pair, steps_of_frame(pair.reader, pair.frame, pair.start),
                      differing_sectors(pair.emulated, pair.clocked)};
  CUTAWAY_CHECK(!diagnosis.sectors.empty(), "hashes of equal memories differ");
  trace_writes(pair.reader, pair.frame, pair.context, pair.start, diagnosis.sectors);
  return diagnosis.report();
}

}  // namespace cutaway::replay
