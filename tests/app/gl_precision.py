"""An OpenGL program without a window: lights a surface by a fragment program of the precision that is asked for, and
writes 64 x 64 pixels of four bytes. Exit code 77: no OpenGL.

usage: gl_precision.py mediump|highp|fastest|nicest|fog|no-fog OUTPUT

mediump and highp are OpenGL ES 2, the others ARB programs; fog is linear."""
import ctypes
import sys

from gl_context import RGBA, UNSIGNED_BYTE, draw_to_image, make_context, make_image, make_program

TRIANGLES, FLOAT = 4, 0x1406
VERTEX_PROGRAM, FRAGMENT_PROGRAM, ASCII = 0x8620, 0x8804, 0x8875

ES_VERTEX = b"""attribute vec4 place; varying vec3 normal; varying vec2 at;
void main() { gl_Position = vec4(place.xy, 0.0, 1.0); normal = vec3(place.xy * 2.0, place.z + 0.5); at = place.xy * 0.5 + 0.5; }"""
ES_FRAGMENT = b"""precision %s float;
varying vec3 normal; varying vec2 at; uniform sampler2D image;
void main() {
  vec3 n = normalize(normal), light = normalize(vec3(0.3, 0.5, 0.8));
  float shine = pow(max(dot(n, normalize(light + vec3(0.0, 0.0, 1.0))), 0.0), 16.0);
  gl_FragColor = vec4((texture2D(image, at).rgb * max(dot(n, light), 0.0) + texture2D(image, at.yx).rgb * shine) * 0.5, 1.0);
}"""
ARB_VERTEX = b"""!!ARBvp1.0
MOV result.position.xy, vertex.attrib[0]; MOV result.position.zw, {0, 0, 0, 1};
MUL result.texcoord[1].xy, vertex.attrib[0], 2; ADD result.texcoord[1].z, vertex.attrib[0].z, 0.5;
MAD result.texcoord[0].xy, vertex.attrib[0], 0.5, 0.5; MOV result.fogcoord.x, vertex.attrib[0].z;
END"""
ARB_FRAGMENT = b"""!!ARBfp1.0
OPTION %s;
PARAM light = {0.303, 0.505, 0.808};
PARAM half = {0.16, 0.266, 0.951, 0};
TEMP n, a, b, d;
DP3 n.w, fragment.texcoord[1], fragment.texcoord[1];
RSQ n.w, n.w;
MUL n.xyz, n.w, fragment.texcoord[1];
DP3_SAT d.x, n, light;
DP3_SAT d.y, n, half;
MUL d.y, d.y, d.y; MUL d.y, d.y, d.y; MUL d.y, d.y, d.y; MUL d.y, d.y, d.y;
TEX a, fragment.texcoord[0], texture[0], 2D;
TEX b, fragment.texcoord[0].yxzw, texture[0], 2D;
MUL a, a, d.x;
MAD a, b, d.y, a;
MUL result.color.xyz, a, 0.5;
MOV result.color.w, 1.0;
END"""
OPTIONS = {"fastest": b"ARB_precision_hint_fastest", "nicest": b"ARB_precision_hint_nicest", "fog": b"ARB_fog_linear",
           "no-fog": b"ARB_precision_hint_nicest"}


def use_arb_programs(gl, option):
    for target, number, source in ((VERTEX_PROGRAM, 1, ARB_VERTEX), (FRAGMENT_PROGRAM, 2, ARB_FRAGMENT % option)):
        gl.glBindProgramARB(target, number)
        gl.glProgramStringARB(target, ASCII, len(source), source)
        gl.glEnable(target)
    gl.glFogf(0x0B63, ctypes.c_float(0))  # start
    gl.glFogf(0x0B64, ctypes.c_float(1))  # end
    gl.glFogfv(0x0B66, (ctypes.c_float * 4)(0.5, 0.6, 0.7, 1))


def main():
    kind, output = sys.argv[1:]
    es = kind in ("mediump", "highp")
    gl = make_context(es)
    if not gl:
        return 77
    draw_to_image(gl)
    make_image(gl, bytes((x * x + 3 * x) >> 3 & 255 for x in range(64 * 64 * 4)))
    if es:
        make_program(gl, ES_VERTEX, ES_FRAGMENT % kind.encode())
    else:
        use_arb_programs(gl, OPTIONS[kind])
    corners = (ctypes.c_float * 12)(-1, -1, 0.2, 1, 3, -1, 0.7, 1, -1, 3, 0.4, 1)
    gl.glVertexAttribPointer(0, 4, FLOAT, 0, 0, corners)
    gl.glEnableVertexAttribArray(0)
    gl.glDrawArrays(TRIANGLES, 0, 3)
    pixels = ctypes.create_string_buffer(64 * 64 * 4)
    gl.glReadPixels(0, 0, 64, 64, RGBA, UNSIGNED_BYTE, pixels)
    with open(output, "wb") as file:
        file.write(pixels.raw)
    return 0 if gl.glGetError() == 0 else 1


sys.exit(main())
