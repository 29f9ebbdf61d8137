// Direct3D 10: a geometry shader makes triangles of points. They go to the picture; and, made of other
// points, to a buffer (stream output), of which triangles are drawn without that shader.
#include <d3d10.h>

#include "assemble.h"
#include "compile.h"
#include "swap_chain.h"

using namespace direct3d;

namespace {

const char* const kShaders = R"(
struct Point { float4 place : PLACE; float4 color : COLOR; };
struct Varying { float4 position : SV_POSITION; float4 color : COLOR; };
Point point_main(float4 place : PLACE, float4 color : COLOR) {
  Point o;
  o.place = place;
  o.color = color;
  return o;
}
Varying vertex_main(float4 position : POSITION, float4 color : COLOR) {
  Varying o;
  o.position = position;
  o.color = color.zxyw;
  return o;
}
float4 pixel_main(Varying i) : SV_TARGET { return i.color; }
)";

struct Point {
  float x, y, z, size, r, g, b, a;
};
struct Corner {
  float position[4], color[4];
};
constexpr UINT kPoints = 12;

// A triangle around a point, its corners lighter and lighter.
Words geometry() {
  constexpr uint32_t kPosition = 1, kFloat = 3, kPoint = 1, kStrip = 5;
  const std::vector<Parameter> in = {{"PLACE", 0, 0, kFloat, 0, 15}, {"COLOR", 0, 0, kFloat, 1, 15}};
  const std::vector<Parameter> out = {{"SV_POSITION", 0, kPosition, kFloat, 0, 15},
                                      {"COLOR", 0, 0, kFloat, 1, 15}};
  constexpr float kCorners[3][2] = {{0, 1}, {0.9f, -0.6f}, {-0.9f, -0.6f}};
  Assembler a(Kind::kGeometry, 4);
  a.op(kDclInput, {destination(kInput, {1, 0}, "xyzw")});
  a.op(kDclInput, {destination(kInput, {1, 1}, "xyzw")});
  a.op(kDclInputPrimitive, {}, kPoint);
  a.op(kDclOutputTopology, {}, kStrip);
  a.op(kDclOutputSiv, {destination(kOutput, {0}, "xyzw")}, 0, {kPosition});
  a.op(kDclOutput, {destination(kOutput, {1}, "xyzw")});
  a.op(kDclMaxOutput, {}, 0, {3});
  for (const auto& [x, y] : kCorners) {
    a.op(kMad, {destination(kOutput, {0}, "xy"), source(kInput, {0, 0}, "wwww"), literal(x, y, 0, 0),
                source(kInput, {0, 0}, "xyxx")});
    a.op(kMov, {destination(kOutput, {0}, "z"), source(kInput, {0, 0}, "z")});
    a.op(kMov, {destination(kOutput, {0}, "w"), literal(1.0f)});
    a.op(kMad, {destination(kOutput, {1}, "xyzw"), source(kInput, {0, 1}), literal(0.7f, 0.7f, 0.7f, 1),
                literal(0.3f * (1 + y) / 2, 0.3f * (1 + y) / 2, 0.3f * (1 + x) / 2, 0)});
    a.op(kEmit);
  }
  a.op(kRet);
  return a.finish(in, out);
}

std::vector<Point> points() {
  std::vector<Point> all;
  for (UINT i = 0; i < 2 * kPoints; i++) {
    const auto f = static_cast<float>(i % kPoints) / kPoints;
    const float x = -0.8f + 1.6f * static_cast<float>(i % 6) / 5;
    const float y = 0.75f - 0.45f * static_cast<float>(i / 6);
    all.push_back({x, y, 0.5f, 0.1f + 0.1f * f, f, 1 - f, 0.5f, 1});
  }
  return all;
}

ID3D10Buffer* buffer_of(ID3D10Device* device, const void* data, UINT bytes, UINT bind) {
  const D3D10_BUFFER_DESC description{bytes, D3D10_USAGE_DEFAULT, bind, 0, 0};
  const D3D10_SUBRESOURCE_DATA initial{data, 0, 0};
  ID3D10Buffer* buffer = nullptr;
  check(device->CreateBuffer(&description, data ? &initial : nullptr, &buffer), "CreateBuffer");
  return buffer;
}

void save(ID3D10Device* device, ID3D10Texture2D* picture, const char* file) {
  D3D10_TEXTURE2D_DESC description;
  picture->GetDesc(&description);
  description.Usage = D3D10_USAGE_STAGING, description.BindFlags = 0;
  description.CPUAccessFlags = D3D10_CPU_ACCESS_READ;
  ID3D10Texture2D* copy = nullptr;
  check(device->CreateTexture2D(&description, nullptr, &copy), "CreateTexture2D");
  device->CopyResource(copy, picture);
  D3D10_MAPPED_TEXTURE2D mapped;
  check(copy->Map(0, D3D10_MAP_READ, 0, &mapped), "Map");
  write_picture(file, mapped.pData, static_cast<int>(mapped.RowPitch), 0);
  copy->Unmap(0);
}

// A vertex shader and the layout of what it reads: two vectors of four.
struct VertexStage {
  ID3D10VertexShader* shader = nullptr;
  ID3D10InputLayout* layout = nullptr;
};

VertexStage vertex_stage(ID3D10Device* device, const char* entry, const char* first) {
  const D3D10_INPUT_ELEMENT_DESC elements[] = {
      {first, 0, DXGI_FORMAT_R32G32B32A32_FLOAT, 0, 0, D3D10_INPUT_PER_VERTEX_DATA, 0},
      {"COLOR", 0, DXGI_FORMAT_R32G32B32A32_FLOAT, 0, 16, D3D10_INPUT_PER_VERTEX_DATA, 0}};
  ID3DBlob* code = compile(kShaders, entry, "vs_4_0");
  VertexStage made;
  check(device->CreateVertexShader(code->GetBufferPointer(), code->GetBufferSize(), &made.shader),
        "CreateVertexShader");
  check(device->CreateInputLayout(elements, 2, code->GetBufferPointer(), code->GetBufferSize(), &made.layout),
        "CreateInputLayout");
  return made;
}

struct Shaders {
  VertexStage of_points, of_corners;
  ID3D10GeometryShader *drawing = nullptr, *storing = nullptr;
  ID3D10PixelShader* pixel = nullptr;
  ID3D10DepthStencilState* no_depth = nullptr;
  ID3D10BlendState* no_color = nullptr;
};

Shaders make_shaders(ID3D10Device* device) {
  Shaders made{vertex_stage(device, "point_main", "PLACE"), vertex_stage(device, "vertex_main", "POSITION")};
  const Words code = geometry();
  const D3D10_SO_DECLARATION_ENTRY stored[] = {{"SV_POSITION", 0, 0, 4, 0}, {"COLOR", 0, 0, 4, 0}};
  check(device->CreateGeometryShader(code.data(), code.size() * 4, &made.drawing), "CreateGeometryShader");
  check(device->CreateGeometryShaderWithStreamOutput(code.data(), code.size() * 4, stored, 2, sizeof(Corner),
                                                     &made.storing),
        "CreateGeometryShaderWithStreamOutput");
  ID3DBlob* pixel = compile(kShaders, "pixel_main", "ps_4_0");
  check(device->CreatePixelShader(pixel->GetBufferPointer(), pixel->GetBufferSize(), &made.pixel),
        "CreatePixelShader");
  const D3D10_DEPTH_STENCIL_DESC off{};
  check(device->CreateDepthStencilState(&off, &made.no_depth), "CreateDepthStencilState");
  const D3D10_BLEND_DESC unwritten{};  // Wine draws what only a stream output is to have
  check(device->CreateBlendState(&unwritten, &made.no_color), "CreateBlendState");
  return made;
}

void use(ID3D10Device* device, const VertexStage& stage, ID3D10Buffer* vertices,
         D3D10_PRIMITIVE_TOPOLOGY topology) {
  const UINT stride = sizeof(Corner), start = 0;
  device->IASetVertexBuffers(0, 1, &vertices, &stride, &start);
  device->IASetInputLayout(stage.layout);
  device->IASetPrimitiveTopology(topology);
  device->VSSetShader(stage.shader);
}

}  // namespace

int main(int count, char** words) {
  const Arguments arguments(count, words);
  DXGI_SWAP_CHAIN_DESC chain = swap_chain("direct3d_10_geometry");
  IDXGISwapChain* swap = nullptr;
  ID3D10Device* device = nullptr;
  check(D3D10CreateDeviceAndSwapChain(nullptr, D3D10_DRIVER_TYPE_HARDWARE, nullptr, 0, D3D10_SDK_VERSION,
                                      &chain, &swap, &device),
        "D3D10CreateDeviceAndSwapChain");
  ID3D10Texture2D* shown = nullptr;
  ID3D10RenderTargetView* target = nullptr;
  check(swap->GetBuffer(0, IID_ID3D10Texture2D, reinterpret_cast<void**>(&shown)), "GetBuffer");
  check(device->CreateRenderTargetView(shown, nullptr, &target), "CreateRenderTargetView");
  const Shaders shaders = make_shaders(device);
  const std::vector<Point> all = points();
  ID3D10Buffer* of_points =
      buffer_of(device, all.data(), static_cast<UINT>(all.size() * sizeof all[0]), D3D10_BIND_VERTEX_BUFFER);
  ID3D10Buffer* stored = buffer_of(device, nullptr, 3 * kPoints * sizeof(Corner),
                                   D3D10_BIND_VERTEX_BUFFER | D3D10_BIND_STREAM_OUTPUT);
  ID3D10Buffer* none = nullptr;

  for (int frame = 0; frame < arguments.frames; frame++) {
    take_messages();
    const float color[4] = {0.125f, 0.1875f, 0.25f, 1};
    const D3D10_VIEWPORT viewport{0, 0, kWidth, kHeight, 0, 1};
    const UINT start = 0, drawn = kPoints - static_cast<UINT>(frame) % kPoints;
    device->ClearRenderTargetView(target, color);
    device->OMSetRenderTargets(1, &target, nullptr);
    device->RSSetViewports(1, &viewport);
    use(device, shaders.of_points, of_points, D3D10_PRIMITIVE_TOPOLOGY_POINTLIST);
    device->GSSetShader(shaders.drawing);
    device->PSSetShader(shaders.pixel);
    device->OMSetDepthStencilState(nullptr, 0);
    device->Draw(drawn, 0);

    device->SOSetTargets(1, &stored, &start);
    device->GSSetShader(shaders.storing);
    device->PSSetShader(nullptr);
    device->OMSetDepthStencilState(shaders.no_depth, 0);
    device->OMSetBlendState(shaders.no_color, nullptr, ~0u);
    device->Draw(drawn, kPoints);

    device->SOSetTargets(1, &none, &start);
    device->GSSetShader(nullptr);
    device->PSSetShader(shaders.pixel);
    use(device, shaders.of_corners, stored, D3D10_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    device->OMSetBlendState(nullptr, nullptr, ~0u);
    device->Draw(3 * drawn, 0);
    if (arguments.picture && frame + 1 == arguments.frames) save(device, shown, arguments.picture);
    check(swap->Present(0, 0), "Present");
  }
  return 0;
}
