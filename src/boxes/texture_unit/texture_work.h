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
// Members that most cycles read stand together at its beginning.
struct alignas(64) TextureWork {
  messages::PoolRef<messages::TextureJob> job;
  const func::TextureView* view = nullptr;  // and the sampler: not of a load
  const arch::Sampler* sampler = nullptr;
  engine::Cycle ready = 0;    // cycle in which the result leaves, once samples_left is 0
  uint32_t samples_left = 0;  // samples not filtered yet
  std::array<uint8_t, func::kQuadLanes> samples{};  // by lane; of a load: 1 if it reads
  std::array<uint8_t, func::kQuadLanes> next{};     // by lane: the sample to look up next
  uint32_t sample = 0, waiting = 0;                 // the lowest of these, and the lanes that wait for it
  uint32_t origin = 0;                              // the job's piece of work
  uint8_t request_quads = 1;                        // the job's
  uint8_t expansion = 0;   // of its texels in lines that hold them decoded: a power of two
  bool looked_up = false;  // all samples are looked up
  bool is_load = false;
  bool notes_lines = false;  // the lines that it reads are recorded
  func::TexturePlan plan;
  func::BufferLoad load;

  bool filtered() const { return looked_up && !samples_left; }
  // Begins the instruction: finds the samples of each lane. decodes: lines hold decoded texels.
  void begin(messages::PoolRef<messages::TextureJob> of, bool decodes = false);
  // A step takes `count` samples of each lane, all of which wait for the same one and have equally many.
  void take_of_all(uint32_t count);
  // Updates `sample`, `waiting` and `looked_up` after a change of `next`.
  void find_next_sample();

 private:
  void plan_load();
  void plan_samples();
};

}  // namespace cutaway::boxes
