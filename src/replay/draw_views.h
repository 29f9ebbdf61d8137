#pragma once

#include <array>
#include <bit>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "emulator/draw_observer.h"
#include "replay/target_watch.h"
#include "run_record/draw_view.h"

namespace cutaway::replay {

// Records what a viewer shows of the draws of a frame, while the emulator executes it.
class DrawViewRecorder final : public emulator::DrawObserver {
 public:
  static constexpr uint32_t kTextureSide = 256;               // texels of a picture of a texture, at most
  static constexpr size_t kMostPrimitives = 200'000;          // of a mesh
  static constexpr uint64_t kMostTargetBytes = 256ull << 20;  // larger targets are not shown

  // Records into the sink from now on; null: not.
  void record_into(run_record::DrawViewSink* sink);

  void begin(const emulator::ObservedDraw& draw) override;
  void primitive(const func::AssembledPrimitive& primitive,
                 const command_stream::ShadedVertex* const vertex[3]) override;
  void end(const emulator::ObservedDraw& draw) override;

 private:
  using Position = std::array<uint32_t, 4>;
  struct PositionHash {
    size_t operator()(const Position& position) const;
  };
  struct Target {
    uint32_t number;  // in the sink
    TargetWatch watch;
  };

  void look(const emulator::ObservedDraw& draw, bool before);
  void look_at(const emulator::ObservedDraw& draw, const arch::Surface& surface, bool before);
  void note_textures(const emulator::ObservedDraw& draw);

  run_record::DrawViewSink* sink_ = nullptr;
  bool drawing_ = false;  // the sink takes this draw
  std::vector<std::unique_ptr<Target>> targets_;
  std::map<std::pair<uint64_t, uint64_t>, uint32_t>
      textures_;  // by hashes of descriptor and contents; ~0: not shown
  uint32_t texture_count_ = 0;
  run_record::ViewedMesh mesh_;
  std::unordered_map<Position, uint32_t, PositionHash> vertices_;
};

}  // namespace cutaway::replay
