// Direct3D 9 without shaders: transforms, a light, a texture combined with it, fog, alpha blending.
#include <bit>
#include <cmath>

#include "device9.h"

using namespace direct3d;

namespace {

struct Vertex {
  float x, y, z, nx, ny, nz, u, v;
};

std::vector<Vertex> cube() {
  std::vector<Vertex> vertices;
  for (int face = 0; face < 6; face++)
    for (const int corner : {0, 1, 2, 2, 1, 3}) {
      const float sign = face % 2 ? 1.0f : -1.0f;
      const float u = corner & 1 ? 1.0f : -1.0f, v = corner & 2 ? 1.0f : -1.0f;
      float p[3] = {}, n[3] = {};
      n[face / 2] = p[face / 2] = sign;
      p[(face / 2 + 1) % 3] = u, p[(face / 2 + 2) % 3] = v;
      vertices.push_back({p[0], p[1], p[2], n[0], n[1], n[2], u / 2 + 0.5f, v / 2 + 0.5f});
    }
  return vertices;
}

D3DMATRIX turned(float angle, float x, float z) {
  D3DMATRIX m{};
  const float c = std::cos(angle), s = std::sin(angle);
  m._11 = c, m._13 = -s, m._31 = s, m._33 = c, m._22 = m._44 = 1;
  m._41 = x, m._42 = -0.2f, m._43 = z;
  return m;
}

}  // namespace

int main(int count, char** words) {
  Device9 made("fixed_function");
  IDirect3DDevice9* device = made.device;
  D3DMATRIX projection{};
  projection._11 = 1.2f, projection._22 = 1.6f, projection._33 = 20.0f / 19, projection._34 = 1;
  projection._43 = -20.0f / 19;
  device->SetTransform(D3DTS_PROJECTION, &projection);
  D3DLIGHT9 light{};
  light.Type = D3DLIGHT_DIRECTIONAL;
  light.Diffuse = {1, 0.9f, 0.7f, 1}, light.Ambient = {0.2f, 0.2f, 0.3f, 1};
  light.Direction = {0.5f, -0.7f, 1};
  device->SetLight(0, &light);
  device->LightEnable(0, TRUE);
  device->SetRenderState(D3DRS_NORMALIZENORMALS, TRUE);
  device->SetRenderState(D3DRS_CULLMODE, D3DCULL_NONE);
  device->SetRenderState(D3DRS_FOGENABLE, TRUE);
  device->SetRenderState(D3DRS_FOGCOLOR, 0xff203040);
  device->SetRenderState(D3DRS_FOGTABLEMODE, D3DFOG_NONE);
  device->SetRenderState(D3DRS_FOGVERTEXMODE, D3DFOG_LINEAR);
  device->SetRenderState(D3DRS_FOGSTART, std::bit_cast<DWORD>(3.0f));
  device->SetRenderState(D3DRS_FOGEND, std::bit_cast<DWORD>(9.0f));
  device->SetTexture(0, made.checkered());
  device->SetSamplerState(0, D3DSAMP_MAGFILTER, D3DTEXF_LINEAR);
  device->SetSamplerState(0, D3DSAMP_MINFILTER, D3DTEXF_LINEAR);
  device->SetFVF(D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_TEX1);
  device->SetRenderState(D3DRS_SRCBLEND, D3DBLEND_SRCALPHA);
  device->SetRenderState(D3DRS_DESTBLEND, D3DBLEND_INVSRCALPHA);
  const std::vector<Vertex> vertices = cube();
  made.run(Arguments(count, words), [&](int frame) {
    for (int i = 0; i < 3; i++) {
      D3DMATERIAL9 material{};
      material.Diffuse = {i == 0 ? 1.0f : 0.4f, i == 1 ? 1.0f : 0.4f, i == 2 ? 1.0f : 0.4f,
                          i == 2 ? 0.5f : 1};
      material.Ambient = material.Diffuse;
      device->SetMaterial(&material);
      device->SetRenderState(D3DRS_ALPHABLENDENABLE, i == 2);
      const auto turn = static_cast<float>(frame + i);
      const D3DMATRIX world = turned(0.4f * turn + 0.3f, 1.5f * static_cast<float>(i - 1), i == 2 ? 4.5f : 6);
      device->SetTransform(D3DTS_WORLD, &world);
      check(device->DrawPrimitiveUP(D3DPT_TRIANGLELIST, 12, vertices.data(), sizeof(Vertex)),
            "DrawPrimitiveUP");
    }
  });
  return 0;
}
