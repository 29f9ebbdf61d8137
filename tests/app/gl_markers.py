"""An OpenGL program without a window: draws before a marker, behind it, and in nested debug groups; with programs that have labels.
Exit code 77: no OpenGL."""
import ctypes
import sys

SURFACELESS, DRAW_BIT, OPENGL_BIT, OPENGL_API, NONE = 0x31DD, 0x3040, 0x0008, 0x30A2, 0x3038
APPLICATION, MARKER, NOTIFICATION = 0x824A, 0x8268, 0x826B
TEXTURE_2D, RGBA8, RGBA, UNSIGNED_BYTE, FRAMEBUFFER, COLOR0 = 0x0DE1, 0x8058, 0x1908, 0x1401, 0x8D40, 0x8CE0
TRIANGLES, VERTEX_ARRAY, FLOAT = 4, 0x8074, 0x1406
TEXTURE, VERTEX_SHADER, FRAGMENT_SHADER, PROGRAM = 0x1702, 0x8B31, 0x8B30, 0x82E2
BUFFER, ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER, STATIC_DRAW, UNSIGNED_SHORT = 0x82E0, 0x8892, 0x8893, 0x88E4, 0x1403
VERTEX = b"void main() { gl_Position = gl_Vertex; }"


def make_program(gl, fragment):
    program = gl.glCreateProgram()
    for kind, text in ((VERTEX_SHADER, VERTEX), (FRAGMENT_SHADER, fragment)):
        shader = gl.glCreateShader(kind)
        gl.glShaderSource(shader, 1, ctypes.byref(ctypes.c_char_p(text)), None)
        gl.glCompileShader(shader)
        gl.glAttachShader(program, shader)
    gl.glLinkProgram(program)
    return program


def main():
    try:
        egl, gl = ctypes.CDLL("libEGL.so.1"), ctypes.CDLL("libGL.so.1")
    except OSError:
        return 77
    egl.eglGetPlatformDisplay.restype = egl.eglCreateContext.restype = ctypes.c_void_p
    display = ctypes.c_void_p(egl.eglGetPlatformDisplay(SURFACELESS, None, None))
    if not egl.eglInitialize(display, None, None):
        return 77
    egl.eglBindAPI(OPENGL_API)
    config, count = ctypes.c_void_p(), ctypes.c_int()
    egl.eglChooseConfig(display, (ctypes.c_int * 3)(DRAW_BIT, OPENGL_BIT, NONE), ctypes.byref(config), 1, ctypes.byref(count))
    context = ctypes.c_void_p(egl.eglCreateContext(display, config, None, (ctypes.c_int * 1)(NONE)))
    if not egl.eglMakeCurrent(display, None, None, context):
        return 77
    name = ctypes.c_uint()
    gl.glGenTextures(1, ctypes.byref(name))
    gl.glBindTexture(TEXTURE_2D, name)
    gl.glTexImage2D(TEXTURE_2D, 0, RGBA8, 64, 64, 0, RGBA, UNSIGNED_BYTE, None)
    gl.glObjectLabel(TEXTURE, name, -1, b"the canvas")
    framebuffer = ctypes.c_uint()
    gl.glGenFramebuffers(1, ctypes.byref(framebuffer))
    gl.glBindFramebuffer(FRAMEBUFFER, framebuffer)
    gl.glFramebufferTexture2D(FRAMEBUFFER, COLOR0, TEXTURE_2D, name, 0)
    gl.glViewport(0, 0, 64, 64)

    corners = (ctypes.c_float * 18)(*(-1, -1, 1, -1, 0, 1) * 3)
    gl.glEnableClientState(VERTEX_ARRAY)
    gl.glVertexPointer(2, FLOAT, 0, corners)

    def draw(triangles):
        gl.glDrawArrays(TRIANGLES, 0, 3 * triangles)

    draw(1)
    gl.glDebugMessageInsert(APPLICATION, MARKER, 1, NOTIFICATION, -1, b"behind a marker")
    draw(2)
    gl.glPushDebugGroup(APPLICATION, 2, -1, b"frame")
    draw(3)
    gl.glPushDebugGroup(APPLICATION, 3, 6, b"shadowless")
    draw(4)
    gl.glPushDebugGroup(APPLICATION, 4, -1, b"lamp")
    gl.glBegin(TRIANGLES)
    for _ in range(15):
        gl.glVertex2i(0, 0)
    gl.glEnd()
    gl.glPopDebugGroup()
    gl.glPopDebugGroup()
    gl.glFlush()  # the group goes on in another command buffer
    # Extensions are reached by their own address.
    egl.eglGetProcAddress.restype = ctypes.c_void_p
    group = ctypes.CFUNCTYPE(None, ctypes.c_uint, ctypes.c_uint, ctypes.c_int, ctypes.c_char_p)
    group(egl.eglGetProcAddress(b"glPushDebugGroup"))(APPLICATION, 5, -1, b"main")
    draw(6)
    ctypes.CFUNCTYPE(None)(egl.eglGetProcAddress(b"glPopDebugGroup"))()
    gl.glPopDebugGroup()
    draw(7)

    red, green, blue = (make_program(gl, b"void main() { gl_FragColor = vec4(%d, %d, %d, 1); }" % color)
                        for color in ((1, 0, 0), (0, 1, 0), (0, 0, 1)))
    gl.glObjectLabel(PROGRAM, red, -1, b"red glass")
    gl.glObjectLabel(PROGRAM, green, 5, b"green, cut off")
    for program, triangles in ((red, 8), (green, 9), (blue, 10)):
        gl.glUseProgram(program)
        draw(triangles)

    # A buffer gets its label before its storage, another one behind it.
    names = (ctypes.c_uint * 2)()
    gl.glGenBuffers(2, names)
    gl.glBindBuffer(ARRAY_BUFFER, names[0])
    gl.glObjectLabel(BUFFER, names[0], -1, b"the corners")
    gl.glBufferData(ARRAY_BUFFER, ctypes.c_ssize_t(ctypes.sizeof(corners)), corners, STATIC_DRAW)
    gl.glVertexPointer(2, FLOAT, 0, None)
    gl.glBindBuffer(ELEMENT_ARRAY_BUFFER, names[1])
    order = (ctypes.c_ushort * 33)(*range(3), *range(3), *range(3), *[0] * 24)
    gl.glBufferData(ELEMENT_ARRAY_BUFFER, ctypes.c_ssize_t(ctypes.sizeof(order)), order, STATIC_DRAW)
    gl.glObjectLabel(BUFFER, names[1], -1, b"the order")
    gl.glDrawElements(TRIANGLES, 33, UNSIGNED_SHORT, None)
    gl.glFinish()
    return 0 if gl.glGetError() == 0 else 1


sys.exit(main())
