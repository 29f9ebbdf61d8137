#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "base/counter.h"
#include "base/field.h"
#include "boxes/shader_unit/branch_batches.h"
#include "boxes/shader_unit/fragment_window.h"
#include "boxes/shader_unit/group_scheduler.h"
#include "boxes/shader_unit/group_time.h"
#include "boxes/shader_unit/issue_policy.h"
#include "boxes/shader_unit/storage_access.h"
#include "boxes/shader_unit/storage_l1.h"
#include "boxes/shader_unit/unit_primitives.h"
#include "boxes/shader_unit/unit_pulls.h"
#include "boxes/shader_unit/unit_storage.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "func/shader/thread_group.h"
#include "parts/draw_state.h"
#include "parts/index_set.h"
#include "parts/interleave.h"
#include "parts/messages.h"
#include "parts/ring.h"

namespace cutaway::boxes {

struct ShaderUnitSpec {
  unsigned group_lanes = 4;
  unsigned vertex_lanes = 0;
  unsigned threads = 112;
  unsigned input_threads = 16;
  unsigned inputs_per_cycle = 40;
  unsigned registers_per_thread = 4;
  unsigned register_granularity = 2;
  bool half_registers = false;
  unsigned scratch_bytes = 65536;
  unsigned simd_latency = 5;
  unsigned scalar_latency = 9;
  unsigned texture_latency = 5;
  unsigned scratch_latency = 9;
  unsigned flow_latency = 4;
  unsigned flow_passes = 1;
  unsigned double_passes = 0;
  bool free_end = false;
  unsigned pipeline_stages = 4;
  unsigned simd_lanes = 4;
  IssueMode issue = IssueMode::kNWay;
  unsigned ways = 1;
  ThreadScheduling scheduler = ThreadScheduling::kRoundRobin;
  unsigned workgroups = 8;
  unsigned shared_bytes = 32768;
  unsigned shared_banks = 32;
  unsigned shared_latency = 9;
  unsigned barrier_latency = 4;
  unsigned vertex_latency = 9;
  unsigned fragment_groups = 0;
  unsigned branch_groups = 1;
  unsigned l1_lines = 0, l1_ways = 4, l1_latency = 20, l1_pending = 16;

  template <class V>
  static void fields(V&& v) {
    using S = ShaderUnitSpec;
    v("group_lanes", &S::group_lanes, "threads", 1u, 64u,
      "threads of a group that share a program counter: a power of 2, and whole quads where fragments are "
      "shaded");
    v("vertex_lanes", &S::vertex_lanes, "threads", 0u, 64u,
      "of a group of vertices, if it holds fewer: a power of 2 up to group_lanes; those of other stages hold "
      "group_lanes, and 0 is so many, too");
    v("threads", &S::threads, "threads", 1u, 4096u,
      "that execute at once if their registers fit: 1 to 1024 groups of group_lanes");
    v("input_threads", &S::input_threads, "threads", 4u, 1024u, "that wait at the unit's inputs, each kind");
    v("fragment_groups", &S::fragment_groups, "groups", 0u, FragmentWindow::kMostPlaces,
      "of fragments from the oldest inside to the newest, those between that have left among them; 0: as "
      "many as have room, in any order");
    v("branch_groups", &S::branch_groups, "groups", 1u, 64u,
      "of fragments that branch together: a batch of groups that came in one after the other, of which each "
      "takes the time of what any of them executes; 1: each branches alone");
    v("inputs_per_cycle", &S::inputs_per_cycle, "vectors", 1u, 4096u,
      "attributes or interpolants of threads, four words each, that enter in a cycle; a group takes as many "
      "cycles as all of its own need");
    v("registers_per_thread", &S::registers_per_thread, "vectors", 1u, 128u,
      "temporaries with which all threads fit; the register file holds (threads + input_threads) x this");
    v("register_granularity", &S::register_granularity, "vectors", 1u, 32u,
      "temporaries of a thread are given out in steps of this");
    v("half_registers", &S::half_registers, "",
      "a temporary of four floats of 16 bits takes half of a register; else one of its own");
    v("scratch_bytes", &S::scratch_bytes, "bytes", 1024u, 1u << 20,
      "scratch memory of the unit, shared by the threads whose programs ask for some");
    v("simd_latency", &S::simd_latency, "cycles", 1u, 64u,
      "execute stages of a four-component operation: from it to its result");
    v("scalar_latency", &S::scalar_latency, "cycles", 1u, 64u,
      "execute stages of a scalar operation: from it to its result");
    v("texture_latency", &S::texture_latency, "cycles", 1u, 64u,
      "execute stages that compute the addresses of a texture instruction: from it to its request");
    v("scratch_latency", &S::scratch_latency, "cycles", 1u, 64u,
      "from a load from scratch memory to its result");
    v("flow_latency", &S::flow_latency, "cycles", 1u, 64u,
      "from a branch to the next instruction of its group");
    v("flow_passes", &S::flow_passes, "passes", 1u, 16u,
      "of all lanes of a group, for each IF, ELSE, ENDIF, LOOP, ENDLOOP, CALL and RET; other instructions of "
      "flow take one");
    v("double_passes", &S::double_passes, "passes", 0u, 64u,
      "of all lanes of a group, for each instruction on 64-bit floats; 0: it has none of them");
    v("free_end", &S::free_end, "",
      "END and NEXT take no issue of their own, as bits of the instructions before them would not");
    v("pipeline_stages", &S::pipeline_stages, "cycles", 0u, 16u,
      "fetch, decode, register read and write back: seen by a group's end");
    v("simd_lanes", &S::simd_lanes, "threads", 1u, 64u,
      "of a group that execute in a cycle: an instruction takes the group's lanes / this cycles, or a "
      "multiple");
    v("issue", &S::issue, kIssueModeNames,
      "of a group in a cycle: 1 to ways instructions of any kind; one for the SIMD ALU and one for the "
      "scalar ALU; what a multiplier and a unit behind it that does everything can do, each for two "
      "instructions by their components; or one, a component of a register at a time");
    v("ways", &S::ways, "instructions", 1u, kMaxIssueWays,
      "of a group that issue in a cycle at most, if issue is n-way");
    v("scheduler", &S::scheduler, kThreadSchedulingNames,
      "who issues, of the groups that can: in turn; the one that came in first; the one that issued last as "
      "long as it can, else the one that came in first; or those of stages before the rasteriser, then the "
      "others, of each the one that came in first");
    v("workgroups", &S::workgroups, "workgroups", 1u, 64u, "of compute programs inside at once, at most");
    v("shared_bytes", &S::shared_bytes, "bytes", 1024u, 1u << 20,
      "memory that the workgroups inside share out, a part for each");
    v("shared_banks", &S::shared_banks, "banks", 1u, 64u,
      "of that memory, a word wide each; so many threads access it together, one word of a bank in a cycle");
    v("shared_latency", &S::shared_latency, "cycles", 1u, 64u,
      "from a load or an atomic of that memory to its result, if its words are of different banks");
    v("barrier_latency", &S::barrier_latency, "cycles", 1u, 64u,
      "from when the last group reaches a barrier to the next instructions of all");
    v("vertex_latency", &S::vertex_latency, "cycles", 1u, 64u,
      "from a load of a vertex of its primitive to its result");
    v("l1_lines", &S::l1_lines, "lines", 0u, 4096u,
      "of the unit's first level before the storage cache, each of storage_cache.line_bytes; 0: it has none");
    v("l1_ways", &S::l1_ways, "lines", 1u, 64u, "of a set of the first level; they divide its lines");
    v("l1_latency", &S::l1_latency, "cycles", 1u, 1000u, "of the first level, from a load to its bytes");
    v("l1_pending", &S::l1_pending, "requests", 1u, 1024u,
      "lines of the first level that may be under way, and loads that wait for one that another asked for");
  }

  // Threads of a full group of a stage.
  unsigned lanes_of(arch::Stage stage) const {
    return stage == arch::Stage::kVertex && vertex_lanes ? vertex_lanes : group_lanes;
  }
};

struct ShaderUnitCounters {
  uint64_t vertex_groups = 0, fragment_groups = 0, instructions = 0, vertex_instructions = 0,
           texture_instructions = 0, scratch_instructions = 0, passes_for_others = 0;
  uint64_t driver_instructions = 0, driver_fragments_killed = 0;
  uint64_t fragments_killed = 0, resident_groups = 0, register_stalls = 0;
  // Where its cycles went: each is one of these.
  uint64_t cycles_issued = 0, cycles_dependency = 0, cycles_texture = 0, cycles_registers = 0,
           cycles_inputs = 0, cycles_output = 0;

  template <class V>
  static void fields(V&& v) {
    using C = ShaderUnitCounters;
    v("vertex_groups", &C::vertex_groups, "groups", "vertex groups started");
    v("fragment_groups", &C::fragment_groups, "groups", "fragment groups started");
    v("instructions", &C::instructions, "instructions", "issued, one per group", CounterRole::kInstructions);
    v("driver_instructions", &C::driver_instructions, "instructions", "of those: of the driver's own draws",
      CounterRole::kInstructions, CountOf::kDriver);
    v("vertex_instructions", &C::vertex_instructions, "instructions", "instructions issued by vertex groups");
    v("texture_instructions", &C::texture_instructions, "instructions",
      "instructions that went to the texture unit");
    v("scratch_instructions", &C::scratch_instructions, "instructions",
      "loads from and stores to scratch memory");
    v("passes_for_others", &C::passes_for_others, "passes",
      "of groups that wait at a branch while others of their batch execute (branch_groups)");
    v("fragments_killed", &C::fragments_killed, "fragments", "discarded by their program",
      CounterRole::kFragmentsKilledShader);
    v("driver_fragments_killed", &C::driver_fragments_killed, "fragments",
      "of those: of the driver's own draws", CounterRole::kFragmentsKilledShader, CountOf::kDriver);
    v("resident_groups", &C::resident_groups, "groups x cycles",
      "groups inside, summed over time until one started or ended last");
    v("register_stalls", &C::register_stalls, "groups",
      "groups that had to wait for registers or scratch memory when they came to the front");
    v("cycles_issued", &C::cycles_issued, "cycles", "in which its issue port was occupied");
    v("cycles_dependency", &C::cycles_dependency, "cycles",
      "in which none issued: groups waited for results, branches and the ends of the pipelines");
    v("cycles_texture", &C::cycles_texture, "cycles",
      "in which none issued: most groups waited for their texture unit");
    v("cycles_registers", &C::cycles_registers, "cycles",
      "in which none issued, and a group at the input found no registers or scratch memory");
    v("cycles_inputs", &C::cycles_inputs, "cycles", "in which it held no group, or one that was coming in");
    v("cycles_output", &C::cycles_output, "cycles",
      "in which none issued: results of finished groups left, or waited for somebody to take them");
  }
};

// A unified shader unit (ATT-8): many groups of threads, each with one program counter, issue in order; any
// ready group may issue, one at a time, as many instructions as `issue` lets it. They occupy the issue port
// until all lanes of the group have begun to execute them, component by component where `issue` says so. A
// group blocks on a texture
// instruction until its texels are there. Instructions are carried out when they are issued; results may be
// read when their latency has passed.
class ShaderUnit final : public engine::Box {
 public:
  // stages: that it runs; it has no ports for others. front_ends: whose streamers get its vertices.
  // rops: that get quads, each those that name it. storage: the cache of what its programs store to; of no
  // slices: none of them does. pulls: fragment programs can ask the interpolator.
  ShaderUnit(std::string path, const ShaderUnitSpec& spec, EnumSet<arch::Stage> stages, unsigned front_ends,
             unsigned rops, parts::Pools& pools, const StorageSlices& storage = {}, bool pulls = false);

  engine::In<parts::VertexGroup> vertices_in;  // of all stages before the rasteriser
  engine::In<parts::FragmentGroup> fragments_in;
  std::vector<engine::Out<parts::ShadedVertices>> vertices_out;  // to the streamer of each front end
  // Of control, evaluation and geometry programs: to tessellation and geometry shading of each front end.
  std::vector<engine::Out<parts::EmittedPrimitives>> patches_out;
  std::vector<engine::Out<parts::ShadedVertices>> points_out;
  std::vector<engine::Out<parts::EmittedPrimitives>> emitted_out;
  std::vector<engine::Out<parts::ShadedQuad>> quads_out;  // to the reorder buffer of each ROP
  engine::Out<parts::TextureMessage> texture_out;
  engine::In<parts::TextureMessage> texture_in;
  engine::Out<parts::PullMessage> pulls_out;  // to the interpolator
  engine::In<parts::PullMessage> pulls_in;
  engine::In<parts::Workgroup> workgroups_in;
  engine::Out<parts::WorkgroupEnd> ended_out;
  std::vector<engine::Out<parts::StorageMessage>> storage_out;  // to each slice of the storage cache
  std::vector<engine::In<parts::StorageMessage>> storage_in;
  engine::In<parts::Control> control_in;  // of a unit with a first level before it
  engine::Out<parts::ControlDone> control_out;

  ShaderUnitCounters counters;
  UnitPrimitiveCounters primitive_counters;  // of a unit that runs programs that work on primitives
  UnitStorageCounters storage_counters;      // of a unit that runs compute programs, or some that store
  UnitPullCounters pull_counters;            // of a unit whose programs can ask for interpolants

  void list_ports(engine::PortList& list) override;
  std::vector<std::string_view> costs_nothing() const override;
  engine::Cycle tick(engine::Cycle now) override;
  // With fewer groups at the texture unit, one of them could issue.
  const engine::Port* short_of() const override {
    if (texture_waiting_ + pull_waiting_ + storage_waiting_ <= ready_.size()) return nullptr;
    if (pull_waiting_ > std::max(texture_waiting_, storage_waiting_)) return &pulls_in;
    if (texture_waiting_ >= storage_waiting_) return &texture_in;
    const size_t slice = busiest_slice();
    return storage_under_way_[slice] ? &storage_in[slice] : nullptr;
  }
  bool has_l1() const { return static_cast<bool>(l1_); }
  std::string why_busy() const override;
  void count_until(engine::Cycle next) override {
    *kind_ += next - kind_since_;
    kind_since_ = next;
  }

  // Whether a group of this draw or dispatch was ended because its program did not.
  bool runaway(uint32_t draw) const {
    return std::find(runaways_.begin(), runaways_.end(), draw) != runaways_.end();
  }

 private:
  // ATT-8: free, ready, blocked, finished. The sets below hold the groups that are ready and finished.
  // Those that wait for the interpolator, for the storage cache, or at a barrier, are blocked too: kFence for
  // their own stores; so are those that have ended but for what they stored, and those that wait for others
  // of their batch behind a branch.
  enum class Phase : uint8_t {
    kFree,
    kReady,
    kTexture,
    kPull,
    kStorage,
    kFence,
    kBarrier,
    kBranch,
    kDraining,
    kFinished
  };
  struct Group {
    Phase phase = Phase::kFree;
    arch::Stage stage{};
    bool of_driver = false;
    uint16_t quads_to_send = 0, quads_missing = 0;  // of its texture instruction or PULL, bit each
    uint8_t quads_sent = 0;
    uint32_t threads_taken = 0;  // of the unit's, whether all of its lanes work or not
    uint32_t registers = 0;      // of the file, all lanes together
    uint32_t scratch_bytes = 0;  // of the unit's, all lanes together
    bool branched = false;       // by the last instruction that it has issued
    engine::Cycle branch_ends = 0;
    engine::Cycle end_ready = 0;  // when all results are there
    uint64_t finished = 0;        // counts the groups that finish
    const parts::DrawState* state = nullptr;
    const func::MicroProgram* program = nullptr;
    parts::Origin origin;
    uint32_t number = 0;  // of its draw or dispatch
    GroupTime time;
    IssueBundle pass;  // that its texture instruction issued in, with that
    func::ThreadGroup threads;
    func::Registers view;
    std::vector<uint32_t> input, temporary, output;
    std::vector<uint32_t> scratch;  // as large as any program before has asked for
    // When a component of a temporary can be read: [register * 4 + component]. The latest of the results that
    // are under way to it.
    std::array<engine::Cycle, size_t{arch::kTemporaries} * 4> written{};
    engine::Cycle all_written = 0;  // when all temporaries can be read
    parts::VertexGroup vertices;
    parts::FragmentGroup fragments;
    uint64_t outputs = 0;                  // registers that its program writes, bit each; the others are zero
    uint32_t fragment_number = 0;          // of the groups of fragments that came in
    uint32_t workgroup = 0;                // of a compute program: of workgroups_
    parts::PoolRef<StorageAccess> access;  // its instruction under way
    uint32_t stores_under_way = 0;         // that the storage cache has not told are done
    engine::Cycle shared_done = 0;         // when its accesses to the memory of the workgroup are
  };
  // What the groups of a stage give leaves by one of the outputs.
  enum class Output : uint8_t { kVertices, kQuads, kWorkgroups, kPatches, kPoints, kEmitted };
  static constexpr uint32_t kOutputs = 6;
  static Output output_of(arch::Stage stage);

  // admission.cpp
  bool accept(engine::Cycle now);
  bool accept_vertices(engine::Cycle now);
  bool accept_fragments(engine::Cycle now);
  bool accept_graphics(engine::Cycle now);
  enum class Entering : uint8_t { kNone, kVertices, kFragments, kWorkgroup };
  bool enters(engine::Cycle now, Entering which, uint32_t vectors);
  struct Demand {
    uint32_t registers = 0, scratch_bytes = 0;
  };
  Demand demand_of(const parts::DrawState& state, arch::Stage stage) const;
  bool has_room(const parts::DrawState& state, arch::Stage stage);
  Group& admit(const parts::DrawState& state, arch::Stage stage);
  void load_quads(Group& group) const;
  void clear_registers(Group& group, const draw::Program& program) const;
  void start(engine::Cycle now, Group& group, uint64_t lanes, uint64_t helpers);
  void release(engine::Cycle now, Group& group);
  void count_residents(engine::Cycle now);
  // issue.cpp
  bool issue(engine::Cycle now);
  void execute(engine::Cycle now, Group& group);
  void count_instruction(const Group& group);
  engine::Cycle execute_step(engine::Cycle last_pass, engine::Cycle last_lane, Group& group);
  engine::Cycle end_pass(engine::Cycle now, Group& group);
  bool joins(engine::Cycle now, const Group& group, const IssueBundle& bundle) const;
  engine::Cycle latency(const func::MicroOp& op) const;
  uint32_t passes(const func::MicroOp& op) const;
  static void note_result(const func::MicroOp& op, engine::Cycle ready, Group& group);
  engine::Cycle next_issue(const Group& group, engine::Cycle earliest,
                           const IssueBundle* given = nullptr) const;
  void pass_free(Group& group);
  void settle(engine::Cycle now, engine::Cycle ready, Group& group);
  static bool joins_others_next(const Group& group);
  void wait_for_batch(engine::Cycle now, engine::Cycle ready, Group& group);
  void go_on(engine::Cycle now, std::span<const uint16_t> groups);
  void finish(engine::Cycle now, Group& group);
  // texture_requests.cpp
  void ask_for_quads(Group& group, Phase phase);
  static bool has_all_quads(Group& group, uint32_t quad);
  void begin_texture(Group& group);
  parts::PoolRef<parts::TextureJob> make_job(const Group& group, uint32_t quad);
  bool send_texture(engine::Cycle now);
  bool take_texture(engine::Cycle now);
  // pull_requests.cpp
  void begin_pull(Group& group);
  parts::PoolRef<parts::PullJob> make_pull(const Group& group, uint32_t quad);
  bool send_pull(engine::Cycle now);
  bool take_pull(engine::Cycle now);
  // results.cpp
  bool retire(engine::Cycle now);
  bool retire(engine::Cycle now, Output output);
  void retire_vertices(engine::Cycle now, Group& group,
                       std::vector<engine::Out<parts::ShadedVertices>>& outputs);
  bool retire_quad(engine::Cycle now, Group& group);
  void cover(parts::ShadedQuad& shaded) const;

  // workgroups.cpp
  bool accept_workgroup(engine::Cycle now);
  bool has_room_for(const parts::Workgroup& workgroup);
  void begin_workgroup(engine::Cycle now);
  void load_ids(Group& group, const UnitWorkgroup& workgroup, uint32_t first) const;
  void access_shared(engine::Cycle now, Group& group);
  // access_on_chip.h
  template <class MemoryOf>
  void access_on_chip(Group& group, const MemoryOf& memory_of);
  engine::Cycle shared_cycles(const Group& group, const func::MicroOp& op);
  void wait_at_barrier(engine::Cycle now, Group& group);
  static uint8_t fence_of(const Group& group);
  void wait_for_memory(engine::Cycle now, Group& group);
  void pass_fence(engine::Cycle now, Group& group);
  void arrive(engine::Cycle now, Group& group);
  void open_barrier(engine::Cycle now, UnitWorkgroup& workgroup);
  void leave_workgroup(engine::Cycle now, Group& group);
  void end_workgroup(engine::Cycle now, Group& group);
  // primitives.cpp
  void load_primitives(Group& group) const;
  void access_vertex(engine::Cycle now, Group& group);
  void load_vertex(Group& group, const isa::Instruction& instruction);
  void emit(Group& group, const isa::Instruction& instruction);
  void access_patch(engine::Cycle now, Group& group);
  void pass_barrier(engine::Cycle now, Group& group);
  void retire_patches(engine::Cycle now, Group& group);
  void retire_primitives(engine::Cycle now, Group& group);
  bool takes_vertices() const;
  // storage_requests.cpp
  bool goes_to_storage(const Group& group, const isa::Instruction& instruction) const;
  void execute_memory(engine::Cycle now, Group& group);
  void begin_storage(Group& group);
  void queue_storage(Group& group);
  bool send_storage(engine::Cycle now);
  bool send_job(engine::Cycle now, Group& group);
  StorageL1::Outcome look_up(engine::Cycle now, const parts::PoolRef<parts::StorageJob>& job, bool may_leave);
  void sent_all(engine::Cycle now, Group& group);
  bool take_storage(engine::Cycle now);
  void take_answer(engine::Cycle now, const parts::StorageJob& job);
  void forget_l1();
  bool obey_control(engine::Cycle now);
  void store_done(engine::Cycle now, Group& group);
  void complete_access(engine::Cycle now, Group& group);
  size_t busiest_slice() const;

  engine::Cycle account(engine::Cycle now, bool progress);
  // What a cycle is, and all after it in which nothing changes.
  uint64_t* kind_of(engine::Cycle now, uint32_t ready);
  // The output that the next results of a finished group wait for.
  const engine::Port& port_of(engine::Cycle now, const Group& group) const;
  unsigned rop_of(const Group& group) const;  // of its next quad
  // The first of several outputs that has no room, or is still occupied; or how many there are.
  template <class Message>
  static size_t full_output(engine::Cycle now, const std::vector<engine::Out<Message>>& outputs) {
    size_t i = 0;
    while (i < outputs.size() && outputs[i].ready(now)) i++;
    return i;
  }
  uint16_t index_of(const Group& group) const { return static_cast<uint16_t>(&group - groups_.data()); }

  ShaderUnitSpec spec_;
  EnumSet<arch::Stage> stages_;
  uint32_t width_;  // of a group's registers
  parts::Pools& pools_;
  StorageSlices storage_;
  parts::Pool<StorageAccess> accesses_;
  std::vector<Group> groups_;
  parts::IndexSet free_, ready_, finished_;
  // By group: of one that is ready, the earliest issue of its next instruction; of one that has finished,
  // when its results leave.
  std::vector<engine::Cycle> time_;
  std::array<parts::Ring<uint16_t>, kOutputs> finish_order_;  // groups, by output, oldest first
  uint64_t finish_count_ = 0;
  parts::Ring<uint16_t> texture_order_;      // groups with quads to send, oldest first
  uint32_t texture_waiting_ = 0;             // groups that wait for their texture unit
  bool pulls_;                               // it has a way to the interpolator
  parts::Ring<uint16_t> pull_order_;         // groups with requests to send to it, oldest first
  uint32_t pull_waiting_ = 0;                // groups that wait for it
  parts::Ring<uint16_t> storage_order_;      // groups with transactions to send, oldest first
  uint32_t storage_waiting_ = 0;             // groups that wait for the storage cache
  uint32_t barrier_waiting_ = 0;             // groups that wait at a barrier for others
  std::vector<uint32_t> storage_under_way_;  // transactions, by slice
  size_t storage_turn_ = 0;
  StorageL1 l1_;
  parts::Ring<L1Answer> l1_answers_;  // what its groups get of it, in time
  std::vector<UnitWorkgroup> workgroups_;
  uint32_t incoming_ = kNoWorkgroup;  // the workgroup whose groups come in
  static constexpr uint32_t kNoWorkgroup = ~0u;
  bool workgroup_turn_ = true;
  FragmentWindow window_;
  BranchBatches batches_;
  uint32_t threads_free_ = 0, registers_free_ = 0, scratch_free_ = 0, shared_free_ = 0;
  std::unique_ptr<GroupScheduler> scheduler_;
  std::unique_ptr<IssuePolicy> issue_;
  uint32_t most_issued_;  // instructions of a group in a cycle
  // For the lanes of a group to pass through the execute units.
  draw::ByStage<engine::Cycle> pass_cycles_;
  engine::Cycle port_free_ = 0;          // when the next instruction can issue
  draw::ByStage<bool> lacks_registers_;  // the group at the front
  engine::Cycle resident_since_ = 0;     // when one started or ended last
  bool vertex_turn_ = true;
  uint64_t* kind_ = &counters.cycles_inputs;  // of all cycles from kind_since_ on
  engine::Cycle kind_since_ = 1;
  Entering entering_ = Entering::kNone;  // a group whose inputs come in,
  engine::Cycle entered_ = 0;            // the last of them in this cycle
  std::vector<uint32_t> runaways_;       // draws
};

}  // namespace cutaway::boxes
