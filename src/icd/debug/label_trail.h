#pragma once

#include <string>
#include <vector>

#include "arch/packet.h"
#include "icd/debug/label_tree.h"

namespace cutaway::icd {

// The debug labels of one command buffer, in order. What labels are around them is the queue's to know, when
// the command buffer is submitted ("Queue Labels" and "Command Buffer Labels": a label may begin in one
// command buffer and end in another). So the MARKER packets that are recorded hold no id; resolve() tells it.
//
// The packets stand in one part, or in several that are submitted one after the other.
class LabelTrail {
 public:
  struct Marker {
    size_t part = 0, word = 0;  // its id is this word of the part
  };

  bool empty() const { return markers_.empty(); }
  void clear() { *this = {}; }
  const std::vector<Marker>& markers() const { return markers_; }

  // Commands; each appends a packet to those of the part, or shares the one that is the last there.
  void begin(std::string_view label, arch::CommandWriter& writer) { add(Kind::kBegin, label, writer); }
  void end(arch::CommandWriter& writer) { add(Kind::kEnd, {}, writer); }
  void insert(std::string_view label, arch::CommandWriter& writer) { add(Kind::kInsert, label, writer); }
  // What was inserted last ends with the command buffer.
  void end_commands(arch::CommandWriter& writer);
  // What follows stands in a part of its own.
  void next_part() { part_++; }

  struct Resolved {
    std::vector<uint32_t> ids;  // by marker
    struct Part {
      uint32_t first = 0, last = 0;  // what its begin and its end are labelled with
    };
    std::vector<Part> parts;
    LabelPlace after;
  };
  Resolved resolve(LabelTree& tree, LabelPlace around) const;

 private:
  enum class Kind : uint8_t { kBegin, kEnd, kInsert, kEndOfInserted };
  struct Step {
    Kind kind;
    size_t marker;  // behind it the step shows
    std::string label;
  };
  void add(Kind kind, std::string_view label, arch::CommandWriter& writer);

  std::vector<Step> steps_;
  std::vector<Marker> markers_;
  size_t part_ = 0;
};

}  // namespace cutaway::icd
