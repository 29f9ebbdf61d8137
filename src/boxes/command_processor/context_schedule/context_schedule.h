#pragma once

#include <span>

#include "arch/memory.h"
#include "base/policy.h"
#include "engine/domain.h"

namespace cutaway::boxes {

// Chooses the context whose submission the GPU runs next. Asked between submissions. Each policy is a file of
// this folder.
class ContextSchedule {
 public:
  // A context whose next submission has been handed over.
  struct Waiting {
    arch::ContextId context = 0;
    engine::Cycle since = 0;
  };
  // The context that has the GPU.
  struct Running {
    arch::ContextId context = 0;
    engine::Cycle since = 0;  // when it got the GPU
  };

  virtual ~ContextSchedule() = default;
  // One of `waiting`, of which there is at least one, in rising order of contexts.
  virtual arch::ContextId choose(engine::Cycle now, const Running& running,
                                 std::span<const Waiting> waiting) = 0;
};

// Policies are made with the core cycles of a slice.
struct ContextSchedules : PolicyFamily<ContextSchedules, ContextSchedule, engine::Cycle> {};

}  // namespace cutaway::boxes
