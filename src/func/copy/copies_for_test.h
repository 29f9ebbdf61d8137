#pragma once

#include <gtest/gtest.h>
#include <random>
#include <vector>

#include "arch/memory.h"
#include "func/copy/copy_surface.h"

// Copies within a memory, as a copy engine makes them.
namespace cutaway::func::testing {

using arch::Address;
using arch::CopyAspect;
using arch::Format;
using arch::Surface;
using arch::SurfaceType;
using arch::Tiling;

constexpr Address kSource = 0x100000, kDestination = 0x800000;

inline Surface surface(Format format, Tiling tiling, Address address, uint32_t width, uint32_t height,
                       uint32_t levels = 1, uint32_t layers = 1, uint32_t depth = 1) {
  Surface s{};
  s.address = address;
  s.format = static_cast<uint32_t>(format);
  s.type = Surface::make_type(depth > 1 ? SurfaceType::k3D : SurfaceType::k2D, tiling);
  s.width = width;
  s.height = height;
  s.depth = depth;
  s.levels = s.level_count = levels;
  s.layers = s.layer_count = layers;
  return s;
}

struct Counts {
  uint64_t chunks = 0, source_bytes = 0, destination_bytes = 0;
};

// Runs a copy like a copy engine, and checks that no chunk crosses a line.
template <class Packet>
Counts run(const Packet& packet, arch::Memory& memory, uint32_t line_bytes = 64) {
  EXPECT_EQ(copy_error(packet), nullptr);
  CopyCursor cursor(packet, line_bytes);
  CopyChunk chunk;
  Counts counts;
  while (cursor.next(chunk)) {
    std::vector<std::byte> source(chunk.source_bytes), destination(chunk.destination_bytes, std::byte{0xee});
    const auto within_line = [&](Address address, uint32_t bytes) {
      return bytes == 0 || address / line_bytes == (address + bytes - 1) / line_bytes;
    };
    EXPECT_TRUE(within_line(chunk.source, chunk.source_bytes));
    EXPECT_TRUE(within_line(chunk.destination, chunk.destination_bytes));
    memory.read(chunk.source, source.data(), source.size());
    if (chunk.reads_destination) memory.read(chunk.destination, destination.data(), destination.size());
    cursor.finish(chunk, source.data(), destination.data());
    memory.write(chunk.destination, destination.data(), destination.size());
    counts.chunks++;
    counts.source_bytes += chunk.source_bytes;
    counts.destination_bytes += chunk.destination_bytes;
    if (counts.chunks > 10000000) break;
  }
  EXPECT_FALSE(cursor.next(chunk));
  return counts;
}

inline arch::Memory fresh_memory(uint64_t bytes = 1 << 20) {
  arch::Memory memory;
  memory.map(kSource, bytes);
  memory.map(kDestination, bytes);
  std::mt19937_64 random(21);
  for (Address base : {kSource, kDestination})
    for (uint64_t i = 0; i < bytes; i += 8) memory.write_as<uint64_t>(base + i, random());
  return memory;
}

inline std::vector<std::byte> element(const arch::Memory& memory, const Surface& s, uint32_t x, uint32_t y,
                                      uint32_t z) {
  const bool volume = s.surface_type() == SurfaceType::k3D;
  const Address address = arch::element_address(s, arch::level_layout(s, s.base_level), x, y, volume ? z : 0,
                                                s.base_layer + (volume ? 0 : z));
  std::vector<std::byte> bytes(arch::format_info(s.format).bytes);
  memory.read(address, bytes.data(), bytes.size());
  return bytes;
}

// Expects the source's elements inside the region, and unchanged ones outside.
inline void expect_copied(const arch::CopySurfacePacket& p, const arch::Memory& before,
                          const arch::Memory& after) {
  const arch::LevelLayout level = arch::level_layout(p.destination, p.destination.base_level);
  const bool volume = p.destination.surface_type() == SurfaceType::k3D;
  const uint32_t slices = volume ? level.depth : p.destination.layers - p.destination.base_layer;
  const arch::FormatInfo& format = arch::format_info(p.destination.format);
  for (uint32_t z = 0; z < slices; z++)
    for (uint32_t y = 0; y < (level.height + format.block_height - 1) / format.block_height; y++)
      for (uint32_t x = 0; x < (level.width + format.block_width - 1) / format.block_width; x++) {
        const uint32_t dx = x - p.destination_x, dy = y - p.destination_y, dz = z - p.destination_z;
        const bool inside = dx < p.width && dy < p.height && dz < p.depth;
        const auto expected =
            inside ? element(before, p.source, dx + p.source_x, dy + p.source_y, dz + p.source_z)
                   : element(before, p.destination, x, y, z);
        ASSERT_EQ(element(after, p.destination, x, y, z), expected) << x << "," << y << "," << z;
      }
}

}  // namespace cutaway::func::testing
