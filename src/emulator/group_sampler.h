#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "arch/memory.h"
#include "emulator/state.h"
#include "emulator/texture_copies.h"
#include "func/texture/wide_sample.h"

namespace cutaway::emulator {

// Executes texture instructions for whole groups, if func/texture/wide_sample.h supports them.
class GroupSampler {
 public:
  explicit GroupSampler(const arch::Memory& memory)
      : memory_(memory), wide_(func::wide_functions(func::AluPath::kBest)) {}

  using Component = uint32_t[kLanes];

  // Begins a run of groups, during which the stage's state and the memory map must not change. registers: of
  // all groups; its constants may change. copies: if not null, textures are sampled from copies; the groups
  // must not write to their textures.
  void begin(const StageState& stage, const func::Registers& registers, TextureCopies* copies);

  // Results of the texture instruction at pc: the lanes that were done, whole quads among those with active
  // lanes, and where they are: at `room`, or already in the instruction's register.
  struct Done {
    uint32_t lanes;
    Component* result;
  };
  // every_lane: all lanes execute, so that a whole register may be written.
  Done sample(const StageState& stage, uint32_t pc, const func::Registers& registers, uint32_t active,
              bool every_lane, Component* room);
  // Bilinear samples in the last sample() for some of its lanes.
  uint32_t samples_of(uint32_t lanes) const;

 private:
  struct Texture {
    func::WideTexture texture;
    std::shared_ptr<const func::TexelCopy> copy;  // may be null
    std::shared_ptr<uint64_t> counter;            // of samples; null if it cannot have a copy
    uint64_t samples = 0;
    uint32_t level = 0;  // that the last group sampled
    func::WideOperands operands;
    uint32_t sources = 1, to_read = 0;  // number, and bits of those that must be read for each group
    Component* whole = nullptr;         // the register that the instruction writes, if as a whole
    bool apart = false;                 // which is no operand
    std::optional<arch::Memory::Window> window;
    func::WidePages pages() const { return {window->entries(), static_cast<uint32_t>(window->start())}; }
  };

  uint32_t sample_planned(const StageState& stage, uint32_t pc, Texture& from, uint32_t active,
                          Component* result);
  void set_operands(const func::MicroOp& op, const func::Registers& registers, Texture& made);
  bool fetch(const Texture& from, const func::TextureView& view, uint32_t quads);
  template <func::WideTexel kind>
  bool fetch_texels(const Texture& from, const func::TextureView& view, uint32_t quads);

  const arch::Memory& memory_;
  const func::WideFunctions& wide_;
  std::vector<Texture> textures_;  // by index of the instruction in its program
  func::WidePlan plan_;
  func::WideFootprint footprint_;
  func::WideTexels texels_ = {};
  func::WideAccumulator accumulator_ = {};
  alignas(64) uint32_t source_[3][4][kLanes];
};

}  // namespace cutaway::emulator
