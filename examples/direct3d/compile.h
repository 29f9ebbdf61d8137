#pragma once

#include <cstring>
#include <d3dcompiler.h>

#include "window.h"

namespace direct3d {

inline ID3DBlob* compile(const char* text, const char* entry, const char* profile) {
  ID3DBlob *code = nullptr, *errors = nullptr;
  const HRESULT result = D3DCompile(text, std::strlen(text), "shader.hlsl", nullptr, nullptr, entry, profile,
                                    0, 0, &code, &errors);
  if (FAILED(result) && errors)
    std::fprintf(stderr, "%.*s\n", static_cast<int>(errors->GetBufferSize()),
                 static_cast<const char*>(errors->GetBufferPointer()));
  check(result, "D3DCompile");
  return code;
}

}  // namespace direct3d
