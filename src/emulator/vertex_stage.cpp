#include "emulator/vertex_stage.h"

#include <algorithm>
#include <cstring>

#include "func/fetch/index_fetch.h"
#include "func/format/numeric.h"

namespace cutaway::emulator {

VertexStage::VertexStage(arch::Memory& memory, Meter& meter, Statistics& statistics, WorkerTeam& team)
    : memory_(memory),
      meter_(meter),
      statistics_(statistics),
      team_(team),
      shaded_(kSlots + func::InputAssembler::kMostRemembered),
      reuse_(kReuse) {
  workers_.push_back(std::make_unique<Worker>(memory_));
  vertex_.reserve(kSlots);
  sequence_.reserve(kSequence);
}

void VertexStage::run(const State& state, const Draw& draw, QueryCounters& counters, const Sink& sink,
                      const PrimitiveSink& to_program) {
  state_ = &state, draw_ = &draw, counters_ = &counters, sink_ = &sink, to_program_ = &to_program;
  begun_ = 0;
  for (uint32_t i = 0; i < arch::kVertexAttributes; i++)
    if (state.vertex().program->inputs[i]) fetch_[i] = func::AttributeFetch(state.registers.assembly, i);
  const auto& assembly = state.registers.assembly;
  const auto topology = static_cast<arch::Topology>(assembly.topology);
  const auto provoking = static_cast<arch::ProvokingVertex>(assembly.provoking_vertex);
  whole_ = to_program || !func::PrimitiveAssembler::supports(topology);
  if (whole_)
    input_assembler_ = func::InputAssembler(topology, provoking, state.registers.tessellation.patch_vertices);
  else assembler_ = func::PrimitiveAssembler(topology, provoking);
  if (outputs_ != state.vertex().program->outputs) {
    outputs_ = state.vertex().program->outputs;
    std::memset(static_cast<void*>(shaded_.data()), 0, shaded_.size() * sizeof shaded_[0]);
  }
  vertex_.clear(), sequence_.clear(), batch_++;
  for (uint32_t instance = 0; instance < draw.instances; instance++) {
    if (sequence_.size() == kSequence) flush();
    sequence_.push_back(kInstance);
    meter_.step(1);
    for (uint32_t i = 0; i < draw.count; i++) {
      meter_.step(1);
      if (sequence_.size() == kSequence || vertex_.size() == kSlots) flush();
      if (!draw.indexed) {
        add(draw.first + i, instance);
        continue;
      }
      const func::IndexFetch plan = func::plan_index_fetch(assembly, uint64_t{draw.first} + i);
      std::byte bytes[4];
      if (plan.in_bounds) memory_.read(plan.address, bytes, plan.bytes);
      const func::Index index = func::finish_index_fetch(assembly, plan, bytes);
      if (index.restart) sequence_.push_back(kRestart);
      else add(index.value + draw.vertex_offset, instance);
    }
  }
  flush();
  if (whole_) give(input_assembler_.finish());
}

void VertexStage::add(uint32_t index, uint32_t instance) {
  statistics_.indices++;
  if (state_->registers.query.statistics) (*counters_)[Statistic::kInputVertices]++;
  Reuse& reuse = reuse_[(index * 2654435761u >> 16 ^ instance) % kReuse];
  if (reuse.batch != batch_ || reuse.index != index || reuse.instance != instance) {
    reuse = {batch_, index, instance, static_cast<uint32_t>(vertex_.size())};
    vertex_.push_back({index, instance});
  }
  sequence_.push_back(reuse.slot);
}

// Saves the vertices that an assembler remembers from the next batch's slots.
template <class Assembler>
void VertexStage::remember(Assembler& assembler) {
  remembered_.clear();
  for (uint32_t i = 0; i < assembler.remembered(); i++)
    remembered_.push_back(shaded_[assembler.remembered(i)]);
  for (uint32_t i = 0; i < assembler.remembered(); i++) {
    shaded_[kSlots + i] = remembered_[i];
    assembler.rename_remembered(i, kSlots + i);
  }
}

// Shades the batch, feeds it to the assembler, and begins another batch with the remembered vertices.
void VertexStage::flush() {
  stop_if_interrupted();
  shade_batch();
  if (whole_) assemble_whole();
  else assemble();
  if (whole_) remember(input_assembler_);
  else remember(assembler_);
  sequence_.clear(), vertex_.clear(), batch_++;
}

void VertexStage::shade_batch() {
  const auto vertices = static_cast<uint32_t>(vertex_.size());
  if (!vertices) return;
  const uint64_t left = meter_.left();
  const uint32_t workers = team_.run(
      {.items = (vertices + kLanes - 1) / kLanes,
       .alone = state_->vertex().program->writes_memory,
       .prepare = [this](uint32_t worker) { prepare(worker); },
       .work = [this, left](uint32_t worker, uint32_t group) { return shade_group(worker, group, left); }});

  const Worker* stopped = nullptr;
  for (uint32_t i = 0; i < workers; i++) {
    const Worker& worker = *workers_[i];
    if (worker.stopped_at < (stopped ? stopped->stopped_at : kNone)) stopped = &worker;
  }
  if (stopped) throw Stop{stopped->stop_text};  // which other groups ran depends on the number of workers
  uint64_t steps = 0;
  for (uint32_t i = 0; i < workers; i++) {
    statistics_ += workers_[i]->statistics;
    steps += workers_[i]->steps;
  }
  if (state_->registers.query.statistics) (*counters_)[Statistic::kVertexInvocations] += vertices;
  meter_.step(steps);
}

void VertexStage::prepare(uint32_t number) {
  if (number == workers_.size()) workers_.push_back(std::make_unique<Worker>(memory_));
  Worker& worker = *workers_[number];
  if (number == begun_) begun_++, worker.core.begin(state_->vertex());
  worker.statistics = {};
  worker.steps = 0, worker.stopped_at = kNone;
}

// The group may take `steps_left` steps. Returns false if it has stopped the GPU.
bool VertexStage::shade_group(uint32_t number, uint32_t group, uint64_t steps_left) {
  Worker& worker = *workers_[number];
  const auto vertices = static_cast<uint32_t>(vertex_.size());
  worker.meter = Meter(steps_left);
  try {
    shade(worker, group * kLanes, std::min(kLanes, vertices - group * kLanes));
  } catch (const Stop& stop) {
    worker.stopped_at = group;
    worker.stop_text = stop.text;
    return false;
  }
  worker.steps += worker.meter.steps();
  return true;
}

void VertexStage::shade(Worker& worker, uint32_t first, uint32_t lanes) {
  ShaderCore& core = worker.core;
  const StageState& stage = state_->vertex();
  for (uint32_t i = 0; i < arch::kVertexAttributes; i++)
    if (stage.program->inputs[i]) fetch_attribute(worker, i, first, lanes);
  const auto put = [&](uint32_t reg, uint32_t lane, const command_stream::InputRegister& value) {
    for (uint32_t c = 0; c < 4; c++) core.input(reg, c)[lane] = value[c];
  };
  for (uint32_t lane = 0; stage.program->inputs[arch::kInputVertexId] && lane < lanes; lane++) {
    const Vertex& v = vertex_[first + lane];
    put(arch::kInputVertexId, lane,
        command_stream::vertex_id_input(state_->registers, *draw_, v.index, v.instance));
  }
  for (uint32_t lane = 0; stage.program->inputs[arch::kInputDraw] && lane < lanes; lane++)
    put(arch::kInputDraw, lane, command_stream::draw_input(*draw_));
  core.run(stage, (1ull << lanes) - 1, 0);
  worker.statistics.vertices_shaded += lanes;
  worker.statistics.vertex_instructions += core.executed() * lanes;
  for (uint32_t o = 0; o < arch::kShaderOutputs; o++) {
    if (!(outputs_ >> o & 1)) continue;
    for (uint32_t c = 0; c < 4; c++)
      for (uint32_t lane = 0; lane < lanes; lane++)
        shaded_[first + lane].output[o][c] = core.output(o, c)[lane];
  }
}

void VertexStage::fetch_attribute(Worker& worker, uint32_t attribute, uint32_t first, uint32_t lanes) {
  const func::AttributeFetch& fetch = fetch_[attribute];
  switch (fetch.float_words()) {
    case 1:
      return fetch_floats<1>(worker, attribute, first, lanes);
    case 2:
      return fetch_floats<2>(worker, attribute, first, lanes);
    case 3:
      return fetch_floats<3>(worker, attribute, first, lanes);
    case 4:
      return fetch_floats<4>(worker, attribute, first, lanes);
    default:
      break;
  }
  for (uint32_t lane = 0; lane < lanes; lane++) {
    const Vertex& v = vertex_[first + lane];
    const func::VertexFetch plan = fetch.plan(v.index, v.instance, draw_->first_instance);
    std::byte bytes[func::kMaxTexelBytes];
    if (plan.reads_memory()) {
      memory_.read(plan.address, bytes, plan.bytes);
      worker.statistics.attributes_fetched++;
    }
    uint32_t value[4];
    fetch.finish(plan, bytes, value);
    for (uint32_t c = 0; c < 4; c++) worker.core.input(attribute, c)[lane] = value[c];
  }
}

// Elements of kWords floats need no conversion.
template <uint32_t kWords>
void VertexStage::fetch_floats(Worker& worker, uint32_t attribute, uint32_t first, uint32_t lanes) {
  const func::AttributeFetch& fetch = fetch_[attribute];
  uint32_t* component[4];
  for (uint32_t c = 0; c < 4; c++) component[c] = worker.core.input(attribute, c);
  uint64_t fetched = 0;
  for (uint32_t lane = 0; lane < lanes; lane++) {
    const Vertex& v = vertex_[first + lane];
    const func::VertexFetch plan = fetch.plan(v.index, v.instance, draw_->first_instance);
    uint32_t value[kWords] = {};
    if (plan.in_bounds) memory_.read(plan.address, value, sizeof value), fetched++;
    for (uint32_t c = 0; c < kWords; c++) component[c][lane] = value[c];
  }
  worker.statistics.attributes_fetched += fetched;
  for (uint32_t c = kWords; c < 4; c++) std::fill_n(component[c], lanes, c == 3 ? func::kFloatOne : 0u);
}

void VertexStage::assemble() {
  for (const uint32_t slot : sequence_) {
    if (slot == kRestart) {
      assembler_.restart();
    } else if (slot == kInstance) {
      assembler_.begin_instance();
    } else if (const auto primitive = assembler_.add(slot)) {
      const ShadedVertex* vertex[3] = {};
      for (uint32_t i = 0; i < primitive->vertices; i++) vertex[i] = &shaded_[primitive->vertex[i]];
      count_primitive();
      (*sink_)(*primitive, vertex);
    }
  }
}

void VertexStage::assemble_whole() {
  for (const uint32_t slot : sequence_) {
    if (slot == kRestart) give(input_assembler_.restart());
    else if (slot == kInstance) give(input_assembler_.begin_instance());
    else give(input_assembler_.add(slot));
  }
}

void VertexStage::give(const std::optional<func::InputPrimitive>& primitive) {
  if (!primitive) return;
  count_primitive();
  if (*to_program_) {
    const ShadedVertex* vertex[arch::kPatchVertices];
    for (uint32_t i = 0; i < primitive->vertices; i++) vertex[i] = &shaded_[primitive->vertex[i]];
    return (*to_program_)(*primitive, vertex);
  }
  const func::AssembledPrimitive assembled = func::without_adjacency(*primitive);
  const ShadedVertex* vertex[3] = {};
  for (uint32_t i = 0; i < assembled.vertices; i++) vertex[i] = &shaded_[assembled.vertex[i]];
  (*sink_)(assembled, vertex);
}

void VertexStage::count_primitive() {
  if (state_->registers.query.statistics) (*counters_)[Statistic::kInputPrimitives]++;
}

}  // namespace cutaway::emulator
