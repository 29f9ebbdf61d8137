#pragma once

#include <optional>
#include <string>
#include <vector>

#include "boxes/memory_controller/memory_controller.h"
#include "machine/machine.h"

namespace cutaway::boxes {
class Clipper;
class GroupFifo;
class PrimitiveAssembly;
class TextureArbiter;
class TriangleSetup;
}  // namespace cutaway::boxes

namespace cutaway::machine {

// The boxes of a machine, in the order in which data flows. The simulator owns them; pools outlive it.
struct Machine::Units {
  Units(const Config& config, const arch::Memory& memory, MachineOptions options);

  // The first fault counts.
  void note_fault(arch::Fault found);
  // Triangle setup has found that a submission asks for too much: what, and by which draw; or nullptr.
  const char* fault_of_setup(uint32_t& draw) const;
  // Memory as its readers see it, through the tags of its blocks.
  const arch::Memory& seen_memory();
  // What was wrong while a submission ran.
  void collect_fault();
  // Lets the machine run until that holds after an instant, and tells how far it is.
  template <class Ended>
  void run_until(const Ended& ended) {
    const auto observed = [&] {
      after_instant();
      return ended();
    };
    const auto run = [&] {
      return after_instant ? simulator.run_until(observed, *core, options.progress_interval)
                           : simulator.run_until(ended, *core, options.progress_interval);
    };
    while (!run())
      if (options.on_progress) options.on_progress(core->now());
  }

  Config config;
  MachineOptions options;
  arch::Memory memory;
  arch::Memory seen;  // seen_memory(), where that is not `memory`
  parts::Pools pools;
  engine::Simulator simulator;
  std::unique_ptr<Recording> recording;
  parts::WorkList works;  // that is kept without a recording
  engine::WaitWalk* wait_walk = nullptr;
  std::function<void()> after_instant;  // Machine::observe
  engine::Domain *core = nullptr, *memory_clock = nullptr;
  std::vector<std::string> clients;  // of the memory controller, by number

  boxes::CommandProcessor* command_processor = nullptr;
  boxes::ConstantLoader* constant_loader = nullptr;
  boxes::CopyEngine* copy_engine = nullptr;
  std::vector<boxes::Streamer*> streamer;  // by front end, as the five after it
  std::vector<boxes::PrimitiveAssembly*> primitive_assembly;
  std::vector<boxes::Tessellation*> tessellation;         // of a machine that divides patches
  std::vector<boxes::GeometryShading*> geometry_shading;  // of a machine that runs geometry programs
  boxes::StreamOut* stream_out = nullptr;                 // of a machine that has transform feedback
  std::vector<boxes::Clipper*> clipper;
  std::vector<boxes::TriangleSetup*> triangle_setup;
  std::vector<boxes::FragmentGeneration*> fragment_generation;  // rasterisers
  std::vector<boxes::HierarchicalZ*> hierarchical_z;            // by rasteriser
  std::vector<boxes::ZStencil*> z_stencil;
  boxes::Interpolator* interpolator = nullptr;
  boxes::WorkDistributor* work_distributor = nullptr;
  // The units of a shader class, in the order of the configuration.
  struct Class {
    const ShaderClass* shader = nullptr;
    engine::Domain* clock = nullptr;
    std::vector<boxes::ShaderUnit*> units;
  };
  std::vector<Class> classes;
  std::vector<boxes::TextureUnit*> texture;
  std::vector<boxes::TextureCache*> texture_cache;           // slices of the second level
  boxes::ComputeDistributor* compute_distributor = nullptr;  // of a machine that runs compute programs
  std::vector<boxes::StorageCache*> storage_cache;           // slices
  std::vector<boxes::TextureArbiter*> texture_arbiter;       // of those that are shared
  std::vector<boxes::ReorderBuffer*> reorder_buffer;         // by ROP
  std::vector<boxes::ColorWrite*> color_write;
  boxes::Dac* dac = nullptr;
  boxes::MemoryController* memory_controller = nullptr;

  bool faulted = false;
  arch::Fault fault;

 private:
  struct OwnMemory {
    arch::Address first = 0;
    uint64_t bytes = 0;  // 0: none
  };
  struct ClientOfMemory {
    engine::Out<parts::MemoryRequest>* requests;
    engine::In<parts::MemoryReply>* replies;
    std::optional<unsigned> rop;  // in whose partition it stands
    OwnMemory own = {};           // of the machine's, for this client alone
  };

  void make_clocks();
  void make_boxes();
  // composition.cpp: a unit, its place in the clients of memory, its wires of flushes
  // and invalidates, its other wires.
  void make_command_processor();
  void make_constant_loader();
  void make_copy_engine();
  void make_streamer(unsigned i);
  void make_assembly(unsigned i);
  void make_stream_out();
  void make_setup(unsigned i);
  void connect_teller(engine::Out<parts::DrawAssembled>& assembled);
  engine::Out<parts::PrimitiveMessage>* make_tessellation(unsigned i,
                                                          engine::Out<parts::PrimitiveMessage>& primitives);
  engine::Out<parts::PrimitiveMessage>* make_geometry_shading(
      unsigned i, engine::Out<parts::PrimitiveMessage>& primitives);
  void make_rasteriser(unsigned i);
  void make_work_distributor();
  void make_compute_distributor();
  void make_storage_cache(unsigned slice);
  void make_reorder_buffer(unsigned rop);
  void make_dac();
  void make_rop(unsigned i);
  void make_shaders(Class& c);
  void make_cluster(Class& c, unsigned i);
  void make_texture(Class& c, unsigned i);
  void make_texture_cache(unsigned slice);
  void make_memory_controller();
  void watch_for_faults();
  void apply_faults();

  // A box in the core's clock, called "gpu.NAME".
  template <class B, class... Arguments>
  B* make(const std::string& name, Arguments&&... arguments);
  // The next client of memory, by order of calls. rop: in whose partition it stands.
  void client(std::string name, engine::Out<parts::MemoryRequest>& requests,
              engine::In<parts::MemoryReply>& replies, std::optional<unsigned> rop = {});
  // The wires of flushes and invalidates. caches: arch::CacheBits that the box holds.
  template <class B>
  void connect_control(B& box, uint32_t caches, bool bounds = false);

  // Shader units that store, in the order of their classes.
  std::vector<boxes::ShaderUnit*> storing_units_;
  std::vector<ClientOfMemory> client_ports_;                       // in the order of `clients`
  std::vector<engine::Out<parts::PrimitiveMessage>*> primitives_;  // by front end: where they come out so far
  arch::Address own_end_ = boxes::MemoryController::kOwn;          // of the machine's own memory
  size_t tellers_ = 0;         // of batches, that are connected to the command processor
  unsigned clear_client_ = 0;  // of them: the copy engine
};

}  // namespace cutaway::machine
