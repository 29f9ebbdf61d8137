"""An OpenGL program without a window: 64 draws of 8x8 pixels, each with a flush; with an argument one flush for all.

Exit code 77: no OpenGL."""
import ctypes
import sys

import gl_context

TRIANGLES, VERTEX_ARRAY, FLOAT = 4, 0x8074, 0x1406


def main():
    gl = gl_context.make_context(es=False)
    if not gl:
        return 77
    gl_context.draw_to_image(gl)
    corners = (ctypes.c_float * 12)(-1, -1, -0.75, -1, -1, -0.75, -0.75, -1, -1, -0.75, -0.75, -0.75)
    gl.glEnableClientState(VERTEX_ARRAY)
    gl.glVertexPointer(2, FLOAT, 0, corners)
    for _ in range(64):
        gl.glDrawArrays(TRIANGLES, 0, 6)
        if len(sys.argv) == 1:
            gl.glFlush()
    gl.glFinish()
    return 0


sys.exit(main())
