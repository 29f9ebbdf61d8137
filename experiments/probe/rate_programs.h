#pragma once

#include "headless.h"
#include "probe/rates.h"

// The programs that a rate's triangles and fragments run. The module is the caller's.
VkShaderModule vertex_program(const headless::Context& context, const cutaway::probe::RateDraw& draw);
VkShaderModule fragment_program(const headless::Context& context, const cutaway::probe::RateDraw& draw);
VkShaderModule geometry_program(const headless::Context& context);
