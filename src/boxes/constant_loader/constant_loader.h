#pragma once

#include <string>

#include "base/counter.h"
#include "base/field.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "messages/commands.h"
#include "structures/ring.h"

namespace cutaway::boxes {

struct ConstantLoaderSpec {
  unsigned commands = 16;
  unsigned sectors = 16;

  template <class V>
  static void fields(V&& v) {
    using S = ConstantLoaderSpec;
    v("commands", &S::commands, "commands", 1u, 256u, "loads waiting");
    v("sectors", &S::sectors, "sectors", 1u, 256u, "64-byte reads under way");
  }
};

struct ConstantLoaderCounters {
  uint64_t loads = 0, bytes = 0;

  template <class V>
  static void fields(V&& v) {
    v("loads", &ConstantLoaderCounters::loads, "loads", "load packets executed");
    v("bytes", &ConstantLoaderCounters::bytes, "bytes",
      "bytes of constants, descriptors and instructions brought on chip");
  }
};

// Fetches constants, descriptors and instructions from memory, in order: one sector requested and one block
// passed to the command processor per cycle.
class ConstantLoader final : public engine::Box {
 public:
  ConstantLoader(std::string path, const ConstantLoaderSpec& spec);

  engine::In<messages::LoadCommand> commands_in;
  engine::Out<messages::LoadedBlock> blocks_out;
  engine::Out<messages::MemoryRequest> memory_out;
  engine::In<messages::MemoryReply> memory_in;

  ConstantLoaderCounters counters;

  void list_ports(engine::PortList& list) override {
    list("commands_in", commands_in, "orders: what to load, from where, how many bytes");
    list("blocks_out", blocks_out, "up to 64 bytes, and their kind");
    list("memory_out", memory_out, "reads of sectors");
    list("memory_in", memory_in, "replies");
  }
  std::vector<std::string_view> costs_nothing() const override;
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override;

 private:
  struct Read {
    messages::LoadedBlock block;  // the block to deliver
    uint32_t skip = 0;            // bytes of the sector before it
    uint32_t tag = 0;
    bool arrived = false;
  };
  bool take_reply(engine::Cycle now);
  bool deliver(engine::Cycle now);
  bool ask(engine::Cycle now);

  structures::Ring<messages::LoadCommand> commands_;
  structures::Ring<Read> reads_;  // in request order
  uint32_t done_ = 0;             // bytes of the oldest command already requested
  uint32_t next_tag_ = 0;
};

}  // namespace cutaway::boxes
