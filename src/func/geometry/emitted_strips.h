#pragma once

#include <cstdint>
#include <vector>

namespace cutaway::func {

// The vertices and strip ends that one invocation of a geometry program emits to each stream, in order
// (docs/hardware.md "Geometry programs"). The code that executes EMIT appends the vertex's words.
class EmittedStrips {
 public:
  void clear() { vertices_ = 0, events_.clear(), words_.clear(); }

  // Returns false, and drops the vertex, if `most` vertices have been emitted.
  bool emit(uint32_t stream, uint32_t most) {
    if (vertices_ == most) return false;
    vertices_++;
    events_.push_back(static_cast<uint8_t>(stream));
    return true;
  }
  void add_word(uint32_t word) { words_.push_back(word); }

  // Consecutive ends of strips without a vertex between them count as one, so the number of vertices bounds
  // the storage.
  void cut(uint32_t stream) {
    for (auto event = events_.rbegin(); event != events_.rend(); ++event) {
      if (event_stream(*event) != stream) continue;
      if (is_cut(*event)) return;
      break;
    }
    if (!events_.empty()) events_.push_back(static_cast<uint8_t>(stream | kCut));
  }

  uint32_t vertices() const { return vertices_; }
  const std::vector<uint8_t>& events() const { return events_; }
  const std::vector<uint32_t>& words() const { return words_; }  // of the vertices, one after the other

  static bool is_cut(uint8_t event) { return event & kCut; }
  static uint32_t event_stream(uint8_t event) { return event & (kCut - 1); }

 private:
  static constexpr uint8_t kCut = 0x80;

  uint32_t vertices_ = 0;
  std::vector<uint8_t> events_;  // stream of each vertex, with kCut if its strip ends
  std::vector<uint32_t> words_;
};

}  // namespace cutaway::func
