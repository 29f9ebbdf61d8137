#pragma once

#include <optional>

#include "arch/memory.h"
#include "func/texture/texture_view.h"
#include "run_record/draw_view.h"

namespace cutaway::replay {

// Texels of the level that is shown of a texture: the largest that has at most `side` texels a side, else the
// smallest; of its first layer and depth slice.
uint32_t shown_level(const func::TextureView& view, uint32_t side);

// Hash of the contents of that level.
uint64_t texture_hash(const arch::Memory& memory, const func::TextureView& view, uint32_t level);

// Picture of a level, made smaller by leaving texels out if it has more than `side` a side. None: buffers,
// integers, and formats that cannot be decoded are not shown.
std::optional<run_record::ViewedTexture> texture_picture(const arch::Memory& memory,
                                                         const func::TextureView& view, uint32_t level,
                                                         uint32_t side);

}  // namespace cutaway::replay
