#pragma once

#include <array>
#include <span>
#include <vector>

#include "icd/stream/cache_tracker.h"
#include "icd/stream/live_descriptors.h"
#include "icd/stream/register_shadow.h"
#include "icd/stream/upload_area.h"

namespace cutaway::icd {

// The packets of one command buffer and the machine's state at this point: registers, programs, constants and
// slots are set only when they change. At the start registers are zero, and the rest is unknown.
class CommandStream {
 public:
  explicit CommandStream(Device& device);

  struct Packets {
    std::vector<uint32_t> words;
    std::vector<host::RegisterRun> left_set;  // registers that they leave set
  };
  void begin();
  Packets end();
  // Returns the packets so far and begins a new part that runs as a separate submission; uploads stay.
  Packets split();
  void release() { uploads_.release(); }

  arch::CommandWriter& writer() { return writer_; }
  UploadArea& uploads() { return uploads_; }
  CacheTracker& caches() { return caches_; }
  const arch::Registers& registers() const { return shadow_.held(); }

  // Sets registers and loads the programs of the vertex and fragment stages that they name; the program of a
  // stage that is off (no instructions) is forgotten.
  void set_registers(const arch::Registers& wanted);
  // The same for the compute stage.
  void set_compute(const arch::ShaderRegisters& shader, const arch::ComputeRegisters& compute,
                   bool statistics);
  // Loads count vec4 from a multiple of kVec4Bytes.
  void load_constants(arch::Stage stage, uint32_t first, uint32_t count, arch::Address address);
  void load_zeros(arch::Stage stage, uint32_t first, uint32_t count);
  // Loads constants of a live uniform buffer, resolved at submission, from byte `offset` of it on.
  void load_live_constants(arch::Stage stage, uint32_t first, uint32_t count, uint32_t offset,
                           const DescriptorUse& use);
  // live: slots that are filled at submission.
  void load_resources(arch::Stage stage, std::span<const arch::Surface> surfaces,
                      LiveDescriptors::Uses live = {});
  void load_samplers(arch::Stage stage, std::span<const arch::Sampler> samplers,
                     LiveDescriptors::Uses live = {});
  const LiveDescriptors& live() const { return live_; }
  void barrier(const CacheTracker::Barrier& barrier);
  // Conditional rendering: following draws and dispatches obey the predicate. Address 0: all are executed.
  void set_predicate(const arch::PredicatePacket& predicate);
  // The driver's own draws ignore the predicate.
  template <class Packet>
  void draw_always(arch::Opcode opcode, const Packet& packet) {
    if (predicate_.address) writer_.packet(arch::Opcode::kPredicate, arch::PredicatePacket{});
    writer_.packet(opcode, packet);
    if (predicate_.address) writer_.packet(arch::Opcode::kPredicate, predicate_);
  }

 private:
  void start();

  struct Constants {
    uint32_t first = 0, count = 0;
    arch::Address address = 0;
    DescriptorUse use;  // live: `address` is an offset into its buffer
    bool operator==(const Constants&) const = default;
  };
  template <class Descriptor>
  struct Table {
    std::vector<Descriptor> slots;
    LiveDescriptors::Uses live;
  };
  struct StageState {
    bool known = false;
    arch::Address program = 0;
    uint32_t instructions = 0;
    std::vector<Constants> constants;
    Table<arch::Surface> resources;
    Table<arch::Sampler> samplers;
  };

  void load_program(arch::Stage stage);
  bool hold(arch::Stage stage, const Constants& wanted);
  template <class Descriptor>
  void load_table(arch::Opcode opcode, arch::Stage stage, std::span<const Descriptor> wanted,
                  LiveDescriptors::Uses live, Table<Descriptor>& held);
  StageState& state(arch::Stage stage) { return stages_[static_cast<uint32_t>(stage)]; }

  arch::CommandWriter writer_;
  RegisterShadow shadow_;
  Device& device_;
  CacheTracker caches_;
  arch::PredicatePacket predicate_{};
  UploadArea uploads_;
  std::array<StageState, arch::kStages> stages_;
  LiveDescriptors live_;
  size_t part_ = 0;                                // index of the packets' part
  arch::Address zeros_ = 0, constants_zeros_ = 0;  // zeros_: kZeros vec4 of zeros; constants_zeros_: as many
                                                   // as all constants; 0 until needed
  static constexpr uint32_t kZeros = 64;
};

}  // namespace cutaway::icd
