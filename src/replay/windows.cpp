#include "replay/windows.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace cutaway::replay {

Windows::Windows(std::vector<Window> windows) : windows_(std::move(windows)), states_(windows_.size()) {
  for (const Window& window : windows_)
    CUTAWAY_CHECK(window.address % arch::kPageBytes == 0 && window.bytes % arch::kPageBytes == 0,
                  "a window of parts of pages");
}

uint32_t Windows::offscreen() const {
  uint32_t bits = 0;
  for (const Window& window : windows_) bits |= 1u << window.program;
  return bits;
}

std::optional<size_t> Windows::window_of(arch::ContextId program) const {
  for (size_t i = 0; i < windows_.size(); i++)
    if (windows_[i].program == program) return i;
  return {};
}

bool Windows::may_draw(arch::ContextId program, uint64_t frame) const {
  const auto i = window_of(program);
  if (!i || !open_) return true;
  const auto& pictures = windows_[*i].pictures;
  const auto drawn = pictures.find(frame);
  if (drawn == pictures.end()) return true;
  const State& state = states_[*i];
  const auto lies_there = [&](const std::optional<uint64_t>& other) {
    return other && pictures.at(*other) == drawn->second;
  };
  return !lies_there(state.held) && !lies_there(state.newest);
}

bool Windows::lies_in(const Window& window, const std::optional<uint64_t>& frame, arch::Address address,
                      uint64_t bytes) const {
  if (!frame) return false;
  const arch::Address picture = window.pictures.at(*frame);
  return picture < address + bytes && address < picture + window.bytes;
}

bool Windows::may_unmap(arch::ContextId program, arch::Address address, uint64_t bytes) const {
  const auto i = window_of(program);
  return !i || !open_ || !lies_in(windows_[*i], states_[*i].held, address, bytes);
}

void Windows::note_unmapped(arch::ContextId program, arch::Address address, uint64_t bytes) {
  if (const auto i = window_of(program); i && lies_in(windows_[*i], states_[*i].newest, address, bytes))
    states_[*i].newest.reset();
}

void Windows::note_ended(arch::ContextId program, uint64_t frame) {
  const auto i = window_of(program);
  if (i && open_ && windows_[*i].pictures.contains(frame)) states_[*i].newest = frame;
}

void Windows::begin_frame(machine::Machine& gpu, uint64_t frame) {
  for (size_t i = 0; i < windows_.size(); i++) {
    const Window& window = windows_[i];
    State& state = states_[i];
    if (state.newest) {
      gpu.share(kCompositor, window.address, window.bytes, window.program, window.pictures.at(*state.newest));
      state.held = state.shown_last = std::exchange(state.newest, {});
    }
    if (state.shown_last) state.shown[frame] = *state.shown_last;
  }
}

void Windows::close(machine::Machine& gpu) {
  if (!std::exchange(open_, false)) return;
  for (const Window& window : windows_) gpu.unmap(kCompositor, window.address, window.bytes);
}

void Windows::note_reset(arch::ContextId lost) {
  if (lost == kCompositor) open_ = false;
  for (State& state : states_) state.held.reset();
  if (const auto i = window_of(lost)) states_[*i].newest.reset();
}

std::optional<uint64_t> Windows::shown_in(arch::ContextId program, uint64_t frame) const {
  const auto i = window_of(program);
  if (!i) return {};
  const Shown& shown = states_[*i].shown;
  const auto first =
      std::find_if(shown.begin(), shown.end(), [&](const auto& entry) { return entry.second == frame; });
  if (first == shown.end()) return {};
  return first->first;
}

}  // namespace cutaway::replay
