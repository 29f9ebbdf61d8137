#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "boxes/command_processor/command_processor.h"
#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "messages/testing/draws.h"
#include "messages/testing/memory_model.h"

// A command processor between mock neighbours.
namespace cutaway::boxes::testing {

using arch::Opcode;
using engine::Cycle;
using engine::testing::Sink;
using engine::testing::Source;
using messages::Control;

constexpr arch::Address kCommands = 0x10000, kProgram = 0x30000, kData = 0x40000;

// The pipeline ends a draw `latency` cycles after it came, in order, at every color unit.
class Pipeline final : public engine::Box {
 public:
  Pipeline(std::string path, unsigned units) : Box(std::move(path)), done_out(units) {}
  engine::In<messages::DrawCommand> draws_in;
  std::vector<engine::Out<messages::DrawDone>> done_out;
  engine::Out<messages::DrawAssembled> assembled_out;
  Cycle latency = 50;
  std::vector<std::pair<Cycle, messages::DrawCommand>> draws;
  std::vector<uint32_t> state_word;  // a word of each draw's state when the draw ends
  size_t ended = 0;

  Cycle tick(Cycle now) override {
    bool progress = false;
    if (draws_in.peek(now)) draws.emplace_back(now, draws_in.take(now)), progress = true;
    if (ended < draws.size() && draws[ended].first + latency <= now) {
      state_word.push_back(draws[ended].second.state->registers.raster.width);
      const uint32_t draw = draws[ended].second.origin.draw;
      for (auto& out : done_out) out.send(now, {draw});
      messages::DrawAssembled assembled{.draw = draw};
      assembled.counts[command_stream::Statistic::kInputVertices] = draws[ended].second.draw.count;
      assembled.counts[command_stream::Statistic::kInputPrimitives] = draws[ended].second.draw.count / 3;
      assembled_out.send(now, assembled);
      ended++;
      progress = true;
    }
    if (progress) return busy(now);
    return idle(now, ended < draws.size() ? draws[ended].first + latency : engine::kAsleep);
  }
  void list_ports(engine::PortList& list) override {
    list("draws_in", draws_in), list("done_out", done_out), list("assembled_out", assembled_out);
  }
  std::string why_busy() const override { return ended < draws.size() ? "draws" : ""; }
};

// The constant loader sends one block a cycle from a memory at hand.
class Loader final : public engine::Box {
 public:
  Loader(std::string path, arch::Memory& memory) : Box(std::move(path)), memory_(memory) {}
  engine::In<messages::LoadCommand> commands_in;
  engine::Out<messages::LoadedBlock> blocks_out;

  Cycle tick(Cycle now) override {
    const messages::LoadCommand* command = commands_in.peek(now);
    if (!command) return idle(now);
    if (!blocks_out.ready(now)) return blocked(now, blocks_out);
    messages::LoadedBlock block{.kind = command->kind,
                                .stage = command->stage,
                                .offset = command->offset + sent_,
                                .queue = command->queue};
    block.bytes = std::min(command->bytes - sent_, 64u);
    memory_.read(command->address + sent_, block.data.data(), block.bytes);
    sent_ += block.bytes;
    block.last = sent_ == command->bytes;
    if (block.last) commands_in.drop(now), sent_ = 0;
    blocks_out.send(now, block);
    return busy(now);
  }
  void list_ports(engine::PortList& list) override {
    list("commands_in", commands_in), list("blocks_out", blocks_out);
  }
  std::string why_busy() const override { return ""; }

 private:
  arch::Memory& memory_;
  uint32_t sent_ = 0;
};

// Answers every order after `latency` cycles.
template <class Order, class Done>
class Servant final : public engine::Box {
 public:
  explicit Servant(std::string path, Cycle latency_ = 20) : Box(std::move(path)), latency(latency_) {}
  engine::In<Order> in;
  engine::Out<Done> out;
  Cycle latency;
  std::vector<std::pair<Cycle, Order>> orders;

  Cycle tick(Cycle now) override {
    if (working_ && now >= until_ && out.ready(now)) {
      out.send(now, done_of(orders.back().second));
      working_ = false;
      return busy(now);
    }
    if (working_) return busy(now, until_);
    if (!in.peek(now)) return idle(now);
    orders.emplace_back(now, in.take(now));
    working_ = true;
    until_ = now + latency;
    return busy(now);
  }
  void list_ports(engine::PortList& list) override { list("in", in), list("out", out); }
  std::string why_busy() const override { return working_ ? "working" : ""; }

 private:
  static Done done_of(const Order& order) {
    if constexpr (std::is_same_v<Done, messages::PresentDone>) return {order.number};
    return {};
  }

  bool working_ = false;
  Cycle until_ = 0;
};

// The compute distributor ends each dispatch `latency` cycles after it came.
class Workgroups final : public engine::Box {
 public:
  explicit Workgroups(std::string path) : Box(std::move(path)) {}
  engine::In<messages::DispatchCommand> in;
  engine::Out<messages::DispatchDone> out;
  Cycle latency = 50;
  std::vector<std::pair<Cycle, messages::DispatchCommand>> seen;
  std::vector<Cycle> ends;

  Cycle tick(Cycle now) override {
    bool progress = false;
    if (ends.size() < seen.size() && seen[ends.size()].first + latency <= now && out.ready(now)) {
      out.send(now, {seen[ends.size()].second.number});
      ends.push_back(now);
      progress = true;
    }
    if (in.peek(now)) seen.emplace_back(now, in.take(now)), progress = true;
    if (progress) return busy(now);
    return idle(now, ends.size() < seen.size() ? seen[ends.size()].first + latency : engine::kAsleep);
  }
  void list_ports(engine::PortList& list) override { list("in", in), list("out", out); }
  std::string why_busy() const override { return ""; }
};

// Stream-out obeys each order and answers it three cycles later.
class Counters final : public engine::Box {
 public:
  explicit Counters(std::string path) : Box(std::move(path)) {}
  engine::In<messages::FeedbackOrder> in;
  engine::Out<messages::FeedbackFilled> out;
  std::vector<std::pair<Cycle, messages::FeedbackOrder>> seen;
  uint32_t filled[arch::kFeedbackBuffers] = {};

  Cycle tick(Cycle now) override {
    using Kind = messages::FeedbackOrder::Kind;
    if (answers_ && now == answers_) {
      out.send(now, {filled[seen.back().second.buffer]});
      answers_ = 0;
      return busy(now);
    }
    if (answers_ || !in.peek(now)) return idle(now, answers_ ? answers_ : engine::kAsleep);
    const messages::FeedbackOrder order = in.take(now);
    seen.emplace_back(now, order);
    if (order.kind == Kind::kSet) filled[order.buffer] = order.filled;
    if (order.kind == Kind::kEmptyAll) std::fill(std::begin(filled), std::end(filled), 0);
    else answers_ = now + 3;
    return busy(now);
  }
  void list_ports(engine::PortList& list) override { list("in", in), list("out", out); }
  std::string why_busy() const override { return ""; }

 private:
  Cycle answers_ = 0;
};

struct Bench {
  using Cache = Servant<Control, messages::ControlDone>;
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  messages::testing::MemoryModel& memory = sim.add<messages::testing::MemoryModel>(clock, "memory", 10);
  CommandProcessor& box;
  Pipeline& pipeline = sim.add<Pipeline>(clock, "pipeline", 2u);
  Loader& loader = sim.add<Loader>(clock, "loader", memory.memory);
  Servant<messages::CopyCommand, messages::CopyDone>& copies =
      sim.add<Servant<messages::CopyCommand, messages::CopyDone>>(clock, "copies");
  Servant<messages::PresentCommand, messages::PresentDone>& dac =
      sim.add<Servant<messages::PresentCommand, messages::PresentDone>>(clock, "dac");
  engine::testing::Sink<messages::Fence>& fences =
      sim.add<engine::testing::Sink<messages::Fence>>(clock, "fences");
  std::vector<Cache*> caches;
  using Binder = Servant<messages::BindContext, messages::BindContext>;
  Binder* binder = nullptr;                    // null: the machine has one context
  Workgroups* workgroups = nullptr;            // null: the machine does not compute
  Counters* counters = nullptr;                // null: it has no transform feedback
  Source<messages::Doorbell>* host = nullptr;  // null: it has no bus
  arch::CommandWriter commands;

  // The front ends after the first, which is the pipeline's. They take draws and assemble nothing.
  std::vector<engine::testing::Sink<messages::DrawCommand>*> others;

  explicit Bench(const CommandProcessorSpec& spec = {}, const structures::FrontEnds& front_ends = {},
                 const command_stream::ByStage<unsigned>& memories = {},
                 const command_stream::Abilities& abilities = {}, bool depth_holds_bounds = false,
                 std::vector<messages::Doorbell> doorbells = {}, Cycle first_doorbell = 1)
      : box(sim.add<CommandProcessor>(clock, "processor", spec, 2u, front_ends,
                                      command_stream::ByStage<unsigned>(4u), memories)) {
    box.abilities = abilities;
    box.host_link.tells_host = true;
    sim.connect(box.fences_out, fences.in, {1, 1, 2});
    box.host_link.has_bus = !doorbells.empty();
    if (box.host_link.has_bus) {
      host = &sim.add<Source<messages::Doorbell>>(clock, "host", std::move(doorbells), 1, first_doorbell);
      sim.connect(host->out, box.doorbells_in, {1, 1, 2});
    }
    if (spec.contexts > 1) {
      binder = &sim.add<Binder>(clock, "binder");
      sim.connect(box.bind_out, binder->in, {1, 1, 2});
      sim.connect(binder->out, box.bound_in, {1, 1, 2});
    }
    if (abilities.workgroup_invocations) {
      workgroups = &sim.add<Workgroups>(clock, "workgroups");
      sim.connect(box.dispatch_out, workgroups->in, {1, 1, 4});
      sim.connect(workgroups->out, box.dispatch_done, {1, 1, 2});
    }
    if (abilities.feedback) {
      counters = &sim.add<Counters>(clock, "counters");
      sim.connect(box.feedback_out, counters->in, {1, 1, 2});
      sim.connect(counters->out, box.filled_in, {1, 1, 2});
    }
    for (unsigned i = 1; i < front_ends.units; i++) {
      const std::string name = "front" + std::to_string(i);
      others.push_back(&sim.add<engine::testing::Sink<messages::DrawCommand>>(clock, name));
      auto& silent = sim.add<engine::testing::Source<messages::DrawAssembled>>(clock, name + "_assembled");
      sim.connect(box.draw_out[i], others.back()->in, {1, 1, 4});
      sim.connect(silent.out, box.assembled_in[i], {1, 1, 2});
    }
    for (const uint32_t held : {arch::kCacheDepth, arch::kCacheColor, arch::kCacheTexture})
      box.add_control(held, depth_holds_bounds && held == arch::kCacheDepth);
    sim.connect(box.memory_out, memory.requests, {1, 1, 4});
    sim.connect(memory.replies, box.memory_in, {1, 1, 4});
    sim.connect(box.loader_out, loader.commands_in, {1, 1, 4});
    sim.connect(loader.blocks_out, box.loader_in, {1, 1, 4});
    sim.connect(box.draw_out[0], pipeline.draws_in, {1, 1, 4});
    for (size_t i = 0; i < 2; i++) sim.connect(pipeline.done_out[i], box.draw_done[i], {1, 1, 2});
    sim.connect(pipeline.assembled_out, box.assembled_in[0], {1, 1, 2});
    sim.connect(box.copy_out, copies.in, {1, 1, 4});
    sim.connect(copies.out, box.copy_in, {1, 1, 2});
    sim.connect(box.present_out, dac.in, {1, 1, 2});
    sim.connect(dac.out, box.present_in, {1, 1, 2});
    for (auto& port : box.control) {
      caches.push_back(&sim.add<Cache>(clock, "cache" + std::to_string(caches.size())));
      sim.connect(port->out, caches.back()->in, {1, 1, 2});
      sim.connect(caches.back()->out, port->in, {1, 1, 2});
    }
    sim.elaborate();
    memory.memory.map(0, 1 << 19);
    state();
  }
  // Adds the packets that draws of a submission need.
  void state() {
    const auto plain = messages::testing::plain_state();
    set(plain->registers, plain->registers.vertex_out);
    program(arch::Stage::kVertex, "MOV o0, i0\nEND\n", kProgram);
  }
  // Sends a part of `registers`.
  template <class T>
  void set(const arch::Registers& registers, const T& part) {
    const auto first =
        (reinterpret_cast<const std::byte*>(&part) - reinterpret_cast<const std::byte*>(&registers)) / 4;
    commands.set_registers(static_cast<uint32_t>(first),
                           {reinterpret_cast<const uint32_t*>(&part), sizeof part / 4});
  }
  void program(arch::Stage stage, std::string_view text, arch::Address at, uint32_t temporaries = 1) {
    std::vector<isa::EncodedInstruction> words;
    for (const auto& instruction : isa::assemble(text)) words.push_back(isa::encode(instruction));
    memory.memory.write(at, words.data(), words.size() * sizeof words[0]);
    arch::Registers registers{};
    auto& shader = registers.shader[static_cast<uint32_t>(stage)];
    shader.program = at;
    shader.instructions = static_cast<uint32_t>(words.size());
    shader.temporaries = temporaries;
    set(registers, shader);
    commands.packet(Opcode::kLoadProgram, arch::LoadProgramPacket{static_cast<uint32_t>(stage)});
  }
  // Tells versions apart.
  void mark(uint32_t value) {
    arch::Registers registers{};
    registers.raster.width = value;
    set(registers, registers.raster.width);
  }
  void topology(arch::Topology topology) {
    arch::Registers registers{};
    registers.assembly.topology = static_cast<uint32_t>(topology);
    set(registers, registers.assembly.topology);
  }
  void present() {
    commands.packet(Opcode::kPresent,
                    messages::testing::surface(arch::Format::R8G8B8A8_UNORM, 64, 64, kData));
    presents_ = true;
  }
  void draw() { commands.packet(Opcode::kDraw, arch::DrawPacket{3, 1, 0, 0}); }

  void start() {
    const std::vector<uint32_t> words = commands.take();
    memory.memory.write(kCommands, words.data(), words.size() * 4);
    box.submit({.id = id,
                .commands = kCommands,
                .words = static_cast<uint32_t>(words.size()),
                .presents = presents_});
  }
  bool run(Cycle limit = 20000) {
    start();
    return sim.run_until([&] { return box.finished() || box.fault(); }, clock, limit) && !box.fault();
  }
  std::string fault() const { return box.fault() ? box.fault()->text : ""; }

  uint64_t id = 7;         // of the next submission
  bool presents_ = false;  // the submission that is being written
};

}  // namespace cutaway::boxes::testing
