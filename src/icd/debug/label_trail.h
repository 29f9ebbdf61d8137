#pragma once

#include <string>
#include <vector>

#include "arch/packet.h"
#include "icd/debug/label_tree.h"

namespace cutaway::icd {

// The debug labels of one command buffer, in order. The enclosing labels are known only to the queue, when
// the command buffer is submitted ("Queue Labels" and "Command Buffer Labels": a label may begin in one
// command buffer and end in another). So MARKER packets are recorded without ids; resolve() supplies them.
//
// The packets are in one part, or in several that are submitted one after the other.
class LabelTrail {
 public:
  struct Marker {
    size_t part = 0, word = 0;  // position of its id: a word of the part
  };

  bool empty() const { return markers_.empty(); }
  void clear() { *this = {}; }
  const std::vector<Marker>& markers() const { return markers_; }

  // Commands. Each appends a packet to the current part, or reuses the part's last packet if that is a
  // marker.
  void begin(std::string_view label, arch::CommandWriter& writer) { add(Kind::kBegin, label, writer); }
  void end(arch::CommandWriter& writer) { add(Kind::kEnd, {}, writer); }
  void insert(std::string_view label, arch::CommandWriter& writer) { add(Kind::kInsert, label, writer); }
  // Ends the effect of the last inserted label, which ends with the command buffer.
  void end_commands(arch::CommandWriter& writer);
  // Begins a new part for the following packets.
  void next_part() { part_++; }

  struct Resolved {
    std::vector<uint32_t> ids;  // by marker: its id
    struct Part {
      uint32_t first = 0, last = 0;  // labels at its begin and at its end
    };
    std::vector<Part> parts;
    LabelPlace after;
  };
  Resolved resolve(LabelTree& tree, LabelPlace around) const;

 private:
  enum class Kind : uint8_t { kBegin, kEnd, kInsert, kEndOfInserted };
  struct Step {
    Kind kind;
    size_t marker;  // marker at which the step takes effect
    std::string label;
  };
  void add(Kind kind, std::string_view label, arch::CommandWriter& writer);

  std::vector<Step> steps_;
  std::vector<Marker> markers_;
  size_t part_ = 0;
};

}  // namespace cutaway::icd
