#pragma once

#include <array>
#include <bitset>
#include <cstdint>

#include "arch/registers.h"
#include "arch/surface.h"

namespace cutaway::boxes {

// Kinds of state that a draw reads. Each is kept in a way of its own (state_way/). The descriptors are those
// of resources and samplers.
enum class StateKind : uint8_t { kRegisters, kConstants, kDescriptors };
constexpr size_t kStateKinds = 3;

// The blocks of 64 bytes of the state that packets have set in a submission, and changed since the draw
// before.
class StateBlocks {
 public:
  static constexpr unsigned kBytes = 64;
  // Blocks of one shader stage.
  static constexpr unsigned kConstants = arch::kConstants * 16 / kBytes;
  static constexpr unsigned kDescriptors = arch::kResources + arch::kSamplers;
  static_assert(sizeof(arch::Surface) == kBytes && sizeof(arch::Sampler) == kBytes);
  static constexpr unsigned kRegisters = (sizeof(arch::Registers) + kBytes - 1) / kBytes;
  // Bytes of a kind on a chip with so many shader stages.
  static constexpr unsigned bytes(StateKind kind, unsigned stages) {
    if (kind == StateKind::kRegisters) return sizeof(arch::Registers);
    return stages * kBytes * (kind == StateKind::kConstants ? kConstants : kDescriptors);
  }

  void begin_submission() { *this = StateBlocks(); }
  // A suspended submission goes on: all that it had set is sent anew.
  void resume(const StateBlocks& blocks) { *this = blocks, changed_ = set_; }

  // Bytes `first` to `first + bytes - 1` change, of the registers, or of a stage's constants, resources or
  // samplers. bytes: at least 1.
  void change_registers(unsigned first, unsigned bytes) { change(StateKind::kRegisters, 0, first, bytes); }
  void change_constants(arch::Stage stage, unsigned first, unsigned bytes) {
    change(StateKind::kConstants, stage_index(stage) * kConstants, first, bytes);
  }
  void change_resources(arch::Stage stage, unsigned first, unsigned bytes) {
    change(StateKind::kDescriptors, stage_index(stage) * kDescriptors, first, bytes);
  }
  void change_samplers(arch::Stage stage, unsigned first, unsigned bytes) {
    change(StateKind::kDescriptors, stage_index(stage) * kDescriptors + arch::kResources, first, bytes);
  }
  // The draw has left.
  void drawn() { changed_ = {}; }

  unsigned changed(StateKind kind) const { return changed_[static_cast<size_t>(kind)].count; }
  unsigned set(StateKind kind) const { return set_[static_cast<size_t>(kind)].count; }

 private:
  static constexpr unsigned kMost = arch::kStages * kConstants;
  struct Blocks {
    std::bitset<kMost> bits;
    unsigned count = 0;
    void add(unsigned block) {
      count += !bits[block];
      bits.set(block);
    }
  };
  static unsigned stage_index(arch::Stage stage) { return static_cast<unsigned>(stage); }
  void change(StateKind kind, unsigned block, unsigned first, unsigned bytes) {
    const auto index = static_cast<size_t>(kind);
    for (unsigned i = first / kBytes; i <= (first + bytes - 1) / kBytes; i++)
      changed_[index].add(block + i), set_[index].add(block + i);
  }

  std::array<Blocks, kStateKinds> changed_, set_;  // by kind
};

}  // namespace cutaway::boxes
