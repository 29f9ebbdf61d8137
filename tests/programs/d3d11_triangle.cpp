// A triangle by Direct3D 11, for run.py: built with mingw-w64, run by Wine.
#include <cstring>
#include <d3d11.h>
#include <d3dcompiler.h>

namespace {

const char kShaders[] =
    "struct Vertex { float4 position : SV_Position; float3 color : COLOR; };"
    "Vertex vertex_main(float2 position : POSITION, float3 color : COLOR)"
    "{ Vertex v; v.position = float4(position, 0, 1); v.color = color; return v; }"
    "float4 pixel_main(Vertex v) : SV_Target { return float4(v.color, 1); }";

ID3DBlob* compiled(const char* entry, const char* profile) {
  ID3DBlob *code = nullptr, *errors = nullptr;
  D3DCompile(kShaders, sizeof kShaders - 1, nullptr, nullptr, nullptr, entry, profile, 0, 0, &code, &errors);
  return code;
}

}  // namespace

int main() {
  WNDCLASSA window_class{};
  window_class.lpfnWndProc = DefWindowProcA;
  window_class.lpszClassName = "triangle";
  RegisterClassA(&window_class);
  HWND window = CreateWindowA("triangle", "Direct3D 11", WS_OVERLAPPEDWINDOW | WS_VISIBLE, 0, 0, 416, 339,
                              nullptr, nullptr, nullptr, nullptr);
  DXGI_SWAP_CHAIN_DESC description{};
  description.BufferDesc.Width = 400;
  description.BufferDesc.Height = 300;
  description.BufferDesc.Format = DXGI_FORMAT_R8G8B8A8_UNORM;
  description.SampleDesc.Count = 1;
  description.BufferUsage = DXGI_USAGE_RENDER_TARGET_OUTPUT;
  description.BufferCount = 1;
  description.OutputWindow = window;
  description.Windowed = TRUE;
  const D3D_FEATURE_LEVEL levels[] = {D3D_FEATURE_LEVEL_11_0, D3D_FEATURE_LEVEL_10_1, D3D_FEATURE_LEVEL_10_0,
                                      D3D_FEATURE_LEVEL_9_3};
  IDXGISwapChain* swapchain;
  ID3D11Device* device;
  ID3D11DeviceContext* context;
  if (FAILED(D3D11CreateDeviceAndSwapChain(nullptr, D3D_DRIVER_TYPE_HARDWARE, nullptr, 0, levels, 4,
                                           D3D11_SDK_VERSION, &description, &swapchain, &device, nullptr,
                                           &context)))
    return 1;

  ID3D11Texture2D* back;
  ID3D11RenderTargetView* target;
  swapchain->GetBuffer(0, __uuidof(ID3D11Texture2D), reinterpret_cast<void**>(&back));
  device->CreateRenderTargetView(back, nullptr, &target);
  context->OMSetRenderTargets(1, &target, nullptr);
  const D3D11_VIEWPORT viewport = {0, 0, 400, 300, 0, 1};
  context->RSSetViewports(1, &viewport);

  ID3DBlob *vertex_code = compiled("vertex_main", "vs_4_0"), *pixel_code = compiled("pixel_main", "ps_4_0");
  if (!vertex_code || !pixel_code) return 2;
  ID3D11VertexShader* vertex_shader;
  ID3D11PixelShader* pixel_shader;
  device->CreateVertexShader(vertex_code->GetBufferPointer(), vertex_code->GetBufferSize(), nullptr,
                             &vertex_shader);
  device->CreatePixelShader(pixel_code->GetBufferPointer(), pixel_code->GetBufferSize(), nullptr,
                            &pixel_shader);
  const D3D11_INPUT_ELEMENT_DESC elements[] = {
      {"POSITION", 0, DXGI_FORMAT_R32G32_FLOAT, 0, 0, D3D11_INPUT_PER_VERTEX_DATA, 0},
      {"COLOR", 0, DXGI_FORMAT_R32G32B32_FLOAT, 0, 8, D3D11_INPUT_PER_VERTEX_DATA, 0}};
  ID3D11InputLayout* layout;
  device->CreateInputLayout(elements, 2, vertex_code->GetBufferPointer(), vertex_code->GetBufferSize(),
                            &layout);
  const float vertices[] = {0, 0.8f, 1, 0, 0, 0.8f, -0.8f, 0, 1, 0, -0.8f, -0.8f, 0, 0, 1};
  D3D11_BUFFER_DESC buffer_description{};
  buffer_description.ByteWidth = sizeof vertices;
  buffer_description.BindFlags = D3D11_BIND_VERTEX_BUFFER;
  const D3D11_SUBRESOURCE_DATA data = {vertices, 0, 0};
  ID3D11Buffer* buffer;
  device->CreateBuffer(&buffer_description, &data, &buffer);

  const UINT stride = 20, offset = 0;
  context->IASetInputLayout(layout);
  context->IASetPrimitiveTopology(D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
  context->IASetVertexBuffers(0, 1, &buffer, &stride, &offset);
  context->VSSetShader(vertex_shader, nullptr, 0);
  context->PSSetShader(pixel_shader, nullptr, 0);
  for (int frame = 0; frame < 60; frame++) {
    for (MSG message; PeekMessageA(&message, nullptr, 0, 0, PM_REMOVE);) DispatchMessageA(&message);
    const float background[] = {0.1f, 0.2f, 0.3f, 1};
    context->ClearRenderTargetView(target, background);
    context->Draw(3, 0);
    swapchain->Present(0, 0);
  }
  return 0;
}
