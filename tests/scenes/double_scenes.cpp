// Programs that compute with 64-bit floats.
#include <array>
#include <bit>
#include <limits>
#include <string>

#include "scenes/parts.h"
#include "scenes/scenes.h"

namespace cutaway::scenes {

using arch::Opcode;
using arch::Stage;

namespace {

// The two words of a double, as constants of a program.
std::array<float, 2> words(double value) {
  const auto all = std::bit_cast<uint64_t>(value);
  return {bits(static_cast<uint32_t>(all)), bits(static_cast<uint32_t>(all >> 32))};
}

std::vector<float> constants(std::initializer_list<double> values) {
  std::vector<float> all;
  for (const double value : values)
    for (const float word : words(value)) all.push_back(word);
  return all;
}

// Iterates z z + c until z exceeds 2; the color shows the number of turns and the lowest digits of z.
constexpr const char* kTurns = R"(
    F2D r0.xy, i32.x
    F2D r0.zw, i32.y
    DFMA r0.xy, r0.xyxy, c0.xyxy, c0.zwzw
    DFMA r0.zw, r0.zwzw, c0.xyxy, c1.xyxy
    LOOP
      DMUL r2.xy, r1.xyxy, r1.xyxy
      DMUL r2.zw, r1.zwzw, r1.zwzw
      DADD r3.xy, r2.xyxy, r2.zwzw
      DGE r3.z, r3.xyxy, c1.zwzw
      BRK r3.z
      DADD r3.xy, r1.xyxy, r1.xyxy
      DFMA r1.zw, r3.xyxy, r1.zwzw, r0.zwzw
      DADD r1.xy, r2.xyxy, -r2.zwzw
      DADD r1.xy, r1.xyxy, r0.xyxy
      IADD r4.x, r4.x, c3.x
      IGE r4.y, r4.x, c3.y
      BRK r4.y
    NEXT
    ENDLOOP
    U2F r5.x, r4.x
    MUL r5.x, r5.x, c3.z
    DMUL r2.xy, r1.xyxy, c2.xyxy
    DFLR r2.zw, r2.xyxy
    DADD r2.xy, r2.xyxy, -r2.zwzw
    D2F r5.y, r2.xyxy
    DSQRT r2.xy, r3.xyxy
    DDIV r2.xy, c1.zwzw, r2.xyxy
    D2F r5.z, r2.xyxy
    MOV r5.w, c3.w
    MOV o0, r5
    END
)";

}  // namespace

// A triangle whose vertices and pixels are computed in doubles.
Scene doubles() {
  Builder b("doubles");
  b.clear(0, 0, 0.5f, 1);
  b.program(Stage::kVertex,
            "MOV o0, i0\n"
            "F2D r0.xy, i0.x\n"
            "DADD r0.xy, r0.xyxy, c0.xyxy\n"
            "DMUL r0.xy, r0.xyxy, c0.zwzw\n"
            "D2F o0.x, r0.xyxy\n"
            "END\n");
  b.constants(Stage::kVertex, 0, constants({0.1, 0.9}));
  std::vector<float> values = constants({2.5 / 64, -1.9, -1.2, 4, 0x1p40, 0});
  for (const float value : {bits(1), bits(12), 1.0f / 12, 1.0f}) values.push_back(value);
  b.constants(Stage::kFragment, 0, values);
  b.program(Stage::kFragment, kTurns, arch::kShaderReadsFragCoord);
  b.vertices({-1, -1, 0, 1, 1, -0.8f, 0, 1, -0.6f, 1, 0, 1}, {4});
  b.draw(3);
  b.end_frame();
  return b.take();
}

// Workgroups of 32 threads, each of which applies all operations to two of 16 doubles. Thread n stores the
// results at byte 176 n of `results`, 8 bytes apart.
Scene doubles_of_threads() {
  Builder b("doubles-of-threads");
  b.stores = true;
  b.clear(0, 0, 1, 1);
  constexpr double kInfinity = std::numeric_limits<double>::infinity(),
                   kNan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> numbers = {0,         -0.0,  1,          -2.5,      0.1,       3e9,
                                       -3e9,      1e300, -1e-300,    0x1p-1074, 0x1p-1030, 0x1p-126,
                                       kInfinity, kNan,  0x1p52 + 1, 65520};
  const arch::Address in = b.upload(numbers), results = b.allocate(64 * 176);
  b.registers.compute = {{32, 1, 1}, 0};
  b.constants(Stage::kCompute, 0, {bits(5), bits(15), bits(3), bits(2), bits(176), bits(16), 0, 0});
  std::string text =
      "SHL r0.x, i33.x, c0.x\n"
      "IADD r0.x, r0.x, i32.w\n"
      "AND r0.y, r0.x, c0.y\n"
      "SHL r0.y, r0.y, c0.z\n"
      "LDB r1.xy, r0.y, t0\n"
      "IMUL r0.z, r0.x, c0.w\n"
      "IADD r0.z, r0.z, i33.x\n"
      "AND r0.z, r0.z, c0.y\n"
      "SHL r0.z, r0.z, c0.z\n"
      "LDB r2.xy, r0.z, t0\n"
      "IMUL r0.w, r0.x, c1.x\n";
  int stored = 0;
  for (const char* operation :
       {"DADD r3.xy, r1, r2", "DADD r3.zw, r1, -r2", "DMUL r3.xy, -r1, r2", "DFMA r3.zw, r1, r2, -r1",
        "DDIV r3.xy, r1, r2", "DSQRT r3.zw, r1",     "DMIN r3.xy, r1, r2",  "DMAX r3.zw, r1, r2",
        "DFLR r3.xy, r1",     "DCEIL r3.zw, r1",     "DTRUNC r3.xy, r1",    "DRNE r3.zw, r1",
        "F2D r3.xy, r1.y",    "I2D r3.zw, -r1.y",    "U2D r3.xy, r2.y",     "D2F r3.zw, r1",
        "D2I r3.xy, r1",      "D2U r3.zw, r1",       "DLT r3.xy, r1, r2",   "DGE r3.zw, r1, r2",
        "DEQ r3.xy, r1, r2",  "DNE r3.zw, r1, r2"}) {
    text += std::string(operation) + "\n";
    if (++stored % 2 == 0) text += "STB _.xyzw, r0.w, r3, t1\nIADD r0.w, r0.w, c1.y\n";
  }
  b.program(Stage::kCompute, text + "END\n", arch::kShaderWritesMemory);
  b.textures(std::array{raw_buffer(in, 128), raw_buffer(results, 64 * 176)}, {}, Stage::kCompute);
  b.send_state();
  b.commands.packet(Opcode::kDispatch, arch::DispatchPacket{{2, 1, 1}, {}});
  b.end_frame();
  Scene scene = b.take();
  scene.results = results;
  return scene;
}

std::vector<Scene> double_scenes() {
  std::vector<Scene> scenes;
  scenes.push_back(doubles());
  scenes.push_back(doubles_of_threads());
  return scenes;
}

}  // namespace cutaway::scenes
