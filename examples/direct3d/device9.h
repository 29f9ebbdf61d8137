#pragma once

#include <d3d9.h>

#include "window.h"

namespace direct3d {

// A device of Direct3D 9 with a depth buffer.
struct Device9 {
  IDirect3DDevice9* device = nullptr;

  explicit Device9(const char* title) {
    IDirect3D9* direct3d = Direct3DCreate9(D3D_SDK_VERSION);
    if (!direct3d) check(E_FAIL, "Direct3DCreate9");
    D3DPRESENT_PARAMETERS present{};
    present.Windowed = TRUE;
    present.SwapEffect = D3DSWAPEFFECT_COPY;
    present.BackBufferFormat = D3DFMT_X8R8G8B8;
    present.BackBufferWidth = kWidth, present.BackBufferHeight = kHeight;
    present.EnableAutoDepthStencil = TRUE;
    present.AutoDepthStencilFormat = D3DFMT_D24S8;
    check(direct3d->CreateDevice(0, D3DDEVTYPE_HAL, make_window(title), D3DCREATE_HARDWARE_VERTEXPROCESSING,
                                 &present, &device),
          "CreateDevice");
  }

  IDirect3DTexture9* checkered() {
    IDirect3DTexture9* texture = nullptr;
    check(device->CreateTexture(64, 64, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &texture, nullptr),
          "CreateTexture");
    const std::vector<DWORD> texels = checkers();
    D3DLOCKED_RECT locked;
    check(texture->LockRect(0, &locked, nullptr, 0), "LockRect");
    for (int i = 0; i < 64 * 64; i++)
      static_cast<DWORD*>(locked.pBits)[i / 64 * locked.Pitch / 4 + i % 64] = texels[i];
    texture->UnlockRect(0);
    return texture;
  }

  // draw(frame) between BeginScene and EndScene, as often as asked for.
  template <class Draw>
  void run(const Arguments& arguments, const Draw& draw) {
    for (int frame = 0; frame < arguments.frames; frame++) {
      take_messages();
      check(device->Clear(0, nullptr, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff203040, 1, 0), "Clear");
      check(device->BeginScene(), "BeginScene");
      draw(frame);
      check(device->EndScene(), "EndScene");
      if (arguments.picture && frame + 1 == arguments.frames) save(arguments.picture);
      check(device->Present(nullptr, nullptr, nullptr, nullptr), "Present");
    }
  }

 private:
  void save(const char* file) {
    IDirect3DSurface9 *target = nullptr, *copy = nullptr;
    check(device->GetRenderTarget(0, &target), "GetRenderTarget");
    check(device->CreateOffscreenPlainSurface(kWidth, kHeight, D3DFMT_X8R8G8B8, D3DPOOL_SYSTEMMEM, &copy,
                                              nullptr),
          "CreateOffscreenPlainSurface");
    check(device->GetRenderTargetData(target, copy), "GetRenderTargetData");
    D3DLOCKED_RECT locked;
    check(copy->LockRect(&locked, nullptr, D3DLOCK_READONLY), "LockRect");
    write_picture(file, locked.pBits, locked.Pitch, 2);
    copy->UnlockRect();
  }
};

}  // namespace direct3d
