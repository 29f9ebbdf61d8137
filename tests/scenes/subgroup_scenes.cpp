// Lanes of a quad that read each other and vote, halves, and stores of parts of words.
#include <array>

#include "scenes/parts.h"
#include "scenes/scenes.h"

namespace cutaway::scenes {

using arch::Opcode;
using arch::Stage;

// Four workgroups of 39 threads, whose last quad has three. Thread n stores at `results`: at byte 2 n the
// half n / 10, at 320 + n the votes of the loop turns that it takes part in, and at 512 + 16 n the vote for
// not being a multiple of 3, and its results of the branches.
Scene quads_and_parts() {
  Builder b("quads-and-parts");
  b.stores = true;
  b.clear(0, 0, 1, 1);
  const arch::Address results = b.allocate(512 + 156 * 16);
  b.registers.compute = {{13, 3, 1}, 0};
  b.constants(
      Stage::kCompute, 0,
      {bits(2), bits(1), bits(3), bits(4), bits(39), bits(~0u), bits(0), bits(320), 0.1f, bits(512), 0, 0});
  b.program(Stage::kCompute,
            "IMUL r0.x, i33.y, c0.x\n"
            "IADD r0.x, r0.x, i33.x\n"
            "IMUL r0.x, r0.x, c1.x\n"
            "IADD r0.x, r0.x, i32.w\n"
            "UMOD r0.y, i32.w, c0.z\n"
            "QVOTE r1.x, r0.y\n"
            "IF r0.y\n"
            "QVOTE r1.y, c1.y\n"
            "QREAD r1.z, r0.x, c0.z\n"  // of the last lane, which may be off or not there
            "ELSE\n"
            "QVOTE r1.y, ~r0.x\n"
            "IADD r5.x, i32.w, c0.y\n"
            "QREAD r1.z, -r0.x, r5.x\n"
            "ENDIF\n"
            "AND r2.x, i32.w, c0.z\n"
            "LOOP\n"
            "QVOTE r2.z, c1.y\n"
            "IADD r2.y, r2.y, r2.z\n"
            "IADD r2.x, r2.x, -c0.y\n"
            "ILT r2.w, r2.x, c1.z\n"
            "BRK r2.w\n"
            "NEXT\n"
            "ENDLOOP\n"
            "U2F r3.x, r0.x\n"
            "MUL r3.x, r3.x, c2.x\n"
            "RNDH r3.x, r3.x\n"
            "PK2H r3.y, r3.x\n"
            "SHL r4.x, r0.x, c0.y\n"
            "STB _.x, r4.x, r3.y, t0, HALF\n"
            "IADD r4.y, r0.x, c1.w\n"
            "STB _.x, r4.y, r2.y, t0, BYTE\n"
            "SHL r4.z, r0.x, c0.w\n"
            "IADD r4.z, r4.z, c2.y\n"
            "MOV r1.w, r3.x\n"
            "STB _.xyzw, r4.z, r1, t0\n"
            "END\n",
            arch::kShaderWritesMemory);
  b.textures(std::array{raw_buffer(results, 512 + 156 * 16)}, {}, Stage::kCompute);
  b.send_state();
  b.commands.packet(Opcode::kDispatch, arch::DispatchPacket{{2, 2, 1}, {}});
  b.end_frame();
  Scene scene = b.take();
  scene.results = results;
  return scene;
}

// Colors the pixels of a triangle by the votes and the values of their quads. Pixels on diagonals are
// discarded, and their lanes vote as helpers in a branch that no other lane of the quad takes.
Scene quads_of_fragments() {
  Builder b("quads-of-fragments");
  b.clear(0, 0, 0.5f, 1);
  b.program(Stage::kVertex, "MOV o0, i0\nMOV o1, i1\nEND\n");
  b.interpolants({1});
  b.program(Stage::kFragment,
            "F2I r0.xy, i32.xyxy\n"
            "XOR r1.x, r0.x, r0.y\n"
            "AND r1.x, r1.x, c0.x\n"
            "IEQ r1.y, r1.x, c0.y\n"
            "KIL r1.y\n"
            "QVOTE r2.x, c0.z\n"
            "AND r1.z, r1.x, c0.w\n"
            "IEQ r1.z, r1.z, c0.y\n"
            "IF r1.z\n"
            "QVOTE r2.y, c0.z\n"
            "QREAD r3.xy, i0, r1.xxxx\n"
            "ENDIF\n"
            "QREAD r2.y, r2.y, c0.y\n"
            "U2F r4.xy, r2\n"
            "MUL r4.xy, r4, c1.x\n"
            "RNDH r4.zw, r3.xyxy\n"
            "MOV o0, r4\n"
            "END\n",
            arch::kShaderKills | arch::kShaderDerivatives | arch::kShaderReadsFragCoord);
  b.constants(Stage::kFragment, 0, {bits(7), bits(1), bits(~0u), bits(3), 1.0f / 15, 0, 0, 0});
  b.vertices({-1, -1, 0, 1, 1, 0, 0, 1, 0.9f, -1, 0, 1, 0, 1, 0, 1, -1, 1, 0, 1, 0, 0, 1, 1}, {4, 4});
  b.draw(3);
  b.end_frame();
  return b.take();
}

}  // namespace cutaway::scenes
