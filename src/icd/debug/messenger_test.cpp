#include "icd/debug/messenger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "icd/api_error.h"

// Bypasses the loader, which calls a program's messengers itself and hides the driver's behaviour.
namespace cutaway::icd {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Heard = std::vector<std::string>;

VKAPI_ATTR VkBool32 VKAPI_CALL hear(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                    const VkDebugUtilsMessengerCallbackDataEXT* data, void* heard) {
  static_cast<Heard*>(heard)->emplace_back(data->pMessage);
  return VK_FALSE;
}

VkDebugUtilsMessengerCreateInfoEXT info_for(Heard& heard) {
  VkDebugUtilsMessengerCreateInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
  info.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT;
  info.pfnUserCallback = hear;
  info.pUserData = &heard;
  return info;
}

VkInstance make_instance(const void* chain = nullptr) {
  VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, chain};
  VkInstance instance = VK_NULL_HANDLE;
  EXPECT_EQ(CreateInstance(&info, nullptr, &instance), VK_SUCCESS);
  return instance;
}

void submit(VkInstance instance, const char* text,
            VkDebugUtilsMessageSeverityFlagBitsEXT severity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT,
            VkDebugUtilsMessageTypeFlagsEXT types = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT) {
  VkDebugUtilsMessengerCallbackDataEXT data{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT};
  data.pMessage = text;
  SubmitDebugUtilsMessageEXT(instance, severity, types, &data);
}

TEST(Messenger, ReceivesRequestedMessagesOfItsInstance) {
  const VkInstance instance = make_instance(), other = make_instance();
  Heard heard;
  const auto info = info_for(heard);
  VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
  ASSERT_EQ(CreateDebugUtilsMessengerEXT(instance, &info, nullptr, &messenger), VK_SUCCESS);
  submit(instance, "heard");
  submit(instance, "severity", VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT);
  submit(instance, "type", VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT,
         VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT);
  submit(instance, "two types", VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
         VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT);
  submit(other, "instance");
  DestroyDebugUtilsMessengerEXT(instance, messenger, nullptr);
  submit(instance, "late");
  DestroyDebugUtilsMessengerEXT(instance, VK_NULL_HANDLE, nullptr);
  EXPECT_THAT(heard, ElementsAre("heard", "two types"));
  DestroyInstance(other, nullptr);
  DestroyInstance(instance, nullptr);
}

TEST(Messenger, HearsWhatTheDriverRefuses) {
  Heard heard;
  const Messenger messenger(info_for(heard));
  ::testing::internal::CaptureStderr();
  guard([] { unsupported("the refused thing of this test"); });
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("the refused thing"), std::string::npos);
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_NE(heard[0].find("the refused thing of this test"), std::string::npos);
}

// "VkDebugUtilsMessengerCreateInfoEXT" in pNext: active while the instance is created and destroyed.
TEST(Messenger, InstanceMessengerHearsCreationAndEnd) {
  Heard heard, second;
  auto also = info_for(second);
  auto info = info_for(heard);
  info.pNext = &also;
  VkInstanceCreateInfo refused{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, &info};
  const char* extension = "VK_CUTAWAY_there_is_none";
  refused.enabledExtensionCount = 1;
  refused.ppEnabledExtensionNames = &extension;
  VkInstance instance = VK_NULL_HANDLE;
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(CreateInstance(&refused, nullptr, &instance), VK_ERROR_EXTENSION_NOT_PRESENT);
  EXPECT_NE(::testing::internal::GetCapturedStderr().find(extension), std::string::npos);
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_NE(heard[0].find(extension), std::string::npos);
  EXPECT_EQ(second, heard);

  heard.clear();
  instance = make_instance(&info);
  submit(instance, "neither");
  tell_messengers("either");
  DestroyInstance(instance, nullptr);
  EXPECT_THAT(heard, IsEmpty());
}

}  // namespace
}  // namespace cutaway::icd
