#pragma once

#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "arch/packet.h"
#include "icd/descriptor/descriptor_use.h"
#include "icd/stream/upload_area.h"

namespace cutaway::icd {

// The parts of a command buffer's packets and tables that depend on live descriptors
// (SetShape::Binding::live): resolved anew for each submission
// ("VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT").
class LiveDescriptors {
 public:
  using Uses = std::vector<std::pair<uint32_t, DescriptorUse>>;  // by slot of a table

  bool empty() const { return tables_.empty() && constants_.empty(); }
  void clear() { tables_.clear(), constants_.clear(); }

  // Adds a table of resources or samplers with these live slots.
  void add_table(const UploadArea::Place& place, bool samplers, Uses uses);
  // Constants from a live uniform buffer. Two packets are reserved for them, from `word` of the part on: one
  // for constants within the buffer, one for those beyond its end, which are loaded from zeros at an address.
  struct Constants {
    size_t part = 0, word = 0;
    arch::LoadPacket load{};  // address: bytes from the start of the buffer
    arch::Address zeros = 0;
    DescriptorUse use;
  };
  void add_constants(const Constants& constants) { constants_.push_back(constants); }
  // Reserves these packets as NOPs.
  static void leave_packets(arch::CommandWriter& writer);

  // Reads all descriptors. The returned function writes their contents into the tables and into the packets,
  // whose parts begin at these bytes; while it lives, so does the memory behind the descriptors.
  std::function<void()> read(host::Allocation& packets, std::span<const uint64_t> parts) const;

 private:
  struct Table {
    UploadArea::Place place;
    bool samplers = false;
    Uses uses;
  };
  std::vector<Table> tables_;
  std::vector<Constants> constants_;
};

}  // namespace cutaway::icd
