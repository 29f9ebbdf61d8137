"""An OpenGL program without a window that needs much of one kind. Prints what OpenGL reports of the limits, and what the
linker says. Exit code 77: no OpenGL.

usage: gl_limits.py temporaries|instructions|textures|varyings COUNT"""
import ctypes
import sys

from gl_context import draw_to_image, make_context, make_image, make_program

NAMES = {"draw buffers": 0x8824, "varying floats": 0x8B4B}
VERTEX = "attribute vec4 place;\n%s\nvoid main() { vec4 v = place; %s gl_Position = v; }"
FRAGMENT = "%s\nvoid main() { vec4 v = vec4(0.0); %s gl_FragColor = v; }"


def sources(kind, count):
    """The vertex and the fragment shader."""
    each = range(count)
    if kind == "temporaries":  # texels that all live until the last
        texels = "".join(f"vec4 t{i} = texture2D(image, gl_FragCoord.xy * {i + 1}.0);\n" for i in each)
        uses = "".join(f"v += t{i};\n" for i in each) + "".join(f"v *= t{i};\n" for i in each)
        return VERTEX % ("", ""), FRAGMENT % ("uniform sampler2D image;", texels + uses)
    if kind == "instructions":
        return VERTEX % ("", "".join(f"v = v * v.yzwx + {i + 1}.5;\n" for i in each)), FRAGMENT % ("", "")
    if kind == "textures":
        declared = "".join(f"uniform sampler2D image{i};\n" for i in each)
        return VERTEX % (declared, "".join(f"v += texture2D(image{i}, place.xy);\n" for i in each)), FRAGMENT % ("", "")
    declared = "".join(f"varying vec4 given{i};\n" for i in each)
    return (VERTEX % (declared, "".join(f"given{i} = place * {i + 1}.0;\n" for i in each)),
            FRAGMENT % (declared, "".join(f"v = v * 0.5 + given{i};\n" for i in each)))


def main():
    kind, count = sys.argv[1], int(sys.argv[2])
    gl = make_context(False)
    if not gl:
        return 77
    for name, number in NAMES.items():
        value = ctypes.c_int()
        gl.glGetIntegerv(number, ctypes.byref(value))
        print(f"{name}: {value.value}")
    draw_to_image(gl)
    for unit in range(8):
        gl.glActiveTexture(0x84C0 + unit)
        make_image(gl, bytes(64 * 64 * 4))
    vertex, fragment = sources(kind, count)
    print("linker:", make_program(gl, vertex.encode(), fragment.encode()).replace("\n", " "))
    corners = (ctypes.c_float * 12)(-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1)
    gl.glVertexAttribPointer(0, 4, 0x1406, 0, 0, corners)
    gl.glEnableVertexAttribArray(0)
    gl.glDrawArrays(4, 0, 3)
    gl.glFinish()
    return 0


sys.exit(main())
