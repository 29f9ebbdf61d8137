#pragma once

// Shared by all of these programs: a window, frames in it, and the last picture in a file.
//
//     PROGRAM.exe [FRAMES [PICTURE.ppm]]
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <windows.h>

namespace direct3d {

constexpr int kWidth = 320, kHeight = 240;

inline HWND make_window(const char* title) {
  WNDCLASSA window_class{};
  window_class.lpfnWndProc = DefWindowProcA;
  window_class.hInstance = GetModuleHandle(nullptr);
  window_class.lpszClassName = title;
  RegisterClassA(&window_class);
  RECT area{0, 0, kWidth, kHeight};
  AdjustWindowRect(&area, WS_OVERLAPPEDWINDOW, FALSE);
  HWND window = CreateWindowA(title, title, WS_OVERLAPPEDWINDOW, 0, 0, area.right - area.left,
                              area.bottom - area.top, nullptr, nullptr, window_class.hInstance, nullptr);
  ShowWindow(window, SW_SHOW);
  return window;
}

inline void take_messages() {
  MSG message;
  while (PeekMessage(&message, nullptr, 0, 0, PM_REMOVE)) DispatchMessage(&message);
}

inline void check(HRESULT result, const char* what) {
  if (SUCCEEDED(result)) return;
  std::fprintf(stderr, "%s: error %08lx\n", what, static_cast<unsigned long>(result));
  std::exit(1);
}

struct Arguments {
  int frames = 3;
  const char* picture = nullptr;

  Arguments(int count, char** words) {
    if (count > 1) frames = std::atoi(words[1]);
    if (count > 2) picture = words[2];
  }
};

// Four bytes a pixel, rows `pitch` bytes apart; red at byte `red` of them and blue at 2 - red.
inline void write_picture(const char* file, const void* pixels, int pitch, int red) {
  FILE* out = std::fopen(file, "wb");
  if (!out) check(E_FAIL, file);
  std::fprintf(out, "P6\n%d %d\n255\n", kWidth, kHeight);
  for (int y = 0; y < kHeight; y++)
    for (int x = 0; x < kWidth; x++) {
      const auto* p = static_cast<const unsigned char*>(pixels) + y * pitch + 4 * x;
      const unsigned char rgb[] = {p[red], p[1], p[2 - red]};
      std::fwrite(rgb, 1, 3, out);
    }
  std::fclose(out);
}

// 64x64 texels, squares of 8.
inline std::vector<DWORD> checkers() {
  std::vector<DWORD> texels(64 * 64);
  for (int i = 0; i < 64 * 64; i++) texels[i] = (i % 64 / 8 + i / 64 / 8) % 2 ? 0xffffffff : 0xff808080;
  return texels;
}

}  // namespace direct3d
