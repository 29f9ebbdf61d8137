#pragma once

#include <cstdint>
#include <map>
#include <mutex>

namespace cutaway::icd {

class Device;
class Image;

// The images that are storage of OpenGL's textures and renderbuffers, in programs whose labels a preloaded
// library keeps (base/debug_groups.h). Their labels become the images' names. Callable from any thread.
class LabelledImages {
 public:
  static LabelledImages& of_process();

  // Call when memory is bound to an image, in the call of OpenGL that makes it.
  void add(Device& device, Image& image);
  void remove(Image& image);

 private:
  LabelledImages();
  void label(uint64_t object, const char* text);  // nullptr: it has been deleted

  struct Owned {
    uint64_t object = 0;
    Device* device = nullptr;
  };
  std::mutex mutex_;
  std::map<Image*, Owned> images_;
};

}  // namespace cutaway::icd
