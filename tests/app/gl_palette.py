"""An OpenGL program without a window: moves and colors 64 strips by a palette that its vertex program reads by index,
and writes 64 x 64 pixels of four bytes. Exit code 77: no OpenGL.

usage: gl_palette.py arb|glsl OUTPUT"""
import ctypes
import sys

from gl_context import RGBA, UNSIGNED_BYTE, draw_to_image, make_context, make_program

TRIANGLE_STRIP, FLOAT = 5, 0x1406
VERTEX_PROGRAM, ASCII, CURRENT_PROGRAM = 0x8620, 0x8875, 0x8B8D
ENTRIES = 32

ARB_VERTEX = b"""!!ARBvp1.0
PARAM palette[33] = {program.env[0..32]};
ADDRESS A0;
TEMP place;
ARL A0.x, vertex.attrib[0].z;
MAD place, vertex.attrib[0], palette[A0.x + 1].w, palette[A0.x];
MOV result.position.xy, place;
MOV result.position.zw, {0, 0, 0, 1};
MOV result.color, palette[A0.x + 1];
END"""
GLSL_VERTEX = b"""attribute vec4 place; varying vec4 shade; uniform vec4 palette[33];
void main() {
  int i = int(place.z);
  gl_Position = vec4(place.xy * palette[i + 1].w + palette[i].xy, 0.0, 1.0);
  shade = palette[i + 1];
}"""
GLSL_FRAGMENT = b"varying vec4 shade; void main() { gl_FragColor = shade; }"


def palette():
    values = []
    for i in range(ENTRIES + 1):
        values += [0.02 * (i % 7) - 0.06, 0.03 * (i % 5) - 0.05, (i * 37 % 32) / 32, 0.5 + (i % 3) * 0.2]
    return (ctypes.c_float * len(values))(*values)


def main():
    kind, output = sys.argv[1:]
    gl = make_context(False)
    if not gl:
        return 77
    draw_to_image(gl)
    gl.glClear(0x4000)
    values = palette()
    if kind == "arb":
        gl.glBindProgramARB(VERTEX_PROGRAM, 1)
        gl.glProgramStringARB(VERTEX_PROGRAM, ASCII, len(ARB_VERTEX), ARB_VERTEX)
        gl.glEnable(VERTEX_PROGRAM)
        for i in range(ENTRIES + 1):
            gl.glProgramEnvParameter4fvARB(VERTEX_PROGRAM, i, (ctypes.c_float * 4)(*values[4 * i:4 * i + 4]))
    else:
        make_program(gl, GLSL_VERTEX, GLSL_FRAGMENT)
        program = ctypes.c_int()
        gl.glGetIntegerv(CURRENT_PROGRAM, ctypes.byref(program))
        gl.glUniform4fv(gl.glGetUniformLocation(program.value, b"palette"), ENTRIES + 1, values)
    corners = []
    for strip in range(64):
        for y in (-1, 1):
            corners += [strip / 32 - 1, y, strip % ENTRIES, 1]
    places = (ctypes.c_float * len(corners))(*corners)
    gl.glVertexAttribPointer(0, 4, FLOAT, 0, 0, places)
    gl.glEnableVertexAttribArray(0)
    gl.glDrawArrays(TRIANGLE_STRIP, 0, len(corners) // 4)
    pixels = ctypes.create_string_buffer(64 * 64 * 4)
    gl.glReadPixels(0, 0, 64, 64, RGBA, UNSIGNED_BYTE, pixels)
    with open(output, "wb") as file:
        file.write(pixels.raw)
    return 0 if gl.glGetError() == 0 else 1


sys.exit(main())
