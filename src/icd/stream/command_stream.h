#pragma once

#include <array>
#include <span>
#include <vector>

#include "icd/stream/cache_tracker.h"
#include "icd/stream/register_shadow.h"
#include "icd/stream/upload_area.h"

namespace cutaway::icd {

// The packets of one command buffer and what the machine holds at this point of them: registers, programs,
// constants and slots are set only when they change. Nothing is known at the start.
class CommandStream {
 public:
  explicit CommandStream(Device& device) : uploads_(device) {}

  void begin();
  std::vector<uint32_t> end();
  // Ends the packets so far and begins others that run as a submission of their own; uploads stay.
  std::vector<uint32_t> split();
  void release() { uploads_.release(); }

  arch::CommandWriter& writer() { return writer_; }
  UploadArea& uploads() { return uploads_; }
  CacheTracker& caches() { return caches_; }
  const arch::Registers& registers() const { return shadow_.held(); }

  // Sets registers and loads the programs of the vertex and fragment stage that they name; a stage that is
  // off (no instructions) loses its program.
  void set_registers(const arch::Registers& wanted);
  // The same for the compute stage.
  void set_compute(const arch::ShaderRegisters& shader, const arch::ComputeRegisters& compute,
                   bool statistics);
  // count vec4 at a multiple of kVec4Bytes.
  void load_constants(arch::Stage stage, uint32_t first, uint32_t count, arch::Address address);
  void load_zeros(arch::Stage stage, uint32_t first, uint32_t count);
  void load_resources(arch::Stage stage, std::span<const arch::Surface> surfaces);
  void load_samplers(arch::Stage stage, std::span<const arch::Sampler> samplers);
  void barrier(const CacheTracker::Barrier& barrier);
  // Conditional rendering: from here on draws and dispatches take place as it says. Address 0: all do.
  void set_predicate(const arch::PredicatePacket& predicate);
  // A draw of the driver's own takes place whatever the predicate says.
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
  };
  struct StageState {
    bool known = false;
    arch::Address program = 0;
    uint32_t instructions = 0;
    std::vector<Constants> constants;
    std::vector<arch::Surface> resources;
    std::vector<arch::Sampler> samplers;
  };

  void load_program(arch::Stage stage);
  template <class Descriptor>
  void load_table(arch::Opcode opcode, arch::Stage stage, std::span<const Descriptor> wanted,
                  std::vector<Descriptor>& held);
  StageState& state(arch::Stage stage) { return stages_[static_cast<uint32_t>(stage)]; }

  arch::CommandWriter writer_;
  RegisterShadow shadow_;
  CacheTracker caches_;
  arch::PredicatePacket predicate_{};
  UploadArea uploads_;
  std::array<StageState, arch::kStages> stages_;
  arch::Address zeros_ = 0;  // kZeros vec4, once they are needed
  static constexpr uint32_t kZeros = 64;
};

}  // namespace cutaway::icd
