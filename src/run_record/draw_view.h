#pragma once

#include <cstdint>
#include <string>
#include <vector>

// What a viewer shows of the draws of a frame beside its figures: the targets before and after each draw, its
// mesh and its textures.
namespace cutaway::run_record {

// A draw by the numbers that its work has in a run's database.
struct DrawName {
  uint64_t submission = 0;
  uint32_t draw = 0;  // counts from 1 in its submission
};

struct ViewedSurface {
  uint64_t address = 0;
  std::string format;
  uint32_t width = 0, height = 0;  // pixels, of what is shown
  uint32_t samples = 1;
  bool depth = false;  // gray: brighter is nearer
};

// A rectangle of a target, with the pixels that have changed since the target's rectangle before. The first
// rectangle of a target is all of it.
struct ViewedChange {
  DrawName draw;
  bool before = false;  // copies and clears changed it before the draw; false: the draw changed it
  uint32_t target = 0;  // index among DrawViewSink::target() calls
  uint32_t x = 0, y = 0, width = 0, height = 0;
  std::vector<uint8_t> rgba;  // rows from the top; alpha 0: this pixel has not changed, else 255
};

// The primitives of a draw as they reach the rasteriser, before they are clipped.
struct ViewedMesh {
  DrawName draw;
  uint32_t corners = 0;          // of a primitive: 1 to 3
  std::vector<float> positions;  // x, y, z, w of each vertex, in clip space
  std::vector<uint32_t> indices;
  uint64_t left_out = 0;                // primitives above the limit
  float scale[2] = {}, offset[2] = {};  // of the first viewport: pixel = x / w * scale + offset
};

struct ViewedTexture {
  ViewedSurface surface;           // of the level that is shown
  uint32_t width = 0, height = 0;  // of level 0
  uint32_t level = 0;              // that is shown
  std::vector<uint8_t> rgba;
};

class DrawViewSink {
 public:
  virtual ~DrawViewSink() = default;
  virtual void target(const ViewedSurface& surface) = 0;
  virtual void change(ViewedChange&& change) = 0;
  virtual void mesh(ViewedMesh&& mesh) = 0;
  virtual void texture(const ViewedTexture& texture) = 0;
  // stage: index into kProgramStages. texture: index among texture() calls.
  virtual void use(const DrawName& draw, uint32_t stage, uint32_t binding, uint32_t texture) = 0;
  virtual bool full() = 0;  // asked before a draw; true: it is left out
};

}  // namespace cutaway::run_record
