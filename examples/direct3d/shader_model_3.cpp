// Direct3D 9 with shaders of model 3: a texture read in the vertex shader, a loop and a branch in the pixel
// shader.
#include <cstring>
#include <d3dcompiler.h>

#include "device9.h"

using namespace direct3d;

// A function of d3dcompiler_47.dll that no header declares.
extern "C" HRESULT WINAPI D3DAssemble(const void* text, SIZE_T bytes, const char* name,
                                      const D3D_SHADER_MACRO* defines, ID3DInclude* include, UINT flags,
                                      ID3DBlob** code, ID3DBlob** errors);

namespace {

const char* const kVertex = R"(vs_3_0
def c1, 0, 1, 0.5, 0.25
dcl_position v0
dcl_texcoord v1
dcl_2d s0
dcl_position o0
dcl_texcoord o1
mov r1, c1.x
mov r1.xy, v1
texldl r0, r1, s0
mul r0.x, r0.x, c1.w
mov r2, v0
add r2.y, r2.y, r0.x
add o0, r2, c0
mov o1.xy, v1
mov o1.zw, r0.x
)";

const char* const kPixel = R"(ps_3_0
def c1, 0.125, 0.5, 1, 0.3
defi i0, 4, 0, 0, 0
dcl_texcoord v0
dcl_2d s0
mov r0, c1.x
mov r1.xy, v0
rep i0
texld r2, r1, s0
mad r0, r2, c1.x, r0
add r1.xy, r1, c0
endrep
if_gt v0.x, c1.y
mul r0.x, r0.x, c1.z
mul r0.yz, r0, c1.w
else
mul r0.xy, r0, c1.w
endif
mov oC0, r0
)";

std::vector<DWORD> assemble(const char* text) {
  const HMODULE library = LoadLibraryA("d3dcompiler_47.dll");
  const auto function = reinterpret_cast<decltype(&D3DAssemble)>(
      reinterpret_cast<void*>(GetProcAddress(library, "D3DAssemble")));
  if (!function) check(E_NOTIMPL, "D3DAssemble");
  ID3DBlob *code = nullptr, *errors = nullptr;
  const HRESULT result = function(text, std::strlen(text), nullptr, nullptr, nullptr, 0, &code, &errors);
  if (errors) std::fprintf(stderr, "%s\n", static_cast<const char*>(errors->GetBufferPointer()));
  check(result, "D3DAssemble");
  const auto* words = static_cast<const DWORD*>(code->GetBufferPointer());
  return {words, words + code->GetBufferSize() / 4};
}

struct Vertex {
  float x, y, z, u, v;
};

std::vector<Vertex> grid(int side) {
  std::vector<Vertex> vertices;
  const auto put = [&](int x, int y) {
    const float u = static_cast<float>(x) / static_cast<float>(side),
                v = static_cast<float>(y) / static_cast<float>(side);
    vertices.push_back({1.4f * u - 0.7f, 1.2f * v - 0.8f, 0.5f, u, v});
  };
  for (int y = 0; y < side; y++)
    for (int x = 0; x < side; x++)
      for (const int corner : {0, 1, 2, 2, 1, 3}) put(x + (corner & 1), y + (corner >> 1));
  return vertices;
}

}  // namespace

int main(int count, char** words) {
  Device9 made("shader_model_3");
  IDirect3DDevice9* device = made.device;
  IDirect3DVertexShader9* vertex_shader = nullptr;
  IDirect3DPixelShader9* pixel_shader = nullptr;
  check(device->CreateVertexShader(assemble(kVertex).data(), &vertex_shader), "CreateVertexShader");
  check(device->CreatePixelShader(assemble(kPixel).data(), &pixel_shader), "CreatePixelShader");
  device->SetVertexShader(vertex_shader);
  device->SetPixelShader(pixel_shader);
  IDirect3DTexture9* texture = made.checkered();
  IDirect3DTexture9* heights = nullptr;
  check(device->CreateTexture(16, 16, 1, 0, D3DFMT_A32B32G32R32F, D3DPOOL_MANAGED, &heights, nullptr),
        "CreateTexture");
  D3DLOCKED_RECT locked;
  check(heights->LockRect(0, &locked, nullptr, 0), "LockRect");
  for (int i = 0; i < 16 * 16; i++) {
    float* texel =
        reinterpret_cast<float*>(static_cast<char*>(locked.pBits) + i / 16 * locked.Pitch) + i % 16 * 4;
    texel[0] = texel[1] = texel[2] = static_cast<float>(i % 16 * (15 - i % 16)) / 56;
    texel[3] = 1;
  }
  heights->UnlockRect(0);
  device->SetTexture(D3DVERTEXTEXTURESAMPLER0, heights);
  device->SetTexture(0, texture);
  device->SetSamplerState(0, D3DSAMP_MAGFILTER, D3DTEXF_LINEAR);
  device->SetRenderState(D3DRS_CULLMODE, D3DCULL_NONE);
  device->SetFVF(D3DFVF_XYZ | D3DFVF_TEX1);
  const std::vector<Vertex> vertices = grid(16);
  made.run(Arguments(count, words), [&](int frame) {
    const float place[4] = {0.05f * static_cast<float>(frame), 0, 0, 0}, step[4] = {0.015f, 0.02f, 0, 0};
    device->SetVertexShaderConstantF(0, place, 1);
    device->SetPixelShaderConstantF(0, step, 1);
    check(device->DrawPrimitiveUP(D3DPT_TRIANGLELIST, 2 * 16 * 16, vertices.data(), sizeof(Vertex)),
          "DrawPrimitiveUP");
  });
  return 0;
}
