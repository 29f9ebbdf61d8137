"""The groups of piglit tests that the support matrix counts: names, piglit's profiles, regular expressions."""
import zlib

GROUPS = {
    "programs": ("ARB programs and OpenGL 2", r"^spec@(arb_vertex_program|arb_fragment_program|!opengl 2)"),
    "gl1": ("OpenGL 1", r"^spec@!opengl 1\."),
    "glsl-1.10": ("GLSL 1.10 execution", r"^spec@glsl-1\.10@execution"),
    "glsl-1.20": ("GLSL 1.20 execution", r"^spec@glsl-1\.20@execution"),
    "glsl-1.30": ("GLSL 1.30 execution", r"^spec@glsl-1\.30@execution"),
    "glsl-1.40": ("GLSL 1.40 execution", r"^spec@glsl-1\.40@execution"),
    "glsl-3.30": ("GLSL 3.30 execution", r"^spec@glsl-3\.30@execution"),
    "texture": ("Texture extensions", r"^spec@(arb_[^@]*texture|ext_texture)"),
    "framebuffer": ("Framebuffer objects", r"framebuffer_object"),
    "occlusion": ("Occlusion queries", r"occlusion_query"),
    "feedback": ("Transform feedback", r"transform_feedback"),
    "multisample": ("Multisampling", r"multisample"),
    "gl3": ("OpenGL 3", r"^spec@!opengl 3\."),
    "uniform-buffer": ("Uniform buffers", r"^spec@arb_uniform_buffer_object"),
    "instancing": ("Instancing and divisors", r"^spec@arb_(draw_instanced|instanced_arrays)"),
    "blending": ("Blending", r"^spec@(arb_blend_func_extended|arb_draw_buffers|ext_draw_buffers2|arb_color_buffer_float)"),
    "depth": ("Depth textures and buffers", r"^spec@(arb_depth|ext_packed_depth_stencil|arb_shadow)"),
    "vertex-input": ("Vertex input", r"^spec@(arb_vertex_(?!attrib_64bit)|ext_vertex_array|arb_provoking_vertex|ext_provoking_vertex)"),
    "geometry": ("Geometry shaders", r"^spec@(arb_geometry_shader4|glsl-1\.50)@"),
    "tessellation": ("Tessellation shaders", r"^spec@arb_tessellation_shader@"),
    "gpu-shader5": ("ARB_gpu_shader5", r"^spec@arb_gpu_shader5@"),
    "compute": ("Compute shaders", r"^spec@arb_compute_shader@"),
    "storage": ("Storage buffers, images and atomics",
                r"^spec@arb_(shader_storage_buffer_object|shader_image_load_store|shader_atomic)"),
    "viewports": ("Viewports, cull distances, sample shading", r"^spec@arb_(viewport_array|cull_distance|sample_shading)@"),
    "direct-state": ("Direct state access", r"^spec@arb_direct_state_access@"),
    "spirv": ("SPIR-V in OpenGL", r"^spec@arb_gl_spirv@"),
    "glsl-4": ("GLSL 4.00 to 4.60", r"^spec@glsl-4\."),
    "fp64": ("ARB_gpu_shader_fp64, ARB_vertex_attrib_64bit", r"^spec@arb_(gpu_shader_fp64|vertex_attrib_64bit)@"),
    "int64": ("ARB_gpu_shader_int64", r"^spec@arb_gpu_shader_int64@"),
}

# Of groups with thousands of tests that take seconds each, one of so many is run: those whose names have a checksum
# (CRC-32) that this divides.
SAMPLES = {"glsl-4": 8, "fp64": 8, "int64": 8}


def in_sample(group, test):
    return zlib.crc32(test.encode()) % SAMPLES.get(group, 1) == 0

# Small enough to be run after each change of the driver (under 10 minutes on two cores), wide enough to notice what
# breaks.
QUICK = (
    r"^spec@(arb_vertex_program|arb_fragment_program|arb_occlusion_query|arb_draw_instanced|arb_instanced_arrays)@"
    r"|^spec@ext_transform_feedback@|^spec@glsl-(1\.40|3\.30)@execution|^spec@arb_blend_func_extended@|^spec@arb_sparse_buffer@"
)

# What the gate runs of it: of the large families the tests whose names end in one of these characters.
SAMPLED = (
    r"^spec@(arb_occlusion_query|arb_draw_instanced|arb_instanced_arrays|arb_blend_func_extended|arb_sparse_buffer)@|^spec@glsl-3\.30@execution"
    r"|^spec@(arb_vertex_program|arb_fragment_program|ext_transform_feedback)@.*[1-4a-d]$|^spec@glsl-1\.40@execution.*[1-4a-d]$"
)

PROFILES = ("quick_gl", "quick_shader")

# These fail in Mesa's compiler, exhaust memory or test a window system instead of a driver, whatever the driver is.
EXCLUDED = r"glx|streaming-texture-leak|max-texture-size|maxsize|max-size|(inline|unroll)-explosion"
