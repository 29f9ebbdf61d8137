// Compute programs, and stores of programs to buffers and images.
#include <array>

#include "scenes/parts.h"
#include "scenes/scenes.h"

namespace cutaway::scenes {

using arch::Opcode;
using arch::Stage;

namespace {

std::vector<uint32_t> random_words(uint32_t count, uint32_t below) {
  Random random(7);
  std::vector<uint32_t> words(count);
  for (uint32_t& word : words) word = random.next() % below;
  return words;
}

void dispatch(Builder& b, std::array<uint32_t, 3> groups) {
  b.send_state();
  b.commands.packet(Opcode::kDispatch, arch::DispatchPacket{{groups[0], groups[1], groups[2]}, {}});
}

}  // namespace

// At `results`: the sum of 2048 numbers, then the sums of the 8 workgroups.
Scene reduction() {
  Builder b("reduction");
  b.stores = true;
  b.clear(0, 0, 1, 1);
  const arch::Address numbers = b.upload(random_words(2048, 1000)), results = b.allocate(256);
  b.registers.compute = {{64, 4, 1}, 1024};
  b.constants(Stage::kCompute, 0, {bits(256), bits(2), bits(128), bits(1), bits(0), bits(4), 0, 0});
  b.program(Stage::kCompute,
            "IMUL r0.x, i33.x, c0.x\n"
            "IADD r0.x, r0.x, i32.w\n"
            "SHL r0.y, r0.x, c0.y\n"
            "LDB r1.x, r0.y, t0\n"
            "SHL r0.z, i32.w, c0.y\n"
            "STW _.x, r0.z, r1.x\n"
            "BAR SHARED\n"
            "MOV r2.x, c0.z\n"
            "LOOP\n"
            "ILT r3.x, i32.w, r2.x\n"
            "IF r3.x\n"
            "SHL r3.y, r2.x, c0.y\n"
            "IADD r3.y, r3.y, r0.z\n"
            "LDW r4.x, r3.y\n"
            "LDW r5.x, r0.z\n"
            "IADD r4.x, r4.x, r5.x\n"
            "STW _.x, r0.z, r4.x\n"
            "ENDIF\n"
            "BAR SHARED\n"
            "SHR r2.x, r2.x, c0.w\n"
            "IEQ r3.x, r2.x, c1.x\n"
            "BRK r3.x\n"
            "NEXT\n"
            "ENDLOOP\n"
            "IEQ r3.x, i32.w, c1.x\n"
            "IF r3.x\n"
            "LDW r4.x, c1.x\n"
            "ATOM _.x, c1.x, r4.x, c1.x, t1, OP(0)\n"
            "SHL r5.x, i33.x, c0.y\n"
            "IADD r5.x, r5.x, c1.y\n"
            "STB _.x, r5.x, r4.x, t1\n"
            "ENDIF\n"
            "END\n",
            arch::kShaderWritesMemory);
  b.textures(std::array{raw_buffer(numbers, 4 * 2048), raw_buffer(results, 256)}, {}, Stage::kCompute);
  dispatch(b, {8, 1, 1});
  return ended_scene(b, results);
}

// At `results`: the number of occurrences of each of 16 numbers among 4096, counted workgroup by workgroup.
Scene histogram() {
  Builder b("histogram");
  b.stores = true;
  b.clear(0, 0, 1, 1);
  const arch::Address numbers = b.upload(random_words(4096, 16)), results = b.allocate(256);
  b.registers.compute = {{128, 1, 1}, 64};
  b.constants(Stage::kCompute, 0, {bits(512), bits(2), bits(16), bits(1), bits(0), bits(128), bits(512), 0});
  b.program(Stage::kCompute,
            "IMUL r0.x, i33.x, c0.x\n"
            "IADD r0.x, r0.x, i32.w\n"
            "MOV r2.x, c1.x\n"
            "LOOP\n"
            "IADD r0.y, r0.x, r2.x\n"
            "SHL r0.y, r0.y, c0.y\n"
            "LDB r1.x, r0.y, t0\n"
            "SHL r1.x, r1.x, c0.y\n"
            "ATOMW _.x, r1.x, c0.w, c1.x, OP(0)\n"
            "IADD r2.x, r2.x, c1.y\n"
            "IGE r3.x, r2.x, c1.z\n"
            "BRK r3.x\n"
            "NEXT\n"
            "ENDLOOP\n"
            "BAR SHARED\n"
            "ILT r3.x, i32.w, c0.z\n"
            "IF r3.x\n"
            "SHL r0.z, i32.w, c0.y\n"
            "LDW r1.x, r0.z\n"
            "ATOM _.x, r0.z, r1.x, c1.x, t1, OP(0)\n"
            "ENDIF\n"
            "END\n",
            arch::kShaderWritesMemory);
  b.textures(std::array{raw_buffer(numbers, 4 * 4096), raw_buffer(results, 256)}, {}, Stage::kCompute);
  dispatch(b, {8, 1, 1});
  return ended_scene(b, results);
}

// The mean of each texel and its neighbours to the right and below, from one image into the other and back,
// three times, so that each is read again after it has changed; then a draw shows it.
Scene blur() {
  Builder b("blur");
  b.stores = true;
  b.clear(0, 0, 0, 1);
  arch::Surface from = b.surface(arch::Format::R8G8B8A8_UNORM, 64, 64),
                to = b.surface(arch::Format::R8G8B8A8_UNORM, 64, 64);
  b.fill_level(from, 0, checkers(64, 5, 0xff2040ffu, 0xffe0c010u));
  b.registers.compute = {{8, 8, 1}, 0};
  b.constants(Stage::kCompute, 0, {bits(8), bits(1), bits(0), 0.25f});
  b.program(Stage::kCompute,
            "IMUL r0.xy, i33.xyxy, c0.x\n"
            "IADD r0.xy, r0.xyxy, i32.xyxy\n"
            "MOV r0.zw, c0.z\n"
            "IADD r1, r0, c0.yzzz\n"
            "IADD r2, r0, c0.zyzz\n"
            "IADD r3, r0, c0.yyzz\n"
            "LDI r4, r0, t0, 2D, CACHED\n"
            "LDI r5, r1, t0, 2D, CACHED\n"
            "LDI r6, r2, t0, 2D, CACHED\n"
            "LDI r7, r3, t0, 2D, CACHED\n"
            "ADD r4, r4, r5\n"
            "ADD r4, r4, r6\n"
            "ADD r4, r4, r7\n"
            "MUL r4, r4, c0.w\n"
            "STI _.xyzw, r0, r4, t1, 2D\n"
            "END\n",
            arch::kShaderWritesMemory);
  for (int pass = 0; pass < 3; pass++) {
    b.textures(std::array{from, to}, {}, Stage::kCompute);
    dispatch(b, {8, 8, 1});
    b.flush();
    std::swap(from, to);
  }
  b.program(Stage::kVertex, "MOV o0, i0\nMOV o1, i1\nEND\n");
  b.program(Stage::kFragment, "TEX r0, i0, t0, s0, 2D\nMOV o0, r0\nEND\n");
  b.textures(std::array{from}, std::array{sampler(arch::Filter::kNearest)});
  b.interpolants({1});
  b.vertices({-1, -1, 0, 1, 0, 0, 3, -1, 0, 1, 2, 0, -1, 3, 0, 1, 0, 2}, {4, 2});
  b.draw(3);
  return ended_scene(b, 0);
}

// At `results`: the number of workgroups, then the sum of the values that they stored behind it; the
// workgroup that counts last adds them.
Scene last_workgroup() {
  Builder b("last-workgroup");
  b.stores = true;
  b.clear(0, 0, 1, 1);
  constexpr uint32_t kGroups = 24;
  const arch::Address results = b.allocate(256), parts = b.allocate(8192);
  b.registers.compute = {{32, 1, 1}, 64};
  b.constants(Stage::kCompute, 0,
              {bits(0), bits(1), bits(2), bits(4), bits(kGroups - 1), bits(kGroups), bits(7), bits(132)});
  b.program(Stage::kCompute,
            // Each thread stores a number, lines apart from its neighbour's.
            "IMUL r0.x, i33.x, c1.z\n"
            "IADD r0.x, r0.x, i32.w\n"
            "IMUL r0.y, i32.w, c1.w\n"
            "SHL r0.z, i33.x, c0.z\n"
            "IADD r0.y, r0.y, r0.z\n"
            // Reads zeros there; its unit may cache them with neighbouring words until it acquires.
            "LDB r4.x, r0.y, t1, CACHED\n"
            "IADD r0.x, r0.x, r4.x\n"
            "STB _.x, r0.y, r0.x, t1\n"
            "MEMBAR DEVICE\n"
            "BAR\n"
            "IEQ r2.x, i32.w, c0.x\n"
            "IF r2.x\n"
            "ATOM r1.x, c0.x, c0.y, c0.x, t0, OP(0)\n"
            "STW _.x, c0.x, r1.x\n"
            "ENDIF\n"
            "BAR SHARED, DEVICE\n"
            "LDW r1.x, c0.x\n"
            "IEQ r2.x, r1.x, c1.x\n"
            "IF r2.x\n"
            "MOV r3.x, c0.x\n"
            "LOOP\n"
            "IMUL r0.y, i32.w, c1.w\n"
            "SHL r0.z, r3.x, c0.z\n"
            "IADD r0.y, r0.y, r0.z\n"
            "LDB r4.x, r0.y, t1, CACHED\n"
            "ATOM _.x, c0.w, r4.x, c0.x, t0, OP(0)\n"
            "IADD r3.x, r3.x, c0.y\n"
            "IGE r2.x, r3.x, c1.y\n"
            "BRK r2.x\n"
            "NEXT\n"
            "ENDLOOP\n"
            "ENDIF\n"
            "END\n",
            arch::kShaderWritesMemory);
  b.textures(std::array{raw_buffer(results, 256), raw_buffer(parts, 8192)}, {}, Stage::kCompute);
  dispatch(b, {kGroups, 1, 1});
  return ended_scene(b, results);
}

// Each thread stores four words at a distance of three, so that the last is also the first of the next
// thread, with the same value; then words that are loaded and stored again. Stores behind the buffer are
// dropped, and loads there return zero.
Scene scattered_stores() {
  Builder b("scattered-stores");
  b.stores = true;
  b.clear(0, 0, 1, 1);
  const arch::Address results = b.allocate(4096), around = b.allocate(512);
  b.registers.compute = {{50, 1, 2}, 0};
  b.constants(Stage::kCompute, 0,
              {bits(12), bits(600), bits(1), bits(3), bits(4), bits(5), bits(0), bits(88)});
  b.program(Stage::kCompute,
            "IMUL r0.x, i32.w, c0.x\n"
            "IMUL r0.y, i33.x, c0.y\n"
            "IADD r0.x, r0.x, r0.y\n"
            "IMUL r1.x, i32.w, c0.w\n"
            "IADD r1.y, r1.x, c0.z\n"
            "IADD r1.z, r1.y, c0.z\n"
            "IADD r1.w, r1.z, c0.z\n"
            "STB _.xyzw, r0.x, r1, t0\n"
            "LDB r2.xyz, r0.x, t0\n"
            "IADD r2.xyz, r2, c1.y\n"
            "STB _.yz, r0.x, r2, t0\n"
            "IADD r0.z, r0.x, c1.x\n"
            "STB _.xyzw, r0.z, r1, t1\n"
            "LDB r3.xyzw, r0.z, t1\n"
            "IADD r3.x, r3.x, r3.w\n"
            "STB _.x, r0.x, r3.x, t2\n"
            "END\n",
            arch::kShaderWritesMemory);
  // A buffer that begins within a line, and ends within a store.
  b.textures(
      std::array{raw_buffer(results, 2048), raw_buffer(around + 36, 200), raw_buffer(results + 2048, 2048)},
      {}, Stage::kCompute);
  dispatch(b, {1, 1, 1});
  return ended_scene(b, results);
}

// At `results`: fragments that ran (0) and those that did not discard (4) in a draw with early tests against
// an earlier draw; then those of a draw with late tests. At 64: a mark for each number that an atomic
// returned.
Scene fragment_counters() {
  Builder b("fragment-counters");
  b.stores = true;
  b.depth(b.surface(arch::Format::D24_UNORM_S8_UINT, 64, 64));
  b.clear(0, 0, 0, 1);
  const arch::Address results = b.allocate(64 + 4 * 4096);
  depth_test(b);
  b.program(Stage::kVertex, "MOV o0, i0\nEND\n");
  b.program(Stage::kFragment, "MOV o0, c0\nEND\n");
  b.constants(Stage::kFragment, 0, {0, 1, 0, 1});
  b.interpolants({});
  b.vertices({-1, -1, 0.2f, 1, 0.3f, -1, 0.2f, 1, -1, 3, 0.2f, 1}, {4});
  b.draw(3);
  const arch::Surface buffer = raw_buffer(results, 64 + 4 * 4096);
  for (const bool early : {true, false}) {
    const uint32_t first = early ? 0 : 8;
    b.registers.depth.mode = static_cast<uint32_t>(early ? arch::DepthMode::kEarly : arch::DepthMode::kLate);
    b.program(
        Stage::kFragment,
        "ATOM r0.x, c0.x, c0.z, c0.w, t0, OP(0)\n"
        "SHL r1.x, r0.x, c1.x\n"
        "IADD r1.x, r1.x, c1.y\n"
        "ATOM _.x, r1.x, c0.z, c0.w, t0, OP(0)\n"
        "F2I r2.xy, i32.xyxy\n"
        "AND r2.x, r2.x, r2.y\n"
        "AND r2.x, r2.x, c0.z\n"
        "KIL r2.x\n"
        "ATOM _.x, c0.y, c0.z, c0.w, t0, OP(0)\n"
        "MOV o0, c1.zwzw\n"
        "END\n",
        (early ? uint32_t{arch::kShaderEarlyTests} : 0u) | arch::kShaderWritesMemory | arch::kShaderKills);
    b.textures(std::array{buffer}, {});
    b.constants(Stage::kFragment, 0,
                {bits(first), bits(first + 4), bits(1), bits(0), bits(2), bits(64), 1, 0.5f});
    const float z = 0.3f;  // behind the first draw
    b.vertices({-1, -1, z, 1, 1, -1, z, 1, -1, 1, z, 1}, {4});
    b.draw(3);
  }
  return ended_scene(b, results);
}

// At `results`: the number of loop turns of each of 60 dispatches of one workgroup; every second one ends at
// once, the others turn often.
Scene uneven_workgroups() {
  Builder b("uneven-workgroups");
  b.stores = true;
  b.clear(0, 0, 1, 1);
  const arch::Address results = b.allocate(256);
  b.registers.compute = {{4, 1, 1}, 0};
  b.constants(Stage::kCompute, 0, {bits(0), bits(1), bits(2), bits(50)});
  b.program(Stage::kCompute,
            "AND r0.x, i33.x, c0.y\n"
            "MOV r1.x, c0.x\n"
            "LOOP\n"
            "BRK r0.x\n"
            "IADD r1.x, r1.x, c0.y\n"
            "IGE r0.x, r1.x, c0.w\n"
            "NEXT\n"
            "ENDLOOP\n"
            "SHL r2.x, i33.x, c0.z\n"
            "STB _.x, r2.x, r1.x, t0\n"
            "END\n",
            arch::kShaderWritesMemory);
  b.textures(std::array{raw_buffer(results, 256)}, {}, Stage::kCompute);
  b.send_state();
  for (uint32_t i = 0; i < 60; i++)
    b.commands.packet(Opcode::kDispatch, arch::DispatchPacket{{1, 1, 1}, {i, 0, 0}});
  return ended_scene(b, results);
}

// At `results`: for each of 256 workgroups of 8 threads the sum of ten numbers that each thread stores, by
// dependent additions: the more workgroups a unit holds, the less it waits.
Scene small_workgroups() {
  Builder b("small-workgroups");
  b.stores = true;
  b.clear(0, 0, 1, 1);
  const arch::Address results = b.allocate(1024);
  b.registers.compute = {{8, 1, 1}, 0};
  b.constants(Stage::kCompute, 0, {bits(2), bits(3), 0, 0});
  std::string text = "MOV r0.x, i33.x\n";
  for (int i = 0; i < 10; i++) text += "IADD r0.x, r0.x, c0.y\n";
  b.program(Stage::kCompute, text + "SHL r1.x, i33.x, c0.x\nSTB _.x, r1.x, r0.x, t0\nEND\n",
            arch::kShaderWritesMemory);
  b.textures(std::array{raw_buffer(results, 1024)}, {}, Stage::kCompute);
  dispatch(b, {256, 1, 1});
  return ended_scene(b, results);
}

std::vector<Scene> compute_scenes() {
  std::vector<Scene> all;
  for (const auto make : {dispatches, storage_writes, reduction, histogram, blur, last_workgroup,
                          scattered_stores, fragment_counters, uneven_workgroups, small_workgroups,
                          quads_and_parts, quads_of_fragments, two_queues})
    all.push_back(make());
  return all;
}

}  // namespace cutaway::scenes
