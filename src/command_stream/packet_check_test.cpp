#include "command_stream/packet_check.h"

#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vector>

#include "command_stream/clocked.h"

namespace cutaway::command_stream {
namespace {

using arch::Opcode;
using ::testing::HasSubstr;

std::string header(uint32_t word, uint64_t words_left = 100, bool mapped = true) {
  return PacketCheck().header_error(word, words_left, mapped);
}

TEST(PacketCheck, Headers) {
  EXPECT_EQ(header(arch::packet_header(Opcode::kNop, 100)), "");
  EXPECT_THAT(header(arch::packet_header(Opcode::kNop, 101)), HasSubstr("beyond the end"));
  EXPECT_THAT(header(0, 100, false), HasSubstr("not mapped"));
  for (uint32_t bit = 16; bit < 24; bit++) EXPECT_THAT(header(1u << bit), HasSubstr("unknown header"));
  EXPECT_THAT(header(7u << 24), HasSubstr("unknown header"));
  EXPECT_THAT(header(arch::packet_header(Opcode::kFlush, 2)), HasSubstr("payload of 2 words"));
}

// Words, loads, draws and copies add up over the packets of a submission.
TEST(PacketCheck, WorkAddsUp) {
  WorkLimits limits;
  limits.words = 5;
  PacketCheck words({}, limits);
  EXPECT_EQ(words.header_error(arch::packet_header(Opcode::kNop, 3), 9, true), "");
  EXPECT_EQ(words.header_error(arch::packet_header(Opcode::kNop, 0), 9, true), "");
  EXPECT_THAT(words.header_error(arch::packet_header(Opcode::kNop, 0), 9, true), HasSubstr("does not end"));

  limits = {};
  limits.copied_bytes = 100;
  PacketCheck copies({}, limits);
  const uint32_t fill[] = {0x1000, 0, 64, 0, 7};
  EXPECT_EQ(copies.packet_error(Opcode::kFillBuffer, fill, {}, 0), "");
  EXPECT_THAT(copies.packet_error(Opcode::kFillBuffer, fill, {}, 0), HasSubstr("copied"));
}

TEST(PacketCheck, ComputeQueueDrawsNothing) {
  PacketCheck check({.queue = arch::QueueKind::kCompute}, {});
  const auto error = [&](Opcode opcode, std::vector<uint32_t> payload) {
    return check.packet_error(opcode, payload, {}, 0);
  };
  for (const Opcode opcode : {Opcode::kDraw, Opcode::kDrawIndexed})
    EXPECT_THAT(error(opcode, {3, 1, 0, 0, 0}), HasSubstr("not in the compute queue"));
  EXPECT_THAT(error(Opcode::kLoadFeedback, {0, 0, 0}), HasSubstr("not in the compute queue"));
  EXPECT_THAT(error(Opcode::kPresent, std::vector<uint32_t>(16)), HasSubstr("not in the compute queue"));
  EXPECT_EQ(error(Opcode::kDispatch, {1, 1, 1, 0, 0, 0}), "");
  EXPECT_EQ(error(Opcode::kFillBuffer, {0x1000, 0, 64, 0, 7}), "");

  std::vector<uint32_t> clear(sizeof(arch::ClearPacket) / 4);
  arch::ClearPacket packet{};
  packet.surface.format = static_cast<uint32_t>(arch::Format::D32_SFLOAT);
  std::memcpy(clear.data(), &packet, sizeof packet);
  EXPECT_THAT(error(Opcode::kClear, clear), HasSubstr("not in the compute queue"));
  packet.surface.format = static_cast<uint32_t>(arch::Format::R8G8B8A8_UNORM);
  std::memcpy(clear.data(), &packet, sizeof packet);
  EXPECT_THAT(error(Opcode::kClear, clear), ::testing::Not(HasSubstr("not in the compute queue")));
}

TEST(PacketCheck, PresentsOnceAndOnlyIfSaid) {
  arch::Surface surface{};
  surface.format = static_cast<uint32_t>(arch::Format::R8G8B8A8_UNORM);
  surface.type = arch::Surface::make_type(arch::SurfaceType::k2D, arch::Tiling::kTiled);
  surface.width = surface.height = 8, surface.depth = surface.levels = surface.layers = 1;
  surface.level_count = surface.layer_count = 1;
  surface.swizzle = arch::kSwizzleIdentity;
  const std::span<const uint32_t> payload(reinterpret_cast<const uint32_t*>(&surface), sizeof surface / 4);
  PacketCheck shows({.presents = true}, {});
  EXPECT_THAT(shows.end_error(), HasSubstr("does not"));
  EXPECT_EQ(shows.packet_error(Opcode::kPresent, payload, {}, 0), "");
  EXPECT_EQ(shows.end_error(), "");
  EXPECT_THAT(shows.packet_error(Opcode::kPresent, payload, {}, 0), HasSubstr("twice"));
  PacketCheck silent({}, {});
  EXPECT_EQ(silent.end_error(), "");
  EXPECT_THAT(silent.packet_error(Opcode::kPresent, payload, {}, 0), HasSubstr("was not to present"));
}

arch::ClearPacket clear_packet() {
  arch::ClearPacket packet{};
  arch::Surface& surface = packet.surface;
  surface.format = static_cast<uint32_t>(arch::Format::D24_UNORM_S8_UINT);
  surface.type = arch::Surface::make_type(arch::SurfaceType::k2D, arch::Tiling::kTiled);
  surface.width = 60, surface.height = 44, surface.depth = 1, surface.levels = 2, surface.layers = 3;
  surface.level_count = surface.layer_count = 1;
  packet.width = 60, packet.height = 44;
  return packet;
}

TEST(PacketCheck, ClearsAreOfWholeTiles) {
  const auto error = [](auto&& change) {
    arch::ClearPacket packet = clear_packet();
    change(packet);
    const std::span<const uint32_t> payload(reinterpret_cast<const uint32_t*>(&packet), sizeof packet / 4);
    return PacketCheck().packet_error(Opcode::kClear, payload, {}, 0);
  };
  EXPECT_EQ(error([](auto&) {}), "");
  EXPECT_EQ(error([](auto& p) { p.x = 8, p.width = 16, p.y = 40, p.height = 4; }), "");
  EXPECT_EQ(error([](auto& p) { p.surface.base_level = 1, p.width = 30, p.height = 22; }), "");
  EXPECT_EQ(error([](auto& p) { p.surface.base_layer = 1, p.surface.layer_count = 2; }), "");
  for (const auto& odd : {std::array<uint32_t, 4>{4, 0, 56, 44},
                          {0, 0, 59, 44},
                          {0, 0, 61, 44},
                          {8, 0, 60, 44},
                          {0, 0, 0, 44},
                          {0, 42, 60, 2},
                          {0, 0, 60, 42},
                          {0xfffffff8, 0, 16, 44}})
    EXPECT_THAT(error([&](auto& p) { p.x = odd[0], p.y = odd[1], p.width = odd[2], p.height = odd[3]; }),
                HasSubstr("whole tiles"));
  EXPECT_THAT(error([](auto& p) { p.surface.base_level = 1; }), HasSubstr("whole tiles"));
  EXPECT_THAT(error([](auto& p) { p.aspect = 3; }), HasSubstr("unknown aspect"));
  EXPECT_THAT(error([](auto& p) { p.surface.address = 64; }), HasSubstr("multiple"));
  EXPECT_THAT(error([](auto& p) { p.surface.layer_count = 4; }), HasSubstr("layers"));
  EXPECT_THAT(error([](auto& p) { p.surface.type &= 0xff; }), HasSubstr("not tiled"));
  const auto of = [&](arch::Format format, uint32_t aspect) {
    return error([&](auto& p) { p.surface.format = static_cast<uint32_t>(format), p.aspect = aspect; });
  };
  EXPECT_THAT(of(arch::Format::BC1_RGB_UNORM_BLOCK, 0), HasSubstr("cannot be drawn to"));
  EXPECT_THAT(of(arch::Format::R8G8B8A8_UNORM, 1), HasSubstr("aspect"));
  EXPECT_THAT(of(arch::Format::D16_UNORM, 2), HasSubstr("aspect"));
  EXPECT_THAT(of(arch::Format::S8_UINT, 1), HasSubstr("aspect"));
  EXPECT_EQ(of(arch::Format::S8_UINT, 2), "");
}

TEST(PacketCheck, ClearsCountAsCopies) {
  WorkLimits limits;
  limits.copied_bytes = 60 * 44 * 16;
  PacketCheck check({}, limits);
  const arch::ClearPacket packet = clear_packet();
  const std::span<const uint32_t> payload(reinterpret_cast<const uint32_t*>(&packet), sizeof packet / 4);
  EXPECT_EQ(check.packet_error(Opcode::kClear, payload, {}, 0), "");
  EXPECT_THAT(check.packet_error(Opcode::kClear, payload, {}, 0), HasSubstr("copied"));
}

TEST(PacketCheck, CallsNestAsDeepAsDeclared) {
  const uint32_t call[] = {0x1000, 0, 4}, odd[] = {0x1002, 0, 4};
  PacketCheck check;
  EXPECT_EQ(check.packet_error(Opcode::kCall, call, {}, arch::kCallDepth - 1), "");
  EXPECT_THAT(check.packet_error(Opcode::kCall, call, {}, arch::kCallDepth), HasSubstr("nest deeper"));
  EXPECT_THAT(check.packet_error(Opcode::kCall, odd, {}, 0), HasSubstr("no address"));
}

TEST(PacketCheck, SetRegistersWritesFromTheFirstOn) {
  arch::Registers registers{};
  const uint32_t words[] = {CUTAWAY_REGISTER(raster.width), 320, 240};
  ASSERT_EQ(PacketCheck().packet_error(Opcode::kSetRegisters, words, registers, 0), "");
  set_registers(words, registers);
  EXPECT_EQ(registers.raster.width, 320u);
  EXPECT_EQ(registers.raster.height, 240u);
  const uint32_t last[] = {arch::kRegisterWords - 1, 1}, beyond[] = {arch::kRegisterWords - 1, 1, 2};
  EXPECT_EQ(PacketCheck().packet_error(Opcode::kSetRegisters, last, registers, 0), "");
  EXPECT_THAT(PacketCheck().packet_error(Opcode::kSetRegisters, beyond, registers, 0),
              HasSubstr("registers"));
}

TEST(Predicate, TakesPlaceAsTheValueSays) {
  EXPECT_TRUE(predicate_holds({.inverted = 0}, 5));
  EXPECT_FALSE(predicate_holds({.inverted = 0}, 0));
  EXPECT_FALSE(predicate_holds({.inverted = 1}, 5));
  EXPECT_TRUE(predicate_holds({.inverted = 1}, 0));
}

TEST(Clocked, NamesWhatIsNot) {
  const Abilities none{.gpu = "chip"};
  arch::Registers registers{};
  EXPECT_EQ(unclocked(none, Opcode::kDraw, registers), "");
  EXPECT_EQ(unclocked(none, Opcode::kDispatch, registers), "chip has no compute programs");
  EXPECT_EQ(unclocked({}, Opcode::kDispatchIndirect, registers), "this GPU has no compute programs");
  for (const Opcode feedback : {Opcode::kLoadFeedback, Opcode::kStoreFeedback, Opcode::kDrawByteCount}) {
    EXPECT_EQ(unclocked(none, feedback, registers), "chip has no transform feedback");
    EXPECT_EQ(unclocked({.feedback = true}, feedback, registers), "");
  }
  registers.feedback.on = 1;
  EXPECT_EQ(unclocked(none, Opcode::kDraw, registers), "chip has no transform feedback");
  EXPECT_EQ(unclocked({.feedback = true}, Opcode::kDraw, registers), "");
  EXPECT_EQ(unclocked(none, Opcode::kFlush, registers), "");
  auto& shader = registers.shader[static_cast<uint32_t>(arch::Stage::kFragment)];
  shader.instructions = 1, shader.flags = arch::kShaderWritesMemory;
  EXPECT_EQ(unclocked(none, Opcode::kDrawIndexed, registers),
            "chip has no fragment programs that store to buffers or images");
  registers.feedback.on = 0;
  EXPECT_EQ(unclocked({.stores = {arch::Stage::kFragment}}, Opcode::kDrawIndexed, registers), "");
  EXPECT_NE(unclocked({.stores = {arch::Stage::kVertex}}, Opcode::kDrawIndexed, registers), "");
}

TEST(Clocked, NamesFormatsOfTargets) {
  using arch::Format;
  Abilities chip{.gpu = "chip"};
  arch::Registers registers{};
  auto& target = registers.color.target[3];
  target.surface.format = static_cast<uint32_t>(Format::R16_UNORM);
  registers.depth.surface.format = static_cast<uint32_t>(Format::D32_SFLOAT);
  chip.formats.target = chip.formats.blend = {};
  EXPECT_EQ(unclocked(chip, Opcode::kDraw, registers), "");  // neither is a target
  target.write_mask = 1, target.blend = 1;
  EXPECT_EQ(unclocked(chip, Opcode::kDraw, registers), "chip has no color targets of R16_UNORM");
  EXPECT_EQ(unclocked({}, Opcode::kDraw, registers), "");
  EXPECT_EQ(unclocked(chip, Opcode::kClear, registers), "");
  chip.formats.target.add(Format::R16_UNORM);
  EXPECT_EQ(unclocked(chip, Opcode::kDraw, registers), "chip has no blending in targets of R16_UNORM");
  target.blend = 0, registers.depth.stencil_test = 1;
  EXPECT_EQ(unclocked(chip, Opcode::kDraw, registers), "chip has no depth targets of D32_SFLOAT");
  target.surface.format = 100000;  // illegal
  registers.depth.surface.format = 0;
  EXPECT_EQ(unclocked(chip, Opcode::kDraw, registers), "");
}

TEST(Clocked, NamesLimitsOfDrawsAndPrograms) {
  Abilities chip{.gpu = "chip"};
  chip.programs = {.color_targets = 4, .varyings = 2, .vertex_textures = 1, .vertex_temporaries = 8};
  arch::Registers registers{};
  registers.color.target[3].write_mask = 1;
  EXPECT_EQ(unclocked(chip, Opcode::kDraw, registers), "");
  registers.color.target[4].write_mask = 1;
  EXPECT_EQ(unclocked(chip, Opcode::kDraw, registers),
            "chip has no color target 5, but up to 4 (programs.color_targets)");

  // The decoded program and its registers are judged alike.
  const auto lack = [&](arch::Stage stage, std::string_view text, uint32_t temporaries) {
    std::vector<isa::EncodedInstruction> words;
    for (const isa::Instruction& instruction : isa::assemble(text)) words.push_back(isa::encode(instruction));
    arch::Memory memory;
    memory.map(0, 1 << 16);
    memory.write(0, words.data(), words.size() * sizeof words[0]);
    arch::ShaderRegisters& shader = registers.shader[static_cast<uint32_t>(stage)];
    shader.instructions = static_cast<uint32_t>(words.size()), shader.temporaries = temporaries;
    std::string error;
    const std::string by_registers = unclocked(chip, registers, stage, memory);
    const auto program = make_program(stage, std::move(words), temporaries, 0, 4, error);
    EXPECT_EQ(error, "");
    EXPECT_EQ(by_registers, program ? unclocked(chip, *program) : error);
    return by_registers;
  };
  using enum arch::Stage;
  constexpr const char* kTwo = "TEX r0, i0, t1, s0, 2D\nTEX r1, i1, t2, s0, 2D\nADD o0, r0, r1\nEND\n";
  EXPECT_EQ(lack(kFragment, kTwo, 9), "");
  EXPECT_EQ(lack(kFragment, "ADD r0, i0, i1\nADD o0, r0, i7\nEND\n", 1),
            "chip has no fragment programs of 3 interpolated attributes, but of up to 2 (programs.varyings)");
  EXPECT_EQ(lack(kVertex, "ADD r0, i0, i1\nADD o0, r0, i7\nEND\n", 8), "");
  EXPECT_EQ(lack(kVertex, "ADD r0, i0, i1\nADD o0, r0, i7\nEND\n", 9),
            "chip has no vertex programs of 9 temporaries, but of up to 8 (programs.vertex_temporaries)");
  EXPECT_EQ(lack(kVertex, "TXL r0, c0, c0, t1, s0, 2D\nTXL o0, r0, c0, t2, s0, 2D\nEND\n", 1),
            "chip has no vertex programs of 2 textures, but of up to 1 (programs.vertex_textures)");
}

TEST(Clocked, NamesSizesOfImages) {
  using arch::SurfaceType;
  Abilities chip{.gpu = "chip"};
  chip.images = {.size = 4096, .cube_size = 8192, .volume_size = 512};
  const auto read = [&](SurfaceType type, uint32_t width, uint32_t height, uint32_t depth) {
    arch::Surface surface{};
    surface.format = static_cast<uint32_t>(arch::Format::R8_UNORM);
    surface.type = arch::Surface::make_type(type, arch::Tiling::kTiled);
    surface.width = width, surface.height = height, surface.depth = depth;
    const TextureRead one{0, 0, false};
    const arch::Sampler sampler{};
    return unclocked(chip, arch::Stage::kFragment, {&one, 1}, {&surface, 1}, {&sampler, 1});
  };
  EXPECT_EQ(read(SurfaceType::k2D, 4096, 4096, 1), "");
  EXPECT_EQ(read(SurfaceType::k2D, 1, 4097, 1),
            "chip has no textures of 4097 texels a side, but of up to 4096");
  EXPECT_EQ(read(SurfaceType::k1D, 8192, 1, 1),
            "chip has no textures of 8192 texels a side, but of up to 4096");
  EXPECT_EQ(read(SurfaceType::kCube, 8192, 8192, 1), "");
  EXPECT_EQ(read(SurfaceType::kCube, 16384, 16384, 1),
            "chip has no cubes of 16384 texels a side, but of up to 8192");
  EXPECT_EQ(read(SurfaceType::k3D, 2, 2, 513), "chip has no volumes of 513 texels a side, but of up to 512");
  EXPECT_EQ(read(SurfaceType::kTexelBuffer, 100000, 1, 1), "");
  EXPECT_EQ(read(SurfaceType::k2D, 100000, 1, 1), "");  // illegal
  arch::Registers registers{};
  auto& target = registers.color.target[1];
  target.surface.format = static_cast<uint32_t>(arch::Format::R8_UNORM);
  target.surface.width = 4100, target.surface.height = 8, target.write_mask = 1;
  EXPECT_EQ(unclocked(chip, Opcode::kDraw, registers),
            "chip has no targets of 4100 texels a side, but of up to 4096");
  target.write_mask = 0;
  EXPECT_EQ(unclocked(chip, Opcode::kDraw, registers), "");
}

TEST(Clocked, NamesFormatsOfTextures) {
  using arch::Format;
  using arch::Stage;
  Abilities chip{.gpu = "chip"};
  arch::Surface surface{};
  surface.format = static_cast<uint32_t>(Format::R32_SFLOAT);
  surface.type = arch::Surface::make_type(arch::SurfaceType::k2D, arch::Tiling::kTiled);
  arch::Sampler sampler{};
  const TextureRead fetch{0, 0, false}, filtered{0, 0, true};
  const auto lack = [&](Stage stage, const TextureRead& read) {
    return unclocked(chip, stage, {&read, 1}, {&surface, 1}, {&sampler, 1});
  };
  chip.formats.filter = {};
  EXPECT_EQ(lack(Stage::kFragment, filtered), "");
  surface.level_count = 2, sampler.mip_mode = static_cast<uint32_t>(arch::MipMode::kLinear);
  EXPECT_EQ(lack(Stage::kFragment, filtered), "chip has no filtering of R32_SFLOAT textures");
  surface.level_count = 1;
  EXPECT_EQ(lack(Stage::kVertex, filtered), "");
  sampler.min_filter = static_cast<uint32_t>(arch::Filter::kLinear);
  EXPECT_EQ(lack(Stage::kVertex, filtered), "chip has no filtering of R32_SFLOAT textures");
  EXPECT_EQ(lack(Stage::kVertex, fetch), "");
  chip.formats.vertex_texture = {};
  EXPECT_EQ(lack(Stage::kFragment, fetch), "");
  EXPECT_EQ(lack(Stage::kGeometry, fetch), "chip has no vertex textures of R32_SFLOAT");
  chip.formats.fragment_texture = {};
  EXPECT_EQ(lack(Stage::kFragment, fetch), "chip has no fragment textures of R32_SFLOAT");
  EXPECT_EQ(lack(Stage::kCompute, fetch), "chip has no compute textures of R32_SFLOAT");
  surface.type = arch::Surface::make_type(arch::SurfaceType::kRawBuffer, arch::Tiling::kLinear);
  EXPECT_EQ(lack(Stage::kFragment, fetch), "");
}

TEST(Clocked, NamesWhatOnlyChipsWithGeometryProgramsHave) {
  const Abilities none{.gpu = "chip"}, able{.stages = {arch::Stage::kGeometry}};
  const auto expect = [&](const arch::Registers& registers, const char* lack) {
    EXPECT_EQ(unclocked(none, Opcode::kDraw, registers), lack);
    EXPECT_EQ(unclocked(able, Opcode::kDraw, registers), "");
  };
  arch::Registers program{}, neighbours{}, layered{};
  program.shader[static_cast<uint32_t>(arch::Stage::kGeometry)].instructions = 1;
  expect(program, "chip has no geometry programs");
  for (const arch::Topology topology :
       {arch::Topology::kLineListAdjacency, arch::Topology::kTriangleStripAdjacency}) {
    neighbours.assembly.topology = static_cast<uint32_t>(topology);
    expect(neighbours, "chip has no primitives with adjacency");
  }
  layered.vertex_out.layer = 2, layered.raster.layers = 2;
  expect(layered, "chip has no layers that a program chooses");
  layered.raster.layers = 1;  // only the first layer exists
  EXPECT_EQ(unclocked(none, Opcode::kDraw, layered), "");
}

TEST(Clocked, NamesWorkgroupsThatDoNotFit) {
  const Abilities small{.gpu = "chip", .workgroup_invocations = 512, .workgroup_bytes = 16384};
  arch::Registers registers{};
  registers.compute = {{8, 8, 8}, 16384};
  EXPECT_EQ(unclocked(small, Opcode::kDispatch, registers), "");
  registers.compute = {{8, 9, 8}, 16384};
  EXPECT_EQ(unclocked(small, Opcode::kDispatch, registers),
            "chip has no workgroups of 576 invocations, but of up to 512");
  registers.compute = {{8, 8, 8}, 16388};
  EXPECT_EQ(unclocked(small, Opcode::kDispatch, registers),
            "chip has no 16388 bytes of memory for a workgroup, but 16384");
  registers.compute = {{1025, 1, 1}, 0};  // illegal: reported elsewhere
  EXPECT_EQ(unclocked(small, Opcode::kDispatch, registers), "");
}

TEST(Clocked, NamesProgramsThatStore) {
  const Abilities compute{.gpu = "chip", .workgroup_invocations = 64, .stores = {arch::Stage::kCompute}};
  const auto lack = [&](const Abilities& abilities, arch::Stage stage, std::string_view text) {
    std::string error;
    std::vector<isa::EncodedInstruction> words;
    for (const isa::Instruction& instruction : isa::assemble(text)) words.push_back(isa::encode(instruction));
    const auto program = make_program(stage, std::move(words), 1, 0, 4, error);
    EXPECT_EQ(error, "");
    return program ? unclocked(abilities, *program) : "";
  };
  constexpr const char *kPlain = "MOV r0, c0\nEND\n", *kStore = "STB _.x, c0.x, c0.y, t0\nEND\n",
                       *kAtomic = "ATOM _.x, c0.x, c0.x, c0.x, t0, OP(0)\nEND\n",
                       *kLoad = "LDI r0, c0, t0, 2D\nEND\n";
  using enum arch::Stage;
  EXPECT_EQ(lack(compute, kCompute, kPlain), "");
  EXPECT_EQ(lack(compute, kVertex, kPlain), "");
  EXPECT_EQ(lack(compute, kCompute, kStore), "");
  EXPECT_EQ(lack(compute, kCompute, kAtomic), "chip has no atomics on buffers and images");
  EXPECT_EQ(lack({}, kCompute, kAtomic), "");  // its dispatch is rejected
  EXPECT_EQ(lack(compute, kVertex, kStore), "chip has no vertex programs that store to buffers or images");
  EXPECT_EQ(lack(compute, kCompute, kLoad), "");
  EXPECT_EQ(lack(compute, kFragment, kLoad), "chip has no fragment programs that load from storage images");
}

}  // namespace
}  // namespace cutaway::command_stream
