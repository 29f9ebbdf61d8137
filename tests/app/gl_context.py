"""Parts that the OpenGL programs of tests share: a context without a window, a program, images of 64 x 64."""
import ctypes

SURFACELESS, NONE = 0x31DD, 0x3038
TEXTURE_2D, RGBA, UNSIGNED_BYTE, FRAMEBUFFER, COLOR0, NEAREST = 0x0DE1, 0x1908, 0x1401, 0x8D40, 0x8CE0, 0x2600
VERTEX, FRAGMENT = 0x8B31, 0x8B30


def make_context(es):
    """The library of OpenGL with a context that is current; None: there is none."""
    try:
        egl, gl = ctypes.CDLL("libEGL.so.1"), ctypes.CDLL("libGLESv2.so.2" if es else "libGL.so.1")
    except OSError:
        return None
    egl.eglGetPlatformDisplay.restype = egl.eglCreateContext.restype = ctypes.c_void_p
    display = ctypes.c_void_p(egl.eglGetPlatformDisplay(SURFACELESS, None, None))
    if not egl.eglInitialize(display, None, None):
        return None
    egl.eglBindAPI(0x30A0 if es else 0x30A2)
    config, count = ctypes.c_void_p(), ctypes.c_int()
    egl.eglChooseConfig(display, (ctypes.c_int * 3)(0x3040, 4 if es else 8, NONE), ctypes.byref(config), 1, ctypes.byref(count))
    version = (ctypes.c_int * 3)(0x3098, 2, NONE) if es else (ctypes.c_int * 1)(NONE)
    context = ctypes.c_void_p(egl.eglCreateContext(display, config, None, version))
    return gl if egl.eglMakeCurrent(display, None, None, context) else None


def make_image(gl, data=None):
    name = ctypes.c_uint()
    gl.glGenTextures(1, ctypes.byref(name))
    gl.glBindTexture(TEXTURE_2D, name)
    gl.glTexImage2D(TEXTURE_2D, 0, RGBA, 64, 64, 0, RGBA, UNSIGNED_BYTE, data)
    for filtering in (0x2800, 0x2801):
        gl.glTexParameteri(TEXTURE_2D, filtering, NEAREST)
    return name


def draw_to_image(gl):
    """Makes a new image the target of draws."""
    target, framebuffer = make_image(gl), ctypes.c_uint()
    gl.glGenFramebuffers(1, ctypes.byref(framebuffer))
    gl.glBindFramebuffer(FRAMEBUFFER, framebuffer)
    gl.glFramebufferTexture2D(FRAMEBUFFER, COLOR0, TEXTURE_2D, target, 0)
    gl.glViewport(0, 0, 64, 64)


def make_program(gl, vertex, fragment):
    """Compiles, links and uses a program of GLSL, whose attribute 0 is called `place`. Returns what the linker says."""
    program = gl.glCreateProgram()
    for kind, source in ((VERTEX, vertex), (FRAGMENT, fragment)):
        shader, text = gl.glCreateShader(kind), ctypes.c_char_p(source)
        gl.glShaderSource(shader, 1, ctypes.byref(text), None)
        gl.glCompileShader(shader)
        gl.glAttachShader(program, shader)
    gl.glBindAttribLocation(program, 0, b"place")
    gl.glLinkProgram(program)
    gl.glUseProgram(program)
    log = ctypes.create_string_buffer(4096)
    gl.glGetProgramInfoLog(program, len(log), None, log)
    return log.value.decode()
