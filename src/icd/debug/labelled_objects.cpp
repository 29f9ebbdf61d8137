#include "icd/debug/labelled_objects.h"

#include <dlfcn.h>

#include "base/debug_groups.h"
#include "icd/debug/group_follower.h"
#include "icd/resource/buffer.h"
#include "icd/resource/image.h"

namespace cutaway::icd {
namespace {

void set_name(Device& device, LabelledObjects::Object object, const char* name) {
  std::visit([&](auto* one) { one->set_name(device, name); }, object);
}

}  // namespace

LabelledObjects& LabelledObjects::of_process() {
  static LabelledObjects& objects =
      *new LabelledObjects;  // threads of the program may outlive static objects
  return objects;
}

LabelledObjects::LabelledObjects() {
  if (const auto listen = reinterpret_cast<ListenForLabels>(dlsym(RTLD_DEFAULT, kListenForLabels)))
    listen([](uint64_t object, const char* label) { of_process().label(object, label); });
}

void LabelledObjects::add(Device& device, Object object) {
  const DebugGroups* groups = GroupFollower::of_thread();
  if (!groups || !groups->makes) return;
  const std::lock_guard lock(mutex_);
  objects_[object] = {groups->makes, &device};
  if (*groups->made) set_name(device, object, groups->made);
}

void LabelledObjects::remove(Object object) {
  const std::lock_guard lock(mutex_);
  objects_.erase(object);
}

void LabelledObjects::label(uint64_t object, const char* text) {
  const std::lock_guard lock(mutex_);
  for (auto it = objects_.begin(); it != objects_.end();) {
    const auto at = it++;
    if (at->second.object != object) continue;
    if (text) set_name(*at->second.device, at->first, text);
    else objects_.erase(at);
  }
}

}  // namespace cutaway::icd
