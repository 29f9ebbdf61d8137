#include "replay/shared_reference.h"

#include <algorithm>
#include <deque>

#include "arch/format.h"
#include "base/error.h"
#include "base/round_up.h"
#include "base/text.h"
#include "replay/frame_start.h"

namespace cutaway::replay {
namespace {

using OnFrame = std::function<void(uint64_t frame)>;

OnFrame teller(const SharedOptions& options) {
  return [&options](uint64_t frame) {
    if (options.on_progress) options.on_progress(fmt::format("emulating frame {}", frame), 0);
  };
}

// Runs the next frame. False: its submission is at fault.
bool step(Seeker& seeker, Reference& reference) {
  try {
    reference.frames.push_back(seeker.step());
  } catch (const UserError&) {
    arch::Fault fault;
    if (!seeker.fault(fault)) throw;
    reference.fault = fault.text;
    return false;
  }
  const EmulatedFrame& emulated = reference.frames.back();
  reference.query_values.insert(reference.query_values.end(), emulated.query_values.begin(),
                                emulated.query_values.end());
  return true;
}

bool shows(const FrameTogether& frame, const std::optional<arch::Picture>& drawn) {
  return frame.picture.has_value() == drawn.has_value() &&
         (!drawn || equal_in(*frame.picture, *drawn, frame.own_rows));
}

// ---- Windows ----

// The pictures of a program with a window, as the emulator draws them.
class Pictures {
 public:
  Pictures(const SharedProgram& program, const Windows::Window& window, const OnFrame& tell)
      : seeker_(program.reader, program.first, {.on_frame = tell}), window_(window), bytes_(window.bytes) {}

  // The pages of a frame's picture. Frames do not fall.
  std::span<const std::byte> of(uint64_t frame) {
    while (seeker_.frame() <= frame) seeker_.step();
    seeker_.memory().read(window_.pictures.at(frame), bytes_.data(), bytes_.size());
    return bytes_;
  }

 private:
  Seeker seeker_;
  const Windows::Window& window_;
  std::vector<std::byte> bytes_;
};

// Bytes to whose multiples windows and pictures lie.
uint64_t granularity(const SharedOptions& options) {
  return std::max(arch::kPageBytes, options.config.translation.page_bytes());
}

// Formats of the same bytes: the name without what they mean.
std::string_view bytes_of_format(std::string_view name) { return name.substr(0, name.rfind('_')); }

// UserError: the program's picture does not fit into the window.
void check_fit(const SharedProgram& program, const EmulatedFrame& frame, const NamedSurface& window,
               const SharedOptions& options) {
  const arch::Surface& picture = *frame.presented;
  const bool tiled = picture.tiling() == arch::Tiling::kTiled;
  const std::string format(arch::format_info(picture.format).name);
  if (picture.width != window.width || picture.height != window.height || tiled != window.tiled ||
      arch::surface_bytes(picture) != window.bytes ||
      bytes_of_format(format) != bytes_of_format(window.format))
    user_error(
        "{}: frame {} presents a surface of {}x{} pixels, {}, {}, {} bytes, and the window \"{}\" is one of "
        "{}x{}, {}, {}, {} bytes; both must be the same",
        program.file, frame.frame, picture.width, picture.height, format, tiled ? "tiled" : "linear",
        arch::surface_bytes(picture), one_line(program.window), window.width, window.height,
        one_line(window.format), window.tiled ? "tiled" : "linear", window.bytes);
  if (picture.address % granularity(options))
    user_error(
        "{}: frame {} presents a surface at {:#x}; in a window it must lie at a multiple of {:#x} (with "
        "translation.pages of 64KB, set that to 4KB)",
        program.file, frame.frame, static_cast<arch::Address>(picture.address), granularity(options));
}

// UserError: a program that draws a frame into the picture that its window shows.
void check_alternate(const SharedProgram& program, const std::map<uint64_t, arch::Address>& pictures) {
  if (pictures.empty())
    user_error("{}: frames {} to {} present no picture for the window \"{}\"", program.file, program.first,
               program.last, one_line(program.window));
  const auto same = std::adjacent_find(pictures.begin(), pictures.end(),
                                       [](const auto& a, const auto& b) { return a.second == b.second; });
  if (same != pictures.end())
    user_error(
        "{}: frames {} and {} present the same surface; a program with a window presents another one than in "
        "the frame before",
        program.file, same->first, std::next(same)->first);
}

// UserError: the compositor uses the window in another way than to read it.
void check_only_read(const SharedProgram& program, const Reference& reference, const std::string& name,
                     const Windows::Window& window) {
  const std::string which = fmt::format("{}: the surface \"{}\"", program.file, one_line(name));
  for (uint64_t offset = 0; offset < window.bytes; offset += arch::kPageBytes) {
    const arch::Address page = window.address + offset;
    if (!reference.start.mapped(page) || reference.start.sparse(page))
      user_error("{} has no memory of its own at the start of frame {}; choose later frames", which,
                 program.first);
    if (!reference.end.mapped(page))
      user_error("{} has no memory any more behind frame {}; choose earlier frames", which, program.last);
    if (reference.start.page(page) != reference.end.page(page))
      user_error(
          "{} is written by the program in frames {} to {}, and a window shows the pictures of another "
          "program; choose later frames",
          which, program.first, program.last);
  }
  for (const EmulatedFrame& frame : reference.frames)
    if (frame.presented && frame.presented->address < window.address + window.bytes &&
        window.address < frame.presented->address + arch::surface_bytes(*frame.presented))
      user_error("{} is presented in frame {}; a window is not the screen", which, frame.frame);
}

// UserError: windows that share memory.
void check_apart(const std::vector<Windows::Window>& windows) {
  for (const Windows::Window& a : windows)
    for (const Windows::Window& b : windows)
      if (a.program < b.program && a.address < b.address + b.bytes && b.address < a.address + a.bytes)
        user_error("--window: programs {} and {} have windows in the same memory", a.program + 1,
                   b.program + 1);
}

}  // namespace

Reference emulate(const SharedProgram& program, const SharedOptions& options) {
  const OnFrame tell = teller(options);
  Seeker seeker(program.reader, program.first, {.on_frame = tell});
  Reference reference;
  reference.start = seeker.memory();
  check_supported(program.reader, program.first, program.last, reference.start, options.config.abilities());
  if (const auto beyond = arch::beyond_context(reference.start))
    user_error("frame {}: memory at {:#x} is beyond the 256 GB that a program may have on a shared GPU",
               program.first, *beyond);
  for (uint64_t frame = program.first; frame <= program.last; frame++) {
    tell(frame);
    if (!step(seeker, reference)) break;
  }
  reference.end = seeker.memory();
  return reference;
}

std::vector<std::optional<NamedSurface>> find_windows(const std::vector<SharedProgram>& programs,
                                                      const SharedOptions& options) {
  constexpr uint64_t kMostBytes = uint64_t{4} << 30;  // more than any surface has that is presented
  std::vector<std::optional<NamedSurface>> surfaces(programs.size());
  for (size_t i = 1; i < programs.size(); i++) {
    if (programs[i].window.empty()) continue;
    surfaces[i] = find_surface(programs[0].reader, programs[0].file, programs[i].window);
    if (surfaces[i]->levels != 1 || surfaces[i]->layers != 1 || surfaces[i]->bytes > kMostBytes ||
        surfaces[i]->address % granularity(options))
      user_error(
          "{}: the surface \"{}\" has {} levels, {} layers and {} bytes and lies at {:#x}; a window has one "
          "level and one layer and lies at a multiple of {:#x} (with translation.pages of 64KB, set that to "
          "4KB), in an allocation of its own",
          programs[0].file, one_line(programs[i].window), surfaces[i]->levels, surfaces[i]->layers,
          surfaces[i]->bytes, surfaces[i]->address, granularity(options));
  }
  return surfaces;
}

std::vector<Windows::Window> make_windows(const std::vector<SharedProgram>& programs,
                                          const std::vector<std::optional<NamedSurface>>& surfaces,
                                          const std::vector<Reference>& references,
                                          const SharedOptions& options) {
  std::vector<Windows::Window> windows;
  for (arch::ContextId context = 1; context < programs.size(); context++) {
    if (!surfaces[context]) continue;
    const uint64_t unit = granularity(options);
    Windows::Window window{.program = context,
                           .address = surfaces[context]->address,
                           .bytes = round_up(surfaces[context]->bytes, unit),
                           .pictures = {}};
    for (const EmulatedFrame& frame : references[context].frames) {
      if (!frame.presented) continue;
      check_fit(programs[context], frame, *surfaces[context], options);
      window.pictures[frame.frame] = frame.presented->address;
    }
    check_alternate(programs[context], window.pictures);
    check_only_read(programs[0], references[0], programs[context].window, window);
    windows.push_back(std::move(window));
  }
  check_apart(windows);
  return windows;
}

Reference emulate_windows(const std::vector<SharedProgram>& programs, const SharedOptions& options,
                          const Windows& windows) {
  const OnFrame tell = teller(options);
  std::deque<Pictures> pictures;
  for (const Windows::Window& window : windows.all())
    pictures.emplace_back(programs[window.program], window, tell);
  Seeker seeker(programs[0].reader, programs[0].first, {.on_frame = tell});
  Reference compositor;
  for (uint64_t frame = programs[0].first; frame <= programs[0].last; frame++) {
    tell(frame);
    for (size_t i = 0; i < pictures.size(); i++)
      if (const auto shown = windows.shown(i).find(frame); shown != windows.shown(i).end())
        seeker.write(windows.all()[i].address, pictures[i].of(shown->second));
    if (!step(seeker, compositor)) break;
  }
  compositor.end = seeker.memory();
  for (const Windows::Window& window : windows.all()) compositor.end.unmap(window.address, window.bytes);
  return compositor;
}

std::string difference_of(const Reference& reference, const SharedRun::Program& program,
                          const arch::Memory& memory) {
  const bool stops = program.lost && !program.lost->by_watchdog;
  const bool stops_later = program.frames.size() > reference.frames.size();
  if (!reference.fault.empty() && (!program.lost || stops_later))
    return fmt::format("the emulator stops in a frame, and the machine does not: {}", reference.fault);
  if (stops && (reference.fault.empty() || program.frames.size() < reference.frames.size()))
    return fmt::format("frame {}: the machine stops, and the emulator does not: {}", program.lost->frame,
                       program.lost->why);
  for (size_t i = 0; i < program.frames.size(); i++) {
    const bool displayed = !program.frames[i].left_out && !program.in_window;
    if (displayed && !shows(program.frames[i], reference.frames[i].picture))
      return fmt::format("frame {}: the picture differs from the emulator's", program.frames[i].number);
  }
  if (program.lost) return "";
  arch::Difference difference;
  if (!first_difference(reference.end, memory, difference)) return "";
  return fmt::format(
      "GPU memory differs from the emulator's after the last frame, first at {:#x}: {:02x} expected, {:02x} "
      "found",
      difference.address, static_cast<unsigned>(difference.left), static_cast<unsigned>(difference.right));
}

}  // namespace cutaway::replay
