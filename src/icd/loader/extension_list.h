#pragma once

// The extensions that this driver advertises, and the only place that lists them: the generated dispatch, the
// lists that applications see and the answers of vkGet*ProcAddr derive from it. X(name, specification
// version). Only working extensions may be listed.

// clang-format off
#define CUTAWAY_INSTANCE_EXTENSIONS(X) \
  X(VK_KHR_surface, 25) \
  X(VK_KHR_xcb_surface, 6) \
  X(VK_KHR_xlib_surface, 6) \
  X(VK_EXT_headless_surface, 1) \
  X(VK_KHR_get_surface_capabilities2, 1) \
  X(VK_KHR_get_physical_device_properties2, 2) \
  X(VK_KHR_device_group_creation, 1) \
  X(VK_KHR_external_memory_capabilities, 1) \
  X(VK_KHR_external_semaphore_capabilities, 1) \
  X(VK_KHR_external_fence_capabilities, 1) \
  X(VK_EXT_debug_utils, 2)

#define CUTAWAY_DEVICE_EXTENSIONS(X) \
  X(VK_KHR_swapchain, 70) \
  X(VK_KHR_maintenance1, 2) \
  X(VK_KHR_maintenance2, 1) \
  X(VK_KHR_maintenance3, 1) \
  X(VK_KHR_device_group, 4) \
  X(VK_KHR_multiview, 1) \
  X(VK_KHR_get_memory_requirements2, 1) \
  X(VK_KHR_bind_memory2, 1) \
  X(VK_KHR_dedicated_allocation, 3) \
  X(VK_KHR_descriptor_update_template, 1) \
  X(VK_KHR_image_format_list, 1) \
  X(VK_KHR_relaxed_block_layout, 1) \
  X(VK_KHR_imageless_framebuffer, 1) \
  X(VK_KHR_create_renderpass2, 1) \
  X(VK_KHR_timeline_semaphore, 2) \
  X(VK_KHR_sampler_mirror_clamp_to_edge, 3) \
  X(VK_EXT_scalar_block_layout, 1) \
  X(VK_KHR_draw_indirect_count, 1) \
  X(VK_KHR_shader_draw_parameters, 1) \
  X(VK_EXT_host_query_reset, 1) \
  X(VK_EXT_transform_feedback, 1) \
  X(VK_EXT_primitives_generated_query, 1) \
  X(VK_EXT_vertex_attribute_divisor, 3) \
  X(VK_EXT_conditional_rendering, 2) \
  X(VK_EXT_depth_clip_enable, 1) \
  X(VK_EXT_depth_clip_control, 1) \
  X(VK_EXT_line_rasterization, 1) \
  X(VK_EXT_provoking_vertex, 1) \
  X(VK_EXT_custom_border_color, 12) \
  X(VK_EXT_border_color_swizzle, 1) \
  X(VK_EXT_non_seamless_cube_map, 1) \
  X(VK_EXT_extended_dynamic_state, 1) \
  X(VK_EXT_extended_dynamic_state2, 1) \
  X(VK_KHR_push_descriptor, 2) \
  X(VK_KHR_copy_commands2, 1) \
  X(VK_EXT_multi_draw, 1) \
  X(VK_EXT_color_write_enable, 1) \
  X(VK_EXT_4444_formats, 1) \
  X(VK_KHR_separate_depth_stencil_layouts, 1) \
  X(VK_EXT_robustness2, 1) \
  X(VK_EXT_image_robustness, 1) \
  X(VK_EXT_shader_subgroup_vote, 1) \
  X(VK_KHR_synchronization2, 1) \
  X(VK_KHR_depth_stencil_resolve, 1) \
  X(VK_KHR_dynamic_rendering, 1) \
  X(VK_KHR_driver_properties, 1) \
  X(VK_KHR_uniform_buffer_standard_layout, 1) \
  X(VK_KHR_shader_subgroup_extended_types, 1) \
  X(VK_KHR_shader_float_controls, 4) \
  X(VK_KHR_spirv_1_4, 1) \
  X(VK_KHR_vulkan_memory_model, 3) \
  X(VK_EXT_separate_stencil_usage, 1) \
  X(VK_KHR_shader_non_semantic_info, 1) \
  X(VK_KHR_shader_terminate_invocation, 1) \
  X(VK_EXT_shader_demote_to_helper_invocation, 1) \
  X(VK_KHR_zero_initialize_workgroup_memory, 1) \
  X(VK_KHR_shader_integer_dot_product, 1) \
  X(VK_EXT_subgroup_size_control, 2) \
  X(VK_EXT_pipeline_creation_cache_control, 3) \
  X(VK_EXT_pipeline_creation_feedback, 1) \
  X(VK_EXT_private_data, 1) \
  X(VK_EXT_tooling_info, 1) \
  X(VK_EXT_texel_buffer_alignment, 1) \
  X(VK_KHR_format_feature_flags2, 2) \
  X(VK_KHR_maintenance4, 2) \
  X(VK_EXT_inline_uniform_block, 1) \
  X(VK_KHR_buffer_device_address, 1) \
  X(VK_EXT_shader_subgroup_ballot, 1) \
  X(VK_KHR_storage_buffer_storage_class, 1) \
  X(VK_KHR_16bit_storage, 1) \
  X(VK_KHR_8bit_storage, 1) \
  X(VK_KHR_shader_float16_int8, 1) \
  X(VK_EXT_image_2d_view_of_3d, 1) \
  X(VK_AMD_shader_trinary_minmax, 1)
// clang-format on
