#pragma once

#include <string>
#include <vector>

#include "machine/machine.h"

namespace cutaway::boxes {
class Clipper;
class PrimitiveAssembly;
class TriangleSetup;
}  // namespace cutaway::boxes

namespace cutaway::machine {

// The boxes of a machine, in the order in which data flows. The simulator owns them; pools outlive it.
struct Machine::Units {
  Units(const Config& config, const arch::Memory& memory, MachineOptions options);

  // The first fault counts.
  void note_fault(arch::Fault found);
  // What was wrong while a submission ran.
  void collect_fault();

  Config config;
  MachineOptions options;
  arch::Memory memory;
  parts::Pools pools;
  engine::Simulator simulator;
  engine::Domain *core = nullptr, *memory_clock = nullptr;
  std::vector<std::string> clients;  // of the memory controller, by number

  boxes::CommandProcessor* command_processor = nullptr;
  boxes::ConstantLoader* constant_loader = nullptr;
  boxes::CopyEngine* copy_engine = nullptr;
  boxes::Streamer* streamer = nullptr;
  boxes::PrimitiveAssembly* primitive_assembly = nullptr;
  boxes::Clipper* clipper = nullptr;
  boxes::TriangleSetup* triangle_setup = nullptr;
  boxes::FragmentGeneration* fragment_generation = nullptr;
  boxes::HierarchicalZ* hierarchical_z = nullptr;
  std::vector<boxes::ZStencil*> z_stencil;
  boxes::Interpolator* interpolator = nullptr;
  boxes::WorkDistributor* work_distributor = nullptr;
  std::vector<boxes::ShaderUnit*> shader;
  std::vector<boxes::TextureUnit*> texture;
  boxes::ReorderBuffer* reorder_buffer = nullptr;
  std::vector<boxes::ColorWrite*> color_write;
  boxes::Dac* dac = nullptr;
  boxes::MemoryController* memory_controller = nullptr;

  bool faulted = false;
  arch::Fault fault;

 private:
  void make_clocks();
  void make_boxes();
  void connect_front();      // command processor to streamer, loader, copy engine, DAC
  void connect_geometry();   // streamer to fragment generation
  void connect_fragments();  // hierarchical Z to color write
  void connect_shading();    // work distributor, shader and texture units, reorder buffer
  void connect_memory();
  void connect_control();
  void watch_for_faults();
  void apply_faults();
};

}  // namespace cutaway::machine
