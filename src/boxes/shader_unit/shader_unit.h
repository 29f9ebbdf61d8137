#pragma once

#include <string>
#include <vector>

#include "boxes/shader_unit/admission.h"
#include "boxes/shader_unit/cycle_kinds.h"
#include "boxes/shader_unit/group_table.h"
#include "boxes/shader_unit/input_ports.h"
#include "boxes/shader_unit/issue_port.h"
#include "boxes/shader_unit/quad_requests.h"
#include "boxes/shader_unit/result_ports.h"
#include "boxes/shader_unit/shader_unit_counters.h"
#include "boxes/shader_unit/shader_unit_spec.h"
#include "boxes/shader_unit/storage_port.h"
#include "boxes/shader_unit/workgroup_table.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "messages/messages.h"
#include "structures/ring.h"

namespace cutaway::boxes {

// A unified shader unit (ATT-8): many groups of threads, each with one program counter, issue in order. One
// ready group issues at a time, up to as many instructions as `issue` allows. These occupy the issue port
// until all lanes of the group have begun to execute them, component by component where `issue` says so. A
// group blocks on a texture instruction until its texels are there, or goes on until it needs them
// (loads_under_way). Instructions are carried out when they are issued; results may be read when their
// latency has passed.
//
// A group comes in through InputPorts, as Admission allows, and has its place in the GroupTable. The
// IssuePort executes its program. Requests leave it for other units: QuadRequests to the texture unit and the
// interpolator, the StoragePort to the storage cache. The WorkgroupTable holds groups at barriers. Results
// leave through ResultPorts.
class ShaderUnit final : public engine::Box {
 public:
  // stages: the stages that it runs; it has no ports for others. front_ends, rops: how many of them take its
  // vertices and its quads. storage: the cache that its programs store to; if it has no slices, programs do
  // not store. pulls: fragment programs can ask the interpolator.
  ShaderUnit(std::string path, const ShaderUnitSpec& spec, EnumSet<arch::Stage> stages, unsigned front_ends,
             unsigned rops, messages::Pools& pools, const StorageSlices& storage = {}, bool pulls = false);

  engine::In<messages::VertexGroup> vertices_in;  // of all stages before the rasteriser
  engine::In<messages::FragmentGroup> fragments_in;
  std::vector<engine::Out<messages::ShadedVertices>> vertices_out;  // to the streamer of each front end
  // To tessellation and geometry shading of each front end.
  std::vector<engine::Out<messages::EmittedPrimitives>> patches_out;
  std::vector<engine::Out<messages::ShadedVertices>> points_out;
  std::vector<engine::Out<messages::EmittedPrimitives>> emitted_out;
  std::vector<engine::Out<messages::ShadedQuad>> quads_out;  // to the reorder buffer of each ROP
  engine::Out<messages::TextureMessage> texture_out;
  engine::In<messages::TextureMessage> texture_in;
  engine::Out<messages::PullMessage> pulls_out;  // to the interpolator
  engine::In<messages::PullMessage> pulls_in;
  engine::In<messages::Workgroup> workgroups_in;
  engine::Out<messages::WorkgroupEnd> ended_out;
  std::vector<engine::Out<messages::StorageMessage>> storage_out;  // to each slice of the storage cache
  engine::Inputs<messages::StorageMessage> storage_in;
  engine::In<messages::Control> control_in;  // of a unit with a first level before the storage cache
  engine::Out<messages::ControlDone> control_out;

  ShaderUnitCounters counters;
  UnitPrimitiveCounters primitive_counters;  // of a unit that runs programs that work on primitives
  UnitStorageCounters storage_counters;      // of a unit that runs compute programs, or some that store
  UnitPullCounters pull_counters;            // of a unit whose programs can ask for interpolants

  void list_ports(engine::PortList& list) override;
  std::vector<std::string_view> costs_nothing() const override;
  engine::Cycle tick(engine::Cycle now) override;
  // The input that most waiting groups wait for, if more groups wait than are ready; else nullptr.
  const engine::Port* short_of() const override;
  // Fragments, for results of fragments, while no group inside has any.
  const engine::Port* source_of(const engine::Port& out) const override;
  // The stages of its programs, in the order of arch::Stage.
  std::vector<std::string_view> kinds_of_work() const override;
  uint32_t kind_of_work() const override { return static_cast<uint32_t>(issue_port_.stage()); }
  std::string why_busy() const override;
  void count_until(engine::Cycle next) override { cycle_kinds_.count_until(next); }

  bool has_l1() const { return storage_port_.has_l1(); }
  // True if a group of this draw or dispatch was ended because its program did not end.
  bool runaway(uint32_t draw) const { return issue_port_.runaway(draw); }

 private:
  uint32_t places_of_loads() const { return groups_.places() * spec_.loads_under_way; }

  // The steps of a tick, in their order. Each returns whether anything changed.
  bool retire(engine::Cycle now);
  bool retire(engine::Cycle now, GroupOutput output);
  bool take_texture(engine::Cycle now);
  void take_texture_quad(engine::Cycle now);
  bool send_texture(engine::Cycle now);
  bool take_pull(engine::Cycle now);
  bool send_pull(engine::Cycle now);
  bool take_storage(engine::Cycle now);
  bool obey_control(engine::Cycle now);
  bool send_storage(engine::Cycle now);
  bool issue(engine::Cycle now);
  bool accept(engine::Cycle now);
  engine::Cycle account(engine::Cycle now, bool progress);

  // The steps in the life of a group.
  void execute_memory(engine::Cycle now, Group& group);
  void access_workgroup_memory(engine::Cycle now, Group& group);
  // loads.cpp
  void begin_texture(engine::Cycle now, Group& group);
  void begin_pull(engine::Cycle now, Group& group);
  void begin_storage(engine::Cycle now, Group& group);
  bool send_transaction(engine::Cycle now, const Group& group);
  void complete_storage(engine::Cycle now, Group& group, uint32_t load);
  void go_on_behind_load(engine::Cycle now, Group& group);
  void end_load(engine::Cycle now, Group& group, uint32_t load);

  void stores_done(engine::Cycle now, Group& group);
  void reach_barrier(engine::Cycle now, Group& group);
  void arrive(engine::Cycle now, Group& group);
  void open_barrier(engine::Cycle now, const WorkgroupTable::Opening& opening);
  void reach_memory_barrier(engine::Cycle now, Group& group);
  void pass_memory_barrier(engine::Cycle now, Group& group);
  void settle(engine::Cycle now, engine::Cycle next, Group& group);
  void end(engine::Cycle now, Group& group);
  void finish(engine::Cycle now, Group& group);
  ResultPorts::Sent leave_workgroup(engine::Cycle now, const Group& group);

  ShaderUnitSpec spec_;
  EnumSet<arch::Stage> stages_;
  messages::Pools& pools_;
  bool pulls_;  // it has a way to the interpolator
  GroupTable groups_;
  Admission admission_;
  WorkgroupTable workgroups_;
  InputPorts inputs_;
  IssuePort issue_port_;
  QuadRequests texture_requests_, pull_requests_;
  // The requests of loads that a group goes on behind, in the order in which they leave.
  structures::Ring<messages::PoolRef<messages::TextureJob>> made_textures_;
  structures::Ring<messages::PoolRef<messages::PullJob>> made_pulls_;
  StoragePort storage_port_;
  ResultPorts results_;
  CycleKinds cycle_kinds_;
};

}  // namespace cutaway::boxes
