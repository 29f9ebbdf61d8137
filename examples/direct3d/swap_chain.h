#pragma once

#include <dxgi.h>

#include "window.h"

namespace direct3d {

// One picture of four bytes a pixel, in a new window.
inline DXGI_SWAP_CHAIN_DESC swap_chain(const char* title) {
  DXGI_SWAP_CHAIN_DESC chain{};
  chain.BufferDesc.Width = kWidth, chain.BufferDesc.Height = kHeight;
  chain.BufferDesc.Format = DXGI_FORMAT_R8G8B8A8_UNORM;
  chain.SampleDesc.Count = 1;
  chain.BufferUsage = DXGI_USAGE_RENDER_TARGET_OUTPUT;
  chain.BufferCount = 1;
  chain.OutputWindow = make_window(title);
  chain.Windowed = TRUE;
  return chain;
}

}  // namespace direct3d
