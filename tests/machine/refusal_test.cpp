// Tests that emulator and machine reject the same illegal packets with the same texts.
#include <cstdlib>
#include <random>

#include "emulator/emulator.h"
#include "gpu_run.h"
#include "scenes/illegal_scenes.h"

namespace cutaway::refusal_test {
namespace {

using arch::Opcode;
using arch::Stage;
using scenes::Builder;
using scenes::Event;
using scenes::Scene;

// "submission, address: text", or nothing. Values of queries go the way that a replay takes them.
std::string on_emulator(const Scene& scene, std::vector<messages::QueryValue>& queries) {
  const auto gpu = emulator::make_emulator({.on_query =
                                                [&](uint64_t submission, arch::Address at, uint64_t value) {
                                                  queries.push_back({submission, at, value});
                                                },
                                            .step_limit = 1 << 20});
  scenes::play(scene, *gpu);
  arch::Fault fault;
  return gpu->fault(fault) ? fmt::format("{}, {:#x}: {}", fault.submission, fault.address, fault.text) : "";
}

std::string on_machine(const Scene& scene, const std::vector<messages::QueryValue>& queries) {
  machine::Machine gpu({}, arch::Memory(), {.query_values = queries});
  scenes::play(scene, gpu);
  arch::Fault fault;
  return gpu.fault(fault) ? fmt::format("{}, {:#x}: {}", fault.submission, fault.address, fault.text) : "";
}

// The fault of both, or what they say each.
std::string fault_of(const Scene& scene) {
  std::vector<messages::QueryValue> queries;
  const std::string first = on_emulator(scene, queries), second = on_machine(scene, queries);
  EXPECT_EQ(first, second) << scene.name;
  return first;
}

void triangle(Builder& b) {
  b.program(Stage::kVertex, "MOV o0, i0\nEND\n");
  b.program(Stage::kFragment, "MOV o0, c0\nEND\n");
  b.vertices({-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1}, {4});
}

// A draw, what `change` adds, and another draw with a present.
template <class Change>
std::string fault_with(Change&& change) {
  Builder b("illegal");
  triangle(b);
  b.draw(3);
  change(b);
  b.draw(3);
  b.end_frame();
  return fault_of(b.take());
}

bool has(const std::string& text, const char* part) { return text.find(part) != text.npos; }

TEST(Refusal, OfHeaders) {
  const auto words = [](std::vector<uint32_t> list) {
    return fault_with([&](Builder& b) {
      const arch::Address at = b.upload(list);
      b.commands.packet(Opcode::kCall, arch::CallPacket{at, static_cast<uint32_t>(list.size())});
    });
  };
  EXPECT_EQ(words({0}), "");
  EXPECT_TRUE(has(words({0x00010000}), ": packet: unknown header 00010000"));  // reserved bits
  EXPECT_TRUE(has(words({0xc8000000}), ": packet: unknown header"));
  EXPECT_TRUE(has(words({0, 0x14000002, 1, 1}), ": DISPATCH: a payload of 2 words"));
  EXPECT_TRUE(has(words({0x00000002, 1}), ": NOP: the packet reaches beyond the end"));
}

TEST(Refusal, OfPackets) {
  const auto packet = [](Opcode opcode, std::vector<uint32_t> words) {
    return fault_with([&](Builder& b) { b.commands.words(opcode, words); });
  };
  EXPECT_TRUE(has(packet(Opcode::kFlush, {64}), "FLUSH: unknown cache"));
  EXPECT_TRUE(has(packet(Opcode::kInvalidate, {1u << 31}), "INVALIDATE: unknown cache"));
  EXPECT_TRUE(has(packet(Opcode::kCall, {0x100002, 0, 1}), "CALL: no address"));
  EXPECT_TRUE(has(packet(Opcode::kCall, {0, 1u << 9, 1}), "CALL: no address"));
  EXPECT_TRUE(has(packet(Opcode::kCall, {0, 1u << 6, 1}), "packet: the commands lie in memory"));
  EXPECT_TRUE(has(packet(Opcode::kSetRegisters, {arch::kRegisterWords, 1}), "registers"));
  EXPECT_TRUE(has(packet(Opcode::kLoadConstants, {6, 0, 1, 0, 0}), "stage"));
  EXPECT_TRUE(has(packet(Opcode::kLoadConstants, {0, 1023, 2, 0, 0}), "1024"));
  EXPECT_TRUE(has(packet(Opcode::kLoadResources, {0, 0, 1, 8, 0}), "16"));
  EXPECT_TRUE(has(packet(Opcode::kLoadProgram, {6}), "no such stage"));
  EXPECT_TRUE(has(packet(Opcode::kWriteQuery, {11, 0, 0, 0}), "query"));
  EXPECT_TRUE(has(packet(Opcode::kWaitValue, {0x100000, 0, 1, 5}), "waits for"));
  EXPECT_TRUE(has(packet(Opcode::kWaitValue, {0x100004, 0, 0, 0}), "WAIT_VALUE: the address"));
  EXPECT_TRUE(has(packet(Opcode::kWriteValue, {0x100004, 0, 0, 0}), "WRITE_VALUE: the address"));
  EXPECT_TRUE(has(packet(Opcode::kFillBuffer, {1, 0, 4, 0, 0}), "FILL_BUFFER"));
  EXPECT_TRUE(has(packet(Opcode::kCopyBuffer, {0, 0, 32, 0, 64, 0}), "overlap"));
  EXPECT_TRUE(has(packet(Opcode::kClear, std::vector<uint32_t>(25)), "CLEAR: format"));
  EXPECT_TRUE(has(packet(Opcode::kPredicate, {2, 0, 0}), "PREDICATE"));
  EXPECT_TRUE(has(packet(Opcode::kDrawIndirect, {2, 0, 1, 0, 0, 0}), "DRAW_INDIRECT"));
  EXPECT_TRUE(has(packet(Opcode::kDispatchIndirect, {2, 0}), "DISPATCH_INDIRECT"));
  EXPECT_TRUE(has(packet(Opcode::kLoadFeedback, {4, 0, 0}), "LOAD_FEEDBACK"));
}

TEST(Refusal, OfDraws) {
  const auto state = [](auto&& change) { return fault_with([&](Builder& b) { change(b.registers); }); };
  EXPECT_TRUE(has(state([](auto& r) { r.assembly.topology = 99; }), "DRAW: topology 99"));
  EXPECT_TRUE(has(state([](auto& r) { r.raster.samples = 4; }), "samples"));
  EXPECT_TRUE(has(state([](auto& r) { r.color.target[0].surface.address = 4; }), "multiple of 256"));
  EXPECT_TRUE(has(state([](auto& r) { r.depth.depth_compare = 8; }), "comparison"));
  Builder b("no program");
  b.draw(3);
  b.end_frame();
  EXPECT_TRUE(has(fault_of(b.take()), "DRAW: there is no vertex program"));
}

TEST(Refusal, OfPresents) {
  Builder twice("twice");
  twice.commands.packet(Opcode::kPresent, twice.color_target());
  twice.end_frame();
  EXPECT_TRUE(has(fault_of(twice.take()), "PRESENT: the submission presents twice"));
  Builder silent("silent");
  silent.commands.packet(Opcode::kPresent, silent.color_target());
  silent.submit(false);
  EXPECT_TRUE(has(fault_of(silent.take()), "was not to present"));
  Builder nothing("nothing");
  nothing.commands.packet(Opcode::kNop);
  nothing.submit(true);
  EXPECT_TRUE(has(fault_of(nothing.take()), "does not"));
  Builder depth("depth");
  arch::Surface surface = depth.color_target();
  surface.format = static_cast<uint32_t>(arch::Format::R8G8B8A8_UINT);
  depth.commands.packet(Opcode::kPresent, surface);
  depth.submit(true);
  EXPECT_TRUE(has(fault_of(depth.take()), "PRESENT: "));
}

// A CALL at the end of its commands counts like any other.
TEST(Refusal, OfCallsThatNestTooDeep) {
  for (uint32_t depth = 1; depth <= 5; depth++) {
    EXPECT_EQ(has(fault_of(scenes::nested_calls(depth)), "CALL: calls nest deeper than 4"),
              depth > arch::kCallDepth);
  }
}

// The packet that loaded it is at fault, however long the load takes and whatever follows.
TEST(Refusal, OfPrograms) {
  const auto program = [](Stage stage, const char* text) {
    return fault_with([&](Builder& b) { b.program(stage, text); });
  };
  EXPECT_TRUE(has(program(Stage::kVertex, "DDX o0, i0\nEND\n"), "LOAD_PROGRAM: instruction 0"));
  EXPECT_TRUE(has(program(Stage::kFragment, "MOV o9, i0\nEND\n"), "output register o9"));
  const std::string endless = fault_with([](Builder& b) {
    b.registers.raster.scissor[0] = {0, 0, 2, 2};  // one quad runs it to its limit
    b.program(Stage::kFragment, "LOOP\nNEXT\nENDLOOP\nMOV o0, c0\nEND\n");
  });
  EXPECT_TRUE(has(endless, "DRAW: a shader program does not end")) << endless;
  const std::string fault = fault_with([](Builder& b) {
    b.program(Stage::kVertex, "DDX o0, i0\nEND\n");
    b.send_state();
    b.commands.words(Opcode::kFlush, std::vector<uint32_t>{64});
  });
  EXPECT_TRUE(has(fault, "LOAD_PROGRAM: instruction 0")) << fault;
}

TEST(Refusal, OfCommandsThatAreNotAligned) {
  Builder b("misaligned");
  b.commands.packet(Opcode::kNop);
  b.submit(false);
  Scene scene = b.take();
  for (Event& event : scene.events)
    if (event.kind == Event::Kind::kSubmit) event.submission.commands += 2;
  EXPECT_TRUE(has(fault_of(scene), "packet: the address of the commands is no multiple of 4"));
}

// The emulator stops some scenes for their number of steps, others ask for what the machine would not
// receive. The machine takes a minute to give up a screen of endless programs: CUTAWAY_DAMAGED_SCENES=all
// compares these too.
TEST(Refusal, OfDamagedScenes) {
  const bool endless_too = std::getenv("CUTAWAY_DAMAGED_SCENES");
  std::mt19937 random(3);
  const std::vector<Scene> all = scenes::all_scenes();
  int faults = 0, compared = 0;
  for (int round = 0; round < 300; round++) {
    Scene scene = all[random() % all.size()];
    scenes::damage(scene, random);
    scene.name += fmt::format(", round {}", round);
    if (!runs(scene, {})) continue;
    std::vector<messages::QueryValue> queries;
    const std::string first = on_emulator(scene, queries);
    if (has(first, "too many steps") || (has(first, "program does not end") && !endless_too)) continue;
    compared++;
    const std::string second = on_machine(scene, queries);
    // Rejected only by a clocked machine.
    if (has(second, "not clocked yet") || has(second, "this GPU has no ") ||
        has(second, "instruction memory"))
      continue;
    EXPECT_EQ(first, second) << scene.name;
    faults += !first.empty();
  }
  EXPECT_GT(faults, 60);
  EXPECT_GT(compared, 200);
}

}  // namespace
}  // namespace cutaway::refusal_test
