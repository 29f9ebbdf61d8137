#include "emulator/vertex_stage.h"

#include <cstring>

#include "func/fetch/index_fetch.h"
#include "func/fetch/vertex_fetch.h"

namespace cutaway::emulator {

VertexStage::VertexStage(arch::Memory& memory, Meter& meter, Statistics& statistics)
    : memory_(memory),
      meter_(meter),
      statistics_(statistics),
      core_(memory, meter, statistics),
      shaded_(kSlots + 2),
      reuse_(kReuse) {
  vertex_.reserve(kSlots);
  sequence_.reserve(kSequence);
}

void VertexStage::run(const State& state, const Draw& draw, QueryCounters& counters, const Sink& sink) {
  state_ = &state, draw_ = &draw, counters_ = &counters, sink_ = &sink;
  core_.begin(state.vertex());
  const auto& assembly = state.registers.assembly;
  assembler_ = func::PrimitiveAssembler(static_cast<arch::Topology>(assembly.topology),
                                        static_cast<arch::ProvokingVertex>(assembly.provoking_vertex));
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
}

void VertexStage::add(uint32_t index, uint32_t instance) {
  statistics_.indices++;
  if (state_->registers.query.statistics) counters_->statistics[0]++;
  Reuse& reuse = reuse_[(index * 2654435761u >> 16 ^ instance) % kReuse];
  if (reuse.batch != batch_ || reuse.index != index || reuse.instance != instance) {
    reuse = {batch_, index, instance, static_cast<uint32_t>(vertex_.size())};
    vertex_.push_back({index, instance});
  }
  sequence_.push_back(reuse.slot);
}

// Shades the batch, feeds it to the assembler and begins another with the vertices that this one remembers.
void VertexStage::flush() {
  const auto vertices = static_cast<uint32_t>(vertex_.size());
  for (uint32_t first = 0; first < vertices; first += kLanes)
    shade(first, std::min(kLanes, vertices - first));
  assemble();
  ShadedVertex remembered[2];
  for (uint32_t i = 0; i < assembler_.remembered(); i++) remembered[i] = shaded_[assembler_.remembered(i)];
  for (uint32_t i = 0; i < assembler_.remembered(); i++) {
    shaded_[kSlots + i] = remembered[i];
    assembler_.rename_remembered(i, kSlots + i);
  }
  sequence_.clear(), vertex_.clear(), batch_++;
}

void VertexStage::shade(uint32_t first, uint32_t lanes) {
  const StageState& stage = state_->vertex();
  for (uint32_t i = 0; i < arch::kVertexAttributes; i++)
    if (stage.program->inputs[i]) fetch_attribute(i, first, lanes);
  if (stage.program->inputs[arch::kInputVertexId]) {
    const bool based = state_->registers.assembly.vertex_base_in_id;
    const uint32_t base = draw_->indexed ? draw_->vertex_offset : draw_->first;
    for (uint32_t lane = 0; lane < lanes; lane++) {
      const Vertex& v = vertex_[first + lane];
      core_.input(arch::kInputVertexId, 0)[lane] = based ? v.index : v.index - base;
      core_.input(arch::kInputVertexId, 1)[lane] = based ? v.instance + draw_->first_instance : v.instance;
      core_.input(arch::kInputVertexId, 2)[lane] = base;
      core_.input(arch::kInputVertexId, 3)[lane] = draw_->first_instance;
    }
  }
  if (stage.program->inputs[arch::kInputDraw])
    for (uint32_t c = 0; c < 4; c++)
      for (uint32_t lane = 0; lane < lanes; lane++)
        core_.input(arch::kInputDraw, c)[lane] = c == 0 ? draw_->number : 0;
  core_.run(stage, (1ull << lanes) - 1, 0);
  statistics_.vertices_shaded += lanes;
  statistics_.vertex_instructions += core_.executed() * lanes;
  if (state_->registers.query.statistics) counters_->statistics[2] += lanes;
  for (uint32_t o = 0; o < arch::kShaderOutputs; o++) {
    if (!(outputs_ >> o & 1)) continue;
    for (uint32_t c = 0; c < 4; c++)
      for (uint32_t lane = 0; lane < lanes; lane++)
        shaded_[first + lane].output[o][c] = core_.output(o, c)[lane];
  }
}

void VertexStage::fetch_attribute(uint32_t attribute, uint32_t first, uint32_t lanes) {
  const auto& assembly = state_->registers.assembly;
  for (uint32_t lane = 0; lane < lanes; lane++) {
    const Vertex& v = vertex_[first + lane];
    const func::VertexFetch plan =
        func::plan_vertex_fetch(assembly, attribute, v.index, v.instance, draw_->first_instance);
    std::byte bytes[func::kMaxTexelBytes];
    if (plan.reads_memory()) {
      memory_.read(plan.address, bytes, plan.bytes);
      statistics_.attributes_fetched++;
    }
    uint32_t value[4];
    func::finish_vertex_fetch(assembly, attribute, plan, bytes, value);
    for (uint32_t c = 0; c < 4; c++) core_.input(attribute, c)[lane] = value[c];
  }
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
      (*sink_)(*primitive, vertex);
    }
  }
}

}  // namespace cutaway::emulator
