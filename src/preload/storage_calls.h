#pragma once

#include <cstdint>

#include "preload/draw_calls.h"

// The functions of OpenGL that make storage of textures and renderbuffers, each with a function in its place
// that says of which object meanwhile.
namespace cutaway::preload {

// Called before and after each. target: of a binding; texture: 0, or the texture itself.
struct StorageNotice {
  StorageNotice(unsigned target, unsigned texture);
  ~StorageNotice();
  StorageNotice(const StorageNotice&) = delete;
};

inline constexpr unsigned kStorageCalls = 16;
extern DrawCall storage_calls[kStorageCalls];

template <unsigned kCall, class... More>
void notice_target(unsigned target, More... more) {
  const StorageNotice notice(target, 0);
  reinterpret_cast<void (*)(unsigned, More...)>(storage_calls[kCall].original)(target, more...);
}
template <unsigned kCall, class... More>
void notice_texture(unsigned texture, More... more) {
  const StorageNotice notice(0, texture);
  reinterpret_cast<void (*)(unsigned, More...)>(storage_calls[kCall].original)(texture, more...);
}
template <unsigned kCall, class... More>
Function by_target() {
  return reinterpret_cast<Function>(notice_target<kCall, More...>);
}
template <unsigned kCall, class... More>
Function by_texture() {
  return reinterpret_cast<Function>(notice_texture<kCall, More...>);
}

using Flag = unsigned char;
using Data = const void*;

inline DrawCall storage_calls[kStorageCalls] = {
    {"glTexImage1D", by_target<0, int, int, int, int, Enum, Enum, Data>()},
    {"glTexImage2D", by_target<1, int, int, int, int, int, Enum, Enum, Data>()},
    {"glTexImage3D", by_target<2, int, int, int, int, int, int, Enum, Enum, Data>()},
    {"glCompressedTexImage2D", by_target<3, int, Enum, int, int, int, int, Data>()},
    {"glCopyTexImage2D", by_target<4, int, Enum, int, int, int, int, int>()},
    {"glTexStorage1D", by_target<5, int, Enum, int>()},
    {"glTexStorage2D", by_target<6, int, Enum, int, int>()},
    {"glTexStorage3D", by_target<7, int, Enum, int, int, int>()},
    {"glTexImage2DMultisample", by_target<8, int, Enum, int, int, Flag>()},
    {"glTexStorage2DMultisample", by_target<9, int, Enum, int, int, Flag>()},
    {"glRenderbufferStorage", by_target<10, Enum, int, int>()},
    {"glRenderbufferStorageMultisample", by_target<11, int, Enum, int, int>()},
    {"glTextureStorage1D", by_texture<12, int, Enum, int>()},
    {"glTextureStorage2D", by_texture<13, int, Enum, int, int>()},
    {"glTextureStorage3D", by_texture<14, int, Enum, int, int, int>()},
    {"glTextureStorage2DMultisample", by_texture<15, int, Enum, int, int, Flag>()}};

}  // namespace cutaway::preload
