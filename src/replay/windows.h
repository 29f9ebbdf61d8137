#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "arch/context_space.h"
#include "machine/machine.h"

namespace cutaway::replay {

// The windows of a compositor, the program in context 0: surfaces of it that show the pictures of other
// programs. Such a program presents to its window and has no screen. A frame of the compositor shows the
// newest picture that has been presented when its first submission is handed over: the window's pages become
// those of that picture. The picture is held until a frame shows a later one, and a picture that waits until
// a later one comes is left out. A program draws into a surface only when its picture is neither held nor
// waits.
class Windows {
 public:
  static constexpr arch::ContextId kCompositor = 0;

  struct Window {
    arch::ContextId program = 0;
    arch::Address address = 0;                   // in the compositor; a page
    uint64_t bytes = 0;                          // whole pages
    std::map<uint64_t, arch::Address> pictures;  // by frame of the program: the page of its surface
  };
  // At most one window for each program.
  explicit Windows(std::vector<Window> windows);

  const std::vector<Window>& all() const { return windows_; }
  uint32_t offscreen() const;  // bits: contexts of the programs, as machine::MachineOptions::offscreen
  bool shows(arch::ContextId program) const { return offscreen() >> program & 1; }

  // True if nothing holds the surface that the program presents in this frame.
  bool may_draw(arch::ContextId program, uint64_t frame) const;
  // True if the program may unmap this memory: no picture in it is held.
  bool may_unmap(arch::ContextId program, arch::Address address, uint64_t bytes) const;
  // The program has unmapped it: a picture in it waits no longer.
  void note_unmapped(arch::ContextId program, arch::Address address, uint64_t bytes);
  // A frame of a program has ended.
  void note_ended(arch::ContextId program, uint64_t frame);
  // Hands over the first submission of a frame of the compositor.
  void begin_frame(machine::Machine& gpu, uint64_t frame);
  // The compositor has ended: its windows are unmapped, and no picture is held.
  void close(machine::Machine& gpu);
  // A program was lost and the machine replaced: windows have pages of their own, with the pictures that they
  // showed.
  void note_reset(arch::ContextId lost);

  // The frame of a window's program that each frame of the compositor showed, from the first one on that
  // showed any.
  using Shown = std::map<uint64_t, uint64_t>;
  const Shown& shown(size_t window) const { return states_.at(window).shown; }
  // The first frame of the compositor that showed a program's frame; none: it was left out.
  std::optional<uint64_t> shown_in(arch::ContextId program, uint64_t frame) const;

 private:
  struct State {
    std::optional<uint64_t> held, newest;  // frames of the program
    std::optional<uint64_t> shown_last;
    Shown shown;
  };
  bool lies_in(const Window& window, const std::optional<uint64_t>& frame, arch::Address address,
               uint64_t bytes) const;
  std::optional<size_t> window_of(arch::ContextId program) const;

  std::vector<Window> windows_;
  std::vector<State> states_;  // by window
  bool open_ = true;
};

}  // namespace cutaway::replay
