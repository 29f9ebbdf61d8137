// Direct3D 10: instances with attributes of their own, constant buffers, a depth buffer, four samples a
// pixel.
#include <d3d10.h>

#include "compile.h"
#include "swap_chain.h"

using namespace direct3d;

namespace {

const char* const kShaders = R"(
cbuffer Frame : register(b0) { float4 turn; };
struct Varying { float4 position : SV_POSITION; float4 color : COLOR; };
Varying vertex_main(float2 corner : CORNER, float4 place : PLACE, float4 color : COLOR) {
  Varying o;
  float2 p = float2(corner.x * turn.x - corner.y * turn.y, corner.x * turn.y + corner.y * turn.x);
  o.position = float4(p * place.w + place.xy, place.z, 1);
  o.color = color;
  return o;
}
float4 pixel_main(Varying i) : SV_TARGET { return i.color; }
)";

struct Instance {
  float x, y, z, size, r, g, b, a;
};

constexpr int kInstances = 24;

std::vector<Instance> instances() {
  std::vector<Instance> all;
  for (int i = 0; i < kInstances; i++) {
    const auto f = static_cast<float>(i);
    all.push_back({0.3f * static_cast<float>(i % 6) - 0.75f, 0.4f * static_cast<float>(i / 6) - 0.6f,
                   static_cast<float>(i * 7 % kInstances) / kInstances, 0.35f, f / kInstances,
                   1 - f / kInstances, 0.5f, 1});
  }
  return all;
}

template <class T>
ID3D10Buffer* buffer_of(ID3D10Device* device, const std::vector<T>& values) {
  const D3D10_BUFFER_DESC description{static_cast<UINT>(values.size() * sizeof(T)), D3D10_USAGE_DEFAULT,
                                      D3D10_BIND_VERTEX_BUFFER, 0, 0};
  const D3D10_SUBRESOURCE_DATA data{values.data(), 0, 0};
  ID3D10Buffer* buffer = nullptr;
  check(device->CreateBuffer(&description, &data, &buffer), "CreateBuffer");
  return buffer;
}

ID3D10Texture2D* texture_of(ID3D10Device* device, DXGI_FORMAT format, UINT samples, UINT bind,
                            bool staging = false) {
  D3D10_TEXTURE2D_DESC description{};
  description.Width = kWidth, description.Height = kHeight;
  description.MipLevels = description.ArraySize = 1;
  description.Format = format;
  description.SampleDesc.Count = samples;
  description.BindFlags = bind;
  if (staging) description.Usage = D3D10_USAGE_STAGING, description.CPUAccessFlags = D3D10_CPU_ACCESS_READ;
  ID3D10Texture2D* texture = nullptr;
  check(device->CreateTexture2D(&description, nullptr, &texture), "CreateTexture2D");
  return texture;
}

void save(ID3D10Device* device, ID3D10Texture2D* picture, const char* file) {
  ID3D10Texture2D* copy = texture_of(device, DXGI_FORMAT_R8G8B8A8_UNORM, 1, 0, true);
  device->CopyResource(copy, picture);
  D3D10_MAPPED_TEXTURE2D mapped;
  check(copy->Map(0, D3D10_MAP_READ, 0, &mapped), "Map");
  write_picture(file, mapped.pData, static_cast<int>(mapped.RowPitch), 0);
  copy->Unmap(0);
}

}  // namespace

int main(int count, char** words) {
  const Arguments arguments(count, words);
  DXGI_SWAP_CHAIN_DESC chain = swap_chain("direct3d_10");
  IDXGISwapChain* swap = nullptr;
  ID3D10Device* device = nullptr;
  check(D3D10CreateDeviceAndSwapChain(nullptr, D3D10_DRIVER_TYPE_HARDWARE, nullptr, 0, D3D10_SDK_VERSION,
                                      &chain, &swap, &device),
        "D3D10CreateDeviceAndSwapChain");
  ID3D10Texture2D* shown = nullptr;
  check(swap->GetBuffer(0, IID_ID3D10Texture2D, reinterpret_cast<void**>(&shown)), "GetBuffer");
  ID3D10Texture2D* drawn = texture_of(device, DXGI_FORMAT_R8G8B8A8_UNORM, 4, D3D10_BIND_RENDER_TARGET);
  ID3D10Texture2D* depths = texture_of(device, DXGI_FORMAT_D32_FLOAT, 4, D3D10_BIND_DEPTH_STENCIL);
  ID3D10RenderTargetView* target = nullptr;
  ID3D10DepthStencilView* depth = nullptr;
  check(device->CreateRenderTargetView(drawn, nullptr, &target), "CreateRenderTargetView");
  check(device->CreateDepthStencilView(depths, nullptr, &depth), "CreateDepthStencilView");

  ID3DBlob *vertex_code = compile(kShaders, "vertex_main", "vs_4_0"),
           *pixel_code = compile(kShaders, "pixel_main", "ps_4_0");
  ID3D10VertexShader* vertex_shader = nullptr;
  ID3D10PixelShader* pixel_shader = nullptr;
  check(device->CreateVertexShader(vertex_code->GetBufferPointer(), vertex_code->GetBufferSize(),
                                   &vertex_shader),
        "CreateVertexShader");
  check(device->CreatePixelShader(pixel_code->GetBufferPointer(), pixel_code->GetBufferSize(), &pixel_shader),
        "CreatePixelShader");
  const D3D10_INPUT_ELEMENT_DESC elements[] = {
      {"CORNER", 0, DXGI_FORMAT_R32G32_FLOAT, 0, 0, D3D10_INPUT_PER_VERTEX_DATA, 0},
      {"PLACE", 0, DXGI_FORMAT_R32G32B32A32_FLOAT, 1, 0, D3D10_INPUT_PER_INSTANCE_DATA, 1},
      {"COLOR", 0, DXGI_FORMAT_R32G32B32A32_FLOAT, 1, 16, D3D10_INPUT_PER_INSTANCE_DATA, 1}};
  ID3D10InputLayout* layout = nullptr;
  check(device->CreateInputLayout(elements, 3, vertex_code->GetBufferPointer(), vertex_code->GetBufferSize(),
                                  &layout),
        "CreateInputLayout");
  ID3D10Buffer* buffers[] = {buffer_of<float>(device, {-0.5f, -0.5f, -0.5f, 0.5f, 0.5f, -0.5f, 0.5f, 0.5f}),
                             buffer_of(device, instances())};
  const D3D10_BUFFER_DESC description{16, D3D10_USAGE_DEFAULT, D3D10_BIND_CONSTANT_BUFFER, 0, 0};
  ID3D10Buffer* constants = nullptr;
  check(device->CreateBuffer(&description, nullptr, &constants), "CreateBuffer");

  for (int frame = 0; frame < arguments.frames; frame++) {
    take_messages();
    const float s = 0.3f * static_cast<float>(frame) + 0.2f;
    const float turn[4] = {1 - s * s / 2, s, 0, 0}, color[4] = {0.125f, 0.1875f, 0.25f, 1};
    device->UpdateSubresource(constants, 0, nullptr, turn, 0, 0);
    device->ClearRenderTargetView(target, color);
    device->ClearDepthStencilView(depth, D3D10_CLEAR_DEPTH, 1, 0);
    device->OMSetRenderTargets(1, &target, depth);
    const D3D10_VIEWPORT viewport{0, 0, kWidth, kHeight, 0, 1};
    device->RSSetViewports(1, &viewport);
    const UINT strides[] = {8, sizeof(Instance)}, starts[] = {0, 0};
    device->IASetVertexBuffers(0, 2, buffers, strides, starts);
    device->IASetInputLayout(layout);
    device->IASetPrimitiveTopology(D3D10_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP);
    device->VSSetShader(vertex_shader);
    device->VSSetConstantBuffers(0, 1, &constants);
    device->PSSetShader(pixel_shader);
    device->DrawInstanced(4, kInstances, 0, 0);
    device->ResolveSubresource(shown, 0, drawn, 0, DXGI_FORMAT_R8G8B8A8_UNORM);
    if (arguments.picture && frame + 1 == arguments.frames) save(device, shown, arguments.picture);
    check(swap->Present(0, 0), "Present");
  }
  return 0;
}
