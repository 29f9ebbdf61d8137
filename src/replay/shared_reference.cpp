#include "replay/shared_reference.h"

#include <algorithm>
#include <deque>

#include "base/error.h"
#include "base/text.h"
#include "replay/frame_start.h"
#include "replay/named_surface.h"

namespace cutaway::replay {
namespace {

using OnFrame = std::function<void(uint64_t frame)>;

OnFrame teller(const SharedOptions& options) {
  return [&options](uint64_t frame) {
    if (options.on_progress) options.on_progress(fmt::format("emulating frame {}", frame), 0);
  };
}

uint64_t whole_pages(uint64_t bytes) {
  return (bytes + arch::kPageBytes - 1) / arch::kPageBytes * arch::kPageBytes;
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

bool equal(const std::optional<arch::Picture>& a, const std::optional<arch::Picture>& b) {
  return a.has_value() == b.has_value() && (!a || (a->width == b->width && a->rgba == b->rgba));
}

// ---- Windows ----

// The pictures of a program with a window, as the emulator draws them.
class Pictures {
 public:
  Pictures(const SharedProgram& program, const Windows::Window& window)
      : seeker_(program.reader, program.first), window_(window), bytes_(window.bytes) {}

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

// UserError: the program's picture does not fit into the window.
void check_fit(const SharedProgram& program, const EmulatedFrame& frame, const std::string& window,
               const NamedSurface& surface) {
  const arch::Surface& picture = *frame.presented;
  const bool tiled = picture.tiling() == arch::Tiling::kTiled;
  if (picture.width != surface.width || picture.height != surface.height ||
      arch::surface_bytes(picture) != surface.bytes || tiled != surface.tiled)
    user_error(
        "{}: frame {} presents a surface of {}x{} pixels and {} bytes, {}, and the window \"{}\" is one of "
        "{}x{} and {} bytes, {}; both must be the same",
        program.file, frame.frame, picture.width, picture.height, arch::surface_bytes(picture),
        tiled ? "tiled" : "linear", one_line(window), surface.width, surface.height, surface.bytes,
        surface.tiled ? "tiled" : "linear");
  if (picture.address % arch::kPageBytes)
    user_error("{}: frame {} presents a surface at {:#x}; only one with pages of its own can be in a window",
               program.file, frame.frame, static_cast<arch::Address>(picture.address));
}

// UserError: a program that draws each frame into the picture that its window shows.
void check_turns(const SharedProgram& program, const std::map<uint64_t, arch::Address>& pictures) {
  const auto same = std::adjacent_find(pictures.begin(), pictures.end(),
                                       [](const auto& a, const auto& b) { return a.second == b.second; });
  if (same != pictures.end())
    user_error(
        "{}: frames {} and {} present the same surface; a program with a window needs at least two, in turn",
        program.file, same->first, std::next(same)->first);
}

// UserError: the compositor writes to the window itself.
void check_unwritten(const SharedProgram& program, const Reference& reference, const std::string& window,
                     const Windows::Window& pages) {
  for (uint64_t offset = 0; offset < pages.bytes; offset += arch::kPageBytes) {
    const arch::Address page = pages.address + offset;
    if (!reference.start.mapped(page) || reference.start.sparse(page))
      user_error(
          "{}: the surface \"{}\" has no memory of its own at the start of frame {}; choose later frames",
          program.file, one_line(window), program.first);
    if (reference.start.page(page) != reference.end.page(page))
      user_error(
          "{}: the program writes to its surface \"{}\" in frames {} to {}, and a window shows the pictures "
          "of another program; choose later frames",
          program.file, one_line(window), program.first, program.last);
  }
}

Windows::Window make_window(const SharedProgram& compositor, const Reference& of_compositor,
                            const SharedProgram& program, const Reference& reference,
                            arch::ContextId context) {
  const NamedSurface surface = find_surface(compositor.reader, compositor.file, program.window);
  if (surface.levels != 1 || surface.layers != 1 || surface.address % arch::kPageBytes)
    user_error(
        "{}: the surface \"{}\" has {} levels and {} layers and lies at {:#x}; a window has one of each, and "
        "pages of its own (a dedicated allocation)",
        compositor.file, one_line(program.window), surface.levels, surface.layers, surface.address);
  Windows::Window window{
      .program = context, .address = surface.address, .bytes = whole_pages(surface.bytes), .pictures = {}};
  for (const EmulatedFrame& frame : reference.frames) {
    if (!frame.presented) continue;
    check_fit(program, frame, program.window, surface);
    window.pictures[frame.frame] = frame.presented->address;
  }
  check_turns(program, window.pictures);
  check_unwritten(compositor, of_compositor, program.window, window);
  return window;
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

std::vector<Windows::Window> make_windows(const std::vector<SharedProgram>& programs,
                                          const std::vector<Reference>& references) {
  std::vector<Windows::Window> windows;
  for (arch::ContextId context = 1; context < programs.size(); context++)
    if (!programs[context].window.empty())
      windows.push_back(
          make_window(programs[0], references[0], programs[context], references[context], context));
  return windows;
}

void emulate_windows(Reference& compositor, const std::vector<SharedProgram>& programs,
                     const SharedOptions& options, const Windows& windows) {
  const OnFrame tell = teller(options);
  std::deque<Pictures> pictures;
  for (const Windows::Window& window : windows.all()) pictures.emplace_back(programs[window.program], window);
  Seeker seeker(programs[0].reader, programs[0].first, {.on_frame = tell});
  compositor.frames.clear();
  compositor.query_values.clear();
  compositor.fault.clear();
  for (uint64_t frame = programs[0].first; frame <= programs[0].last; frame++) {
    tell(frame);
    for (size_t i = 0; i < pictures.size(); i++)
      if (const auto shown = windows.shown(i).find(frame); shown != windows.shown(i).end())
        seeker.write(windows.all()[i].address, pictures[i].of(shown->second));
    if (!step(seeker, compositor)) break;
  }
  compositor.end = seeker.memory();
  for (const Windows::Window& window : windows.all()) compositor.end.unmap(window.address, window.bytes);
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
    if (displayed && !equal(reference.frames[i].picture, program.frames[i].picture))
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
