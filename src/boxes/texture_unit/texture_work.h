#pragma once

#include <array>
#include <cstdint>

#include "engine/domain.h"
#include "func/texture/buffer_load.h"
#include "func/texture/sample.h"
#include "messages/messages.h"

namespace cutaway::boxes {

// A texture instruction or buffer load of a quad inside the texture unit, and how many of its samples are
// looked up and filtered. Hundreds wait for their texels: it is small.
struct TextureWork {
  messages::PoolRef<messages::TextureJob> job;
  const func::TextureView* view = nullptr;  // and the sampler: not of a load
  const arch::Sampler* sampler = nullptr;
  engine::Cycle ready = 0;    // cycle in which the result leaves, once samples_left is 0
  uint32_t samples_left = 0;  // samples not filtered yet
  std::array<uint8_t, func::kQuadLanes> samples{};  // by lane; of a load: 1 if it reads
  std::array<uint8_t, func::kQuadLanes> next{};     // by lane: the sample to look up next
  uint32_t sample = 0, waiting = 0;                 // the lowest of these, and the lanes that wait for it
  uint8_t expansion = 0;   // of its texels in lines that hold them decoded: a power of two
  bool looked_up = false;  // all samples are looked up
  bool is_load = false;
  func::TexturePlan plan;
  func::BufferLoad load;

  bool filtered() const { return looked_up && !samples_left; }
  // Begins the instruction: finds the samples of each lane. decodes: lines hold decoded texels.
  void begin(messages::PoolRef<messages::TextureJob> of, bool decodes = false);
  // Updates `sample`, `waiting` and `looked_up` after a change of `next`.
  void find_next_sample();

 private:
  void plan_load();
  void plan_samples();
};

}  // namespace cutaway::boxes
