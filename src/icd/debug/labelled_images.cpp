#include "icd/debug/labelled_images.h"

#include <dlfcn.h>

#include "base/debug_groups.h"
#include "icd/debug/group_follower.h"
#include "icd/resource/image.h"

namespace cutaway::icd {

LabelledImages& LabelledImages::of_process() {
  static LabelledImages& images = *new LabelledImages;  // threads of the program may outlive static objects
  return images;
}

LabelledImages::LabelledImages() {
  if (const auto listen = reinterpret_cast<ListenForLabels>(dlsym(RTLD_DEFAULT, kListenForLabels)))
    listen([](uint64_t object, const char* label) { of_process().label(object, label); });
}

void LabelledImages::add(Device& device, Image& image) {
  const DebugGroups* groups = GroupFollower::of_thread();
  if (!groups || !groups->makes) return;
  const std::lock_guard lock(mutex_);
  images_[&image] = {groups->makes, &device};
  if (*groups->made) image.set_name(device, groups->made);
}

void LabelledImages::remove(Image& image) {
  const std::lock_guard lock(mutex_);
  images_.erase(&image);
}

void LabelledImages::label(uint64_t object, const char* text) {
  const std::lock_guard lock(mutex_);
  for (auto it = images_.begin(); it != images_.end();) {
    const auto at = it++;
    if (at->second.object != object) continue;
    if (text) at->first->set_name(*at->second.device, text);
    else images_.erase(at);
  }
}

}  // namespace cutaway::icd
