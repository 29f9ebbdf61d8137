#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "arch/context_space.h"
#include "machine/machine.h"
#include "machine/memory_clients.h"

namespace cutaway::boxes {
class Bus;
class Clipper;
class GroupFifo;
class Host;
class PrimitiveAssembly;
class TextureArbiter;
class TriangleSetup;
}  // namespace cutaway::boxes

namespace cutaway::machine {

// A machine's boxes, in the order of the data flow. The simulator owns them; pools outlive it.
struct Machine::Units {
  Units(const Config& config, const arch::Memory& memory, MachineOptions options);

  // Records a fault; only the first counts.
  void note_fault(arch::Fault found);
  // The fault that triangle setup found, if a submission exceeds the limits, and its draw; or nullptr.
  const char* fault_of_setup(uint32_t& draw) const;
  // Memory as its readers see it, through block tags.
  const arch::Memory& seen_memory();
  const arch::Memory& seen_memory(arch::ContextId context);  // addressed by its programs
  // Bytes of a range that lie in video memory.
  uint64_t video_bytes(arch::Address address, uint64_t bytes) const;
  // The request whose page the page table lacks, or nullptr.
  const boxes::AddressTranslation::Fault* fault_of_translation() const {
    return address_translation ? address_translation->fault() : nullptr;
  }
  // Changes entries of the page table after pages of a range have been mapped, unmapped or bound.
  void update_pages(arch::Address address, uint64_t bytes);
  // Makes a range of memory plain, for the host; also what is bound to it.
  void expand_tags(arch::Address address, uint64_t bytes);
  // Notes a fault if the page table cannot hold what is bound.
  void check_pages();
  std::string text_of(const boxes::AddressTranslation::Fault& found) const;
  // Collects the faults of boxes while a submission ran.
  void collect_fault();
  // True while submissions are under way.
  bool busy() const { return !faulted && !acts_now && !command_processor->finished(); }
  // Several programs may share the machine: each waits for its own submission before it writes memory or
  // hands the next one over.
  bool several() const { return config.command_processor.contexts > 1; }
  void await_own(arch::ContextId context);
  // False: the machine stops, or has stopped, because there is no such context or it has no such memory.
  bool admits(arch::ContextId context, arch::Address address, uint64_t bytes);
  bool defers() const { return busy() && !several(); }
  // Where the memory of a context begins.
  arch::Address base(arch::ContextId context) const { return several() ? arch::context_base(context) : 0; }
  // Keeps what the host does for the next submission, while others are under way. False: it can be done now.
  bool later(std::function<void()> act) {
    if (!defers()) return false;
    host_acts.push_back(std::move(act));
    return true;
  }
  // Runs until all submissions have ended, one has failed, or this holds.
  template <class Ended>
  void run_submissions(const Ended& ended) {
    if (command_processor->finished() || ended()) return;
    run_until([&] {
      uint32_t draw = 0;
      return command_processor->finished() || command_processor->fault() || fault_of_setup(draw) ||
             fault_of_translation() || ended();
    });
    collect_fault();
  }
  // Runs until this holds, or a submission has failed. The host goes on also while there is no submission.
  void run_with_host(const std::function<bool()>& holds);
  // Runs until the host has done what it was told, or a submission has failed.
  void run_host();
  // Lets the host wait until a submission has ended. Nothing if it takes no time.
  void host_awaits(uint64_t submission);
  // Runs the machine until a condition holds after an instant, and reports progress.
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
  arch::Memory seen;  // result of seen_memory(), if it differs from `memory`
  std::array<arch::Memory, arch::kMostContexts> seen_by;  // the same, by context
  std::array<std::vector<messages::QueryValue>, arch::kMostContexts> query_values;
  messages::Pools pools;
  engine::Simulator simulator;
  std::unique_ptr<Recording> recording;
  messages::WorkList works;  // used without a Recording
  engine::WaitWalk* wait_walk = nullptr;
  std::function<void()> after_instant;  // set by Machine::observe
  engine::Domain *core = nullptr, *memory_clock = nullptr, *bus_clock = nullptr;
  MemoryClients clients;

  boxes::CommandProcessor* command_processor = nullptr;
  boxes::ConstantLoader* constant_loader = nullptr;
  boxes::CopyEngine* copy_engine = nullptr;
  std::vector<boxes::Streamer*> streamer;  // by front end, like the next five
  std::vector<boxes::PrimitiveAssembly*> primitive_assembly;
  std::vector<boxes::Tessellation*> tessellation;         // if the machine tessellates
  std::vector<boxes::GeometryShading*> geometry_shading;  // if the machine runs geometry programs
  boxes::StreamOut* stream_out = nullptr;                 // if the machine has transform feedback
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
  boxes::ComputeDistributor* compute_distributor = nullptr;  // if the machine runs compute programs
  std::vector<boxes::StorageCache*> storage_cache;           // slices
  std::vector<boxes::TextureArbiter*> texture_arbiter;       // for shared texture units
  std::vector<boxes::ReorderBuffer*> reorder_buffer;         // by ROP
  std::vector<boxes::ColorWrite*> color_write;
  boxes::Dac* dac = nullptr;
  boxes::MemoryController* memory_controller = nullptr;
  boxes::AddressTranslation* address_translation = nullptr;  // if addresses are translated
  std::optional<boxes::PageTable> page_table;                // then
  boxes::Bus* bus = nullptr;                                 // if the machine has one
  boxes::Host* host = nullptr;                               // if the host takes time

  std::vector<std::function<void()>> host_acts;  // on memory, for the next submission
  bool acts_now = false;                         // they are being done
  bool faulted = false;
  arch::Fault fault;

 private:
  void make_clocks();
  void make_boxes();
  void connect_contexts();
  // composition.cpp, memory_composition.cpp: makes a unit with its memory client, its wires of flushes and
  // invalidates, and its other wires.
  void make_command_processor();
  void make_constant_loader();
  void make_copy_engine();
  void make_streamer(unsigned i);
  void make_assembly(unsigned i);
  void make_stream_out();
  void make_setup(unsigned i);
  void connect_teller(engine::Out<messages::DrawAssembled>& assembled);
  engine::Out<messages::PrimitiveMessage>* make_tessellation(
      unsigned i, engine::Out<messages::PrimitiveMessage>& primitives);
  engine::Out<messages::PrimitiveMessage>* make_geometry_shading(
      unsigned i, engine::Out<messages::PrimitiveMessage>& primitives);
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
  void make_address_translation();
  void make_memory_controller();
  void make_bus();
  void make_host();
  void watch_for_faults();
  void apply_faults();

  // Makes a box in the core's clock, named "gpu.NAME".
  template <class B, class... Arguments>
  B* make(const std::string& name, Arguments&&... arguments);
  // Connects the wires of flushes and invalidates, as CommandProcessor::add_control.
  template <class B>
  void connect_control(B& box, uint32_t caches, bool bounds = false, bool behind = false);

  // Shader units that store, in the order of their classes.
  std::vector<boxes::ShaderUnit*> storing_units_;
  std::vector<engine::Out<messages::PrimitiveMessage>*> primitives_;  // by front end: the current output of
                                                                      // primitives
  size_t tellers_ = 0;         // number of boxes connected to the command processor to report batches
  unsigned clear_client_ = 0;  // client number of the copy engine
};

}  // namespace cutaway::machine
