#pragma once

#include <cstdint>

#include "preload/draw_calls.h"

// The functions of OpenGL that make storage of textures, renderbuffers and buffers, each with a function in
// its place that says of which object meanwhile.
namespace cutaway::preload {

// Called before and after each. target: of a binding; 0: `object` itself, a texture or a buffer.
struct StorageNotice {
  enum class Kind { kTexture, kBuffer };
  StorageNotice(unsigned target, Kind kind, unsigned object);
  ~StorageNotice();
  StorageNotice(const StorageNotice&) = delete;
};

inline constexpr unsigned kStorageCalls = 20;
extern DrawCall storage_calls[kStorageCalls];

template <unsigned kCall, class... More>
void notice_target(unsigned target, More... more) {
  const StorageNotice notice(target, StorageNotice::Kind::kTexture, 0);
  reinterpret_cast<void (*)(unsigned, More...)>(storage_calls[kCall].original)(target, more...);
}
template <unsigned kCall, StorageNotice::Kind kKind, class... More>
void notice_object(unsigned object, More... more) {
  const StorageNotice notice(0, kKind, object);
  reinterpret_cast<void (*)(unsigned, More...)>(storage_calls[kCall].original)(object, more...);
}
template <unsigned kCall, class... More>
Function by_target() {
  return reinterpret_cast<Function>(notice_target<kCall, More...>);
}
template <unsigned kCall, class... More>
Function by_texture() {
  return reinterpret_cast<Function>(notice_object<kCall, StorageNotice::Kind::kTexture, More...>);
}
template <unsigned kCall, class... More>
Function by_buffer() {
  return reinterpret_cast<Function>(notice_object<kCall, StorageNotice::Kind::kBuffer, More...>);
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
    {"glTextureStorage2DMultisample", by_texture<15, int, Enum, int, int, Flag>()},
    {"glBufferData", by_target<16, intptr_t, Data, Enum>()},
    {"glBufferStorage", by_target<17, intptr_t, Data, Enum>()},
    {"glNamedBufferData", by_buffer<18, intptr_t, Data, Enum>()},
    {"glNamedBufferStorage", by_buffer<19, intptr_t, Data, Enum>()}};

}  // namespace cutaway::preload
