#pragma once

#include <cstdint>

// The functions of OpenGL that draw or dispatch, each with a function in its place that says so meanwhile.
namespace cutaway::preload {

using Function = void (*)();

// Called before and after each.
struct DrawNotice {
  DrawNotice();
  ~DrawNotice();
  DrawNotice(const DrawNotice&) = delete;
};

struct DrawCall {
  const char* name;
  Function instead;
  Function original = nullptr;  // of the first table that was met
  int place = -1;               // in tables
};

inline constexpr unsigned kDrawCalls = 20;
extern DrawCall draw_calls[kDrawCalls];

template <unsigned kCall, class... Arguments>
void notice_draw(Arguments... arguments) {
  const DrawNotice notice;
  reinterpret_cast<void (*)(Arguments...)>(draw_calls[kCall].original)(arguments...);
}

template <unsigned kCall, class... Arguments>
Function noticed() {
  return reinterpret_cast<Function>(notice_draw<kCall, Arguments...>);
}

using Enum = unsigned;
using Pointers = const void* const*;

inline DrawCall draw_calls[kDrawCalls] = {
    {"glDrawArrays", noticed<0, Enum, int, int>()},
    {"glDrawElements", noticed<1, Enum, int, Enum, const void*>()},
    {"glDrawRangeElements", noticed<2, Enum, unsigned, unsigned, int, Enum, const void*>()},
    {"glMultiDrawArrays", noticed<3, Enum, const int*, const int*, int>()},
    {"glMultiDrawElements", noticed<4, Enum, const int*, Enum, Pointers, int>()},
    {"glDrawArraysInstanced", noticed<5, Enum, int, int, int>()},
    {"glDrawElementsInstanced", noticed<6, Enum, int, Enum, const void*, int>()},
    {"glDrawElementsBaseVertex", noticed<7, Enum, int, Enum, const void*, int>()},
    {"glDrawRangeElementsBaseVertex", noticed<8, Enum, unsigned, unsigned, int, Enum, const void*, int>()},
    {"glDrawElementsInstancedBaseVertex", noticed<9, Enum, int, Enum, const void*, int, int>()},
    {"glDrawArraysInstancedBaseInstance", noticed<10, Enum, int, int, int, unsigned>()},
    {"glDrawElementsInstancedBaseInstance", noticed<11, Enum, int, Enum, const void*, int, unsigned>()},
    {"glDrawElementsInstancedBaseVertexBaseInstance",
     noticed<12, Enum, int, Enum, const void*, int, int, unsigned>()},
    {"glMultiDrawElementsBaseVertex", noticed<13, Enum, const int*, Enum, Pointers, int, const int*>()},
    {"glDrawArraysIndirect", noticed<14, Enum, const void*>()},
    {"glDrawElementsIndirect", noticed<15, Enum, Enum, const void*>()},
    {"glMultiDrawArraysIndirect", noticed<16, Enum, const void*, int, int>()},
    {"glMultiDrawElementsIndirect", noticed<17, Enum, Enum, const void*, int, int>()},
    {"glDispatchCompute", noticed<18, unsigned, unsigned, unsigned>()},
    {"glDispatchComputeIndirect", noticed<19, intptr_t>()}};

}  // namespace cutaway::preload
