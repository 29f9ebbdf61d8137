#pragma once

#include "arch/context_space.h"
#include "base/field.h"
#include "boxes/command_processor/context_schedule/context_schedule.h"
#include "boxes/command_processor/state_way/state_way.h"

namespace cutaway::boxes {

struct CommandProcessorSpec {
  unsigned words_per_cycle = 4;
  unsigned prefetch = 8;
  PolicyName<StateWays> register_state = "versions";
  PolicyName<StateWays> constant_state = "versions";
  PolicyName<StateWays> descriptor_state = "versions";
  unsigned state_versions = 4;
  unsigned spare_state_blocks = 128;
  unsigned instruction_memory = 4096;
  unsigned state_bytes_per_cycle = 16;
  unsigned watched_copies = 16;
  unsigned submissions = 1;
  unsigned watched_memory = 0;
  unsigned presents = 1;
  unsigned contexts = 1;
  PolicyName<ContextSchedules> schedule = "slices";
  double slice_us = 1000;
  bool preempts = false;
  bool compute_queue = false;

  template <class V>
  static void fields(V&& v) {
    using S = CommandProcessorSpec;
    v("words_per_cycle", &S::words_per_cycle, "words", 1u, 16u, "command words taken per cycle");
    v("prefetch", &S::prefetch, "sectors", 1u, 64u, "64-byte sectors of commands fetched ahead");
    v("register_state", &S::register_state,
      "how the units keep registers for draws under way. flush: one copy, which changes when all draws have "
      "ended; pass-through: all that is set goes over the bus with each draw; renaming: a pool of blocks; "
      "versions: `state_versions` copies. Kinds of state that are kept in one way share its copies or its pool");
    v("constant_state", &S::constant_state,
      "how the units keep constants: flush, pass-through, renaming or versions");
    v("descriptor_state", &S::descriptor_state,
      "how the units keep descriptors of resources and samplers: flush, pass-through, renaming or versions");
    v("state_versions", &S::state_versions, "versions", 1u, 64u,
      "copies of the state that is kept in versions: draws that differ in it and may be under way; 1 drains "
      "the pipeline at every change");
    v("spare_state_blocks", &S::spare_state_blocks, "blocks", 1u, 4096u,
      "blocks of 64 bytes in the pool of renamed state, beside those that hold all of it once. A changed block "
      "takes one until the draws before the change have ended");
    v("instruction_memory", &S::instruction_memory, "instructions", 512u, 65536u,
      "instruction memory of each shader unit, and so the longest program; a program stays in it until "
      "others need the room");
    v("state_bytes_per_cycle", &S::state_bytes_per_cycle, "bytes", 1u, 1024u,
      "bytes of changed registers, constants, descriptors and programs per cycle on the bus to all units");
    v("watched_copies", &S::watched_copies, "copies", 0u, 16u,
      "copies under way whose memory is watched, so that flushes, invalidates and other work proceed; 0: "
      "all work waits for copies");
    v("submissions", &S::submissions, "submissions", 1u, 16u,
      "submissions that the host may hand over before they have ended: one is executed, the commands of the "
      "others are fetched meanwhile, through their calls; 1: one after the other");
    v("watched_memory", &S::watched_memory, "ranges", 0u, 256u,
      "ranges of memory that are watched, so that a barrier is carried out when work needs it, and a "
      "submission begins while the draws of those before it are under way; 0: barriers are carried out at "
      "once");
    v("presents", &S::presents, "pictures", 1u, 4u,
      "pictures that have been presented and are not scanned out yet; the next PRESENT waits");
    v("contexts", &S::contexts, "contexts", 1u, unsigned{arch::kMostContexts},
      "programs that share the GPU, each in a context with memory of its own; between their submissions the "
      "GPU is switched to another context");
    v("schedule", &S::schedule,
      "context whose submission is next: first-come, the one that was handed over first; priority, that of "
      "the highest context; slices, in turns");
    v("slice_us", &S::slice_us, "us", 0.0, 1e6,
      "time for which a context keeps the GPU while it has submissions and `schedule` is \"slices\"");
    v("preempts", &S::preempts, "",
      "true: a context may also lose the GPU within a submission, behind each draw, dispatch, copy and clear; "
      "false: between submissions alone");
    v("compute_queue", &S::compute_queue, "",
      "true: submissions of a program's compute queue are executed beside those of its graphics queue, by a "
      "second command stream; false: all submissions in the order in which they were handed over");
  }
};

}  // namespace cutaway::boxes
