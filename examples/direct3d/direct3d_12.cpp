// Direct3D 12: a root constant, a vertex buffer in upload memory, barriers, a fence for every frame.
#include <d3d12.h>
#include <dxgi1_4.h>

#include "compile.h"

using namespace direct3d;

namespace {

const char* const kShaders = R"(
cbuffer Frame : register(b0) { float4 turn; };
struct Varying { float4 position : SV_POSITION; float4 color : COLOR; };
Varying vertex_main(float2 position : POSITION, float4 color : COLOR) {
  Varying o;
  o.position = float4(position.x * turn.x - position.y * turn.y, position.x * turn.y + position.y * turn.x, 0.5, 1);
  o.color = color;
  return o;
}
float4 pixel_main(Varying i) : SV_TARGET { return i.color * i.color; }
)";

constexpr UINT kBuffers = 2;

struct Vertex {
  float x, y, r, g, b, a;
};

template <class T, class Made>
T* made(const char* what, const Made& make) {
  T* object = nullptr;
  check(make(reinterpret_cast<void**>(&object)), what);
  return object;
}

D3D12_RESOURCE_BARRIER transition(ID3D12Resource* resource, D3D12_RESOURCE_STATES from,
                                  D3D12_RESOURCE_STATES to) {
  D3D12_RESOURCE_BARRIER barrier{};
  barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION;
  barrier.Transition = {resource, D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES, from, to};
  return barrier;
}

// Memory that the processor can reach.
ID3D12Resource* buffer(ID3D12Device* device, D3D12_HEAP_TYPE type, UINT64 bytes) {
  D3D12_HEAP_PROPERTIES heap{};
  heap.Type = type;
  D3D12_RESOURCE_DESC description{};
  description.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
  description.Width = bytes, description.Height = description.DepthOrArraySize = description.MipLevels = 1;
  description.SampleDesc.Count = 1;
  description.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
  const auto state =
      type == D3D12_HEAP_TYPE_READBACK ? D3D12_RESOURCE_STATE_COPY_DEST : D3D12_RESOURCE_STATE_GENERIC_READ;
  return made<ID3D12Resource>("CreateCommittedResource", [&](void** object) {
    return device->CreateCommittedResource(&heap, D3D12_HEAP_FLAG_NONE, &description, state, nullptr,
                                           __uuidof(ID3D12Resource), object);
  });
}

ID3D12RootSignature* root_signature(ID3D12Device* device) {
  D3D12_ROOT_PARAMETER parameter{};
  parameter.ParameterType = D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS;
  parameter.Constants = {0, 0, 4};
  D3D12_ROOT_SIGNATURE_DESC description{};
  description.NumParameters = 1, description.pParameters = &parameter;
  description.Flags = D3D12_ROOT_SIGNATURE_FLAG_ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT;
  ID3DBlob *blob = nullptr, *errors = nullptr;
  check(D3D12SerializeRootSignature(&description, D3D_ROOT_SIGNATURE_VERSION_1, &blob, &errors),
        "D3D12SerializeRootSignature");
  return made<ID3D12RootSignature>("CreateRootSignature", [&](void** object) {
    return device->CreateRootSignature(0, blob->GetBufferPointer(), blob->GetBufferSize(),
                                       __uuidof(ID3D12RootSignature), object);
  });
}

ID3D12PipelineState* pipeline(ID3D12Device* device, ID3D12RootSignature* root) {
  const D3D12_INPUT_ELEMENT_DESC elements[] = {
      {"POSITION", 0, DXGI_FORMAT_R32G32_FLOAT, 0, 0, D3D12_INPUT_CLASSIFICATION_PER_VERTEX_DATA, 0},
      {"COLOR", 0, DXGI_FORMAT_R32G32B32A32_FLOAT, 0, 8, D3D12_INPUT_CLASSIFICATION_PER_VERTEX_DATA, 0}};
  ID3DBlob *vertex = compile(kShaders, "vertex_main", "vs_4_0"),
           *pixel = compile(kShaders, "pixel_main", "ps_4_0");
  D3D12_GRAPHICS_PIPELINE_STATE_DESC description{};
  description.pRootSignature = root;
  description.VS = {vertex->GetBufferPointer(), vertex->GetBufferSize()};
  description.PS = {pixel->GetBufferPointer(), pixel->GetBufferSize()};
  description.BlendState.RenderTarget[0].RenderTargetWriteMask = D3D12_COLOR_WRITE_ENABLE_ALL;
  description.SampleMask = ~0u;
  description.RasterizerState.FillMode = D3D12_FILL_MODE_SOLID;
  description.RasterizerState.CullMode = D3D12_CULL_MODE_NONE;
  description.RasterizerState.DepthClipEnable = TRUE;
  description.InputLayout = {elements, 2};
  description.PrimitiveTopologyType = D3D12_PRIMITIVE_TOPOLOGY_TYPE_TRIANGLE;
  description.NumRenderTargets = 1;
  description.RTVFormats[0] = DXGI_FORMAT_R8G8B8A8_UNORM;
  description.SampleDesc.Count = 1;
  return made<ID3D12PipelineState>("CreateGraphicsPipelineState", [&](void** object) {
    return device->CreateGraphicsPipelineState(&description, __uuidof(ID3D12PipelineState), object);
  });
}

ID3D12Resource* vertex_buffer(ID3D12Device* device) {
  const Vertex vertices[] = {
      {0, 0.8f, 1, 0.2f, 0.2f, 1}, {0.7f, -0.6f, 0.2f, 1, 0.2f, 1}, {-0.7f, -0.6f, 0.2f, 0.2f, 1, 1}};
  ID3D12Resource* made = buffer(device, D3D12_HEAP_TYPE_UPLOAD, sizeof vertices);
  void* bytes = nullptr;
  check(made->Map(0, nullptr, &bytes), "Map");
  std::memcpy(bytes, vertices, sizeof vertices);
  made->Unmap(0, nullptr);
  return made;
}

IDXGISwapChain3* swap_chain(ID3D12CommandQueue* queue) {
  auto* factory = made<IDXGIFactory4>("CreateDXGIFactory1", [](void** object) {
    return CreateDXGIFactory1(__uuidof(IDXGIFactory4), object);
  });
  DXGI_SWAP_CHAIN_DESC1 chain{};
  chain.Width = kWidth, chain.Height = kHeight;
  chain.Format = DXGI_FORMAT_R8G8B8A8_UNORM;
  chain.SampleDesc.Count = 1;
  chain.BufferUsage = DXGI_USAGE_RENDER_TARGET_OUTPUT;
  chain.BufferCount = kBuffers;
  chain.SwapEffect = DXGI_SWAP_EFFECT_FLIP_DISCARD;
  IDXGISwapChain1* swap = nullptr;
  check(factory->CreateSwapChainForHwnd(queue, make_window("direct3d_12"), &chain, nullptr, nullptr, &swap),
        "CreateSwapChainForHwnd");
  return made<IDXGISwapChain3>("IDXGISwapChain3", [&](void** object) {
    return swap->QueryInterface(__uuidof(IDXGISwapChain3), object);
  });
}

// Ends when the queue has done all that it was given.
void finish(ID3D12CommandQueue* queue, ID3D12Fence* fence, UINT64 value) {
  check(queue->Signal(fence, value), "Signal");
  const HANDLE event = CreateEventA(nullptr, FALSE, FALSE, nullptr);
  check(fence->SetEventOnCompletion(value, event), "SetEventOnCompletion");
  WaitForSingleObject(event, INFINITE);
  CloseHandle(event);
}

void save(ID3D12Resource* copy, const char* file) {
  void* bytes = nullptr;
  check(copy->Map(0, nullptr, &bytes), "Map");
  write_picture(file, bytes, kWidth * 4, 0);
  copy->Unmap(0, nullptr);
}

}  // namespace

int main(int count, char** words) {
  const Arguments arguments(count, words);
  auto* device = made<ID3D12Device>("D3D12CreateDevice", [](void** object) {
    return D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, __uuidof(ID3D12Device), object);
  });
  const D3D12_COMMAND_QUEUE_DESC queue_description{D3D12_COMMAND_LIST_TYPE_DIRECT, 0,
                                                   D3D12_COMMAND_QUEUE_FLAG_NONE, 0};
  auto* queue = made<ID3D12CommandQueue>("CreateCommandQueue", [&](void** object) {
    return device->CreateCommandQueue(&queue_description, __uuidof(ID3D12CommandQueue), object);
  });
  IDXGISwapChain3* swap = swap_chain(queue);
  const D3D12_DESCRIPTOR_HEAP_DESC heap_description{D3D12_DESCRIPTOR_HEAP_TYPE_RTV, kBuffers,
                                                    D3D12_DESCRIPTOR_HEAP_FLAG_NONE, 0};
  auto* heap = made<ID3D12DescriptorHeap>("CreateDescriptorHeap", [&](void** object) {
    return device->CreateDescriptorHeap(&heap_description, __uuidof(ID3D12DescriptorHeap), object);
  });
  const SIZE_T step = device->GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE_RTV);
  D3D12_CPU_DESCRIPTOR_HANDLE target[kBuffers];
  ID3D12Resource* picture[kBuffers];
  for (UINT i = 0; i < kBuffers; i++) {
    target[i] = heap->GetCPUDescriptorHandleForHeapStart();
    target[i].ptr += i * step;
    check(swap->GetBuffer(i, __uuidof(ID3D12Resource), reinterpret_cast<void**>(&picture[i])), "GetBuffer");
    device->CreateRenderTargetView(picture[i], nullptr, target[i]);
  }
  ID3D12RootSignature* root = root_signature(device);
  ID3D12PipelineState* state = pipeline(device, root);
  ID3D12Resource* vertices = vertex_buffer(device);
  ID3D12Resource* copy = buffer(device, D3D12_HEAP_TYPE_READBACK, kWidth * kHeight * 4);
  auto* allocator = made<ID3D12CommandAllocator>("CreateCommandAllocator", [&](void** object) {
    return device->CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE_DIRECT, __uuidof(ID3D12CommandAllocator),
                                          object);
  });
  auto* list = made<ID3D12GraphicsCommandList>("CreateCommandList", [&](void** object) {
    return device->CreateCommandList(0, D3D12_COMMAND_LIST_TYPE_DIRECT, allocator, state,
                                     __uuidof(ID3D12GraphicsCommandList), object);
  });
  auto* fence = made<ID3D12Fence>("CreateFence", [&](void** object) {
    return device->CreateFence(0, D3D12_FENCE_FLAG_NONE, __uuidof(ID3D12Fence), object);
  });

  for (int frame = 0; frame < arguments.frames; frame++) {
    take_messages();
    const UINT shown = swap->GetCurrentBackBufferIndex();
    const float s = 0.25f * static_cast<float>(frame) + 0.1f;
    const float turn[4] = {1 - s * s / 2, s, 0, 0}, color[4] = {0.125f, 0.1875f, 0.25f, 1};
    const bool saves = arguments.picture && frame + 1 == arguments.frames;
    D3D12_RESOURCE_BARRIER barrier =
        transition(picture[shown], D3D12_RESOURCE_STATE_PRESENT, D3D12_RESOURCE_STATE_RENDER_TARGET);
    list->ResourceBarrier(1, &barrier);
    list->SetGraphicsRootSignature(root);
    list->SetGraphicsRoot32BitConstants(0, 4, turn, 0);
    const D3D12_VIEWPORT viewport{0, 0, kWidth, kHeight, 0, 1};
    const D3D12_RECT scissor{0, 0, kWidth, kHeight};
    list->RSSetViewports(1, &viewport);
    list->RSSetScissorRects(1, &scissor);
    list->OMSetRenderTargets(1, &target[shown], FALSE, nullptr);
    list->ClearRenderTargetView(target[shown], color, 0, nullptr);
    const D3D12_VERTEX_BUFFER_VIEW view{vertices->GetGPUVirtualAddress(), 3 * sizeof(Vertex), sizeof(Vertex)};
    list->IASetVertexBuffers(0, 1, &view);
    list->IASetPrimitiveTopology(D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    list->DrawInstanced(3, 1, 0, 0);
    if (saves) {
      barrier =
          transition(picture[shown], D3D12_RESOURCE_STATE_RENDER_TARGET, D3D12_RESOURCE_STATE_COPY_SOURCE);
      list->ResourceBarrier(1, &barrier);
      D3D12_TEXTURE_COPY_LOCATION to{}, from{};
      to.pResource = copy, to.Type = D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT;
      to.PlacedFootprint.Footprint = {DXGI_FORMAT_R8G8B8A8_UNORM, kWidth, kHeight, 1, kWidth * 4};
      from.pResource = picture[shown], from.Type = D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX;
      list->CopyTextureRegion(&to, 0, 0, 0, &from, nullptr);
    }
    barrier = transition(picture[shown],
                         saves ? D3D12_RESOURCE_STATE_COPY_SOURCE : D3D12_RESOURCE_STATE_RENDER_TARGET,
                         D3D12_RESOURCE_STATE_PRESENT);
    list->ResourceBarrier(1, &barrier);
    check(list->Close(), "Close");
    ID3D12CommandList* const lists[] = {list};
    queue->ExecuteCommandLists(1, lists);
    finish(queue, fence, static_cast<UINT64>(frame) + 1);
    if (saves) save(copy, arguments.picture);
    check(swap->Present(0, 0), "Present");
    check(allocator->Reset(), "Reset");
    check(list->Reset(allocator, state), "Reset");
  }
  return 0;
}
