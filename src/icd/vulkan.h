#pragma once

// Vulkan as this driver sees it: types only, no prototypes of the loader's functions.
#define VK_NO_PROTOTYPES
#define VK_USE_PLATFORM_XCB_KHR
#include <vulkan/vulkan.h>

// Xlib's types as Vulkan names them; Xlib's own header is full of macros.
struct _XDisplay;
using Display = _XDisplay;
using Window = unsigned long;
using VisualID = unsigned long;
#define VK_USE_PLATFORM_XLIB_KHR
#include <vulkan/vk_icd.h>
#include <vulkan/vulkan_xlib.h>
