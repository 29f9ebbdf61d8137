#include "icd/stream/live_descriptors.h"

#include <algorithm>
#include <cstring>

#include "icd/device/limits.h"

namespace cutaway::icd {
namespace {

// Pending writes, and the memory that they keep alive.
struct Contents {
  struct Write {
    host::Allocation* to = nullptr;
    uint64_t offset = 0;
    std::vector<std::byte> bytes;
  };
  std::vector<Write> writes;
  std::vector<std::shared_ptr<void>> held;

  void add(host::Allocation& to, uint64_t offset, const void* data, size_t bytes) {
    const auto* first = static_cast<const std::byte*>(data);
    writes.push_back({&to, offset, {first, first + bytes}});
  }
  Descriptor hold(const DescriptorUse& use) {
    HeldDescriptor one(use);
    if (one.memory) held.push_back(std::move(one.memory));
    return std::move(one.descriptor);
  }
};

void write_load(const arch::LoadPacket& load, arch::CommandWriter& writer) {
  writer.packet(load.count ? arch::Opcode::kLoadConstants : arch::Opcode::kNop, load);
}

}  // namespace

void LiveDescriptors::add_table(const UploadArea::Place& place, bool samplers, Uses uses) {
  tables_.push_back({place, samplers, std::move(uses)});
}

void LiveDescriptors::leave_packets(arch::CommandWriter& writer) {
  write_load({}, writer);
  write_load({}, writer);
}

std::function<void()> LiveDescriptors::read(host::Allocation& packets,
                                            std::span<const uint64_t> parts) const {
  const auto contents = std::make_shared<Contents>();
  for (const Table& table : tables_)
    for (const auto& [slot, use] : table.uses) {
      const Descriptor held = contents->hold(use);
      if (table.samplers) {
        contents->add(*table.place.memory, table.place.offset + slot * sizeof held.sampler, &held.sampler,
                      sizeof held.sampler);
      } else {
        const arch::Surface surface = resource_of(use, held);
        contents->add(*table.place.memory, table.place.offset + slot * sizeof surface, &surface,
                      sizeof surface);
      }
    }
  for (const Constants& constants : constants_) {
    const BufferRange buffer = range_of(constants.use, contents->hold(constants.use));
    arch::LoadPacket there = constants.load, beyond = constants.load;
    const uint64_t from = there.address;
    const uint64_t readable = buffer.bytes > from ? (buffer.bytes - from + kVec4Bytes - 1) / kVec4Bytes : 0;
    there.count = static_cast<uint32_t>(std::min<uint64_t>(readable, there.count));
    there.address = buffer.address + from;
    beyond.first += there.count;
    beyond.count -= there.count;
    beyond.address = constants.zeros;
    arch::CommandWriter writer;
    write_load(there, writer);
    write_load(beyond, writer);
    const std::vector<uint32_t> words = writer.take();
    contents->add(packets, parts[constants.part] + constants.word * sizeof words[0], words.data(),
                  words.size() * sizeof words[0]);
  }
  return [contents] {
    for (const Contents::Write& write : contents->writes)
      write.to->write(write.offset, write.bytes.data(), write.bytes.size());
  };
}

}  // namespace cutaway::icd
