#include "icd/pipeline/pipeline_cache.h"

#include <cstring>
#include <elf.h>
#include <link.h>

#include "base/hash.h"
#include "icd/device/device.h"
#include "icd/pipeline/program_archive.h"

namespace cutaway::icd {
namespace {

struct EntryHead {
  uint64_t key[2];
  uint64_t bytes, hash;
};

std::span<const std::byte> bytes_of(const std::vector<std::byte>& bytes) { return bytes; }

// The linker's note in a binary (NT_GNU_BUILD_ID): a hash of the whole binary.
std::span<const std::byte> build_id_of(const dl_phdr_info& module) {
  for (int i = 0; i < module.dlpi_phnum; i++) {
    const auto& segment = module.dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const auto* note = reinterpret_cast<const std::byte*>(module.dlpi_addr + segment.p_vaddr);
    const std::byte* end = note + segment.p_memsz;
    while (end - note >= static_cast<ptrdiff_t>(sizeof(ElfW(Nhdr)))) {
      ElfW(Nhdr) head;
      std::memcpy(&head, note, sizeof head);
      const std::byte* name = note + sizeof head;
      const std::byte* value = name + (head.n_namesz + 3) / 4 * 4;
      if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0)
        return {value, head.n_descsz};
      note = value + (head.n_descsz + 3) / 4 * 4;
    }
  }
  return {};
}

bool contains(const dl_phdr_info& module, const void* address) {
  const auto at = reinterpret_cast<uintptr_t>(address) - module.dlpi_addr;
  for (int i = 0; i < module.dlpi_phnum; i++)
    if (module.dlpi_phdr[i].p_type == PT_LOAD &&
        at - module.dlpi_phdr[i].p_vaddr < module.dlpi_phdr[i].p_memsz)
      return true;
  return false;
}

int note_build(dl_phdr_info* module, size_t, void* out) {
  if (!contains(*module, reinterpret_cast<const void*>(&pipeline_cache_uuid))) return 0;
  auto* hashes = static_cast<uint64_t*>(out);
  const std::span<const std::byte> id = build_id_of(*module);
  hashes[0] = hash_bytes(id.data(), id.size(), 1);
  hashes[1] = hash_bytes(id.data(), id.size(), 2);
  return 1;
}

}  // namespace

void pipeline_cache_uuid(uint8_t uuid[VK_UUID_SIZE]) {
  uint64_t hashes[2] = {};
  static_assert(sizeof hashes == VK_UUID_SIZE);
  dl_iterate_phdr(note_build, hashes);
  std::memcpy(uuid, hashes, sizeof hashes);
}

PipelineCache::PipelineCache(Device& device, const VkPipelineCacheCreateInfo& info) {
  VkPhysicalDeviceProperties properties{};
  GetPhysicalDeviceProperties(handle(&device.physical_device()), &properties);
  header_.headerSize = sizeof header_;
  header_.headerVersion = VK_PIPELINE_CACHE_HEADER_VERSION_ONE;
  header_.vendorID = properties.vendorID;
  header_.deviceID = properties.deviceID;
  std::memcpy(header_.pipelineCacheUUID, properties.pipelineCacheUUID, VK_UUID_SIZE);
  read({static_cast<const std::byte*>(info.pInitialData), info.initialDataSize});
}

// "If initial cache data [is not compatible], the pipeline cache will be initially empty."
void PipelineCache::read(std::span<const std::byte> data) {
  if (data.size() < sizeof header_ || std::memcmp(data.data(), &header_, sizeof header_) != 0) return;
  data = data.subspan(sizeof header_);
  EntryHead head;
  while (data.size() >= sizeof head) {
    std::memcpy(&head, data.data(), sizeof head);
    data = data.subspan(sizeof head);
    if (head.bytes > data.size()) return;
    const std::span<const std::byte> bytes = data.first(head.bytes);
    if (hash_bytes(bytes, head.key[0] ^ head.key[1]) != head.hash) return;
    programs_.try_emplace({head.key[0], head.key[1]},
                          std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end()));
    data = data.subspan(head.bytes);
  }
}

std::optional<isa::Program> PipelineCache::find(const ProgramKey& key) const {
  Bytes bytes;
  {
    const std::lock_guard lock(mutex_);
    const auto found = programs_.find(key);
    if (found == programs_.end()) return std::nullopt;
    bytes = found->second;
  }
  return restore_program(*bytes);
}

void PipelineCache::add(const ProgramKey& key, const isa::Program& program) {
  {
    const std::lock_guard lock(mutex_);
    if (programs_.contains(key)) return;
  }
  auto bytes = std::make_shared<const std::vector<std::byte>>(archive_program(program));
  const std::lock_guard lock(mutex_);
  programs_.try_emplace(key, std::move(bytes));
}

void PipelineCache::merge(const PipelineCache& from) {
  if (&from == this) return;
  const std::scoped_lock lock(mutex_, from.mutex_);
  programs_.insert(from.programs_.begin(), from.programs_.end());
}

VkResult PipelineCache::data(size_t* bytes, void* to) const {
  const std::lock_guard lock(mutex_);
  size_t all = sizeof header_;
  for (const auto& [key, program] : programs_) all += sizeof(EntryHead) + program->size();
  if (!to) {
    *bytes = all;
    return VK_SUCCESS;
  }
  // "If dataSize is less than what is necessary to store this header, nothing will be written".
  const size_t room = *bytes;
  *bytes = 0;
  if (room < sizeof header_) return VK_INCOMPLETE;
  auto* out = static_cast<std::byte*>(to);
  std::memcpy(out, &header_, sizeof header_);
  *bytes = sizeof header_;
  for (const auto& [key, program] : programs_) {
    if (room - *bytes < sizeof(EntryHead) + program->size()) return VK_INCOMPLETE;
    const EntryHead head{
        {key.first, key.second}, program->size(), hash_bytes(bytes_of(*program), key.first ^ key.second)};
    std::memcpy(out + *bytes, &head, sizeof head);
    std::memcpy(out + *bytes + sizeof head, program->data(), program->size());
    *bytes += sizeof head + program->size();
  }
  return VK_SUCCESS;
}

VkResult CreatePipelineCache(VkDevice device, const VkPipelineCacheCreateInfo* info,
                             const VkAllocationCallbacks*, VkPipelineCache* cache) {
  return create(cache, *object(device), *info);
}

void DestroyPipelineCache(VkDevice, VkPipelineCache cache, const VkAllocationCallbacks*) { destroy(cache); }

VkResult GetPipelineCacheData(VkDevice, VkPipelineCache cache, size_t* bytes, void* data) {
  return guard([&] { return object(cache)->data(bytes, data); });
}

VkResult MergePipelineCaches(VkDevice, VkPipelineCache to, uint32_t count, const VkPipelineCache* caches) {
  return guard([&] {
    for (uint32_t i = 0; i < count; i++) object(to)->merge(*object(caches[i]));
  });
}

}  // namespace cutaway::icd
