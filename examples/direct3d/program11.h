#pragma once

#include <d3d11.h>

#include "assemble.h"
#include "compile.h"
#include "swap_chain.h"

// Shared by the Direct3D 11 programs: a device, its swap chain, buffers, the last picture in a file.
namespace direct3d {

struct Device11 {
  IDXGISwapChain* swap = nullptr;
  ID3D11Device* device = nullptr;
  ID3D11DeviceContext* context = nullptr;
  ID3D11Texture2D* back = nullptr;
  ID3D11RenderTargetView* target = nullptr;

  Device11(const char* title, D3D_FEATURE_LEVEL wanted) {
    DXGI_SWAP_CHAIN_DESC chain = swap_chain(title);
    check(D3D11CreateDeviceAndSwapChain(nullptr, D3D_DRIVER_TYPE_HARDWARE, nullptr, 0, &wanted, 1,
                                        D3D11_SDK_VERSION, &chain, &swap, &device, nullptr, &context),
          "D3D11CreateDeviceAndSwapChain");
    check(swap->GetBuffer(0, IID_ID3D11Texture2D, reinterpret_cast<void**>(&back)), "GetBuffer");
    check(device->CreateRenderTargetView(back, nullptr, &target), "CreateRenderTargetView");
  }

  ID3D11Buffer* buffer(const void* data, UINT bytes, UINT bind, UINT flags = 0, UINT stride = 0) const {
    const D3D11_BUFFER_DESC description{bytes, D3D11_USAGE_DEFAULT, bind, 0, flags, stride};
    const D3D11_SUBRESOURCE_DATA initial{data, 0, 0};
    ID3D11Buffer* made = nullptr;
    check(device->CreateBuffer(&description, data ? &initial : nullptr, &made), "CreateBuffer");
    return made;
  }

  // Clears the picture, and lets draws go there.
  void begin() const {
    const float color[4] = {0.125f, 0.1875f, 0.25f, 1};
    context->ClearRenderTargetView(target, color);
    context->OMSetRenderTargets(1, &target, nullptr);
    const D3D11_VIEWPORT viewport{0, 0, kWidth, kHeight, 0, 1};
    context->RSSetViewports(1, &viewport);
  }

  void save(const char* file) const {
    D3D11_TEXTURE2D_DESC description;
    back->GetDesc(&description);
    description.Usage = D3D11_USAGE_STAGING;
    description.BindFlags = 0;
    description.CPUAccessFlags = D3D11_CPU_ACCESS_READ;
    ID3D11Texture2D* copy = nullptr;
    check(device->CreateTexture2D(&description, nullptr, &copy), "CreateTexture2D");
    context->CopyResource(copy, back);
    D3D11_MAPPED_SUBRESOURCE mapped;
    check(context->Map(copy, 0, D3D11_MAP_READ, 0, &mapped), "Map");
    write_picture(file, mapped.pData, static_cast<int>(mapped.RowPitch), 0);
    context->Unmap(copy, 0);
  }

  // Draws all frames, and saves the last.
  template <class Draw>
  void run(const Arguments& arguments, const Draw& draw) const {
    for (int frame = 0; frame < arguments.frames; frame++) {
      take_messages();
      begin();
      draw(frame);
      if (arguments.picture && frame + 1 == arguments.frames) save(arguments.picture);
      check(swap->Present(0, 0), "Present");
    }
  }

  // A shader of a kind by its call of the device, of assembled words or of a compiled text.
  template <class Shader, class Create>
  Shader* shader(const Create& create, const void* code, size_t bytes) const {
    Shader* made = nullptr;
    check((device->*create)(code, bytes, nullptr, &made), "the creation of a shader");
    return made;
  }
  template <class Shader, class Create>
  Shader* shader(const Create& create, const Words& code) const {
    return shader<Shader>(create, code.data(), code.size() * 4);
  }
  template <class Shader, class Create>
  Shader* shader(const Create& create, ID3DBlob* code) const {
    return shader<Shader>(create, code->GetBufferPointer(), code->GetBufferSize());
  }
};

}  // namespace direct3d
