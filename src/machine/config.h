#pragma once

#include <list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "arch/format_uses.h"
#include "base/field.h"
#include "boxes/address_translation/address_translation_spec.h"
#include "boxes/bus/bus_spec.h"
#include "boxes/color_write/color_write.h"
#include "boxes/command_processor/command_processor_spec.h"
#include "boxes/compute_distributor/compute_distributor.h"
#include "boxes/constant_loader/constant_loader.h"
#include "boxes/copy_engine/copy_engine.h"
#include "boxes/dac/dac.h"
#include "boxes/fragment_generation/fragment_generation.h"
#include "boxes/geometry_shading/geometry_shading.h"
#include "boxes/group_fifo/group_fifo.h"
#include "boxes/hierarchical_z/hierarchical_z.h"
#include "boxes/host/host_spec.h"
#include "boxes/interpolator/interpolator.h"
#include "boxes/memory_controller/memory_controller_spec.h"
#include "boxes/reorder_buffer/reorder_buffer.h"
#include "boxes/storage_cache/storage_cache.h"
#include "boxes/stream_out/stream_out.h"
#include "boxes/streamer/streamer.h"
#include "boxes/tessellation/tessellation.h"
#include "boxes/texture_cache/texture_cache.h"
#include "boxes/texture_unit/texture_unit.h"
#include "boxes/triangle_setup/triangle_setup.h"
#include "boxes/work_distributor/work_distributor.h"
#include "boxes/z_stencil/z_stencil.h"
#include "command_stream/clocked.h"
#include "machine/shader_class.h"
#include "structures/draw_batches.h"
#include "structures/tile_map.h"

namespace cutaway::machine {

// Numbers of units, their clocks, and the queues and latencies of the wires between them.
struct GpuSpec {
  double core_mhz = 400;
  double memory_mhz = 400;

  template <class V>
  static void fields(V&& v) {
    using S = GpuSpec;
    v("core_mhz", &S::core_mhz, "MHz", 1.0, 10000.0, "clock of every unit but shader units and memory");
    v("memory_mhz", &S::memory_mhz, "MHz", 1.0, 10000.0,
      "clock of the memory controller; the paper's is the core's");
  }
};

// A front end consists of a streamer, a primitive assembly, a tessellation and a geometry shading if the chip
// has them, a clipper and a triangle setup of one number. All front ends share every draw.
struct GeometrySpec {
  unsigned units = 1;
  unsigned batch = 32;

  template <class V>
  static void fields(V&& v) {
    using S = GeometrySpec;
    v("units", &S::units, "units", 1u, 8u,
      "front ends: streamer, primitive assembly, clipper, triangle setup");
    v("batch", &S::batch, "primitives", 2u, 1024u,
      "successive primitives of a draw that go to one front end, if there are several; an even number");
  }
};

// A ROP is a Z and stencil unit with the color write unit of the same number. Each owns tiles of the screen.
// If it also holds memory channels it is a ROP partition: channels n * channels_each and the following ones.
struct RopSpec {
  unsigned units = 2;
  unsigned channels_each = 0;
  unsigned tile = 8;
  std::vector<unsigned> map = {};

  template <class V>
  static void fields(V&& v) {
    using S = RopSpec;
    v("units", &S::units, "units", 1u, 16u, "Z and stencil units, and as many color write units");
    v("channels_each", &S::channels_each, "channels", 0u, 8u,
      "memory channels of the partition of each unit; 0: channels belong to no unit");
    v("tile", &S::tile, "pixels", 8u, 128u,
      "width and height of the tiles that the map assigns; a power of 2");
    v("map", &S::map, "", 0u, 15u, "diagonal",
      "the unit of tile (i, j) is i + the number of row j, modulo units; the list repeats");
  }

  structures::TileMap tile_map() const { return structures::TileMap(units, tile, map); }
};

struct WiresSpec {
  unsigned vertex_group_queue = 12;
  unsigned primitive_assembly_queue = 8;
  unsigned clipper_queue = 4;
  unsigned triangle_setup_queue = 12;
  unsigned fragment_generation_queue = 16;
  unsigned hierarchical_z_queue = 4;
  unsigned z_queue = 32;
  unsigned primitive_assembly_latency = 1;
  unsigned clipper_latency = 6;
  unsigned triangle_setup_latency = 10;
  unsigned fragment_generation_latency = 1;
  unsigned hierarchical_z_latency = 1;
  unsigned z_latency = 2;
  unsigned color_latency = 2;
  unsigned memory_latency = 2;
  unsigned memory_queue = 8;

  template <class V>
  static void fields(V&& v) {
    using S = WiresSpec;
    v("vertex_group_queue", &S::vertex_group_queue, "groups", 1u, 256u,
      "groups of vertices, with their attributes, waiting for a shader unit");
    v("primitive_assembly_queue", &S::primitive_assembly_queue, "vertices", 1u, 256u,
      "vertices waiting at primitive assembly");
    v("clipper_queue", &S::clipper_queue, "primitives", 1u, 256u, "primitives waiting at the clipper");
    v("triangle_setup_queue", &S::triangle_setup_queue, "primitives", 1u, 256u,
      "primitives waiting at triangle setup");
    v("fragment_generation_queue", &S::fragment_generation_queue, "primitives", 1u, 256u,
      "primitives waiting at fragment generation");
    v("hierarchical_z_queue", &S::hierarchical_z_queue, "tiles", 2u, 256u,
      "tiles waiting at hierarchical Z: 64 quads");
    v("z_queue", &S::z_queue, "quads", 1u, 1024u, "quads between hierarchical Z and each Z and stencil unit");
    v("primitive_assembly_latency", &S::primitive_assembly_latency, "cycles", 1u, 64u,
      "latency from primitive assembly to the clipper");
    v("clipper_latency", &S::clipper_latency, "cycles", 1u, 64u,
      "latency of the clip test: from the clipper to triangle setup");
    v("triangle_setup_latency", &S::triangle_setup_latency, "cycles", 1u, 64u,
      "latency of setup: from triangle setup to fragment generation");
    v("fragment_generation_latency", &S::fragment_generation_latency, "cycles", 1u, 64u,
      "latency of the scanner: from fragment generation to hierarchical Z");
    v("hierarchical_z_latency", &S::hierarchical_z_latency, "cycles", 1u, 64u,
      "latency of the tile test: from hierarchical Z to a Z and stencil unit");
    v("z_latency", &S::z_latency, "cycles", 1u, 64u,
      "latency of the Z and stencil test without memory: to the interpolator");
    v("color_latency", &S::color_latency, "cycles", 1u, 64u,
      "latency from a Z and stencil unit to its color write unit, without memory");
    v("memory_latency", &S::memory_latency, "cycles", 1u, 64u,
      "latency of the buses to and from the memory controller");
    v("memory_queue", &S::memory_queue, "transactions", 1u, 64u, "transactions waiting on such a bus");
  }
};

// Origin of a parameter's value.
struct Statement {
  // A fact id, "fitted to" a fact, or "choice"; of a file that is no preset its line; "--set"; "base NAME" of
  // what such a file leaves as the preset NAME has it; "like CLASS" of what a shader class takes from
  // another.
  std::string source;
  std::string where;     // position of the source: file and line, "preset NAME" or "--set"; prefixed by "like
                         // CLASS, "
  std::string preset;    // the preset's value, if it was overridden
  bool differs = false;  // differs from the preset, which may lack the parameter
};

// A thing that the chip of a preset does and the machine does not.
struct NotModelled {
  std::string fact;  // that says so, by its id; "": none does
  std::string text;
  std::vector<std::string> besides;  // the parameters that the rest of the fact is the source of
};

// Everything that makes a chip: presets are values of this structure. What a member begins with serves tests.
struct Config {
  std::string name;
  std::string base;  // the preset itself, or the file's base; none: a file states everything
  std::map<std::string, Statement> statements;  // by parameter: "streamer.queue"
  std::vector<NotModelled> not_modelled;        // of its file, after those of the base
  GpuSpec gpu;
  WiresSpec wires;
  boxes::CommandProcessorSpec command_processor;
  boxes::ConstantLoaderSpec constant_loader;
  boxes::CopyEngineSpec copy_engine;
  GeometrySpec geometry;
  boxes::StreamerSpec streamer;
  boxes::TessellationSpec tessellation;
  boxes::GeometryShadingSpec geometry_shading;
  boxes::StreamOutSpec stream_out;
  boxes::TriangleSetupSpec triangle_setup;
  boxes::FragmentGenerationSpec fragment_generation;
  boxes::HierarchicalZSpec hierarchical_z;
  boxes::ZStencilSpec z_stencil;
  boxes::InterpolatorSpec interpolator;
  boxes::WorkDistributorSpec work_distributor;
  boxes::GroupFifoSpec group_fifo;
  boxes::ComputeDistributorSpec compute_distributor;
  std::list<ShaderClass> shaders{ShaderClass{}};
  boxes::TextureUnitSpec texture;
  boxes::TextureCacheSpec texture_cache;
  boxes::StorageCacheSpec storage_cache;
  boxes::ReorderBufferSpec reorder_buffer;
  RopSpec rop;
  boxes::ColorWriteSpec color_write;
  boxes::MemoryControllerSpec memory;
  boxes::AddressTranslationSpec translation;
  boxes::BusSpec bus;
  boxes::HostSpec host;
  boxes::DacSpec dac;
  arch::FormatUses formats;
  arch::ProgramLimits programs;
  arch::ImageSizes images{.size = 4096, .cube_size = 4096, .volume_size = 512};

  // The table refers to this object, which must outlive it and must not move.
  void list(FieldTable& table);

  // The class that runs a stage. check_rules() ensures that every stage of a clocked machine has one.
  const ShaderClass& runs(arch::Stage stage) const;
  // The same, but nullptr for a stage without a class.
  const ShaderClass* class_of(arch::Stage stage) const;
  // The division of draws among front ends.
  structures::FrontEnds front_ends() const;
  // The chip's abilities besides drawing.
  command_stream::Abilities abilities() const;
};

// True if it names a file and not a preset: anything with a '/' or ending in .toml.
bool is_path(std::string_view gpu);

// Loads a preset by name, or a TOML file by its path (is_path()):
//   base = "attila"                                # a preset or file to begin with
//   [streamer]
//   queue = 64                                     # a value,
//   slots = {value = 96, source = "ATT-2"}         # or a value and its source: presets state both
//   [vertex_shader]                                # a shader class: a table that states its stages
//   stages = ["vertex"]
//   like = "shader"                                # the class that it takes all other values from
//   [[not_modelled]]                               # what the chip does and the machine does not
//   fact = "DX-11"                                 # see NotModelled; may be left out, as besides may
//   text = "A patch that is divided is never spilled to memory."
//   besides = ["shader.stages"]
// then `sets`, each "UNIT.PARAM=VALUE". Every parameter must be stated: a chip has no defaults. UserError
// with file and line, or the option.
void load_config(Config& config, std::string_view name_or_path, const std::vector<std::string>& sets = {});
// The same, then applies `more`, which errors attribute to `option`: "--try".
void load_config(Config& config, std::string_view name_or_path, const std::vector<std::string>& sets,
                 std::string_view option, const std::vector<std::string>& more);
// A parameter that the file of an experiment or a sweep sets, and the file and line.
struct Setting {
  std::string path, value, where;
};
// The same with settings of such a file in place of `sets`; errors name their lines.
void load_config_with(Config& config, std::string_view name_or_path, const std::vector<Setting>& settings);

// Rules that concern several parameters, or multiples. UserError naming the parameters, and where their
// values stand if they were loaded. load_config() includes it.
void check_rules(const Config& config);

struct PresetInfo {
  std::string name, description, path;
};
// From the folder presets/: beside the sources, beside the command, or installed.
std::vector<PresetInfo> presets();

}  // namespace cutaway::machine
