#pragma once

#include "base/field.h"

namespace cutaway::boxes {

// The memory that requests of the GPU reach over the bus.
enum class BusMemory : uint8_t { kPlaced, kAll };
constexpr EnumName<BusMemory> kBusMemoryNames[] = {{BusMemory::kPlaced, "placed"}, {BusMemory::kAll, "all"}};

struct BusSpec {
  unsigned bytes_per_cycle = 0;
  double mhz = 250;
  bool shared = false;
  unsigned header = 16;
  unsigned payload = 64;
  unsigned latency = 50;
  unsigned memory_latency = 25;
  unsigned requests = 32;
  BusMemory memory = BusMemory::kPlaced;

  bool present() const { return bytes_per_cycle != 0; }

  template <class V>
  static void fields(V&& v) {
    using S = BusSpec;
    v("bytes_per_cycle", &S::bytes_per_cycle, "bytes", 0u, 256u,
      "bytes per cycle of its clock in each direction; 0: there is no bus, system memory costs what video "
      "memory does, and writes of the host take no time");
    v("mhz", &S::mhz, "MHz", 1.0, 10000.0, "clock of the bus");
    v("shared", &S::shared, "", "both directions share the wires, as on AGP");
    v("header", &S::header, "bytes", 0u, 64u, "bytes of each packet besides its data");
    v("payload", &S::payload, "bytes", 4u, 4096u,
      "data of a packet of the host's writes, at most; a request of the GPU is for a sector of 64 bytes");
    v("latency", &S::latency, "cycles", 1u, 10000u,
      "cycles of the bus from the end of a packet on the wires to its arrival");
    v("memory_latency", &S::memory_latency, "cycles", 0u, 10000u,
      "cycles of the bus from the arrival of a read at the host to its data");
    v("requests", &S::requests, "requests", 1u, 1024u,
      "requests of the GPU under way: credits of the host's side");
    v("memory", &S::memory, kBusMemoryNames,
      "memory behind the bus: placed, the pages that the program placed in system memory; all, every page: a "
      "chip without memory of its own");
  }
};

}  // namespace cutaway::boxes
