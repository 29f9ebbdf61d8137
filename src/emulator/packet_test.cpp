#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "emulator/testing/outcome.h"
#include "scenes/illegal_scenes.h"

// Illegal packets stop the GPU with a text; random packets never crash the emulator.
namespace cutaway::emulator {
namespace {

using arch::Opcode;
using arch::Stage;
using scenes::Builder;
using scenes::Scene;
using ::testing::HasSubstr;

// The text of the fault that ends a scene; empty: no fault.
std::string fault_of(const Scene& scene, uint64_t step_limit = uint64_t{1} << 30) {
  const auto gpu = make_emulator({.step_limit = step_limit});
  scenes::play(scene, *gpu);
  arch::Fault fault;
  if (!gpu->fault(fault)) return {};
  EXPECT_EQ(fault.text.find('\n'), std::string::npos);
  EXPECT_GE(fault.submission, 1u);
  return fault.text;
}

void triangle(Builder& b) {
  b.program(Stage::kVertex, "MOV o0, i0\nEND\n");
  b.program(Stage::kFragment, "MOV o0, c0\nEND\n");
  b.vertices({-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1}, {4});
}

template <class Change>
std::string fault_with(Change&& change) {
  Builder b("illegal");
  triangle(b);
  change(b);
  b.draw(3);
  b.end_frame();
  return fault_of(b.take());
}

TEST(Packets, NamesIllegalPackets) {
  const auto state = [](auto&& change) { return fault_with([&](Builder& b) { change(b.registers); }); };
  EXPECT_EQ(state([](arch::Registers&) {}), "");
  EXPECT_THAT(state([](auto& r) { r.assembly.topology = 99; }), HasSubstr("DRAW: topology 99"));
  EXPECT_THAT(state([](auto& r) { r.assembly.attribute[0].binding = 77; }), HasSubstr("vertex attribute 0"));
  EXPECT_THAT(state([](auto& r) { r.assembly.attribute[3].format = 9999; }), HasSubstr("vertex attribute 3"));
  EXPECT_THAT(state([](auto& r) { r.vertex_out.interpolants = 33; }), HasSubstr("interpolants"));
  EXPECT_THAT(state([](auto& r) { r.vertex_out.point_size = 200; }), HasSubstr("vertex output"));
  EXPECT_THAT(state([](auto& r) { r.vertex_out.clip_distances = 9; }), HasSubstr("clip"));
  EXPECT_THAT(state([](auto& r) { r.raster.samples = 4; }), HasSubstr("samples"));
  EXPECT_THAT(state([](auto& r) { r.raster.width = 20000; }), HasSubstr("framebuffer"));
  EXPECT_THAT(state([](auto& r) { r.raster.height = 65; }), HasSubstr("color target 0: 64x64 is smaller"));
  EXPECT_THAT(state([](auto& r) { r.color.target[0].surface.address = 4; }), HasSubstr("multiple of 256"));
  EXPECT_THAT(state([](auto& r) { r.color.target[0].surface.format = 133; }), HasSubstr("BC1"));
  EXPECT_THAT(state([](auto& r) { r.color.target[0].surface.base_level = 7; }), HasSubstr("levels"));
  EXPECT_THAT(state([](auto& r) { r.color.target[0].surface.address = (1ull << 40) - 256; }),
              HasSubstr("beyond memory"));
  EXPECT_THAT(
      state([](auto& r) { r.color.target[1] = r.color.target[0], r.color.target[1].surface.type = 6; }),
      HasSubstr("color target 1"));
  EXPECT_THAT(state([](auto& r) { r.depth.surface = r.color.target[0].surface; }), HasSubstr("no depth"));
  EXPECT_THAT(state([](auto& r) { r.depth.depth_compare = 8; }), HasSubstr("comparison"));
  EXPECT_THAT(state([](auto& r) { r.shader[1].instructions = 1; }), HasSubstr("without patches"));
  const auto tessellation = [&](auto&& change) {
    return state([&](auto& r) {
      r.shader[1].instructions = r.shader[2].instructions = 1;
      r.assembly.topology = static_cast<uint32_t>(arch::Topology::kPatchList);
      r.tessellation.patch_vertices = r.tessellation.output_vertices = 3;
      change(r);
    });
  };
  EXPECT_THAT(tessellation([](auto& r) { r.shader[2].instructions = 0; }), HasSubstr("without the other"));
  EXPECT_THAT(tessellation([](auto&) {}), HasSubstr("no tessellation programs are loaded"));
  EXPECT_THAT(tessellation([](auto& r) { r.assembly.topology = 3; }), HasSubstr("without patches"));
  EXPECT_THAT(state([](auto& r) { r.assembly.topology = 10; }), HasSubstr("without tessellation programs"));
  EXPECT_THAT(tessellation([](auto& r) { r.tessellation.patch_vertices = 33; }), HasSubstr("33 vertices"));
  EXPECT_THAT(tessellation([](auto& r) { r.tessellation.output_vertices = 0; }), HasSubstr("0 are made"));
  EXPECT_THAT(tessellation([](auto& r) { r.tessellation.patch_bytes = 32784; }), HasSubstr("32784 bytes"));
  EXPECT_THAT(tessellation([](auto& r) { r.tessellation.domain = 3; }), HasSubstr("domain"));
  EXPECT_THAT(tessellation([](auto& r) { r.tessellation.spacing = 4; }), HasSubstr("spacing"));
  EXPECT_THAT(state([](auto& r) { r.shader[3].instructions = 1, r.geometry.output_topology = 3; }),
              HasSubstr("cannot have topology 3"));
  EXPECT_THAT(state([](auto& r) { r.shader[3].instructions = 1, r.geometry.max_vertices = 257; }),
              HasSubstr("emits 257 vertices"));
  EXPECT_THAT(state([](auto& r) { r.shader[3].instructions = 1, r.geometry.invocations = 33; }),
              HasSubstr("33 invocations"));
  EXPECT_THAT(state([](auto& r) { r.shader[3].instructions = 1, r.geometry.inputs.count = 41; }),
              HasSubstr("41 registers of each vertex"));
  EXPECT_THAT(state([](auto& r) {
                r.shader[3].instructions = 1, r.geometry.inputs.count = 2, r.geometry.inputs.source[1] = 40;
              }),
              HasSubstr("register 1 of each vertex"));
  EXPECT_THAT(state([](auto& r) { r.shader[3].instructions = 1; }),
              HasSubstr("no geometry program is loaded"));
  EXPECT_THAT(state([](auto& r) { r.raster.layers = 2; }), HasSubstr("fewer layers"));
  EXPECT_THAT(state([](auto& r) { r.vertex_out.layer = 40; }), HasSubstr("no such vertex output"));
  EXPECT_THAT(state([](auto& r) { r.primitive_id_output = 41; }), HasSubstr("no such vertex output"));

  const auto packet = [](Opcode opcode, std::vector<uint32_t> words) {
    return fault_with([&](Builder& b) { b.commands.words(opcode, words); });
  };
  EXPECT_THAT(packet(Opcode::kDispatch, {1, 1, 1, 0, 0, 0}), HasSubstr("DISPATCH: workgroups of 0x0x0"));
  EXPECT_THAT(packet(Opcode::kDispatch, {1, 1}), HasSubstr("payload of 2 words"));
  EXPECT_THAT(packet(static_cast<Opcode>(200), {}), HasSubstr("unknown header"));
  EXPECT_THAT(packet(Opcode::kSetRegisters, {arch::kRegisterWords, 1}), HasSubstr("registers"));
  EXPECT_THAT(packet(Opcode::kLoadConstants, {6, 0, 1, 0, 0}), HasSubstr("stage"));
  EXPECT_THAT(packet(Opcode::kLoadConstants, {0, 1023, 2, 0, 0}), HasSubstr("1024"));
  EXPECT_THAT(packet(Opcode::kLoadResources, {0, 0, 1, 8, 0}), HasSubstr("16"));
  EXPECT_THAT(packet(Opcode::kLoadProgram, {6}), HasSubstr("no such stage"));
  EXPECT_THAT(packet(Opcode::kFlush, {64}), HasSubstr("cache"));
  EXPECT_THAT(packet(Opcode::kWriteQuery, {11, 0, 0, 0}), HasSubstr("query"));
  EXPECT_THAT(packet(Opcode::kWaitValue, {0x100000, 0, 1, 5}), HasSubstr("waits for"));
  EXPECT_THAT(packet(Opcode::kWaitValue, {0x100004, 0, 0, 0}),
              HasSubstr("WAIT_VALUE: the address is no multiple"));
  EXPECT_THAT(packet(Opcode::kWriteValue, {0x100004, 0, 0, 0}),
              HasSubstr("WRITE_VALUE: the address is no multiple"));
  EXPECT_THAT(packet(Opcode::kFillBuffer, {1, 0, 4, 0, 0}), HasSubstr("FILL_BUFFER"));
}

TEST(Packets, SubmissionsSayWhetherTheyPresent) {
  Builder twice("twice");
  twice.commands.packet(Opcode::kPresent, twice.color_target());
  twice.end_frame();
  EXPECT_THAT(fault_of(twice.take()), HasSubstr("presents twice"));
  Builder silent("silent");
  silent.commands.packet(Opcode::kPresent, silent.color_target());
  silent.submit(false);
  EXPECT_THAT(fault_of(silent.take()), HasSubstr("was not to present"));
  Builder nothing("nothing");
  nothing.commands.packet(Opcode::kNop);
  nothing.submit(true);
  EXPECT_THAT(fault_of(nothing.take()), HasSubstr("does not"));
}

TEST(Packets, CallsNestFourDeep) {
  for (uint32_t depth = 1; depth <= 5; depth++) {
    EXPECT_EQ(fault_of(scenes::nested_calls(depth)),
              depth <= arch::kCallDepth ? "" : "CALL: calls nest deeper than 4");
  }
}

TEST(Packets, StopsEndlessSubmissions) {
  Builder loop("loop");
  triangle(loop);
  loop.program(Stage::kFragment, "LOOP\nNEXT\nENDLOOP\nEND\n");
  loop.draw(3);
  loop.end_frame();
  EXPECT_THAT(fault_of(loop.take(), 1 << 22), HasSubstr("does not end"));
  Builder self("self");
  const arch::Address address = self.allocate(4096);
  const uint32_t call[4] = {arch::packet_header(Opcode::kCall, 3), static_cast<uint32_t>(address), 0, 4};
  arch::CommandWriter writer;
  self.commands.packet(Opcode::kCopyBuffer,
                       arch::CopyBufferPacket{self.upload(std::as_bytes(std::span(call))), address, 16});
  self.commands.packet(Opcode::kCall, arch::CallPacket{address, 4});
  self.submit(false);
  EXPECT_THAT(fault_of(self.take()), HasSubstr("nest deeper"));
  Builder many("many");
  triangle(many);
  many.draw(~0u, ~0u);
  many.end_frame();
  EXPECT_THAT(fault_of(many.take(), 1 << 22), HasSubstr("does not end"));
  Builder unmapped("unmapped");
  unmapped.commands.packet(Opcode::kCall, arch::CallPacket{uint64_t{1} << 39, ~0u});
  unmapped.submit(false);
  EXPECT_THAT(fault_of(unmapped.take()), HasSubstr("not mapped"));
}

TEST(Packets, ProgramsAreNotTrusted) {
  const auto program = [](Stage stage, const char* text, uint32_t flags = 0) {
    return fault_with([&](Builder& b) { b.program(stage, text, flags); });
  };
  EXPECT_THAT(program(Stage::kVertex, "DDX o0, i0\nEND\n"), HasSubstr("cannot have DDX"));
  EXPECT_THAT(program(Stage::kVertex, "TEX o0, i0, t0, s0, 2D\nEND\n"), HasSubstr("cannot have TEX"));
  EXPECT_THAT(program(Stage::kVertex, "MOV o0, i16\nEND\n"), HasSubstr("input register i16"));
  EXPECT_THAT(program(Stage::kFragment, "MOV o9, i0\nEND\n"), HasSubstr("output register o9"));
  Builder b("bits");
  triangle(b);
  const std::vector<uint32_t> bits(16, 0xdeadbeef);
  b.registers.shader[0].program = b.upload(bits), b.registers.shader[0].instructions = 4;
  b.send_state();
  b.commands.packet(Opcode::kLoadProgram, arch::LoadProgramPacket{0});
  b.submit(false);
  EXPECT_THAT(fault_of(b.take()), HasSubstr("LOAD_PROGRAM: instruction 0"));
}

TEST(Packets, AGpuThatStoppedStaysStopped) {
  Builder b("stopped");
  b.commands.packet(Opcode::kDispatch, arch::DispatchPacket{{1, 1, 1}, {}});
  b.submit(false);
  const arch::Address there = b.allocate(8);
  b.commands.packet(Opcode::kWriteValue, arch::WriteValuePacket{there, 7});
  b.submit(false);
  const Scene scene = b.take();
  const auto gpu = make_emulator();
  scenes::play(scene, *gpu);
  arch::Fault fault;
  ASSERT_TRUE(gpu->fault(fault));
  EXPECT_EQ(fault.submission, 1u);
  EXPECT_EQ(gpu->memory(0).read_as<uint64_t>(there), 0u);
}

// Random words as commands are mostly stopped at once, so half of them begin like headers of real packets.
TEST(Packets, RandomWordsNeverCrash) {
  std::mt19937 random(1);
  int faults = 0;
  for (int round = 0; round < 3000; round++) {
    Builder b("random");
    triangle(b);
    for (int n = 0; n < 8; n++) {
      const auto opcode = static_cast<Opcode>(random() % 67);
      const arch::PayloadRange range = arch::payload_range(opcode);
      if (range.least > range.most) continue;
      std::vector<uint32_t> payload(std::min(range.least + static_cast<uint32_t>(random() % 4), range.most));
      for (uint32_t& word : payload) {
        word = random() >> random() % 32;
        if (random() % 3 == 0) word = 0x100000 + random() % 0x4000 * 16;
      }
      b.commands.words(opcode, payload);
    }
    b.submit(false);
    faults += fault_of(b.take(), 1 << 16) != "";
  }
  EXPECT_GT(faults, 1000);
}

// Real scenes with some words of their commands, programs or descriptors replaced.
TEST(Packets, DamagedScenesNeverCrash) {
  std::mt19937 random(2);
  const std::vector<Scene> all = scenes::all_scenes();
  for (int round = 0; round < 600; round++) {
    Scene scene = all[random() % all.size()];
    scenes::damage(scene, random);
    fault_of(scene, 1 << 21);
  }
}

// Registers read before they are written are zero in every group, whatever ran before.
TEST(Programs, RegistersStartAtZero) {
  const auto run = [](std::string_view fragment) {
    Builder b("registers", 64, 64);
    b.clear(1, 1, 1, 1);
    b.program(arch::Stage::kVertex, "MOV o0, i0\nMOV o1, i1\nEND\n");
    b.interpolants({1});
    b.vertices({-1, -1, 0, 1, 0.2f, 0.4f, 0.6f, 0.8f, 3, -1, 0, 1, 0.2f, 0.4f, 0.6f, 0.8f,  //
                -1, 3,  0, 1, 0.2f, 0.4f, 0.6f, 0.8f},
               {4, 4});
    for (const std::string_view text :
         {std::string_view("MOV r1, i0\nMOV r2, i0\nMOV o0, r1\nEND\n"), fragment}) {
      b.program(arch::Stage::kFragment, text);
      b.draw(3);
    }
    b.end_frame();
    const Outcome outcome(b.take());
    for (uint32_t y = 0; y < 64; y++)
      for (uint32_t x = 0; x < 64; x++) EXPECT_EQ(outcome.pixel(x, y), outcome.pixel(0, 0)) << x << ", " << y;
    return outcome.pixel(0, 0);
  };
  EXPECT_EQ(run("ADD r0, r1, i0\nMOV r1, i0\nMOV o0, r0\nEND\n"), 0xff996633u);
  EXPECT_EQ(run("MOV r1.xy, i0\nADD r0, r1.xwyz, i0\nMOV r1, i0\nMOV o0, r0\nEND\n"), 0xffff6666u);
  EXPECT_EQ(run("MOV o0.xw, i0\nEND\n"), 0xff000033u);
  EXPECT_EQ(run("IF i0.x\nMOV o0, i0\nELSE\nMOV o0.x, i0\nENDIF\nEND\n"), 0xff996633u);
}

}  // namespace
}  // namespace cutaway::emulator
