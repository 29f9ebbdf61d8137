#pragma once

namespace cutaway::boxes {

struct CommandProcessorSpec {
  unsigned words_per_cycle = 4;
  unsigned prefetch = 8;
  unsigned state_versions = 4;
  unsigned instruction_memory = 4096;
  unsigned state_bytes_per_cycle = 16;
  unsigned watched_copies = 16;
  unsigned upload_mb_per_s = 0;

  template <class V>
  static void fields(V&& v) {
    using S = CommandProcessorSpec;
    v("words_per_cycle", &S::words_per_cycle, "words", 1u, 16u, "command words taken per cycle");
    v("prefetch", &S::prefetch, "sectors", 1u, 64u, "64-byte sectors of commands fetched ahead");
    v("state_versions", &S::state_versions, "versions", 1u, 64u,
      "draws with different state that may be under way; 1 drains the pipeline at every change");
    v("instruction_memory", &S::instruction_memory, "instructions", 512u, 65536u,
      "instruction memory of each shader unit, and so the longest program; a program stays in it until "
      "others need the room");
    v("state_bytes_per_cycle", &S::state_bytes_per_cycle, "bytes", 1u, 1024u,
      "bytes of changed registers, constants, descriptors and programs per cycle on the bus to all units");
    v("watched_copies", &S::watched_copies, "copies", 0u, 16u,
      "copies under way whose memory is watched, so that flushes, invalidates and other work proceed; 0: "
      "all work waits for copies");
    v("upload_mb_per_s", &S::upload_mb_per_s, "MB/s", 0u, 1000000u,
      "rate of the bus that brings host writes into the GPU's memory, for which the next submission waits; "
      "0: uploads take no time");
  }
};

}  // namespace cutaway::boxes
