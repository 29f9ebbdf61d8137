#include "compiler/compiler.h"

#include <algorithm>

#include "arch/depth_promise.h"
#include "compiler/backend.h"
#include "compiler/module.h"
#include "compiler/passes.h"
#include "compiler/pipeline.h"
#include "compiler/refusal.h"
#include "compiler/translate/translator.h"
#include "isa/needs.h"
#include "isa/operands.h"

namespace cutaway::compiler {
namespace {

// Components of each input register that the code reads or pulls.
std::map<uint32_t, uint8_t> inputs_read(const Ir& ir) {
  std::map<uint32_t, uint8_t> read;
  for (const Block& block : ir.blocks)
    for (const auto* list : {&block.phis, &block.insts})
      for (uint32_t id : *list) {
        const Inst& inst = ir.insts[id];
        each_ref(inst, [&](const Ref& ref) {
          if (ref.kind == RefKind::kInput) read[ref.index] |= static_cast<uint8_t>(1u << ref.lane);
        });
        if (isa::is_pull(inst.op)) read[inst.access.slot] |= inst.live;
      }
  return read;
}

// Numbers fragment inputs in the order of their locations; attributes keep their numbers.
void number_inputs(Ir& ir, const Interface& interface, isa::Program& program) {
  const auto read = inputs_read(ir);
  std::map<uint32_t, uint32_t> number;
  const bool fragment = program.stage == arch::Stage::kFragment;
  if (interface.per_sample) program.flags |= arch::kShaderPerSample;
  for (const auto& [reg, mask] : read) {
    if (reg >= arch::kInterpolants && reg < isa::kVaryingLocations) {
      if (!fragment) continue;
      if (reg == arch::kInputFragCoord) program.flags |= arch::kShaderReadsFragCoord;
      if (reg == arch::kInputFragment && (mask & 1)) program.flags |= arch::kShaderReadsFrontFacing;
      if (reg == arch::kInputFragment && (mask & 2)) program.flags |= arch::kShaderPerSample;
      if (reg == arch::kInputPointCoord) program.flags |= arch::kShaderReadsPointCoord;
      continue;
    }
    const auto next = static_cast<uint32_t>(number.size());
    number[reg] = fragment ? next : reg;
    isa::Varying v = interface.inputs.at(reg);
    v.reg = number[reg];
    v.mask = mask;
    if (v.at == arch::SampleLocation::kSample) program.flags |= arch::kShaderPerSample;
    program.inputs.push_back(v);
  }
  for (Inst& inst : ir.insts) {
    each_ref(inst, [&](Ref& ref) {
      if (ref.kind == RefKind::kInput && number.contains(ref.index)) ref.index = number[ref.index];
    });
    if (isa::is_pull(inst.op) && !inst.dead)
      inst.access.slot = static_cast<uint8_t>(number.at(inst.access.slot));
  }
}

// Numbers the registers of vertices that LDV reads, in the order of their locations.
void number_vertex_inputs(Ir& ir, const Interface& interface, isa::Program& program) {
  std::map<uint32_t, uint8_t> read;
  const auto each = [&](auto visit) {
    for (const Block& block : ir.blocks)
      for (uint32_t id : block.insts)
        if (ir.insts[id].op == Opcode::kLdv && !ir.insts[id].dead) visit(ir.insts[id]);
  };
  each([&](const Inst& inst) { read[inst.access.slot] |= inst.live; });
  if (read.size() > arch::kVertexInputs)
    unsupported("reads more than {} registers of each vertex", arch::kVertexInputs);
  std::map<uint32_t, uint32_t> number;
  for (const auto& [location, mask] : read) {
    const auto next = static_cast<uint32_t>(number.size());
    number[location] = next;
    isa::Varying v = interface.inputs.at(location);
    v.reg = next, v.mask = mask;
    program.inputs.push_back(v);
  }
  each([&](Inst& inst) { inst.access.slot = static_cast<uint8_t>(number.at(inst.access.slot)); });
}

void fragment_output(isa::Program& program, uint32_t reg, uint8_t mask) {
  if (reg != arch::kOutputDepth) {
    program.outputs.push_back({.location = reg, .reg = reg, .mask = mask});
    return;
  }
  if (mask & 1) program.flags |= arch::kShaderWritesDepth;
  if (mask & 2) program.flags |= arch::kShaderWritesSampleMask;
  if (mask & 4) program.flags |= arch::kShaderWritesStencil;
}

void number_feedback(const Interface& interface, const std::map<uint32_t, uint32_t>& number,
                     isa::Program& program) {
  if (interface.feedback.size() > arch::kFeedbackOutputs)
    unsupported("transform feedback captures more than {} components", arch::kFeedbackOutputs);
  program.feedback_stride = interface.feedback_stride;
  for (const arch::FeedbackOutput& from : interface.feedback)
    if (const auto found = number.find(from.source()); found != number.end())
      program.feedback.push_back(arch::FeedbackOutput::make(found->second, from.component(), from.buffer(),
                                                            from.offset(), from.stream()));
  for (const arch::FeedbackOutput& output : program.feedback)
    if (output.offset() + 4 > program.feedback_stride[output.buffer()])
      invalid("an output is captured beyond decoration XfbStride {}",
              program.feedback_stride[output.buffer()]);
}

// Numbers vertex outputs: the position, varyings in the order of their locations, then the others.
void number_outputs(Ir& ir, const Interface& interface, isa::Program& program) {
  std::map<uint32_t, uint8_t> written;
  for (const Block& block : ir.blocks)
    for (uint32_t id : block.insts) {
      const Inst& inst = ir.insts[id];
      if (inst.output == 0xff) continue;
      for (uint32_t i = 0; i < inst.width; ++i)
        written[inst.output] |= static_cast<uint8_t>(1u << inst.channel[i]);
    }
  if (program.stage == arch::Stage::kCompute) return;
  if (program.stage == arch::Stage::kFragment) {
    for (const auto& [reg, mask] : written) fragment_output(program, reg, mask);
    program.second_source = interface.second_source && written.contains(1);
    return;
  }
  std::map<uint32_t, uint32_t> number = {{kOutPosition, 0}};
  uint32_t next = 1;
  program.clip_distances = interface.clip_distances;
  program.cull_distances = interface.cull_distances;
  for (const auto& [reg, mask] : written) {
    if (reg == kOutPosition) continue;
    if (next >= arch::kShaderOutputs) unsupported("writes more than {} outputs", arch::kShaderOutputs);
    number[reg] = next;
    if (reg < kOutPointSize)
      program.outputs.push_back({.location = reg - kOutVarying, .reg = next, .mask = mask});
    if (reg == kOutPointSize) program.point_size = next;
    if (reg == kOutLayer) program.layer = next;
    if (reg == kOutViewport) program.viewport_index = next;
    if (reg == kOutClip) program.clip_distance = next;
    if (reg == kOutPrimitiveId) program.primitive_id = next;
    ++next;
  }
  for (Inst& inst : ir.insts)
    if (!inst.dead && inst.output != 0xff) inst.output = static_cast<uint8_t>(number.at(inst.output));
  number_feedback(interface, number, program);
}

void set_flags(const Ir& ir, const Module& module, isa::Program& program) {
  if (module.early_tests) program.flags |= arch::kShaderEarlyTests;
  if (module.depth_not_less) program.flags |= arch::kShaderDepthNotLess;
  if (module.depth_not_greater) program.flags |= arch::kShaderDepthNotGreater;
  for (const Block& block : ir.blocks)
    for (uint32_t id : block.insts) switch (ir.insts[id].op) {
        case Opcode::kStb:
        case Opcode::kSti:
        case Opcode::kAtomic:
        case Opcode::kAtomicImage:
          program.flags |= arch::kShaderWritesMemory;
          break;
        case Opcode::kKill:
          program.flags |= arch::kShaderKills;
          break;
        case Opcode::kDdx:
        case Opcode::kDdy:
        case Opcode::kDdxCoarse:
        case Opcode::kDdyCoarse:
        case Opcode::kQuadRead:
        case Opcode::kQuadVote:
        case Opcode::kTex:
        case Opcode::kTxp:
        case Opcode::kTxb:
        case Opcode::kTxqlod:
          program.flags |= arch::kShaderDerivatives;
          break;
        default:
          break;
      }
}

// Numbers the slots that remain after dead code is removed.
void number_slots(Ir& ir, Interface& interface) {
  std::vector<bool> resources(interface.resources.size()), samplers(interface.samplers.size());
  auto each = [&](auto visit) {
    for (const Block& block : ir.blocks)
      for (uint32_t id : block.insts) {
        const isa::OpClass c = isa::info(ir.insts[id].op).op_class;
        if ((c == isa::OpClass::kTexture || c == isa::OpClass::kMemory) && isa::has_resource(ir.insts[id].op))
          visit(ir.insts[id]);
      }
  };
  auto samples = [](const Inst& inst) {
    return inst.op <= Opcode::kTxd || inst.op == Opcode::kTxg || inst.op == Opcode::kTxqlod;
  };
  each([&](Inst& inst) {
    resources[inst.access.resource] = true;
    if (samples(inst)) samplers[inst.access.sampler] = true;
  });
  auto compact = [](std::vector<isa::SlotBinding>& table, const std::vector<bool>& used) {
    std::vector<uint8_t> number(table.size());
    std::vector<isa::SlotBinding> kept;
    for (size_t i = 0; i < table.size(); ++i) {
      number[i] = static_cast<uint8_t>(kept.size());
      if (used[i]) kept.push_back(table[i]);
    }
    table = kept;
    return number;
  };
  const auto resource = compact(interface.resources, resources),
             sampler = compact(interface.samplers, samplers);
  each([&](Inst& inst) {
    inst.access.resource = resource[inst.access.resource];
    if (samples(inst)) inst.access.sampler = sampler[inst.access.sampler];
  });
}

isa::Program compile_module(const Request& request, const Module& module, const Pipeline& pipeline) {
  Translation translation(request, module);
  Translator(translation).run();
  Ir& ir = translation.builder.ir;
  Interface& interface = translation.interface;
  fuse_powers(ir);
  if (request.halves) contract_halves(ir);
  if (pipeline.optimized) optimize(ir);
  else eliminate_dead(ir), compact(ir);
  index_constants(ir, interface.resources, request.limits.indexed_constants(request.stage),
                  request.constant_budget);
  if (pipeline.gathered_loads > 1) gather_loads(ir, pipeline.gathered_loads);
  isa::Program program;
  program.stage = request.stage;
  program.modes = module.modes;
  program.patch = interface.patch;
  number_inputs(ir, interface, program);
  number_vertex_inputs(ir, interface, program);
  number_outputs(ir, interface, program);
  number_slots(ir, interface);
  set_flags(ir, module, program);
  if (request.halves && request.relaxed) keep_coordinates_whole(ir);
  lower_phis(ir);
  demote_uniforms(ir, request.constant_budget, interface.resources);
  if (request.halves) settle_halves(ir), fuse_half_rounding(ir), fuse_normalizing(ir);
  if (request.fog) fuse_fog(ir);
  legalize(ir);
  uint32_t scratch = interface.scratch_bytes;
  const std::vector<Location> places = place_values(ir, pipeline.live_lanes, program.temporaries, scratch);
  program.scratch_bytes = scratch;
  program.shared_bytes = interface.shared_bytes;
  program.local_size = module.local_size;
  Code code = emit(ir, places, request.constant_budget);
  program.code = std::move(code.code);
  program.source_of = std::move(code.source_of);
  program.literals = std::move(code.literals);
  program.constants = std::move(code.constants);
  program.resources = interface.resources;
  program.samplers = interface.samplers;
  const isa::ProgramNeeds needs = isa::needs_of(program.stage, program.code, program.temporaries);
  if (const std::string over = isa::exceeded(request.limits, program.stage, needs); !over.empty())
    unsupported("the chip has no {}", over);
  return program;
}

}  // namespace

isa::Program compile(const Request& request) {
  const Module module = load_module(request);
  if (request.loads.under_way < 2) return compile_module(request, module, {});
  isa::Program gathered = compile_module(request, module, {.gathered_loads = request.loads.under_way});
  if (gathered.temporaries <= request.loads.temporaries) return gathered;
  isa::Program plain = compile_module(request, module, {});
  return gathered.temporaries <= plain.temporaries ? gathered : plain;
}

isa::Program compile(const Request& request, const Pipeline& pipeline) {
  return compile_module(request, load_module(request), pipeline);
}

}  // namespace cutaway::compiler
