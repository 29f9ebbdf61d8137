// Direct3D 11 with shaders of model 4: a textured rectangle in changing places.
#include <d3d11.h>

#include "compile.h"
#include "swap_chain.h"

using namespace direct3d;

namespace {

const char* const kShaders = R"(
cbuffer Frame : register(b0) { float4 offset; };
Texture2D picture : register(t0);
SamplerState linear_sampler : register(s0);
struct Varying { float4 position : SV_POSITION; float4 color : COLOR; float2 uv : TEXCOORD; };
Varying vertex_main(float3 position : POSITION, float4 color : COLOR, float2 uv : TEXCOORD) {
  Varying o;
  o.position = float4(position + offset.xyz, 1);
  o.color = color;
  o.uv = uv;
  return o;
}
float4 pixel_main(Varying i) : SV_TARGET { return i.color * picture.Sample(linear_sampler, i.uv); }
)";

struct Vertex {
  float x, y, z, r, g, b, a, u, v;
};

void save(ID3D11Device* device, ID3D11DeviceContext* context, ID3D11Texture2D* picture, const char* file) {
  D3D11_TEXTURE2D_DESC description;
  picture->GetDesc(&description);
  description.Usage = D3D11_USAGE_STAGING;
  description.BindFlags = 0;
  description.CPUAccessFlags = D3D11_CPU_ACCESS_READ;
  ID3D11Texture2D* copy = nullptr;
  check(device->CreateTexture2D(&description, nullptr, &copy), "CreateTexture2D");
  context->CopyResource(copy, picture);
  D3D11_MAPPED_SUBRESOURCE mapped;
  check(context->Map(copy, 0, D3D11_MAP_READ, 0, &mapped), "Map");
  write_picture(file, mapped.pData, static_cast<int>(mapped.RowPitch), 0);
  context->Unmap(copy, 0);
}

}  // namespace

int main(int count, char** words) {
  const Arguments arguments(count, words);
  DXGI_SWAP_CHAIN_DESC chain = swap_chain("direct3d_11");
  IDXGISwapChain* swap = nullptr;
  ID3D11Device* device = nullptr;
  ID3D11DeviceContext* context = nullptr;
  D3D_FEATURE_LEVEL level;
  check(D3D11CreateDeviceAndSwapChain(nullptr, D3D_DRIVER_TYPE_HARDWARE, nullptr, 0, nullptr, 0,
                                      D3D11_SDK_VERSION, &chain, &swap, &device, &level, &context),
        "D3D11CreateDeviceAndSwapChain");
  std::printf("feature level %x\n", static_cast<unsigned>(level));
  ID3D11Texture2D* back = nullptr;
  check(swap->GetBuffer(0, IID_ID3D11Texture2D, reinterpret_cast<void**>(&back)), "GetBuffer");
  ID3D11RenderTargetView* target = nullptr;
  check(device->CreateRenderTargetView(back, nullptr, &target), "CreateRenderTargetView");
  ID3DBlob* vertex_code = compile(kShaders, "vertex_main", "vs_4_0");
  ID3DBlob* pixel_code = compile(kShaders, "pixel_main", "ps_4_0");
  ID3D11VertexShader* vertex_shader = nullptr;
  ID3D11PixelShader* pixel_shader = nullptr;
  check(device->CreateVertexShader(vertex_code->GetBufferPointer(), vertex_code->GetBufferSize(), nullptr,
                                   &vertex_shader),
        "CreateVertexShader");
  check(device->CreatePixelShader(pixel_code->GetBufferPointer(), pixel_code->GetBufferSize(), nullptr,
                                  &pixel_shader),
        "CreatePixelShader");
  const D3D11_INPUT_ELEMENT_DESC elements[] = {
      {"POSITION", 0, DXGI_FORMAT_R32G32B32_FLOAT, 0, 0, D3D11_INPUT_PER_VERTEX_DATA, 0},
      {"COLOR", 0, DXGI_FORMAT_R32G32B32A32_FLOAT, 0, 12, D3D11_INPUT_PER_VERTEX_DATA, 0},
      {"TEXCOORD", 0, DXGI_FORMAT_R32G32_FLOAT, 0, 28, D3D11_INPUT_PER_VERTEX_DATA, 0}};
  ID3D11InputLayout* layout = nullptr;
  check(device->CreateInputLayout(elements, 3, vertex_code->GetBufferPointer(), vertex_code->GetBufferSize(),
                                  &layout),
        "CreateInputLayout");
  const Vertex vertices[] = {{-0.7f, -0.7f, 0.5f, 1, 0.25f, 0.25f, 1, 0, 1},
                             {-0.7f, 0.7f, 0.5f, 0.25f, 1, 0.25f, 1, 0, 0},
                             {0.7f, -0.7f, 0.5f, 0.25f, 0.25f, 1, 1, 1, 1},
                             {0.7f, 0.7f, 0.5f, 1, 1, 0.25f, 1, 1, 0}};
  D3D11_BUFFER_DESC buffer{sizeof vertices, D3D11_USAGE_DEFAULT, D3D11_BIND_VERTEX_BUFFER, 0, 0, 0};
  D3D11_SUBRESOURCE_DATA data{vertices, 0, 0};
  ID3D11Buffer *vertex_buffer = nullptr, *constants = nullptr;
  check(device->CreateBuffer(&buffer, &data, &vertex_buffer), "CreateBuffer");
  buffer = {16, D3D11_USAGE_DEFAULT, D3D11_BIND_CONSTANT_BUFFER, 0, 0, 0};
  check(device->CreateBuffer(&buffer, nullptr, &constants), "CreateBuffer");
  const std::vector<DWORD> texels = checkers();
  D3D11_TEXTURE2D_DESC description{};
  description.Width = description.Height = 64, description.MipLevels = description.ArraySize = 1;
  description.Format = DXGI_FORMAT_R8G8B8A8_UNORM, description.SampleDesc.Count = 1;
  description.BindFlags = D3D11_BIND_SHADER_RESOURCE;
  data = {texels.data(), 64 * 4, 0};
  ID3D11Texture2D* texture = nullptr;
  ID3D11ShaderResourceView* view = nullptr;
  check(device->CreateTexture2D(&description, &data, &texture), "CreateTexture2D");
  check(device->CreateShaderResourceView(texture, nullptr, &view), "CreateShaderResourceView");
  D3D11_SAMPLER_DESC sampling{};
  sampling.Filter = D3D11_FILTER_MIN_MAG_MIP_LINEAR;
  sampling.AddressU = sampling.AddressV = sampling.AddressW = D3D11_TEXTURE_ADDRESS_WRAP;
  sampling.MaxLOD = D3D11_FLOAT32_MAX;
  ID3D11SamplerState* sampler = nullptr;
  check(device->CreateSamplerState(&sampling, &sampler), "CreateSamplerState");
  for (int frame = 0; frame < arguments.frames; frame++) {
    take_messages();
    const float offset[4] = {0.1f * static_cast<float>(frame) - 0.2f, 0, 0, 0};
    context->UpdateSubresource(constants, 0, nullptr, offset, 0, 0);
    const float color[4] = {0.125f, 0.1875f, 0.25f, 1};
    context->ClearRenderTargetView(target, color);
    context->OMSetRenderTargets(1, &target, nullptr);
    const D3D11_VIEWPORT viewport{0, 0, kWidth, kHeight, 0, 1};
    context->RSSetViewports(1, &viewport);
    const UINT stride = sizeof(Vertex), start = 0;
    context->IASetVertexBuffers(0, 1, &vertex_buffer, &stride, &start);
    context->IASetInputLayout(layout);
    context->IASetPrimitiveTopology(D3D11_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP);
    context->VSSetShader(vertex_shader, nullptr, 0);
    context->VSSetConstantBuffers(0, 1, &constants);
    context->PSSetShader(pixel_shader, nullptr, 0);
    context->PSSetShaderResources(0, 1, &view);
    context->PSSetSamplers(0, 1, &sampler);
    context->Draw(4, 0);
    if (arguments.picture && frame + 1 == arguments.frames) save(device, context, back, arguments.picture);
    check(swap->Present(0, 0), "Present");
  }
  return 0;
}
