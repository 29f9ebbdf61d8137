// Direct3D 11 at feature level 11_0: patches of four control points through a hull and a domain shader, which
// makes waves of them: triangles, and below the points that they are made of. Factors change from frame to
// frame.
#include "program11.h"

using namespace direct3d;

namespace {

const char* const kShaders = R"(
float4 vertex_main(float4 place : PLACE) : PLACE { return place; }
float4 pixel_main(float4 position : SV_POSITION, float4 color : COLOR) : SV_TARGET { return color; }
)";

constexpr uint32_t kPosition = 1, kEdgeFactor = 11, kInsideFactor = 12;  // D3D_NAME of signatures
constexpr uint32_t kQuadEdge0 = 11, kQuadInside0 = 15;                   // of declarations: one for each edge
constexpr uint32_t kQuad = 3, kFractionalOdd = 3, kPoint = 1, kTriangleClockwise = 3, kFloat = 3;

std::vector<Parameter> factors() {
  std::vector<Parameter> all;
  for (uint32_t i = 0; i < 4; i++) all.push_back({"SV_TessFactor", i, kEdgeFactor, kFloat, i, 1});
  for (uint32_t i = 0; i < 2; i++) all.push_back({"SV_InsideTessFactor", i, kInsideFactor, kFloat, 4 + i, 1});
  return all;
}

const Parameter kPlace{"PLACE", 0, 0, kFloat, 0, 15};

// The control points stay as they are; all factors are c0.x.
Words hull(uint32_t primitive) {
  Assembler a(Kind::kHull, 5);
  a.op(kHsDecls);
  a.op(kDclInputControlPoints, {}, 4);
  a.op(kDclOutputControlPoints, {}, 4);
  a.op(kDclTessDomain, {}, kQuad);
  a.op(kDclTessPartitioning, {}, kFractionalOdd);
  a.op(kDclTessOutputPrimitive, {}, primitive);
  a.op(kDclGlobalFlags, {}, 1);
  a.op(kDclConstantBuffer, {source(kConstantBuffer, {0, 1})});
  a.op(kHsForkPhase);
  for (uint32_t i = 0; i < 6; i++)
    a.op(kDclOutputSiv, {destination(kOutput, {i}, "x")}, 0, {i < 4 ? kQuadEdge0 + i : kQuadInside0 + i - 4});
  for (uint32_t i = 0; i < 6; i++)
    a.op(kMov, {destination(kOutput, {i}, "x"), source(kConstantBuffer, {0, 0}, "x")});
  a.op(kRet);
  return a.finish({kPlace}, {kPlace}, factors());
}

// Between the control points, lower where a wave is; its color says where in the patch a point lies.
Words domain() {
  const Operand u = source(kDomainPoint, {}, "x"), v = source(kDomainPoint, {}, "y");
  Assembler a(Kind::kDomain, 5);
  a.op(kDclInputControlPoints, {}, 4);
  a.op(kDclTessDomain, {}, kQuad);
  a.op(kDclGlobalFlags, {}, 1);
  a.op(kDclInput, {destination(kDomainPoint, {}, "xy")});
  a.op(kDclInput, {destination(kControlPoint, {4, 0}, "xyzw")});
  a.op(kDclOutputSiv, {destination(kOutput, {0}, "xyzw")}, 0, {kPosition});
  a.op(kDclOutput, {destination(kOutput, {1}, "xyzw")});
  a.op(kDclTemps, {}, 0, {2});
  const auto mix = [&](uint32_t into, uint32_t from, uint32_t to) {  // along u
    a.op(kAdd, {destination(kTemp, {1}, "xyzw"), source(kControlPoint, {to, 0}),
                negated(source(kControlPoint, {from, 0}))});
    a.op(kMad, {destination(kTemp, {into}, "xyzw"), source(kDomainPoint, {}, "xx"), source(kTemp, {1}),
                source(kControlPoint, {from, 0})});
  };
  mix(0, 0, 1);
  a.op(kMov, {destination(kOutput, {0}, "xyzw"), source(kTemp, {0})});
  mix(1, 2, 3);
  a.op(kAdd, {destination(kTemp, {1}, "xyzw"), source(kTemp, {1}), negated(source(kTemp, {0}))});
  a.op(kMad, {destination(kTemp, {0}, "xyzw"), source(kDomainPoint, {}, "yy"), source(kTemp, {1}),
              source(kTemp, {0})});
  a.op(kMul, {destination(kTemp, {1}, "x"), source(kTemp, {0}, "x"), literal(7.0f)});
  a.op(kSincos, {destination(kTemp, {1}, "x"), Operand{{13u << 12}}, source(kTemp, {1}, "x")});
  a.op(kMad,
       {destination(kTemp, {0}, "y"), source(kTemp, {1}, "x"), literal(0.08f), source(kTemp, {0}, "y")});
  a.op(kMov, {destination(kOutput, {0}, "xyzw"), source(kTemp, {0})});
  a.op(kMov, {destination(kOutput, {1}, "x"), u});
  a.op(kMov, {destination(kOutput, {1}, "y"), v});
  a.op(kMad, {destination(kOutput, {1}, "z"), source(kTemp, {1}, "x"), literal(0.5f), literal(0.5f)});
  a.op(kMov, {destination(kOutput, {1}, "w"), literal(1.0f)});
  a.op(kRet);
  return a.finish({kPlace}, {{"SV_POSITION", 0, kPosition, kFloat, 0, 15}, {"COLOR", 0, 0, kFloat, 1, 15}},
                  factors());
}

// Two patches side by side, above, and two more below them.
std::vector<float> places() {
  std::vector<float> all;
  for (const float y : {0.1f, -0.9f})
    for (const float x : {-0.9f, 0.0f})
      for (const float v : {0.0f, 0.75f})
        for (const float u : {0.0f, 0.9f}) all.insert(all.end(), {x + u, y + v, 0.5f, 1});
  return all;
}

}  // namespace

int main(int count, char** words) {
  const Arguments arguments(count, words);
  const Device11 d("direct3d_11_tessellation", D3D_FEATURE_LEVEL_11_0);
  ID3DBlob* vertex = compile(kShaders, "vertex_main", "vs_5_0");
  auto* vertex_shader = d.shader<ID3D11VertexShader>(&ID3D11Device::CreateVertexShader, vertex);
  const auto hull_shader = [&](uint32_t primitive) {
    return d.shader<ID3D11HullShader>(&ID3D11Device::CreateHullShader, hull(primitive));
  };
  ID3D11HullShader* hull_shaders[] = {hull_shader(kTriangleClockwise), hull_shader(kPoint)};
  auto* domain_shader = d.shader<ID3D11DomainShader>(&ID3D11Device::CreateDomainShader, domain());
  auto* pixel_shader = d.shader<ID3D11PixelShader>(&ID3D11Device::CreatePixelShader,
                                                   compile(kShaders, "pixel_main", "ps_5_0"));
  const D3D11_INPUT_ELEMENT_DESC element{
      "PLACE", 0, DXGI_FORMAT_R32G32B32A32_FLOAT, 0, 0, D3D11_INPUT_PER_VERTEX_DATA, 0};
  ID3D11InputLayout* layout = nullptr;
  check(
      d.device->CreateInputLayout(&element, 1, vertex->GetBufferPointer(), vertex->GetBufferSize(), &layout),
      "CreateInputLayout");
  const std::vector<float> points = places();
  ID3D11Buffer* vertices =
      d.buffer(points.data(), static_cast<UINT>(points.size() * 4), D3D11_BIND_VERTEX_BUFFER);
  ID3D11Buffer* constants = d.buffer(nullptr, 16, D3D11_BIND_CONSTANT_BUFFER);
  D3D11_RASTERIZER_DESC description{};
  description.FillMode = D3D11_FILL_SOLID;
  description.CullMode = D3D11_CULL_NONE;
  description.DepthClipEnable = TRUE;
  ID3D11RasterizerState* both_sides = nullptr;
  check(d.device->CreateRasterizerState(&description, &both_sides), "CreateRasterizerState");
  d.run(arguments, [&](int frame) {
    const float factor[4] = {5.5f + 2.25f * static_cast<float>(frame), 0, 0, 0};
    const UINT stride = 16, start = 0;
    d.context->UpdateSubresource(constants, 0, nullptr, factor, 0, 0);
    d.context->IASetVertexBuffers(0, 1, &vertices, &stride, &start);
    d.context->IASetInputLayout(layout);
    d.context->IASetPrimitiveTopology(D3D11_PRIMITIVE_TOPOLOGY_4_CONTROL_POINT_PATCHLIST);
    d.context->VSSetShader(vertex_shader, nullptr, 0);
    d.context->HSSetConstantBuffers(0, 1, &constants);
    d.context->DSSetShader(domain_shader, nullptr, 0);
    d.context->PSSetShader(pixel_shader, nullptr, 0);
    d.context->RSSetState(both_sides);
    for (UINT i = 0; i < 2; i++) {
      d.context->HSSetShader(hull_shaders[i], nullptr, 0);
      d.context->Draw(8, 8 * i);
    }
  });
  return 0;
}
