#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <variant>

namespace cutaway::icd {

class Buffer;
class Device;
class Image;

// The images and buffers that are storage of OpenGL's textures, renderbuffers and buffers, in programs whose
// labels a preloaded library keeps (base/debug_groups.h). Their labels become names. Callable from any
// thread.
class LabelledObjects {
 public:
  using Object = std::variant<Image*, Buffer*>;

  static LabelledObjects& of_process();

  // Call when memory is bound to an object, in the call of OpenGL that makes it.
  void add(Device& device, Object object);
  void remove(Object object);

 private:
  LabelledObjects();
  void label(uint64_t object, const char* text);  // nullptr: it has been deleted

  struct Owned {
    uint64_t object = 0;
    Device* device = nullptr;
  };
  std::mutex mutex_;
  std::map<Object, Owned> objects_;
};

}  // namespace cutaway::icd
