#pragma once

// Vulkan as this driver sees it: types only, no prototypes of the loader's functions.
#define VK_NO_PROTOTYPES
#define VK_USE_PLATFORM_XCB_KHR
#include <vulkan/vk_icd.h>
#include <vulkan/vulkan.h>
